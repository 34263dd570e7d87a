"""Our own source as trees, for tests that read off it what the product may say."""

from __future__ import annotations

import ast
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[1]


@cache
def trees(folder: str) -> tuple[ast.Module, ...]:
    """Return the trees of all files below a folder of the product, each parsed once: the server's take a second."""
    return tuple(ast.parse(file.read_text(encoding="utf-8")) for file in sorted((ROOT / folder).rglob("*.py")))


@cache
def calls(folder: str) -> tuple[tuple[str, ast.Call], ...]:
    """Return all calls in a folder's files, each with the bare name of what is called, "" where that has a dot."""
    return tuple(
        (getattr(node.func, "id", ""), node)
        for tree in trees(folder)
        for node in ast.walk(tree)
        if isinstance(node, ast.Call)
    )
