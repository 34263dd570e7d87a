"""Begins a variant: a TOML whose hints say what may be changed, with the values that the other edition has.

A hint is a line that begins with "#" and no space. Without the "#" it counts, and all of them together are valid too.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from server.editions.loader import read_edition
from server.scoring.wording import decimal

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from server.scoring.edition import Edition, Rule

_HEAD = """# A variant of {base}: what stands here replaces what stands there, and all else stays.
# A line that begins with # and no space is a hint: take its # away, and it counts.

slug = "{slug}"
extends = "{base}"
"""


def variant(slug: str, title: str, base: str, folder: Path) -> str:
    """Return the TOML of a variant of the edition in `folder`, whose slug is `base`. EditionError if that is broken."""
    edition = read_edition(folder, None)
    lines = [_HEAD.format(slug=slug, base=base)]
    lines += [f'title.{language} = "{title}"\n' for language in edition.languages]
    for comment, hint in _hints(edition):
        lines.append(f"\n# {comment}\n")
        lines += [f"#{line}\n" for line in hint]
    return "".join(lines)


def _hints(edition: Edition) -> Iterator[tuple[str, list[str]]]:
    """Yield comments and lines; what belongs to no table comes first."""
    yield "For how many players:", [f"players = {{ min = {edition.players_min}, max = {edition.players_max} }}"]
    numbered = next((rule for rule in edition.rules if rule.numbers and rule.steps), None)
    spare = _spare(edition, numbered)
    if spare:
        comment = f"Fewer rules, by their keys; this one is “{spare.name}”:"
        yield comment, ["[without]", f"rules = [{json.dumps(spare.key)}]"]
    if numbered:
        numbers = ", ".join(f"{name} = {decimal(number)}" for name, number in numbered.numbers.items())
        comment = f"Other numbers of a rule; the wording follows. This one is “{numbered.name}”:"
        yield comment, ["[[rules]]", f"key = {json.dumps(numbered.key)}", f"numbers = {{ {numbers} }}"]
    for deal in edition.deal:
        if deal.each or deal.each_kind:
            field, number = ("each", deal.each) if deal.each else ("each_kind", deal.each_kind)
            what = "cards" if deal.each else "cards of each kind"
            comment = f"How many {what} of a category each player starts with; this one is “{deal.name}”:"
            yield comment, ["[[categories]]", f'slug = "{deal.category}"', f"{field} = {number}"]
            break
    for setting in edition.settings[:1]:
        comment = f"What a setting is where the organiser sets nothing; this one is “{setting.label}”:"
        yield comment, ["[[settings]]", f'name = "{setting.name}"', f"default = {setting.default}"]


def _spare(edition: Edition, kept: Rule | None) -> Rule | None:
    """Return the last rule that can go by itself: nothing else in the edition stands on it."""
    tied = {tie.rule for tie in edition.ties}.union(*(rule.touches for rule in edition.rules))
    for rule in reversed(edition.rules):
        if rule is not kept and rule.key not in tied and not rule.touches and not rule.settings:
            return rule
    return None
