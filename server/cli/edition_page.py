"""An edition for people, as lines of text, and for programs, as plain data."""

from __future__ import annotations

import tomllib
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator

    from server.scoring import Edition
    from server.scoring.deal import Deal

_WORDS = Path(__file__).with_suffix(".toml")


def summary(edition: Edition) -> dict[str, Any]:
    """Return what the list of editions tells of one."""
    return {
        "edition": edition.slug,
        "title": edition.title,
        "summary": edition.summary,
        "players": {"min": edition.players_min, "max": edition.players_max},
        "language": edition.language,
        "languages": list(edition.languages),
    }


def described(edition: Edition) -> dict[str, Any]:
    """Return everything about an edition."""
    return {
        **summary(edition),
        "deal": [_deal(edition, deal) for deal in edition.deal],
        "cards": [
            {"kind": kind.slug, "category": kind.category, "name": kind.name, "text": kind.text}
            for kind in edition.kinds
        ],
        "rules": [{"rule": rule.key, "name": rule.name, "text": rule.text} for rule in edition.rules],
        "settings": [
            {
                "name": setting.name,
                "label": setting.label,
                "text": setting.text,
                "minimum": setting.minimum,
                "maximum": setting.maximum,
                "default": setting.default,
                "confirm": setting.confirm,
            }
            for setting in edition.settings
        ],
        "facts": [
            {
                "name": fact.name,
                "label": fact.label,
                "type": "yes-no" if fact.yes_no else "whole",
                "minimum": None if fact.yes_no else fact.minimum,
                "maximum": None if fact.yes_no else fact.maximum,
                "default": fact.default,
            }
            for fact in edition.facts
        ],
        "parts": [{"part": part.slug, "name": part.name} for part in edition.parts],
        "ties": [{"name": tie.name, "label": tie.label, "rule": tie.rule} for tie in edition.ties],
        "rulings": [{"rule": ruling.rule, "text": ruling.text} for ruling in edition.rulings],
    }


def _deal(edition: Edition, deal: Deal) -> dict[str, Any]:
    """Return what each player starts with of a category, at the least and the most players."""
    kinds = tuple(kind.slug for kind in edition.kinds if kind.category == deal.category)
    return {
        "category": deal.category,
        "each": deal.each_of(kinds, edition.players_min),
        "each_at_most_players": deal.each_of(kinds, edition.players_max),
        "different": deal.different,
    }


def page(edition: Edition) -> Iterator[str]:
    """Yield the lines of the text about an edition, in its language."""
    say = partial(_say, edition.language)
    yield say("title", title=edition.title, slug=edition.slug, min=edition.players_min, max=edition.players_max)
    yield edition.summary
    yield from ("", say("cards"))
    for deal in edition.deal:
        kinds = [kind for kind in edition.kinds if kind.category == deal.category]
        few, many = (_deal(edition, deal)[name] for name in ("each", "each_at_most_players"))
        each = few if few == many else say("each", few=few, players=edition.players_max, many=many)
        what = "deal_different" if deal.different else "deal"
        yield f"  {say(what, name=deal.name, each=each, kinds=len(kinds))}"
        if deal.category in edition.valued:
            yield f"    {', '.join(kind.name for kind in kinds)}"
    yield from ("", say("rules"))
    for rule in edition.rules:
        yield f"  {say('rule', key=rule.key, name=rule.name, text=rule.text)}"
    yield from _entered(edition)
    yield from ("", say("ties"))
    for tie in edition.ties:
        yield f"  {say('tie_rule', label=tie.label, rule=tie.rule) if tie.rule else tie.label}"
    if edition.rulings:
        yield from ("", say("rulings"))
    for ruling in edition.rulings:
        yield f"  {say('ruling_rule', rule=ruling.rule, text=ruling.text) if ruling.rule else ruling.text}"


def _entered(edition: Edition) -> Iterator[str]:
    """Yield the lines about what people enter: settings of a game, facts and parts of a hand."""
    say = partial(_say, edition.language)
    if edition.settings:
        yield from ("", say("settings"))
    for setting in edition.settings:
        what = "setting" if setting.maximum is None else "setting_range"
        low, high, default = setting.minimum, setting.maximum, setting.default
        yield f"  {say(what, name=setting.name, low=low, high=high, default=default, label=setting.label)}"
        yield f"    {setting.text}"
    if edition.facts:
        yield from ("", say("facts"))
    for fact in edition.facts:
        if fact.yes_no:
            answer = say("yes" if fact.default else "no")
            yield f"  {say('fact_yes_no', name=fact.name, default=answer, label=fact.label)}"
        else:
            low, high = fact.minimum, fact.maximum
            yield f"  {say('fact', name=fact.name, low=low, high=high, default=fact.default, label=fact.label)}"
    if edition.parts:
        yield from ("", say("parts"))
        yield from (f"  {say('part', slug=part.slug, name=part.name)}" for part in edition.parts)


def _say(language: str, what: str, **values: object) -> str:
    """Fill one of this page's sentences in a language, or in English where it lacks that."""
    texts = _words()[what]
    return texts.get(language, texts["en"]).format_map(values)


@cache
def _words() -> dict[str, dict[str, str]]:
    return tomllib.loads(_WORDS.read_text(encoding="utf-8"))
