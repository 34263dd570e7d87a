"""`haggle best`: finds the deck of highest score that an edition allows, and says whether it is proven best."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import click

from server.cli.best_facts import facts_of
from server.cli.best_text import heading, print_best
from server.cli.hands_file import read_game
from server.cli.options import editions_option
from server.editions import EditionError, load_edition
from server.scoring import ScoringError, decimal
from server.scoring.document import line_document
from server.scoring.wire import ScoreRequest
from server.search import STARTS, Found, NoDeckError, best_deck, start_cards

if TYPE_CHECKING:
    from collections.abc import Collection

    from server.scoring import Edition

MOST_PLAYERS = 600
MOST_CARDS = 200
_PLAYER = "Haggle"  # the same in all languages: draws by lot depend on the player's name


@click.command(name="best")
@editions_option
@click.argument("edition_name", metavar="EDITION")
@click.option(
    "--players",
    type=click.IntRange(1, MOST_PLAYERS),
    help="Players for whom cards were printed. Default: the most that the edition is made for.",
)
@click.option(
    "--max-cards",
    "most",
    type=click.IntRange(0, MOST_CARDS),
    help="Most cards in the deck. Default: as many as a player starts with.",
)
@click.option(
    "--against", metavar="FILE", help="Other hands at the table, settings and active rules: JSON as for haggle score."
)
@click.option(
    "--fact",
    "entries",
    metavar="NAME=VALUE",
    multiple=True,
    help="What is entered for the deck, in an edition that asks for facts. Default: whatever brings most.",
)
@click.option(
    "--starts",
    type=click.IntRange(1, 1000),
    default=STARTS,
    show_default=True,
    help="Random starts, where the best deck cannot be proven.",
)
@click.option("--language", metavar="en|de|fr", help="Language of all that is shown; the edition's own if left out.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object instead of tables.")
def command(
    edition_name: str,
    players: int | None,
    most: int | None,
    against: str | None,
    entries: tuple[str, ...],
    starts: int,
    language: str | None,
    *,
    as_json: bool,
) -> None:
    """Find the deck of highest score under an edition's rules, within what was printed.

    Says whether no other deck can score more (proven), or whether it is the best that was found. Where decks have
    parts, the cards are laid into them in the best way.
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
        )
        document = _document(edition, found)  # an author's sentence may fail, which is made only here
    except (EditionError, NoDeckError, ScoringError) as error:
        raise click.ClickException(str(error)) from None
    if as_json:
        click.echo(json.dumps(document, indent=1))
    else:
        print_best(edition, found, heading(edition, most, players), facts, starts)


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


def _document(edition: Edition, found: Found) -> dict[str, object]:
    """Return the deck as `haggle score` reads it: parts, facts and cancels only where there are any."""
    hand = found.hand.hand
    document: dict[str, object] = {"cards": dict(hand.cards)}
    if edition.parts:
        document["parts"] = hand.parts
    if edition.facts:
        document["facts"] = dict(hand.facts)
    if hand.cancels:
        document["cancels"] = list(hand.cancels)
    return document | {
        "score": decimal(found.hand.score),
        "proven": found.proven,
        "lines": [line_document(line) for line in found.hand.lines],
    }
