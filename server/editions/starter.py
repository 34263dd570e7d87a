"""Beginnings: common rules, and new editions, which are an example to change, or a variant or copy of another."""

from __future__ import annotations

import json
import re
import tomllib
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from server.editions.loader import read_edition
from server.editions.registry import FILE, edition_folders, folder_of
from server.scoring.breakdown import decimal
from server.scoring.errors import EditionError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from server.scoring.edition import Edition
    from server.scoring.rules import Rule


_HEAD = """# A variant of {base}: values in this file replace those of {base}; everything else stays.
# A line that begins with # and no space is a suggestion: remove its # to use it.

slug = "{slug}"
extends = "{base}"
"""


def variant_toml(slug: str, title: str, base: str, folder: Path) -> str:
    """Return the TOML of a variant of the edition in `folder`, whose slug is `base`; EditionError if that is broken."""
    edition = read_edition(folder, None)
    lines = [_HEAD.format(slug=slug, base=base)]
    lines += [f'title.{language} = "{title}"\n' for language in edition.languages]
    for comment, hint in _hints(edition):
        lines.append(f"\n# {comment}\n")
        lines += [f"#{line}\n" for line in hint]
    return "".join(lines)


def _hints(edition: Edition) -> Iterator[tuple[str, list[str]]]:
    """Yield comments and lines; keys outside tables come first."""
    yield (
        "The recommended number of players:",
        [f"players = {{ min = {edition.players_min}, max = {edition.players_max} }}"],
    )
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
            comment = f"The number of {what} of a category that each player starts with; this one is “{deal.name}”:"
            yield comment, ["[[categories]]", f'slug = "{deal.category}"', f"{field} = {number}"]
            break
    for setting in edition.settings[:1]:
        comment = f"The default of a setting; this one is “{setting.label}”:"
        yield comment, ["[[settings]]", f'name = "{setting.name}"', f"default = {setting.default}"]


def _spare(edition: Edition, kept: Rule | None) -> Rule | None:
    """Return the last rule that can be left out: nothing else in the edition depends on it."""
    tied = {tie.rule for tie in edition.ties}.union(*(rule.touches for rule in edition.rules))
    for rule in reversed(edition.rules):
        if rule is not kept and rule.key not in tied and not rule.touches and not rule.settings:
            return rule
    return None


_OWN_SLUG = re.compile(r"""^slug[ \t]*=.*$""", re.MULTILINE)
_OWN_TITLE = re.compile(r"""^(title[.][a-z]+[ \t]*=).*$""", re.MULTILINE)
RESERVED = frozenset({"show", "new", "check"})
"""Names of subcommands of `haggle editions`, which no edition may have."""
NAME = re.compile(r"[a-z][a-z0-9-]*")

_TOML = """# {title}: its cards, wording and rules.

slug = "{slug}"
title.en = "{title}"
summary.en = "Three colours, and rules that you find out by trading."
players = {{ min = 4, max = 30 }}

# The cards that each player starts with. `valued`: cards of the category are worth points.
[[categories]]
slug = "colour"
name.en = "Colour cards"
each = 8
valued = true

[[categories]]
slug = "rule"
name.en = "Rule cards"
each = 1

# The tie-break for equal scores.
[[ties]]
name = "earlier-hand-in"
label.en = "earlier hand-in"

[[cards]]
slug = "red"
category = "colour"
name.en = "Red"
worth = 3
ink = "#C2242B"
symbol = "heart"

[[cards]]
slug = "blue"
category = "colour"
name.en = "Blue"
worth = 2
ink = "#163A86"
symbol = "drop"

[[cards]]
slug = "yellow"
category = "colour"
name.en = "Yellow"
worth = 1
ink = "#F6CC1B"
symbol = "star"

# A rule: the number on its card, title, wording with its numbers in braces, what it does, and its sentence in the
# breakdown. `define` gives names to values for sentences and other formulas.
[[rules]]
key = "1"
name.en = "Rainbow"
text.en = "Each set of {{colours}} different colours brings {{points}} points."
numbers = {{ colours = 3, points = 5 }}
define = {{ sets = "lowest(colour)" }}
when = "kinds(colour) == colours"
give = "sets * points"
says.line.en = "Sets of all colours: {{sets}}."

[[rules]]
key = "2"
name.en = "Too much red"
text.en = "Hand in more than {{limit}} red cards, and your red cards are worth nothing."
numbers = {{ limit = 5 }}
define = {{ count = "red" }}
when = "red > limit"
zero = "red"
says.line.en = "Red cards: {{count}}, limit {{limit}}. Worth nothing."

[[rules]]
key = "3"
name.en = "Most blue"
text.en = "Who alone hands in most blue cards gains {{points}} points."
numbers = {{ points = 10 }}
define = {{ count = "blue" }}
when = "only_has_most(blue)"
give = "points"
unknown = "blue > 0"
says.line.en = "Most blue cards: {{count}}."
says.unknown.en = "Not known yet: somebody else may hand in as many blue cards."
"""


def edition_toml(
    slug: str, title: str, base: str | None = None, *, copied: str | None = None, empty: bool = False
) -> str:
    """Return the TOML of a new edition: an example, a variant of the installed edition `base`, or the text of another.

    In the text `copied`, slug and title are replaced. An `empty` example has one card and no rules. EditionError if
    there is no such edition.
    """
    quoted = json.dumps(title, ensure_ascii=False)[1:-1]
    if copied is not None:
        text = _OWN_SLUG.sub(lambda _: f'slug = "{slug}"', copied, count=1)
        return _OWN_TITLE.sub(lambda found: f'{found[1]} "{quoted}"', text)
    if base is not None:
        return variant_toml(slug, quoted, base, folder_of(base))
    text = _TOML.format(slug=slug, title=quoted)
    return text.partition('[[cards]]\nslug = "blue"')[0].rstrip() + "\n" if empty else text


def create_edition(name: str, out: Path, base: str | None = None) -> Path:
    """Create the folder `out`/`name` for a new edition, or for a variant of `base`, and return it.

    EditionError for a bad or existing name, and for an unknown base.
    """
    if not NAME.fullmatch(name) or name in RESERVED:
        reason = "is the name of a command" if name in RESERVED else "is not a valid name for an edition"
        raise EditionError(f"'{name}' {reason}; take small letters, digits and hyphens, such as my-edition")
    folder = out / name
    taken = [folder] if folder.exists() else edition_folders(out).get(name, [])
    if taken:
        raise EditionError(f"'{name}' is there already: {taken[0]}; take another name")
    title = name.replace("-", " ").capitalize()
    text = _TOML.format(slug=name, title=title)
    if base is not None:
        text = variant_toml(name, title, base, folder_of(base, out))
    folder.mkdir(parents=True)
    (folder / FILE).write_text(text, encoding="utf-8")
    return folder


SLOTS = ("tea", "cake", "plate", "rule")
"""Names in these rules that stand for two cards, a category, and the key of another rule."""


@cache
def common_rules() -> tuple[dict[str, Any], ...]:
    """Return the common rules: tables without keys, whose texts have the slots in braces."""
    text = Path(__file__).with_name("common_rules.toml").read_text(encoding="utf-8")
    return tuple(tomllib.loads(text)["rules"])


def slots_in(rule: dict[str, Any]) -> list[str]:
    """Return the slots that a common rule has."""
    return [slot for slot in SLOTS if re.search(rf"\b{slot}\b", json.dumps(rule))]
