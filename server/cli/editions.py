"""`haggle editions`: lists the editions, or describes one with its cards, rules, settings and rulings."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import click

from server.editions import EditionError, edition_names, load_edition

if TYPE_CHECKING:
    from collections.abc import Iterator

    from server.scoring import Edition
    from server.scoring.deal import Deal


@click.command(name="editions")
@click.argument("edition_name", metavar="[EDITION]", required=False)
@click.option("--json", "as_json", is_flag=True, help="Print JSON instead of text.")
@click.option("--language", metavar="en|de|fr", help="Language of the editions; their own if left out.")
def command(edition_name: str | None, *, as_json: bool, language: str | None) -> None:
    """List the editions, or describe EDITION: its cards, rules, settings and rulings."""
    try:
        editions = [load_edition(name, language) for name in ([edition_name] if edition_name else edition_names())]
    except EditionError as error:
        raise click.ClickException(str(error)) from None
    if edition_name:
        (edition,) = editions
        click.echo(json.dumps(_described(edition), indent=1) if as_json else "\n".join(_page(edition)))
    elif as_json:
        click.echo(json.dumps([_summary(edition) for edition in editions], indent=1))
    else:
        for edition in editions:
            click.echo(f"{edition.slug}: {edition.title}. {edition.summary}")


def _summary(edition: Edition) -> dict[str, Any]:
    return {
        "edition": edition.slug,
        "title": edition.title,
        "summary": edition.summary,
        "players": {"min": edition.players_min, "max": edition.players_max},
        "language": edition.language,
        "languages": list(edition.languages),
    }


def _described(edition: Edition) -> dict[str, Any]:
    return {
        **_summary(edition),
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


def _page(edition: Edition) -> Iterator[str]:
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
    if edition.settings:
        yield from ("", "Settings")
    for setting in edition.settings:
        high = "" if setting.maximum is None else f", at most {setting.maximum}"
        yield f"  {setting.name} (at least {setting.minimum}{high}; if not set {setting.default}): {setting.label}."
        yield f"    {setting.text}"
    yield from ("", "Where scores are equal, in this order, then a shared place")
    for tie in edition.ties:
        yield f"  {tie.label}{f' (rule {tie.rule})' if tie.rule else ''}"
    if edition.rulings:
        yield from ("", "Rulings")
    for ruling in edition.rulings:
        yield f"  {f'Rule {ruling.rule}: ' if ruling.rule else ''}{ruling.text}"
