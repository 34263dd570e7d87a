"""The set-up runs before anything is installed, so it may import nothing that it installs."""

from __future__ import annotations

import ast
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]


def imports(path: Path) -> set[str]:
    """Return the modules that a file imports, read as Python 3.9, which is the oldest that runs the set-up."""
    tree = ast.parse(path.read_text(), feature_version=(3, 9))
    found = {alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names}
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module:
            # `from tools import web` names modules too.
            found |= {f"tools.{alias.name}" for alias in node.names} if node.module == "tools" else {node.module}
    return found


def test_the_set_up_needs_nothing_that_it_installs() -> None:
    """Whatever `tools.launch` imports, itself or by others, is of the standard library or of `tools`."""
    ours, others, waiting = set(), set(), {"tools.launch"}
    while waiting:
        module = waiting.pop()
        ours.add(module)
        found = imports(ROOT / f"{module.replace('.', '/')}.py")
        others |= {name.partition(".")[0] for name in found if not name.startswith("tools.")}
        waiting |= {name for name in found if name.startswith("tools.")} - ours
    assert {"tools.environment", "tools.web", "tools.system", "tools.locks"} <= ours
    assert others <= set(sys.stdlib_module_names)
