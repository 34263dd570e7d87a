"""Organisers who do the same thing at the same time, on PostgreSQL: SQLite lets one writer in after the other."""

from __future__ import annotations

import threading
from datetime import timedelta
from io import BytesIO
from typing import TYPE_CHECKING

from sqlalchemy import func, select

from server.jobs.queue import claim, finish
from server.play.deadline import close_due
from server.play.games import delete_game, move
from server.play.house import game_row
from server.play.installation import choose_password, installation, new_setup_code
from server.play.intake import Where, accept
from server.play.refusals import Refusal
from server.play.retention import erase_due
from server.play.runs import add_run
from server.play.states import Act, State
from server.play.whole_game import export_game, import_game
from server.play.world import note_seen
from server.store.tables import AuditEntry, Card, Envelope, Photo, PrintRun
from tests.engines.festival import on_postgresql
from tests.house import ORGANISER, START, new_game
from tests.jobs.scan_jobs import png
from tests.jobs.test_queue import OVER, claimed
from tests.readings import add_photo, reading

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from sqlalchemy.orm import Session

    from server.play.house import House
    from server.store.tables import Game
    from tests.house import Clock

pytestmark = on_postgresql
TOGETHER = 6


def together(work: Callable[[], object]) -> list[str]:
    """Let several threads do the same at the same moment; return what was refused."""
    refused: list[str] = []
    broken: list[Exception] = []
    start = threading.Barrier(TOGETHER)

    def one() -> None:
        start.wait()
        try:
            work()
        except Refusal as refusal:
            refused.append(refusal.slug)
        except Exception as error:  # noqa: BLE001 - a thread's error would be lost
            broken.append(error)

    threads = [threading.Thread(target=one) for _ in range(TOGETHER)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if broken:
        raise broken[0]
    return refused


def at_once(house: House, game: str, work: Callable[[Session, Game], object]) -> list[str]:
    """Let several threads do the same in a game; return what was refused."""

    def one() -> None:
        with house.database.writing() as session:
            work(session, game_row(session, game))

    return together(one)


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


def test_whoever_reads_a_game_in_order_to_change_it_holds_it(house: House) -> None:
    """What was read of the row is still true when it is written: no addition is lost."""
    game = new_game(house)

    def add(_session: Session, row: Game) -> None:
        row.tries += 1

    assert at_once(house, game, add) == []
    with house.database.reading() as session:
        assert game_row(session, game).tries == 3 + TOGETHER


def test_other_games_and_scans_do_not_wait(house: House) -> None:
    """While one game is held, another one changes, and what a scan has found is kept."""
    held, other = new_game(house), new_game(house)
    photo = add_photo(house, held)
    with house.database.writing() as session:
        game_row(session, held)
        with house.database.writing() as claiming:
            mine = claim(claiming, house.clock())
        assert mine
        assert mine.id == photo
        with house.database.writing() as scan:
            assert finish(scan, mine, reading([]).model_dump_json(), house.clock())
        with house.database.writing() as elsewhere:
            game_row(elsewhere, other).name = "Changed meanwhile"
        assert game_row(session, held).state == State.OPEN


def test_a_game_that_comes_in_twice_at_once_is_there_once(house: House, tmp_path: Path) -> None:
    """One import makes it; the others are told that it is here. Its pictures stay."""
    game = new_game(house, State.CLOSED)
    photo = accept(house, Where(game), png(1), ORGANISER).id
    with (tmp_path / "game.zip").open("wb") as out:
        export_game(house, game, out)
    delete_game(house, _draft_again(house, game), ORGANISER)
    said = together(lambda: import_game(house, BytesIO((tmp_path / "game.zip").read_bytes()), ORGANISER))
    assert sorted(said) == ["game-exists"] * (TOGETHER - 1)
    with house.database.reading() as session:
        assert game_row(session, game).state == State.CLOSED
    assert house.photos.get(game, photo)


def test_one_of_those_who_choose_the_first_password_wins(house: House) -> None:
    """The code is good once; sessions of all others are refused."""
    code = new_setup_code(house)
    assert code
    said = together(lambda: choose_password(house, code, "a long password", ORGANISER))
    assert said == ["wrong-code"] * (TOGETHER - 1)
    assert installation(house).epoch == 1


def test_servers_that_start_at_once_have_one_secret(house: House) -> None:
    """Each reads the one that was made first."""
    secrets: list[bytes] = []
    assert together(lambda: secrets.append(installation(house).secret)) == []
    assert len(secrets) == TOGETHER
    assert len(set(secrets)) == 1


def test_a_game_is_closed_at_its_deadline_once(house: House, clock: Clock) -> None:
    """However many servers look at the same moment, the audit has one entry."""
    game = new_game(house, deadline=clock() + timedelta(hours=1))
    clock.forward(hours=2)
    assert together(lambda: close_due(house)) == []
    with house.database.reading() as session:
        closed = select(func.count()).where(AuditEntry.game == game, AuditEntry.action == "close")
        assert session.scalar(closed) == 1


def test_a_photograph_whose_lease_is_over_is_claimed_once(house: House) -> None:
    """However many servers look: it has lost one try."""
    photo = add_photo(house, new_game(house))
    assert claimed(house, OVER).id == photo
    got: list[Photo | None] = []

    def look() -> None:
        with house.database.writing() as session:
            got.append(claim(session, house.clock()))

    assert together(look) == []
    assert [found.attempts for found in got if found] == [2]


def test_pictures_whose_time_is_over_are_told_of_once(house: House, clock: Clock) -> None:
    """Several servers delete them; the audit counts each picture once."""
    game = new_game(house, keep_hours=1)
    for number in range(1, 4):
        add_photo(house, game, envelope=number, state="done", scanned=clock())
    clock.forward(hours=2)
    assert together(lambda: erase_due(house)) == []
    with house.database.reading() as session:
        told = session.scalars(select(AuditEntry.subject).where(AuditEntry.action == "erase")).all()
    assert sum(int(subject.split()[0]) for subject in told) == 3


def test_two_pictures_of_an_envelope_keep_the_earlier_time(house: House, clock: Clock) -> None:
    """Done at the same moment, the envelope was received when the first of them came."""
    game = new_game(house)
    claims = []
    for _ in range(TOGETHER):
        add_photo(house, game)
        claims.append(claimed(house))
        clock.forward(seconds=1)
    found = reading([], labels=[1]).model_dump_json()
    waiting = list(reversed(claims))

    def finish_one() -> None:
        mine = waiting.pop()
        assert mine
        with house.database.writing() as session:
            assert finish(session, mine, found, clock())
            note_seen(session, mine.game, mine.id, [1])

    assert together(finish_one) == []
    with house.database.reading() as session:
        assert session.get_one(Envelope, (game, 1)).received == START


def test_deleting_a_game_meets_its_scans(house: House, clock: Clock) -> None:
    """While scans of its pictures end, the game goes with all of them; nobody waits for the other for ever."""
    game = _draft_again(house, new_game(house))
    for _ in range(TOGETHER):
        add_photo(house, game)
    waiting = [claimed(house) for _ in range(TOGETHER - 1)]

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


def _draft_again(house: House, game: str) -> str:
    """Lead a game back to where it may be deleted."""
    with house.database.writing() as session:
        game_row(session, game).state = State.DRAFT.value
    return game
