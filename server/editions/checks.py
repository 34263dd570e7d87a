"""What must hold between the parts of an edition, whatever its files say one by one."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from server.scoring.edition import EditionError
from server.scoring.phases import Phase

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from server.scoring.edition import Edition, Rule


def check(edition: Edition, where: str) -> None:
    """Raise EditionError, its message starting with `where`, for the first contradiction in an edition."""
    for mistake in mistakes(edition):
        raise EditionError(f"{where}: {mistake}")


def mistakes(edition: Edition) -> Iterator[str]:
    """Yield a line for each contradiction: names that stand twice or that nothing defines, touches out of order."""
    yield from _twice("categories", (deal.category for deal in edition.deal))
    yield from _twice("cards", (kind.slug for kind in edition.kinds))
    yield from _twice("rules", (rule.key for rule in edition.rules))
    yield from _twice("settings", (setting.name for setting in edition.settings))
    yield from _twice("ties", (tie.name for tie in edition.ties))
    if edition.players_min > edition.players_max:
        yield "players: min is above max"
    settings = {setting.name for setting in edition.settings}
    for setting in edition.settings:
        above = setting.maximum is not None and setting.default > setting.maximum
        if above or setting.default < setting.minimum:
            yield f"settings.{setting.name}: the default is out of range"
    tie_rules = {tie.rule for tie in edition.ties}
    for key in [tie.rule for tie in edition.ties] + [ruling.rule for ruling in edition.rulings]:
        if key is not None and key not in edition.rule_of:
            yield f"ties or rulings name rule {key}, which does not exist"
    for rule in edition.rules:
        yield from _rule(edition, rule, settings, breaks_ties=rule.key in tie_rules)


def _rule(edition: Edition, rule: Rule, settings: set[str], *, breaks_ties: bool) -> Iterator[str]:
    place = f"rules.{rule.key}"
    if rule.act is None and not breaks_ties:
        yield f"{place}: has wording, but no function in rules.py and no tie-break"
    for name in rule.settings:
        if name not in settings:
            yield f"{place}: there is no setting '{name}'"
        if name in rule.numbers:
            yield f"{place}: '{name}' is a number and a setting"
    for key in sorted(rule.touches):
        if key not in edition.rule_of:
            yield f"{place}: touches rule {key}, which does not exist"
        elif not _in_time(rule, edition.rule_of[key]):
            yield f"{place}: touches rule {key}, whose phase is on the wrong side"


def _in_time(rule: Rule, touched: Rule) -> bool:
    """Tell whether a rule can still reach the one that it touches: shields reach back, adjustments ahead."""
    if rule.phase is None or touched.phase is None:
        return False
    return touched.phase < rule.phase if rule.phase is Phase.SHIELD else touched.phase > rule.phase


def _twice(place: str, names: Iterable[str]) -> Iterator[str]:
    for name, number in Counter(names).items():
        if number > 1:
            yield f"{place}.{name}: stands twice in the file"
