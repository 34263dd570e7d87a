"""Checks of input against an edition: cards, settings and rules, and players' names and times."""

from __future__ import annotations

import re
import unicodedata
from datetime import datetime
from typing import TYPE_CHECKING

from server.scoring.edition import SEED
from server.scoring.errors import Mistake, format_path, format_value
from server.scoring.hand import cancelling_rules, cards_in_play, choice_mistakes, part_mistakes

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from server.scoring.edition import Edition, Setting
    from server.scoring.hand import Hand

MAX_HAND = 9_999
"""Most cards in a hand, of all kinds together."""
MAX_SETTING = 1_000_000_000
MAX_SEED = 1000
_MAX_LISTED = 6
_MAX_SHOWN = 40
_TIME = re.compile(
    r"\d{4}-\d\d-\d\d[T ]([01]\d|2[0-3]):\d\d(:\d\d(\.\d{1,6})?)?(?P<zone>Z|[+-]\d\d:\d\d)?", re.ASCII | re.IGNORECASE
)
_EXAMPLE = "such as 2026-03-27T11:58:00Z"

# Control and format characters (such as those for the direction of writing), surrogates, private characters, line and
# paragraph separators: they break the output, or make two names look the same.
_UNPRINTABLE = frozenset({"Cc", "Cf", "Cs", "Co", "Zl", "Zp"})

# Emoji and some scripts need these format characters.
_JOINERS = "\u200c\u200d"

# Invisible characters besides spaces: joiners, fillers and variation selectors.
_BLANK = dict.fromkeys(
    [
        *map(ord, f"{_JOINERS}\u034f\u115f\u1160\u17b4\u17b5\u2800"),
        *range(0x180B, 0x1810),
        *range(0xFE00, 0xFE10),
        *range(0xE0100, 0xE01F0),
    ]
)


def check_names(names: Sequence[str]) -> Iterator[Mistake]:
    """Yield a mistake for each name that is empty, cannot be printed, or is used twice.

    Names are equal if they differ only in spaces or in their Unicode normal form. Upper and lower case are different.
    """
    first: dict[str, int] = {}
    for index, name in enumerate(names):
        where = f"hands[{index}].player"
        plain = plain_name(name)
        hidden = next(filter(_is_hidden, name), None)
        if not plain:
            yield Mistake(where, "must not be empty")
        elif hidden is not None:
            yield Mistake(
                where,
                f"{format_value(name)} has a character that cannot be printed (U+{ord(hidden):04X}); leave it out",
            )
        elif plain in first:
            yield Mistake(
                where,
                f"{format_value(plain)} is used twice (hand no. {first[plain] + 1} has it too); name the players apart",
            )
        first.setdefault(plain, index)


def plain_name(name: str) -> str:
    """Return the normal form of a player's name: Unicode NFKC, without invisible characters and extra spaces."""
    return " ".join(unicodedata.normalize("NFKC", name).translate(_BLANK).split())


def readable_name(value: object) -> str:
    """Return a player's name if it can be shown on one line, otherwise ""."""
    if not isinstance(value, str) or any(map(_is_hidden, value)):
        return ""
    name = plain_name(value)
    return name if len(name) <= _MAX_SHOWN else f"{name[: _MAX_SHOWN - 1]}…"


def check_reason(where: str, reason: str) -> Iterator[Mistake]:
    """Yield a mistake for the reason of an adjustment that is empty or cannot be printed."""
    hidden = next(filter(_is_hidden, reason), None)
    if hidden is not None:
        yield Mistake(where, f"has a character that cannot be printed (U+{ord(hidden):04X}); leave it out")
    elif not plain_name(reason):
        yield Mistake(where, "must not be empty")


def _is_hidden(character: str) -> bool:
    noncharacter = ord(character) & 0xFFFE == 0xFFFE or 0xFDD0 <= ord(character) <= 0xFDEF  # noqa: PLR2004 - from Unicode
    return noncharacter or (unicodedata.category(character) in _UNPRINTABLE and character not in _JOINERS)


def check_hand(edition: Edition, index: int, cards: Mapping[str, int], handed_in: str | None) -> Iterator[Mistake]:
    """Yield a mistake for each unknown card, too many cards, and a bad time."""
    for kind in cards:
        if kind not in edition.kind_of:
            where = format_path(["hands", index, "cards", kind])
            yield Mistake(where, f"{edition.slug} has no such card (it has {_cards(edition)})")
    total = sum(cards.values())
    if total > MAX_HAND:
        yield Mistake(f"hands[{index}].cards", f"{total} cards; a hand has at most {MAX_HAND}")
    if handed_in is not None:
        problem = _time_problem(handed_in)
        if problem:
            yield Mistake(f"hands[{index}].handed_in", problem)


def check_entries(edition: Edition, index: int, hand: Hand) -> Iterator[Mistake]:
    """Yield a mistake for each unknown fact, bad value of a fact, and card in a wrong part."""
    for name, value in hand.facts.items():
        where = format_path(["hands", index, "facts", name])
        asked = [*edition.fact_of, *(fact.name for fact in edition.player_facts)]
        if not asked:
            yield Mistake(where, f"{edition.slug} asks for no facts")
        elif name not in edition.fact_of:
            yield Mistake(where, f"{edition.slug} asks for no such fact (it asks for {', '.join(asked)})")
        elif not edition.fact_of[name].takes(value):
            yield Mistake(where, f"must be {edition.fact_of[name].expects}, not {format_value(value)}")
    for part, kind, sentence in part_mistakes(edition, hand):
        where = format_path(["hands", index, "parts", part, kind] if kind else ["hands", index, "parts", part])
        yield Mistake(where, sentence if kind else f"{edition.slug} {sentence}")


def check_named(edition: Edition, players: Sequence[str], entered: Sequence[Mapping[str, object]]) -> Iterator[Mistake]:
    """Yield a mistake for each fact that must name another player, and does not; null names nobody."""
    names = {plain_name(player) for player in players}
    for fact in edition.player_facts:
        for index, (player, facts) in enumerate(zip(players, entered, strict=True)):
            value = facts.get(fact.name)
            where = format_path(["hands", index, "facts", fact.name])
            if value is None:
                continue
            if not isinstance(value, str):
                yield Mistake(where, f"must be the name of another player, not {format_value(value)}")
            elif plain_name(value) not in names - {plain_name(player)}:
                yield Mistake(where, f"names {format_value(value)}, but no other hand has this player's name")


def check_edition(
    edition: Edition, settings: Mapping[str, object], active_rules: Iterable[object] | None
) -> Iterator[Mistake]:
    """Yield a mistake for each unknown or bad setting, and each unknown rule."""
    known = {setting.name: setting for setting in edition.settings}
    for name, value in settings.items():
        where = format_path(["settings", name])
        if name == SEED:
            if not isinstance(value, str) or len(value) > MAX_SEED:
                yield Mistake(where, f"must be text of at most {MAX_SEED} characters, not {format_value(value)}")
            elif any(map(_is_hidden, value)):
                yield Mistake(where, f"{format_value(value)} has a character that cannot be printed; leave it out")
        elif name not in known:
            yield Mistake(where, f"{edition.slug} has no such setting (it has {', '.join([*known, SEED])})")
        else:
            yield from _setting(known[name], where, value)
    for index, key in enumerate(active_rules or ()):
        where = f"active_rules[{index}]"
        if type(key) not in (int, str) or str(key) not in edition.rule_of:
            yield Mistake(where, f"{edition.slug} has no rule {format_value(key)} (it has {_rules(edition)})")


def check_cancels(
    edition: Edition,
    hands: Mapping[str, Mapping[str, int]],
    active_rules: Iterable[object] | None,
    cancels: Mapping[str, object],
) -> Iterator[Mistake]:
    """Yield a mistake for each bad choice of a rule to cancel. `hands` are all cards by player."""
    active = frozenset(edition.rule_of if active_rules is None else (str(key) for key in active_rules))
    in_play = cards_in_play(hands)
    names = {plain_name(name): name for name in hands}
    named: set[str] = set()
    for player, choices in cancels.items():
        where = format_path(["cancels", player])
        name = plain_name(player)
        # An empty list is allowed in all editions.
        if choices != [] and not cancelling_rules(edition, edition.rule_of):
            yield Mistake(where, f"{edition.slug} has no cards that cancel a rule")
        elif name in named:
            yield Mistake(where, "this player's choices are given twice")
        elif not isinstance(choices, list) or any(type(key) not in (int, str) for key in choices):
            yield Mistake(where, "must be a list of rule numbers, such as [4]")
        else:
            keys = [str(key) for key in choices]
            for sentence in choice_mistakes(edition, active, hands, names.get(name, player), keys, in_play):
                yield Mistake(where, sentence)
        named.add(name)


def read_time(text: str | None) -> datetime | None:
    """Parse a checked time, with its time zone; None for None."""
    return None if text is None else datetime.fromisoformat(text.upper())


def _time_problem(text: str) -> str | None:
    match = _TIME.fullmatch(text)
    if match is None:
        return f"{format_value(text)} is not a date and time, {_EXAMPLE}"
    if match["zone"] is None:
        return f"{format_value(text)} has no time zone; end it with Z for UTC or an offset like +01:00"
    try:
        read_time(text)
    except ValueError:
        return f"{format_value(text)} does not exist in the calendar or on the clock"
    return None


def _setting(setting: Setting, where: str, value: object) -> Iterator[Mistake]:
    low = setting.minimum
    high = MAX_SETTING if setting.maximum is None else setting.maximum
    if not isinstance(value, int) or isinstance(value, bool) or not low <= value <= high:
        yield Mistake(where, f"must be a whole number from {low} to {high}, not {format_value(value)}")


def _rules(edition: Edition) -> str:
    """List the rules of an edition; numbers by the first and the last."""
    keys = [rule.key for rule in edition.rules]
    return f"{keys[0]} to {keys[-1]}" if all(key.isdigit() for key in keys) else ", ".join(keys)


def _cards(edition: Edition) -> str:
    """List the kinds of an edition; long categories by their first and last."""
    names: list[str] = []
    for deal in edition.deal:
        slugs = [kind.slug for kind in edition.kinds if kind.category == deal.category]
        names += slugs if len(slugs) <= _MAX_LISTED else [f"{slugs[0]} to {slugs[-1]}"]
    return ", ".join(names)
