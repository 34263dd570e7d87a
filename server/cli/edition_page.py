"""An edition for people, as lines of text, and for programs, as plain data."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator

    from server.scoring import Edition
    from server.scoring.deal import Deal


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
    """Yield the lines of the text about an edition."""
    yield f"{edition.title} ({edition.slug}), for {edition.players_min} to {edition.players_max} players"
    yield edition.summary
    yield from ("", "Cards that each player starts with")
    for deal in edition.deal:
        kinds = [kind for kind in edition.kinds if kind.category == deal.category]
        different = ", all different" if deal.different else ""
        few, many = (_deal(edition, deal)[name] for name in ("each", "each_at_most_players"))
        each = few if few == many else f"{few} (with {edition.players_max} players {many})"
        yield f"  {deal.name}: {each}{different} (kinds: {len(kinds)})"
        if deal.category in edition.valued:
            yield f"    {', '.join(kind.name for kind in kinds)}"
    yield from ("", "Rules")
    for rule in edition.rules:
        yield f"  {rule.key}. {rule.name}: {rule.text}"
    yield from _entered(edition)
    yield from ("", "Where scores are equal, in this order, then a shared place")
    for tie in edition.ties:
        yield f"  {tie.label}{f' (rule {tie.rule})' if tie.rule else ''}"
    if edition.rulings:
        yield from ("", "Rulings")
    for ruling in edition.rulings:
        yield f"  {f'Rule {ruling.rule}: ' if ruling.rule else ''}{ruling.text}"


def _entered(edition: Edition) -> Iterator[str]:
    """Yield the lines about what people enter: settings of a game, facts and parts of a hand."""
    if edition.settings:
        yield from ("", "Settings")
    for setting in edition.settings:
        high = "" if setting.maximum is None else f", at most {setting.maximum}"
        yield f"  {setting.name} (at least {setting.minimum}{high}; if not set {setting.default}): {setting.label}."
        yield f"    {setting.text}"
    if edition.facts:
        yield from ("", "Asked for each hand at its hand-in")
    for fact in edition.facts:
        values = "yes or no" if fact.yes_no else f"{fact.minimum} to {fact.maximum}"
        default = ("yes" if fact.default else "no") if fact.yes_no else fact.default
        yield f"  {fact.name} ({values}; if not entered {default}): {fact.label}"
    if edition.parts:
        yield from ("", "Parts of a deck")
        yield from (f"  {part.slug}: {part.name}" for part in edition.parts)
