"""`haggle best`: finds the deck of highest score that an edition allows, and says whether it is proven best."""

from __future__ import annotations

import json
import time
from typing import TYPE_CHECKING

import click

from server.cli.options import editions_option
from server.cli.score import read_game, show
from server.editions import load_edition
from server.installation import advice_for_extra
from server.optimizer.best import (
    SECONDS,
    STARTS,
    BestDeck,
    DisagreementError,
    NoDeckError,
    best_deck,
    solver_is_installed,
)
from server.optimizer.space import start_cards
from server.printing.contents import MAX_PLAYERS
from server.scoring import ScoringError, decimal
from server.scoring.breakdown import number_text
from server.scoring.errors import EditionError
from server.scoring.request_schema import ScoreRequest
from server.scoring.result import line_document

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping

    from server.scoring import Edition
    from server.scoring.edition import Fact


_YES_NO = {"yes": True, "true": True, "no": False, "false": False}


def facts_of(edition: Edition, entries: Iterable[str]) -> dict[str, int]:
    """Return the values by name; one line for what the edition does not ask for or take."""
    facts: dict[str, int] = {}
    for entry in entries:
        name, sign, text = entry.partition("=")
        if not sign:
            raise click.ClickException(f"--fact {entry}: write it as NAME=VALUE")
        fact = edition.fact_of.get(name)
        if any(one.name == name for one in edition.player_facts):
            raise click.ClickException(f"--fact {entry}: names a player; such facts stay empty here")
        if fact is None:
            known = f"it asks for {', '.join(edition.fact_of)}" if edition.facts else "it asks for none"
            raise click.ClickException(f"--fact {entry}: {edition.slug} asks for no fact '{name}' ({known})")
        if name in facts:
            raise click.ClickException(f"--fact {entry}: {name} was given before; give each fact once")
        value = _YES_NO.get(text.lower()) if fact.yes_no else _whole(text)
        if value is None or not fact.takes(value):
            raise click.ClickException(f"--fact {entry}: must be {'yes or no' if fact.yes_no else fact.expects}")
        facts[name] = value
    return facts


def _whole(text: str) -> int | None:
    digits = text.removeprefix("-")
    return int(text) if digits.isascii() and digits.isdigit() and len(digits) < 19 else None  # noqa: PLR2004 - 64 bits


def heading(edition: Edition, most: int, players: int) -> str:
    """Say within which limits the deck is best."""
    return edition.phrases["best_heading"].format(most=most, players=players)


def print_best(edition: Edition, found: BestDeck, limits: str, given: Collection[str]) -> None:
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
    _facts(edition, hand.facts, given)
    if hand.cancels:
        names = (key if key.isdigit() else edition.rule_of[key].name for key in hand.cancels)
        rules = ", ".join(phrases["rule"].format(key=name) for name in names)
        click.echo(phrases["best_cancels"].format(rules=rules))
    click.echo(phrases["best_proven"] if found.proven else phrases["best_found"].format(starts=found.starts))
    if found.bound is not None:
        click.echo(phrases["best_bound"].format(bound=number_text(found.bound, phrases)))
    if found.refused:
        click.echo(phrases["best_refused"].format(what=found.refused))
    click.echo()
    show(found.result)


def _cards(edition: Edition, cards: Mapping[str, int]) -> None:
    for kind, number in cards.items():
        click.echo(f"  {number:>2} x {edition.kind_of[kind].name} ({kind})")


def _facts(edition: Edition, values: Mapping[str, int], given: Collection[str]) -> None:
    for fact in edition.facts:
        say = edition.phrases["best_fact_given" if fact.name in given else "best_fact"]
        value = _value(edition, fact, values[fact.name])
        click.echo(say.format(label=fact.label, value=value, values=values_of(edition, fact)))
    for named in edition.player_facts:
        click.echo(edition.phrases["best_nobody"].format(label=named.label))


def _value(edition: Edition, fact: Fact, value: int) -> str:
    return edition.phrases["yes" if value else "no"] if fact.yes_no else str(value)


def values_of(edition: Edition, fact: Fact) -> str:
    """Write what can be entered for a fact, such as 0–40."""  # noqa: RUF002 - an en dash
    low, high = (_value(edition, fact, value) for value in (fact.minimum, fact.maximum))
    return f"{low}, {high}" if fact.yes_no else f"{low}–{high}"  # noqa: RUF001 - a range is written with an en dash


MAX_CARDS = 200
_PLAYER = "Haggle"  # the same in all languages: draws by lot depend on the player's name


@click.command(name="best")
@editions_option
@click.argument("edition_name", metavar="EDITION")
@click.option(
    "--players",
    type=click.IntRange(1, MAX_PLAYERS),
    help="Number of players for whom cards were printed. Default: the edition's maximum.",
)
@click.option(
    "--max-cards",
    "most",
    type=click.IntRange(0, MAX_CARDS),
    help="Maximum number of cards in the deck. Default: as many as a player starts with.",
)
@click.option(
    "--against", metavar="FILE", help="Other hands at the table, settings and active rules: JSON as for haggle score."
)
@click.option(
    "--fact",
    "entries",
    metavar="NAME=VALUE",
    multiple=True,
    help="What is entered for the deck, in an edition that asks for facts. Default: the best values.",
)
@click.option(
    "--starts",
    type=click.IntRange(1, 1000),
    default=STARTS,
    show_default=True,
    help="Maximum number of random starts if the best deck cannot be proven.",
)
@click.option(
    "--seconds",
    type=click.FloatRange(0, 86_400),
    default=SECONDS,
    show_default=True,
    help="Maximum time of the solver, if it is installed (the extra `prove`), and again for new random starts where it "
    "has no proof; at least one is made. 0 searches without the solver, and makes all starts.",
)
@click.option("--language", metavar="en|de|fr", help="Language of the output. Default: the edition's own.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object instead of tables.")
def command(
    edition_name: str,
    players: int | None,
    most: int | None,
    against: str | None,
    entries: tuple[str, ...],
    starts: int,
    seconds: float,
    *,
    language: str | None,
    as_json: bool,
) -> None:
    """Find the deck with the highest score under an edition's rules, within what was printed.

    Says whether no other deck can score more (proven), or only that it is the best that was found. Where decks have
    parts, the cards are divided among them in the best way.
    """
    try:
        edition = load_edition(edition_name, language)
        facts = facts_of(edition, entries)
        request = _request(edition, against)
        players = players or edition.players_max
        most = start_cards(edition, players) if most is None else most
        found = best_deck(
            edition,
            players,
            most,
            request.settings,
            request.active_rules,
            request.hands,
            facts=facts,
            player=_name({hand.player for hand in request.hands}),
            starts=starts,
            seconds=seconds,
            clock=time.monotonic,
        )
        document = best_document(edition, found)  # an author's sentence may fail, which is made only here
    except (DisagreementError, EditionError, NoDeckError, ScoringError) as error:
        raise click.ClickException(str(error)) from None
    if not found.proven and not solver_is_installed():
        click.echo(edition.phrases["best_solver"].format(advice=advice_for_extra("prove", "ortools")), err=True)
    if as_json:
        click.echo(json.dumps(document, indent=1))
    else:
        print_best(edition, found, heading(edition, most, players), facts)


def _request(edition: Edition, against: str | None) -> ScoreRequest:
    """Read the other hands; every mistake names the file."""
    if against is None:
        return ScoreRequest((), {}, None)
    return read_game(edition, against)


def _name(taken: Collection[str]) -> str:
    """Return a name for the deck that no other hand has."""
    number, name = 1, _PLAYER
    while name in taken:
        number += 1
        name = f"{_PLAYER} {number}"
    return name


def best_document(edition: Edition, found: BestDeck) -> dict[str, object]:
    """Return the deck as `haggle score` reads it: parts, facts and cancels only where there are any."""
    hand = found.hand.hand
    document: dict[str, object] = {"cards": dict(hand.cards)}
    if edition.parts:
        document["parts"] = hand.parts
    if edition.facts:
        document["facts"] = dict(hand.facts)
    if hand.cancels:
        document["cancels"] = list(hand.cancels)
    if found.bound is not None:
        document["bound"] = decimal(found.bound)
    return document | {
        "score": decimal(found.hand.score),
        "proven": found.proven,
        "lines": [line_document(line) for line in found.hand.lines],
    }
