"""`haggle best`: finds the deck of highest score that an edition allows, and says whether it is proven best."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import click

from server.cli.hands_file import read_hands
from server.cli.options import editions_option
from server.cli.score_table import show
from server.editions import EditionError, load_edition
from server.scoring import ScoringError, decimal
from server.scoring.document import line_document
from server.scoring.mistakes import WireError
from server.scoring.wire import ScoreRequest, read_request
from server.search import STARTS, Found, NoDeckError, best_deck, start_cards

if TYPE_CHECKING:
    from collections.abc import Collection

    from server.scoring import Edition

MOST_PLAYERS = 600
MOST_CARDS = 200
_NAME = "Best deck"


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
    "--starts",
    type=click.IntRange(1, 1000),
    default=STARTS,
    show_default=True,
    help="Random starts, where the best deck cannot be proven.",
)
@click.option("--language", metavar="en|de|fr", help="Language of the breakdown; the edition's own if left out.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object instead of tables.")
def command(
    edition_name: str,
    players: int | None,
    most: int | None,
    against: str | None,
    starts: int,
    language: str | None,
    *,
    as_json: bool,
) -> None:
    """Find the deck of highest score under an edition's rules, within what was printed.

    Says whether no other deck can score more (proven), or whether it is the best that was found.
    """
    try:
        edition = load_edition(edition_name, language)
        request = ScoreRequest((), {}, None) if against is None else read_request(edition, read_hands(against))
        players = players or edition.players_max
        most = start_cards(edition, players) if most is None else most
        found = best_deck(
            edition,
            players,
            most,
            request.settings,
            request.active_rules,
            request.hands,
            player=_name({hand.player for hand in request.hands}),
            starts=starts,
        )
    except (EditionError, NoDeckError, ScoringError, WireError) as error:
        raise click.ClickException(str(error)) from None
    if as_json:
        click.echo(json.dumps(_document(found), indent=1))
    else:
        _print(edition, found, f"at most {most} cards, printed for {players} players", starts)


def _name(taken: Collection[str]) -> str:
    """Return a name for the deck that no other hand has."""
    number, name = 1, _NAME
    while name in taken:
        number += 1
        name = f"{_NAME} {number}"
    return name


def _document(found: Found) -> dict[str, object]:
    return {
        "cards": dict(found.hand.hand.cards),
        "score": decimal(found.hand.score),
        "proven": found.proven,
        "lines": [line_document(line) for line in found.hand.lines],
    }


def _print(edition: Edition, found: Found, limits: str, starts: int) -> None:
    names = {kind.slug: kind.name for kind in edition.kinds}
    cards = found.hand.hand.cards
    click.echo(f"The deck ({limits}):")
    for kind, number in cards.items():
        click.echo(f"  {number:>2} x {names[kind]} ({kind})")
    if not cards:
        click.echo("  no cards at all")
    if found.proven:
        click.echo("Proven best: no other deck within these limits scores more.")
    else:
        click.echo(f"Best found, not proven: there may be a better deck (random starts: {starts}).")
    click.echo()
    show(found.result)
