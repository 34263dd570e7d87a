"""The facts that `haggle best --fact NAME=VALUE` gives."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from collections.abc import Iterable

    from server.scoring import Edition

_YES_NO = {"yes": True, "true": True, "no": False, "false": False}


def facts_of(edition: Edition, entries: Iterable[str]) -> dict[str, int]:
    """Return the values by name; one line for what the edition does not ask for or take."""
    facts: dict[str, int] = {}
    for entry in entries:
        name, sign, text = entry.partition("=")
        if not sign:
            raise click.ClickException(f"--fact {entry}: write it as NAME=VALUE")
        fact = edition.fact_of.get(name)
        if fact is None:
            known = f"it asks for {', '.join(edition.fact_of)}" if edition.facts else "it asks for none"
            raise click.ClickException(f"--fact {entry}: {edition.slug} asks for no fact '{name}' ({known})")
        if name in facts:
            raise click.ClickException(f"--fact {entry}: {name} was given before; give each fact once")
        value = _YES_NO.get(text.lower()) if fact.yes_no else _whole(text)
        if value is None or not fact.takes(value):
            raise click.ClickException(f"--fact {entry}: must be {'yes or no' if fact.yes_no else fact.expects}")
        facts[name] = value
    return facts


def _whole(text: str) -> int | None:
    digits = text.removeprefix("-")
    return int(text) if digits.isascii() and digits.isdigit() and len(digits) < 19 else None  # noqa: PLR2004 - 64 bits
