"""The gallery of common rules: templates for the editor of editions, which docs/editions.md shows as well."""

from __future__ import annotations

import tomllib
from functools import cache
from pathlib import Path
from typing import Any

SLOTS = ("tea", "cake", "plate", "rule")
"""Names in the templates that stand for two cards, a category, and the key of another rule."""


@cache
def common_rules() -> tuple[dict[str, Any], ...]:
    """Return the templates: tables of rules without keys, whose texts have the slots in braces."""
    text = Path(__file__).with_name("gallery.toml").read_text(encoding="utf-8")
    return tuple(tomllib.loads(text)["rules"])
