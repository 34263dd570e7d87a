"""Consistency checks between the parts of an edition, and helpers for its texts."""

from __future__ import annotations

from collections import Counter
from difflib import get_close_matches
from itertools import combinations
from math import sqrt
from string import Formatter
from typing import TYPE_CHECKING

from server.editions.translations import Sentence
from server.scoring.rules import RULE_CATEGORY, Phase, Scope

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from server.scoring.edition import Edition, Kind
    from server.scoring.rules import Rule


NONE = Sentence("none")
"""Stands for an empty list of names."""
_MAX_LISTED = 12
"""Most names that are listed if none is similar to the wrong one."""

_FIELDS = frozenset({"title", "summary", "name", "label", "heading", "text"})
"""Fields that hold a text in several languages, besides the sentences of a rule."""


def texts_in(value: object, path: str = "") -> Iterator[tuple[str, dict[str, str]]]:
    """Yield the path of each text in a document, such as "rules.#3.name", and the text by language."""
    if isinstance(value, list | tuple):
        for index, item in enumerate(value):
            yield from texts_in(item, f"{path}.#{index}")
    elif isinstance(value, dict):
        is_text = path.rpartition(".")[2] in _FIELDS or ".says." in path
        if is_text and value and all(isinstance(text, str) for text in value.values()):
            yield path, value
        else:
            for name, inner in value.items():
                yield from texts_in(inner, f"{path}.{name}".removeprefix("."))


def placeholders(text: str) -> set[str] | None:
    """Return the names in braces in a text; None if the braces do not match."""
    try:
        return {name.partition(".")[0] for _, name, _, _ in Formatter().parse(text) if name is not None}
    except ValueError:
        return None


def form_mistake(text: str) -> str:
    """Return the mistake in the forms of a placeholder, such as `{cards:card|cards}`; "" for none."""
    fields = list(Formatter().parse(text)) if placeholders(text) is not None else []
    for _, name, forms, conversion in fields:
        if name is not None and (conversion or (forms and (forms.count("|") != 1 or "{" in forms))):
            return Sentence(
                "the placeholder {{{name}:…}} needs two forms, for one and for several: {{{name}:card|cards}}",
                name=name,
            )
    return ""


def printed_placeholders(title: dict[str, str], text: dict[str, str]) -> set[str]:
    """Return the placeholders that occur in a card's title or wording in every language."""
    names = [placeholders(title.get(language, "") + wording) or set() for language, wording in text.items()]
    return set.intersection(*names) if names else set()


def suggestion(name: str, known: Iterable[str]) -> str:
    """Return the end of a sentence about a wrong name: a similar name, or the names that exist."""
    names = sorted(known)
    close = get_close_matches(name, names, 1)
    if close:
        return Sentence("; did you mean '{name}'?", name=close[0])
    more = ", …" if len(names) > _MAX_LISTED else ""
    return Sentence(" (known: {names}{more})", names=", ".join(names[:_MAX_LISTED]) or NONE, more=more)


_CLOSE = 60.0
"""The distance of two inks, of 765 at most, below which cards with the same symbol look alike."""


def lookalikes(kinds: Sequence[Kind]) -> Iterator[tuple[str, str]]:
    """Yield the path of each card that looks like an earlier one, or has its name, and a sentence."""
    reported: set[str] = set()
    for one, other in combinations(kinds, 2):
        if one.category == other.category and one.name == other.name and one.category != RULE_CATEGORY:
            yield (
                f"cards.{other.slug}.name",
                Sentence("has the name of card '{slug}'; give it another name", slug=one.slug),
            )
        if one.motif and one.motif == other.motif:
            yield (
                f"cards.{other.slug}.motif",
                Sentence("looks like card '{slug}'; give it another motif", slug=one.slug),
            )
        drawing = one.symbol or one.outline
        same = drawing and drawing == (other.symbol or other.outline) and not one.text
        if same and other.slug not in reported and _distance(one.ink, other.ink) < _CLOSE:
            reported.add(other.slug)
            yield (
                f"cards.{other.slug}.ink",
                Sentence(
                    "looks like card '{slug}', which has the same symbol in a similar ink; change one of them",
                    slug=one.slug,
                ),
            )


def _distance(one: str, other: str) -> float:
    """Return how different two inks look, from 0 to about 765."""
    if not one or not other:
        return 999.0
    first, second = (tuple(int(ink[place : place + 2], 16) for place in (1, 3, 5)) for ink in (one, other))
    red, green, blue = (left - right for left, right in zip(first, second, strict=True))
    mean = (first[0] + second[0]) / 2
    return sqrt((2 + mean / 256) * red**2 + 4 * green**2 + (2 + (255 - mean) / 256) * blue**2)


Contradiction = tuple[str, str]
"""The path in the file, with dots, and a sentence."""

_FORWARD = {Phase.CANCEL, Phase.ADJUST}
"""Phases whose rules touch rules that act later. A shield touches rules that have acted."""


def contradictions(edition: Edition, left_out: frozenset[str] = frozenset()) -> Iterator[Contradiction]:
    """Yield each contradiction: duplicate and undefined names, touches out of order.

    `left_out` are rules that a variant leaves out. Others may still touch them, without effect.
    """
    # The schema finds duplicates in lists. These are equal keys of a rule, and cards with the name of a rule's card.
    yield from _duplicates("rules", (rule.key for rule in edition.rules))
    if len(edition.rules) == len(edition.rule_of):
        yield from _duplicates("cards", (kind.slug for kind in edition.kinds))
    if edition.players_min > edition.players_max:
        yield "players", Sentence("min is above max; swap them")
    yield from _shared_names(edition)
    settings = {setting.name for setting in edition.settings}
    for setting in edition.settings:
        above = setting.maximum is not None and setting.default > setting.maximum
        if above or setting.default < setting.minimum:
            high = "" if setting.maximum is None else Sentence(" to {maximum}", maximum=setting.maximum)
            yield (
                f"settings.{setting.name}.default",
                Sentence(
                    "{default} is out of range ({minimum}{high})",
                    default=setting.default,
                    minimum=setting.minimum,
                    high=high,
                ),
            )
    tie_rules = {tie.rule for tie in edition.ties}
    named = [(f"ties.{tie.name}", tie.rule) for tie in edition.ties]
    named += [(f"rulings.#{index}", ruling.rule) for index, ruling in enumerate(edition.rulings)]
    for where, key in named:
        if key is not None and key not in edition.rule_of:
            yield (
                f"{where}.rule",
                Sentence("names rule {key}, which does not exist; {known}", key=key, known=_known(edition.rule_of)),
            )
    for rule in edition.rules:
        yield from _rule(edition, rule, settings, breaks_ties=rule.key in tie_rules)
        yield from _touches(edition, rule, left_out)
    for kind, keys in edition.told_by.items():
        for key in sorted(set(keys) - set(edition.rule_of) - left_out):
            yield (
                f"cards.{kind}.told_by",
                Sentence("names rule {key}, which does not exist; {known}", key=key, known=_known(edition.rule_of)),
            )
    yield from _effects(edition)


def _shared_names(edition: Edition) -> Iterator[Contradiction]:
    """Yield kinds, groups and parts with the same slug, which sentences could not distinguish."""
    for group in edition.groups:
        if group.slug in edition.kind_of or group.slug in {deal.category for deal in edition.deal}:
            yield f"groups.{group.slug}", Sentence("has the name of a card or a category; rename it")
    for part in edition.parts:
        if part.slug in edition.kind_of or part.slug in edition.group_of:
            yield f"parts.{part.slug}", Sentence("has the name of a card or a group; rename it")


def _rule(edition: Edition, rule: Rule, settings: set[str], *, breaks_ties: bool) -> Iterator[Contradiction]:
    place = f"rules.{rule.key}"
    if not rule.steps and not breaks_ties and not rule.informs:
        yield (
            place,
            Sentence(
                'has wording, but no effect; add one such as give = "…", a function in rules.py, or informs = true'
            ),
        )
    if rule.steps and rule.informs:
        yield place, Sentence("only informs, but has an effect or a function in rules.py; take out one or the other")
    for name in rule.settings:
        if name not in settings:
            yield (
                f"{place}.settings",
                Sentence("there is no setting '{name}'; {known}", name=name, known=_known(settings)),
            )
        if name in rule.numbers:
            yield f"{place}.settings", Sentence("'{name}' is a number and a setting; rename one", name=name)
    known = {*edition.kind_of, *edition.group_of, *(deal.category for deal in edition.deal)}
    for name, slugs in rule.lists.items():
        for slug in sorted(set(slugs) - known):
            yield (
                f"{place}.lists.{name}",
                Sentence("there is no card, group or category '{slug}'{hint}", slug=slug, hint=suggestion(slug, known)),
            )


def _touches(edition: Edition, rule: Rule, left_out: frozenset[str]) -> Iterator[Contradiction]:
    place = f"rules.{rule.key}"
    for key in sorted(rule.touches - left_out):
        if key not in edition.rule_of:
            yield place, Sentence("touches rule {key}, which does not exist; take it out", key=key)
        elif not _in_time(edition, rule, edition.rule_of[key]):
            touched = ", ".join(phase.name for phase in sorted(edition.rule_of[key].phases))
            yield (
                place,
                (
                    Sentence(
                        "touches rule {key}, but cannot change what it does in {touched}, by the order of the phases; "
                        "take it out",
                        key=key,
                        touched=touched,
                    )
                ),
            )


def _in_time(edition: Edition, rule: Rule, touched: Rule) -> bool:
    """Return whether a rule can still affect the one that it touches.

    Cancelling and adjusting affect later phases. Shields affect lines about points in earlier phases, a doubling
    included, but nothing before a doubling, which would have doubled void points.
    """
    order = edition.phases.index
    theirs = [order(phase) for phase in touched.phases]
    if any(order(phase) < latest for phase in rule.phases & _FORWARD for latest in theirs):
        return True
    if Phase.SHIELD not in rule.phases:
        return False
    shield, double = order(Phase.SHIELD), order(Phase.DOUBLE)
    doubles = any(Phase.DOUBLE in other.phases for other in edition.rules)
    first = double if doubles and double < shield else order(Phase.WORTH) + 1
    return any(first <= phase < shield for phase in theirs)


def _effects(edition: Edition) -> Iterator[Contradiction]:
    """Yield rules in play that share an effect: they act for all hands, and only one of them would act."""
    shared = Counter(rule.effect for rule in edition.rules if rule.scope is Scope.IN_PLAY)
    for rule in edition.rules:
        if shared[rule.effect] > 1:
            yield (
                f"rules.{rule.key}.effect",
                Sentence("rules that act once in play cannot share '{effect}'; rename one", effect=rule.effect),
            )


def _duplicates(place: str, names: Iterable[str]) -> Iterator[Contradiction]:
    for name, number in Counter(names).items():
        if number > 1:
            yield f"{place}.{name}", Sentence("is used twice in the file; rename one")


def _known(names: Iterable[str]) -> str:
    return Sentence("known: {names}", names=", ".join(sorted(names)) or NONE)
