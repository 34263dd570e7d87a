"""What `haggle best` tells people, in the language of the edition."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from server.cli.score_table import show

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from server.scoring import Edition
    from server.scoring.edition import Fact
    from server.search import Found


def heading(edition: Edition, most: int, players: int) -> str:
    """Say within which limits the deck is best."""
    return edition.phrases["best_heading"].format(most=most, players=players)


def print_best(edition: Edition, found: Found, limits: str, given: Collection[str], starts: int) -> None:
    """Print the deck, what it assumes, whether it is proven, and its breakdown; `given` names the facts given."""
    phrases = edition.phrases
    hand = found.hand.hand
    click.echo(limits)
    if not hand.cards:
        click.echo(f"  {phrases['best_nothing']}")
    elif not edition.parts:
        _cards(edition, hand.cards)
    else:
        laid: dict[str, int] = {}
        for part in edition.parts:
            if cards := hand.parts.get(part.slug):
                click.echo(phrases["best_part"].format(part=part.name))
                _cards(edition, cards)
                laid = {kind: laid.get(kind, 0) + cards.get(kind, 0) for kind in hand.cards}
        if loose := {kind: n - laid.get(kind, 0) for kind, n in hand.cards.items() if n > laid.get(kind, 0)}:
            click.echo(phrases["best_loose"])
            _cards(edition, loose)
    for fact in edition.facts:
        say = phrases["best_fact_given" if fact.name in given else "best_fact"]
        value = _value(edition, fact, hand.facts[fact.name])
        click.echo(say.format(label=fact.label, value=value, values=values_of(edition, fact)))
    if hand.cancels:
        names = (key if key.isdigit() else edition.rule_of[key].name for key in hand.cancels)
        rules = ", ".join(phrases["rule"].format(key=name) for name in names)
        click.echo(phrases["best_cancels"].format(rules=rules))
    click.echo(phrases["best_proven"] if found.proven else phrases["best_found"].format(starts=starts))
    click.echo()
    show(found.result)


def _cards(edition: Edition, cards: Mapping[str, int]) -> None:
    for kind, number in cards.items():
        click.echo(f"  {number:>2} x {edition.kind_of[kind].name} ({kind})")


def _value(edition: Edition, fact: Fact, value: int) -> str:
    return edition.phrases["yes" if value else "no"] if fact.yes_no else str(value)


def values_of(edition: Edition, fact: Fact) -> str:
    """Write what can be entered for a fact, such as 0–40."""  # noqa: RUF002 - an en dash
    low, high = (_value(edition, fact, value) for value in (fact.minimum, fact.maximum))
    return f"{low}, {high}" if fact.yes_no else f"{low}–{high}"  # noqa: RUF001 - a range is written with an en dash
