"""Organisers who do the same thing at the same time."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

from sqlalchemy import func, select

from server.play.games import move
from server.play.house import game_row
from server.play.refusals import Refusal
from server.play.runs import add_run
from server.play.states import Act, State
from server.store.tables import AuditEntry, Card, Envelope, PrintRun
from tests.house import ORGANISER, new_game

if TYPE_CHECKING:
    from collections.abc import Callable

    from sqlalchemy.orm import Session

    from server.play.house import House
    from server.store.tables import Game

TOGETHER = 6


def at_once(house: House, game: str, work: Callable[[Session, Game], object]) -> list[str]:
    """Let several threads do the same in a game; return what was refused."""
    refused: list[str] = []
    start = threading.Barrier(TOGETHER)

    def one() -> None:
        start.wait()
        try:
            with house.database.writing() as session:
                work(session, game_row(session, game))
        except Refusal as refusal:
            refused.append(refusal.slug)

    threads = [threading.Thread(target=one) for _ in range(TOGETHER)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return refused


def test_runs_dealt_at_once_share_no_card(house: House) -> None:
    """Each gets a number, envelopes and cards of its own."""
    game = new_game(house, State.PRINTED)
    assert at_once(house, game, lambda session, row: add_run(session, row, 2, ORGANISER, house.clock())) == []
    with house.database.reading() as session:
        numbers = session.scalars(select(PrintRun.number).where(PrintRun.game == game)).all()
        envelopes = session.scalars(select(Envelope.number).where(Envelope.game == game)).all()
        cards = session.scalar(select(func.count()).where(Card.game == game))
    assert sorted(numbers) == list(range(1, TOGETHER + 2))
    assert sorted(envelopes) == list(range(1, 6 + 2 * TOGETHER + 1))
    assert cards == (6 + 2 * TOGETHER) * 13


def test_a_game_is_opened_once(house: House) -> None:
    """One organiser opens it; the others are told that it is open."""
    game = new_game(house, State.PRINTED)
    refused = at_once(house, game, lambda session, row: move(session, row, Act.OPEN, ORGANISER, house.clock()))
    assert refused == ["wrong-state"] * (TOGETHER - 1)
    with house.database.reading() as session:
        entries = session.scalar(select(func.count()).where(AuditEntry.game == game, AuditEntry.action == "open"))
    assert entries == 1
