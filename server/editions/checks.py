"""What must hold between the parts of an edition, whatever its files say one by one."""

from __future__ import annotations

from collections import Counter
from difflib import get_close_matches
from string import Formatter
from typing import TYPE_CHECKING

from server.scoring.rules import Phase, Scope

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from server.scoring.edition import Edition
    from server.scoring.rules import Rule


_SHOWN = 12
"""So many names are listed where none is like the one that is wrong."""

_FIELDS = frozenset({"title", "summary", "name", "label", "heading", "text"})
"""Fields that hold a text in several languages, besides the sentences of a rule."""


def texts_in(value: object, way: str = "") -> Iterator[tuple[str, dict[str, str]]]:
    """Yield the way to each text of a document, such as "rules.#3.name", and the text by language."""
    if isinstance(value, list | tuple):
        for place, item in enumerate(value):
            yield from texts_in(item, f"{way}.#{place}")
    elif isinstance(value, dict):
        is_text = way.rpartition(".")[2] in _FIELDS or ".says." in way
        if is_text and value and all(isinstance(text, str) for text in value.values()):
            yield way, value
        else:
            for name, inner in value.items():
                yield from texts_in(inner, f"{way}.{name}".removeprefix("."))


def placeholders(template: str) -> set[str] | None:
    """Return the names in braces in a text; None where a brace is missing or too many."""
    try:
        return {name.partition(".")[0] for _, name, _, _ in Formatter().parse(template) if name is not None}
    except ValueError:
        return None


def printed_placeholders(title: dict[str, str], text: dict[str, str]) -> set[str]:
    """Return the names in braces that a card's title or wording has in every language."""
    names = [placeholders(title.get(language, "") + wording) or set() for language, wording in text.items()]
    return set.intersection(*names) if names else set()


def suggestion(name: str, known: Iterable[str]) -> str:
    """Return the end of a sentence about a wrong name: the name that is like it, or those that there are."""
    names = sorted(known)
    close = get_close_matches(name, names, 1)
    if close:
        return f"; did you mean '{close[0]}'?"
    more = ", …" if len(names) > _SHOWN else ""
    return f" (there is {', '.join(names[:_SHOWN]) or 'none'}{more})"


Contradiction = tuple[str, str]
"""The place in the file, with dots, and a sentence."""

_AHEAD = {Phase.CANCEL, Phase.ADJUST}
"""Phases whose rules touch others that act later; a shield touches those that have acted."""


def contradictions(edition: Edition, left_out: frozenset[str] = frozenset()) -> Iterator[Contradiction]:
    """Yield each contradiction: names that stand twice or that nothing defines, touches out of order.

    `left_out` are rules that a variant leaves out: others may still touch them, in vain.
    """
    yield from _twice("categories", (deal.category for deal in edition.deal))
    yield from _twice("cards", (kind.slug for kind in edition.kinds))
    yield from _twice("groups", (group.slug for group in edition.groups))
    yield from _twice("rules", (rule.key for rule in edition.rules))
    yield from _twice("settings", (setting.name for setting in edition.settings))
    yield from _twice("ties", (tie.name for tie in edition.ties))
    yield from _twice("facts", (fact.name for fact in edition.facts))
    yield from _twice("parts", (part.slug for part in edition.parts))
    if edition.players_min > edition.players_max:
        yield "players", "min is above max; swap them"
    yield from _shared_names(edition)
    settings = {setting.name for setting in edition.settings}
    for setting in edition.settings:
        above = setting.maximum is not None and setting.default > setting.maximum
        if above or setting.default < setting.minimum:
            high = "" if setting.maximum is None else f" to {setting.maximum}"
            yield f"settings.{setting.name}.default", f"{setting.default} is out of range ({setting.minimum}{high})"
    tie_rules = {tie.rule for tie in edition.ties}
    named = [(f"ties.{tie.name}", tie.rule) for tie in edition.ties]
    named += [(f"rulings.#{place}", ruling.rule) for place, ruling in enumerate(edition.rulings)]
    for where, key in named:
        if key is not None and key not in edition.rule_of:
            yield f"{where}.rule", f"names rule {key}, which does not exist; {_there_is(edition.rule_of)}"
    for rule in edition.rules:
        yield from _rule(edition, rule, settings, breaks_ties=rule.key in tie_rules)
        yield from _touches(edition, rule, left_out)
    for kind, keys in edition.told_by.items():
        for key in sorted(set(keys) - set(edition.rule_of) - left_out):
            yield f"cards.{kind}.told_by", f"names rule {key}, which does not exist; {_there_is(edition.rule_of)}"
    yield from _effects(edition)


def _shared_names(edition: Edition) -> Iterator[Contradiction]:
    """Sentences show kinds, groups and parts by their slugs, so no two of them may share one."""
    for group in edition.groups:
        if group.slug in edition.kind_of or group.slug in {deal.category for deal in edition.deal}:
            yield f"groups.{group.slug}", "has the name of a card or a category; rename it"
    for part in edition.parts:
        if part.slug in edition.kind_of or part.slug in edition.group_of:
            yield f"parts.{part.slug}", "has the name of a card or a group; rename it"


def _rule(edition: Edition, rule: Rule, settings: set[str], *, breaks_ties: bool) -> Iterator[Contradiction]:
    place = f"rules.{rule.key}"
    if not rule.steps and not breaks_ties and not rule.informs:
        yield (
            place,
            f'has wording, but no function; write @book.rule("{rule.key}", Phase.…) in rules.py, or informs = true',
        )
    if rule.steps and rule.informs:
        yield place, "only informs, but has a function in rules.py; take out one or the other"
    for name in rule.settings:
        if name not in settings:
            yield f"{place}.settings", f"there is no setting '{name}'; {_there_is(settings)}"
        if name in rule.numbers:
            yield f"{place}.settings", f"'{name}' is a number and a setting; rename one"
    known = {*edition.kind_of, *edition.group_of, *(deal.category for deal in edition.deal)}
    for name, slugs in rule.lists.items():
        for slug in sorted(set(slugs) - known):
            yield f"{place}.lists.{name}", f"there is no card, group or category '{slug}'{suggestion(slug, known)}"


def _touches(edition: Edition, rule: Rule, left_out: frozenset[str]) -> Iterator[Contradiction]:
    place = f"rules.{rule.key}"
    for key in sorted(rule.touches - left_out):
        if key not in edition.rule_of:
            yield place, f"touches rule {key}, which does not exist; take it out of touches=[…]"
        elif not _in_time(edition, rule, edition.rule_of[key]):
            touched = ", ".join(phase.name for phase in sorted(edition.rule_of[key].phases))
            yield place, f"touches rule {key}, whose phase is on the wrong side: it acts in {touched}"


def _in_time(edition: Edition, rule: Rule, touched: Rule) -> bool:
    """Tell whether a rule can still reach the one that it touches.

    Cancelling and adjusting reach ahead. Shields reach back to lines about points, a doubling itself too, but not
    behind a doubling, which would have doubled what is void.
    """
    order = edition.phases.index
    theirs = [order(phase) for phase in touched.phases]
    if any(order(phase) < latest for phase in rule.phases & _AHEAD for latest in theirs):
        return True
    if Phase.SHIELD not in rule.phases:
        return False
    shield, double = order(Phase.SHIELD), order(Phase.DOUBLE)
    doubles = any(Phase.DOUBLE in other.phases for other in edition.rules)
    first = double if doubles and double < shield else order(Phase.WORTH) + 1
    return any(first <= phase < shield for phase in theirs)


def _effects(edition: Edition) -> Iterator[Contradiction]:
    """Cards of one effect act once a hand; rules in play act for all, so they must not share an effect."""
    shared = Counter(rule.effect for rule in edition.rules if rule.scope is Scope.IN_PLAY)
    for rule in edition.rules:
        if shared[rule.effect] > 1:
            yield f"rules.{rule.key}.effect", f"rules that act once in play cannot share '{rule.effect}'; rename one"


def _twice(place: str, names: Iterable[str]) -> Iterator[Contradiction]:
    for name, number in Counter(names).items():
        if number > 1:
            yield f"{place}.{name}", "stands twice in the file; rename one"


def _there_is(names: Iterable[str]) -> str:
    return f"there is {', '.join(sorted(names)) or 'none'}"
