"""Writers of one game at the same moment, on PostgreSQL: what takes turns, and what does not wait."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from io import BytesIO
from pathlib import Path

import pytest
from sqlalchemy import func, select, text
from sqlalchemy.exc import OperationalError
from sqlalchemy.orm import Session

from server.app.house import HouseConfig, create_house_app
from server.jobs.queue import claim, finish
from server.play.actors import SERVER
from server.play.checking import check
from server.play.deadline import close_due
from server.play.decks import CONFIRMED, new_deck
from server.play.games import delete_game, move
from server.play.handing_in import hand_in
from server.play.house import House, game_row
from server.play.inputs import revision
from server.play.installation import choose_password, installation, new_setup_code
from server.play.intake import Where, accept, enter, keep
from server.play.joining import place_of
from server.play.record import record
from server.play.refusals import Refusal
from server.play.runs import add_run
from server.play.settings import change_game
from server.play.states import Act, State
from server.play.tokens import Seat
from server.play.versions import Wish, correct, edition_of, scored, version_row
from server.play.whole_game import export_game, import_game
from server.play.world import note_seen
from server.store import database
from server.store.engines import KEPT_CONNECTIONS, MORE_CONNECTIONS
from server.store.faults import TROUBLE, is_busy
from server.store.tables import Card, Envelope, Game, Photo, PrintRun
from tests.engines.festival import on_postgresql
from tests.house import ORGANISER, START, Clock, as_organiser, new_game
from tests.jobs.scan_jobs import png
from tests.played import counted_game
from tests.players import audited, dealt, set_game
from tests.readings import add_photo, reading

pytestmark = on_postgresql
TOGETHER = 6


def together(work: Callable[[], object], threads: int = TOGETHER) -> list[str]:
    """Let several threads do the same at the same moment; return what was refused."""
    start = threading.Barrier(threads)

    def one() -> str:
        start.wait()
        try:
            work()
        except Refusal as refusal:
            return refusal.slug
        return ""

    with ThreadPoolExecutor(threads) as pool:
        told = [pool.submit(one) for _ in range(threads)]
    return [slug for one in told if (slug := one.result())]


def at_once(house: House, game: str, work: Callable[[Session, Game], object]) -> list[str]:
    """Let several threads do the same in a game; return what was refused."""

    def one() -> None:
        with house.database.writing() as session:
            work(session, game_row(session, game))

    return together(one)


def claimed(house: House) -> Photo:
    """Claim the photograph whose turn it is."""
    with house.database.writing() as session:
        photo = claim(session, house.clock())
    assert photo
    return photo


def deck_with(house: House, seat: Seat, *cards: str) -> str:
    """Let a player confirm a deck of some cards; return its id."""
    with house.database.writing() as session:
        deck = new_deck(session, seat, house.clock())
        deck.state, deck.cards = CONFIRMED, list(cards)
        return deck.id


def waits(house: House, game: str, envelope: int | None = None) -> bool:
    """Tell whether one who wants a game alone, or to change an envelope of it, has to wait for others."""
    with pytest.MonkeyPatch.context() as patch, house.database.writing() as session:
        patch.setattr(database, "TURN_SECONDS", 0.05)
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


def test_runs_dealt_at_once_share_no_card(house: House) -> None:
    game = new_game(house, State.PRINTED)
    assert at_once(house, game, lambda session, row: add_run(session, row, 2, ORGANISER, house.clock())) == []
    with house.database.reading() as session:
        numbers = session.scalars(select(PrintRun.number).where(PrintRun.game == game)).all()
        envelopes = session.scalars(select(Envelope.number).where(Envelope.game == game)).all()
        cards = session.scalar(select(func.count()).where(Card.game == game))
    assert sorted(numbers) == list(range(1, TOGETHER + 2))
    assert sorted(envelopes) == list(range(1, 6 + 2 * TOGETHER + 1))
    assert cards == (6 + 2 * TOGETHER) * 13


def test_a_game_changes_its_state_once(house: House, clock: Clock) -> None:
    game = new_game(house, State.PRINTED)
    refused = at_once(house, game, lambda session, row: move(session, row, Act.OPEN, ORGANISER, house.clock()))
    assert refused == ["wrong-state"] * (TOGETHER - 1)
    assert len(audited(house, game, "open")) == 1
    set_game(house, game, deadline=clock() + timedelta(hours=1))
    clock.forward(hours=2)
    assert together(lambda: close_due(house)) == []
    assert len(audited(house, game, "close")) == 1


def test_players_of_a_game_do_not_wait_for_each_other(house: House) -> None:
    game = new_game(house)
    deck = deck_with(house, Seat(game, 2))
    with keep(house, game, png(1)) as kept, house.database.writing() as session:
        place_of(session, Seat(game, 1), change=True)
        assert not waits(house, game, 3)
        with house.database.writing() as other:
            hand_in(other, Seat(game, 2), deck, ORGANISER, house.clock())
        with house.database.writing() as desk:
            enter(house, desk, kept, Where(game), ORGANISER, house.clock())


def test_changes_of_one_envelope_or_of_the_game_take_turns(house: House) -> None:
    game, other_game = new_game(house), new_game(house)
    with house.database.writing() as session:
        place_of(session, Seat(game, 1), change=True)
        assert waits(house, game, 1)
        assert waits(house, game)
    with house.database.writing() as session:
        game_row(session, game)
        assert waits(house, game, 1)
        assert waits(house, game)
        assert not waits(house, other_game)
    assert not waits(house, game, 1)
    assert not waits(house, game)
    with house.database.writing() as session:
        old = session.get_one(Envelope, (game, 1))
        with house.database.writing() as other:
            place_of(other, Seat(game, 1), change=True)[1].name = "Ada"
        assert place_of(session, Seat(game, 1), change=True)[1] is old
        assert old.name == "Ada", "who has waited reads the row again"


def test_a_game_that_stays_taken_stops_no_other_game(
    house: House, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(database, "TURN_SECONDS", 0.5)
    game, other = new_game(house), new_game(house)
    organiser = as_organiser(create_house_app(HouseConfig(tmp_path), house))

    def rename(game: str) -> None:
        with house.database.writing() as session:
            game_row(session, game).name += "."

    # More wait than there are connections.
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


def test_a_game_that_comes_in_twice_at_once_is_there_once(house: House) -> None:
    game = new_game(house, State.CLOSED)
    photo = accept(house, Where(game), png(1), ORGANISER).id
    out = BytesIO()
    export_game(house, game, out)
    set_game(house, game, state=State.DRAFT.value)
    delete_game(house, game, ORGANISER)
    said = together(lambda: import_game(house, BytesIO(out.getvalue()), ORGANISER))
    assert said == ["game-exists"] * (TOGETHER - 1)
    with house.database.reading() as session:
        assert game_row(session, game).state == State.CLOSED
    assert house.photos.get(game, photo)


def test_a_new_server_has_one_secret_and_one_first_password(house: House) -> None:
    secrets: list[bytes] = []
    assert together(lambda: secrets.append(installation(house).secret)) == []
    assert (len(secrets), len(set(secrets))) == (TOGETHER, 1)
    code = new_setup_code(house)
    assert code
    said = together(lambda: choose_password(house, code, "a long password", ORGANISER))
    assert said == ["wrong-code"] * (TOGETHER - 1)
    assert installation(house).epoch == 1


def test_an_envelope_was_received_with_the_first_of_its_pictures_whichever_is_read_first(
    house: House, clock: Clock
) -> None:
    game = new_game(house)
    waiting = []
    for _ in range(TOGETHER):
        add_photo(house, game)
        waiting.insert(0, claimed(house))
        clock.forward(seconds=1)
    found = reading([], labels=[1]).model_dump_json()

    def finish_one() -> None:
        mine = waiting.pop()
        with house.database.writing() as session:
            assert finish(session, mine, found, clock())
            note_seen(session, mine.game, mine.id, [1])

    assert together(finish_one) == []
    with house.database.reading() as session:
        assert session.get_one(Envelope, (game, 1)).received == START


def test_a_game_is_deleted_while_its_scans_end(house: House, clock: Clock) -> None:
    game = new_game(house)
    for _ in range(TOGETHER):
        add_photo(house, game)
    waiting = [claimed(house) for _ in range(TOGETHER - 1)]
    set_game(house, game, state=State.DRAFT.value)

    def one() -> None:
        mine = waiting.pop() if waiting else None
        if mine is None:
            delete_game(house, game, ORGANISER)
            return
        with house.database.writing() as session:
            finish(session, mine, reading([]).model_dump_json(), clock())

    assert together(one) == []
    with house.database.reading() as session:
        assert session.scalar(select(func.count()).select_from(Photo)) == 0


@pytest.mark.parametrize("envelope", [None, 1])
def test_pictures_that_come_at_once_have_places_of_their_own(house: House, envelope: int | None) -> None:
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


def test_all_but_the_first_who_ask_about_a_card_have_borrowed_it(house: House) -> None:
    game = new_game(house, mode="full")
    card = dealt(house, game, 1)[0]
    decks = [(Seat(game, number), deck_with(house, Seat(game, number), card)) for number in range(1, TOGETHER + 1)]

    def ask() -> None:
        seat, deck = decks.pop()
        check(house, seat, deck, ORGANISER)

    assert together(ask) == []
    assert len(audited(house, game, "borrowed-cards")) == TOGETHER - 1


def test_a_revision_changes_with_what_was_begun_earlier_and_committed_later(house: House) -> None:
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


def test_two_corrections_at_once_make_two_whole_versions(house: House) -> None:
    game = counted_game(house)
    values = iter([5, 7])

    def work() -> None:
        with house.database.writing() as session:
            changes = {"settings": {"blue_base": next(values)}, "confirmed": ["blue_base"]}
            change_game(session, game_row(session, game), changes, ORGANISER, house.clock(), "Miscounted flips.")
        correct(house, game, ORGANISER, Wish("Again."))

    assert together(work, threads=2) == []
    with house.database.reading() as session:
        row = game_row(session, game)
        for number in (2, 3):
            version = version_row(session, game, number)
            assert version.document == scored(edition_of(row), version.inputs["game"])
        assert row.settings == {"blue_base": version.inputs["game"]["settings"]["blue_base"]}
