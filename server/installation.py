"""The installation of Haggle: a checkout of its repository, or a wheel."""

from __future__ import annotations

from pathlib import Path

import platformdirs

_ROOT = Path(__file__).resolve().parents[1]

CHECKOUT = _ROOT if (_ROOT / "pyproject.toml").is_file() else None
"""The folder of the checkout; None in an installation from a wheel."""
REPAIR = (
    "delete .haggle/venv and web/node_modules, then run ./haggle again"
    if CHECKOUT
    else "install Haggle again: python3 -m pip install --force-reinstall haggle-game"
)
"""Advice for damaged installations."""


def cache_folder() -> Path:
    """Return the folder for files that can be made again."""
    return CHECKOUT / ".haggle" if CHECKOUT else platformdirs.user_cache_path("haggle", appauthor=False)
