"""Played games: envelopes with names and hands, ready to be scored."""

from __future__ import annotations

import json
from collections import Counter
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sqlalchemy import func, select

from server.db.models import Card, Envelope, PrintRun, ReviewDecision
from server.games.lifecycle.repository import load_game
from server.games.lifecycle.states import State
from server.games.results.versions import CountRequest, freeze, publish
from server.scoring.request_validation import read_time
from tests.context import ORGANISER, START, new_game

if TYPE_CHECKING:
    from server.games.context import AppContext

GAMES = Path(__file__).parent / "editions" / "games"
EXAMPLES = Path(__file__).parents[1] / "examples" / "editions"
EDITIONS = ("eurocg-2026", "sackson-1969", "tarot-fr")


def recorded_result(edition: str) -> dict[str, Any]:
    """Return the recorded result of an edition's game, in the form that `haggle score --json` prints."""
    document: dict[str, Any] = json.loads((GAMES / f"{edition}.result.json").read_text(encoding="utf-8"))
    return document


def recorded(edition: str) -> dict[str, Any]:
    """Return the recorded game of an edition, in the form that `haggle score` reads."""
    file = GAMES / f"{edition}.hands.json" if edition in EDITIONS else EXAMPLES / edition / "game.hands.json"
    document: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
    return document


def played_game(context: AppContext, edition: str = "eurocg-2026", **draft: Any) -> str:  # noqa: ANN401 - any field of a draft
    """Create a closed game whose envelopes have the hands of the edition's recorded game; return its id."""
    document = recorded(edition)
    hands = document["hands"]
    settings = {name: value for name, value in document.get("settings", {}).items() if name != "seed"}
    wanted = {"edition": edition, "players": len(hands), "settings": settings, **draft}
    if edition == "tarot-fr":
        return _unprinted(context, wanted, document)
    game = new_game(context, State.CLOSED, **wanted)
    fill(context, game, document)
    return game


def fill(context: AppContext, game: str, document: dict[str, Any]) -> None:
    """Hand in the hands of a document for the envelopes of a game, from the first on."""
    copies: Counter[str] = Counter()
    with context.database.writing() as session:
        row = load_game(session, game)
        row.seed = document.get("settings", {}).get("seed", row.seed)
        for kind, highest in session.execute(
            select(Card.kind, func.max(Card.copy)).where(Card.game == game).group_by(Card.kind)
        ):
            copies[kind] = highest
        for number, hand in enumerate(document["hands"], start=1):
            seat = session.get_one(Envelope, (game, number))
            seat.name = hand["player"]
            seat.received = seat.submitted_at = read_time(hand.get("handed_in")) or START
            row.closed = max(row.closed or START, seat.submitted_at + timedelta(seconds=1))
            seat.submitted_cards = []
            for kind, count in hand["cards"].items():
                for _ in range(count):
                    copies[kind] += 1
                    session.add(Card(game=game, kind=kind, copy=copies[kind], envelope=number, run=1, lost=None))
                    seat.submitted_cards.append(f"{kind}-{copies[kind]:03d}")
            seat.facts = hand.get("facts", {})
            seat.cancels = [str(key) for key in document.get("cancels", {}).get(hand["player"], ())]
            session.add(
                ReviewDecision(
                    game=game, item=f"unseen:{number}", decision={"do": "trust"}, reason="-", who="Olga", at=START
                )
            )


def counted_game(context: AppContext, edition: str = "eurocg-2026", *, published: bool = False, **draft: Any) -> str:  # noqa: ANN401 - any field of a draft
    """Create a game that is frozen with version 1, or `published`; return its id."""
    settings = recorded(edition).get("settings", {})
    confirmed = [name for name in settings if name != "seed"]
    game = played_game(context, edition, **{"confirmed": confirmed, **draft})
    freeze(context, game, ORGANISER, CountRequest())
    if published:
        with context.database.writing() as session:
            publish(session, load_game(session, game), None, ORGANISER, context.clock())
    return game


def _unprinted(context: AppContext, wanted: dict[str, Any], document: dict[str, Any]) -> str:
    """Create a closed game of an edition that cannot be printed: its envelopes are only rows."""
    game = new_game(context, State.DRAFT, **wanted)
    with context.database.writing() as session:
        row = load_game(session, game)
        row.state, row.opened, row.closed = State.CLOSED, START, START
        run = PrintRun(
            game=game,
            number=1,
            first=1,
            envelopes=row.players,
            seed="x",
            tries=1,
            spare=0,
            language="fr",
            created=START,
        )
        session.add(run)
        session.flush()
        for number in range(1, row.players + 1):
            session.add(
                Envelope(
                    game=game,
                    number=number,
                    run=run.id,
                    spare=False,
                    opened=START,
                    hidden=False,
                    token_version=0,
                    facts={},
                )
            )
    fill(context, game, document)
    return game
