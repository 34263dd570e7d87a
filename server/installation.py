"""The installation of Haggle: a checkout of its repository, or a wheel."""

from __future__ import annotations

import shutil
import sys
from importlib.util import find_spec
from pathlib import Path

from server import VERSION

_ROOT = Path(__file__).resolve().parents[1]

CHECKOUT = _ROOT if (_ROOT / "pyproject.toml").is_file() else None
"""The folder of the checkout; None in an installation from a wheel."""
# Not another Python that may come first on the PATH. Environments made by uv have no pip.
_PIP = f'"{sys.executable}" -m pip install' if find_spec("pip") else f'uv pip install --python "{sys.executable}"'
_WHEEL = f"haggle_game-{VERSION}-py3-none-any.whl"
REPAIR = (
    "delete .haggle/venv and web/node_modules, then run ./haggle again"
    if CHECKOUT
    else f"install Haggle again: {_PIP} --force-reinstall {_WHEEL}"
)
"""Advice for damaged installations."""


def advice_for_extra(extra: str, packages: str) -> str:
    """Return advice on how to install an extra of the wheel, which consists of these packages."""
    if CHECKOUT:
        # The set-up installs uv there if the PATH has none.
        uv = "uv" if shutil.which("uv") else ".haggle/uv/bin/uv"
        return f"{uv} pip install --python .haggle/venv {packages}"
    return f'{_PIP} "{_WHEEL}[{extra}]"'
