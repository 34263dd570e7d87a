"""The product on systems without POSIX."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]

_IMPORT_ALL = """
import builtins, importlib, pkgutil, sys

OURS = ("cardgen", "scanner", "server")
POSIX = {"fcntl", "grp", "posix", "pty", "pwd", "resource", "syslog", "termios", "tty"}
real = builtins.__import__

def without_posix(name, globals=None, *rest, **named):
    if name in POSIX and (globals or {}).get("__name__", "").startswith(OURS):
        raise ImportError(f"{globals['__name__']} imports {name}")
    return real(name, globals, *rest, **named)

builtins.__import__ = without_posix
for package in OURS:
    for module in pkgutil.walk_packages(importlib.import_module(package).__path__, f"{package}."):
        # Alembic runs these files; `__main__` starts the program.
        if ".migrations." not in module.name and not module.name.endswith("__main__"):
            importlib.import_module(module.name)
            print(module.name)
"""


def test_all_modules_can_be_imported_without_modules_of_posix() -> None:
    done = subprocess.run([sys.executable, "-c", _IMPORT_ALL], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert {"server.operating_system", "scanner.scan", "server.web_app.server"} <= set(done.stdout.split())
