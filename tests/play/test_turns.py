"""Turns on PostgreSQL: players of a game go on beside each other, and whoever wants it alone has it alone."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

import pytest
from sqlalchemy import select, text
from sqlalchemy.exc import OperationalError

from server.app.house import HouseConfig, create_house_app
from server.play.actors import SERVER
from server.play.checking import check
from server.play.decks import CONFIRMED, new_deck
from server.play.handing_in import hand_in
from server.play.house import game_row, hold
from server.play.inputs import revision
from server.play.intake import Where, enter, keep
from server.play.joining import place_of
from server.play.record import record
from server.play.states import State
from server.play.tokens import Seat
from server.store import database
from server.store.engines import KEPT_CONNECTIONS, MORE_CONNECTIONS
from server.store.faults import TROUBLE, is_busy
from server.store.tables import AuditEntry, Card, Envelope, Photo
from tests.house import ORGANISER, as_organiser, new_game
from tests.jobs.scan_jobs import png
from tests.play.test_at_once import TOGETHER, together

if TYPE_CHECKING:
    from pathlib import Path

    from sqlalchemy.orm import Session

    from server.play.house import House
    from tests.house import Clock

festival = pytest.mark.parametrize("place", ["festival"], indirect=True)


def deck_with(house: House, seat: Seat, *cards: str) -> str:
    """Let a player confirm a deck of some cards; return its id."""
    with house.database.writing() as session:
        deck = new_deck(session, seat, house.clock())
        deck.state, deck.cards = CONFIRMED, list(cards)
        return deck.id


def waits(house: House, game: str, envelope: int | None = None) -> bool:
    """Tell whether one who wants a game alone, or to change an envelope of it, has to wait for others."""
    with house.database.writing() as session:
        session.execute(text("SET LOCAL lock_timeout = '30ms'"))
        try:
            if envelope is None:
                game_row(session, game)
            else:
                place_of(session, Seat(game, envelope), change=True)
        except OperationalError:
            session.rollback()
            return True
    return False


@festival
def test_players_do_not_wait_for_each_other(house: House) -> None:
    """While one player's change is under way, others begin decks and hand in, and pictures come in."""
    game = new_game(house)
    deck = deck_with(house, Seat(game, 2))
    with keep(house, game, png(1)) as kept, house.database.writing() as session:
        place_of(session, Seat(game, 1), change=True)
        assert not waits(house, game, 3)
        with house.database.writing() as other:
            hand_in(other, Seat(game, 2), deck, ORGANISER, house.clock())
        with house.database.writing() as desk:
            enter(house, desk, kept, Where(game), ORGANISER, house.clock())


@festival
def test_changes_of_one_envelope_take_turns(house: House) -> None:
    """What was read of it, and of its decks, is still true when something is written."""
    game = new_game(house)
    with house.database.writing() as session:
        place_of(session, Seat(game, 1), change=True)
        assert waits(house, game, 1)
    assert not waits(house, game, 1)


@festival
def test_whoever_has_a_game_alone_has_it_alone(house: House) -> None:
    """Players' changes wait for an organiser's, and the other way round."""
    game = new_game(house)
    with house.database.writing() as session:
        game_row(session, game)
        assert waits(house, game, 1)
        assert waits(house, game)
    with house.database.writing() as session:
        place_of(session, Seat(game, 1), change=True)
        assert waits(house, game)
    assert not waits(house, game)


def test_who_has_a_game_beside_others_does_not_get_it_alone(house: House) -> None:
    """Two who did would wait for each other; the mistake is told instead."""
    game = new_game(house)
    with house.database.writing() as session:
        row = game_row(session, game, beside=True)
        assert game_row(session, game) is row
        with pytest.raises(RuntimeError, match="beside others"):
            hold(session, row)


def test_who_holds_a_game_beside_others_changes_nothing_of_it(house: House, clock: Clock) -> None:
    """A player's change after the deadline sees the game closed; its row is left to those who have it alone."""
    game = new_game(house, deadline=clock().replace(hour=20))
    clock.forward(days=1)
    with house.database.writing() as session:
        row = game_row(session, game, beside=True)
        assert row.state == State.CLOSED
    with house.database.reading() as session:
        assert session.scalars(select(AuditEntry).where(AuditEntry.action == "close")).all() == []
    with house.database.writing() as session:
        assert game_row(session, game).state == State.CLOSED
    with house.database.reading() as session:
        assert len(session.scalars(select(AuditEntry).where(AuditEntry.action == "close")).all()) == 1


@pytest.mark.parametrize("envelope", [None, 1])
def test_pictures_that_come_at_once_have_places_of_their_own(house: House, envelope: int | None) -> None:
    """Organisers' of the game, and a player's of a deck, are counted one after the other."""
    game = new_game(house)
    deck = deck_with(house, Seat(game, 1)) if envelope else None
    pictures = [png(number) for number in range(TOGETHER)]

    def send() -> None:
        with keep(house, game, pictures.pop()) as kept, house.database.writing() as session:
            if envelope:
                place_of(session, Seat(game, envelope), change=True)
            enter(house, session, kept, Where(game, envelope, deck), ORGANISER, house.clock())

    assert together(send) == []
    with house.database.reading() as session:
        assert sorted(session.scalars(select(Photo.place))) == list(range(1, TOGETHER + 1))


def test_a_card_that_two_ask_about_at_once_is_noted(house: House) -> None:
    """Of players who ask with the same card at the same moment all but the first have borrowed it."""
    game = new_game(house, mode="full")
    with house.database.writing() as session:
        found = session.scalars(select(Card).where(Card.game == game, Card.envelope == 1).limit(1)).one()
        card = f"{found.kind}-{found.copy:03}"
    decks = [(Seat(game, number), deck_with(house, Seat(game, number), card)) for number in range(1, TOGETHER + 1)]

    def ask() -> None:
        seat, deck = decks.pop()
        check(house, seat, deck, ORGANISER)

    assert together(ask) == []
    assert len(_entries(house, "borrowed-cards")) == TOGETHER - 1


@festival
def test_a_game_that_stays_taken_stops_no_other_game(
    house: House, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever waits too long for a game is told when to try again, also where more wait than there are connections."""
    monkeypatch.setattr(database, "TURN_SECONDS", 1)
    game, other = new_game(house), new_game(house)
    organiser = as_organiser(create_house_app(HouseConfig(tmp_path), house))

    def rename(game: str) -> None:
        with house.database.writing() as session:
            game_row(session, game).name += "."

    many = KEPT_CONNECTIONS + MORE_CONNECTIONS + 10
    with ThreadPoolExecutor(many) as threads, house.database.writing() as session:
        game_row(session, game)
        waiting = [threads.submit(rename, game) for _ in range(many)]
        rename(other)
        for one in waiting:
            error = one.exception(60)
            assert isinstance(error, TROUBLE)
            assert is_busy(error)
        refused = organiser.patch(f"/api/v1/games/{game}", json={"name": "Evening"})
        assert (refused.status_code, refused.headers["Retry-After"]) == (503, "5")
    assert organiser.patch(f"/api/v1/games/{game}", json={"name": "Evening"}).status_code == 200


@festival
def test_a_mark_tells_of_what_was_begun_earlier_and_done_later(house: House) -> None:
    """Numbers are given when something is written, and seen when it is committed: a lower one may come later."""
    game = new_game(house)

    def note(session: Session) -> None:
        record(session, game, SERVER, house.clock(), "note")
        session.flush()

    with house.database.writing() as first:
        note(first)
        with house.database.writing() as second:
            note(second)
        with house.database.reading() as session:
            before = revision(session, game)
    with house.database.reading() as session:
        assert revision(session, game) != before


def test_a_player_s_row_is_as_others_left_it(house: House) -> None:
    """Who has waited for an envelope reads it anew."""
    game = new_game(house)
    with house.database.writing() as session:
        old = session.get_one(Envelope, (game, 1))
        if house.database.is_shared:
            with house.database.writing() as other:
                place_of(other, Seat(game, 1), change=True)[1].name = "Ada"
            assert place_of(session, Seat(game, 1), change=True)[1].name == "Ada"
        assert old.number == 1


def _entries(house: House, action: str) -> list[AuditEntry]:
    with house.database.reading() as session:
        return list(session.scalars(select(AuditEntry).where(AuditEntry.action == action)))
