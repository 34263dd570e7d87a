"""Concurrent writers of a game on PostgreSQL: which wait for each other, and which do not."""

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

from server.db import session as database
from server.db.errors import DATABASE_FAILURES, is_busy
from server.db.models import Card, Envelope, Game, Photo, PrintRun
from server.db.session import MAX_OVERFLOW, POOL_SIZE
from server.games.audit import SERVER, audit
from server.games.context import AppContext
from server.games.errors import DomainError
from server.games.lifecycle.commands import change_state, delete_game
from server.games.lifecycle.repository import PlayerIdentity, close_due_games, edition_of_game, load_game, load_player
from server.games.lifecycle.settings import change_game
from server.games.lifecycle.states import Act, State
from server.games.photos.scan_queue import claim, finish, record_receipt
from server.games.photos.upload import PhotoTarget, accept, insert_row, store_file
from server.games.players.decks import DeckState, new_deck
from server.games.players.provisional_score import score_deck
from server.games.players.submission import hand_in
from server.games.printing.runs import add_run
from server.games.results.inputs import state_mark
from server.games.results.versions import CountRequest, correct, load_version, score_inputs
from server.games.server_config import load_server_config
from server.games.transfer.game_archive import export_game, import_game
from server.web_app.factory import create_app
from server.web_app.settings import AppConfig
from tests.context import ORGANISER, START, Clock, as_organiser, new_game
from tests.engines.cluster import on_postgresql
from tests.played_game import counted_game
from tests.players import audited, dealt, set_game
from tests.readings import add_photo, reading
from tests.scan_jobs import png

pytestmark = on_postgresql
TOGETHER = 6


def in_threads(work: Callable[[], object], threads: int = TOGETHER) -> list[str]:
    """Run a function in several threads at once; return the refusals."""
    start = threading.Barrier(threads)

    def one() -> str:
        start.wait()
        try:
            work()
        except DomainError as refusal:
            return refusal.slug
        return ""

    with ThreadPoolExecutor(threads) as pool:
        futures = [pool.submit(one) for _ in range(threads)]
    return [slug for one in futures if (slug := one.result())]


def in_game_threads(context: AppContext, game: str, work: Callable[[Session, Game], object]) -> list[str]:
    """Run a function on a game in several threads at once; return the refusals."""

    def one() -> None:
        with context.database.writing() as session:
            work(session, load_game(session, game))

    return in_threads(one)


def claimed(context: AppContext) -> Photo:
    """Claim the next photo."""
    with context.database.writing() as session:
        photo = claim(session, context.clock())
    assert photo
    return photo


def deck_with(context: AppContext, seat: PlayerIdentity, *cards: str) -> str:
    """Add a confirmed deck of some cards for a player; return its id."""
    with context.database.writing() as session:
        deck = new_deck(session, seat, context.clock())
        deck.state, deck.cards = DeckState.CONFIRMED, list(cards)
        return deck.id


def waits(context: AppContext, game: str, envelope: int | None = None) -> bool:
    """Return whether a lock on a game, or on an envelope of it, has to wait."""
    with pytest.MonkeyPatch.context() as patch, context.database.writing() as session:
        patch.setattr(database, "LOCK_TIMEOUT", 0.05)
        session.execute(text("SET LOCAL lock_timeout = '30ms'"))
        try:
            if envelope is None:
                load_game(session, game)
            else:
                load_player(session, PlayerIdentity(game, envelope), change=True)
        except OperationalError:
            session.rollback()
            return True
    return False


def test_concurrent_print_runs_have_different_cards(context: AppContext) -> None:
    game = new_game(context, State.PRINTED)
    assert (
        in_game_threads(context, game, lambda session, row: add_run(session, row, 2, ORGANISER, context.clock())) == []
    )
    with context.database.reading() as session:
        numbers = session.scalars(select(PrintRun.number).where(PrintRun.game == game)).all()
        envelopes = session.scalars(select(Envelope.number).where(Envelope.game == game)).all()
        cards = session.scalar(select(func.count()).where(Card.game == game))
    assert sorted(numbers) == list(range(1, TOGETHER + 2))
    assert sorted(envelopes) == list(range(1, 6 + 2 * TOGETHER + 1))
    assert cards == (6 + 2 * TOGETHER) * 13


def test_a_game_changes_its_state_once(context: AppContext, clock: Clock) -> None:
    game = new_game(context, State.PRINTED)
    refused = in_game_threads(
        context, game, lambda session, row: change_state(session, row, Act.OPEN, ORGANISER, context.clock())
    )
    assert refused == ["wrong-state"] * (TOGETHER - 1)
    assert len(audited(context, game, "open")) == 1
    set_game(context, game, deadline=clock() + timedelta(hours=1))
    clock.forward(hours=2)
    assert in_threads(lambda: close_due_games(context)) == []
    assert len(audited(context, game, "close")) == 1


def test_players_of_a_game_do_not_wait_for_each_other(context: AppContext) -> None:
    game = new_game(context)
    deck = deck_with(context, PlayerIdentity(game, 2))
    with store_file(context, game, png(1)) as stored, context.database.writing() as session:
        load_player(session, PlayerIdentity(game, 1), change=True)
        assert not waits(context, game, 3)
        with context.database.writing() as other:
            hand_in(other, PlayerIdentity(game, 2), deck, ORGANISER, context.clock())
        with context.database.writing() as desk:
            insert_row(context, desk, stored, PhotoTarget(game), ORGANISER, context.clock())


def test_changes_of_one_envelope_or_of_the_game_take_turns(context: AppContext) -> None:
    game, other_game = new_game(context), new_game(context)
    with context.database.writing() as session:
        load_player(session, PlayerIdentity(game, 1), change=True)
        assert waits(context, game, 1)
        assert waits(context, game)
    with context.database.writing() as session:
        load_game(session, game)
        assert waits(context, game, 1)
        assert waits(context, game)
        assert not waits(context, other_game)
    assert not waits(context, game, 1)
    assert not waits(context, game)
    with context.database.writing() as session:
        old = session.get_one(Envelope, (game, 1))
        with context.database.writing() as other:
            load_player(other, PlayerIdentity(game, 1), change=True)[1].name = "Ada"
        assert load_player(session, PlayerIdentity(game, 1), change=True)[1] is old
        assert old.name == "Ada", "who has waited reads the row again"


def test_a_locked_game_does_not_block_other_games(
    context: AppContext, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(database, "LOCK_TIMEOUT", 0.5)
    game, other = new_game(context), new_game(context)
    organiser = as_organiser(create_app(AppConfig(tmp_path), context))

    def rename(game: str) -> None:
        with context.database.writing() as session:
            load_game(session, game).name += "."

    # More threads wait than there are connections.
    many = POOL_SIZE + MAX_OVERFLOW + 10
    with ThreadPoolExecutor(many) as threads, context.database.writing() as session:
        load_game(session, game)
        waiting = [threads.submit(rename, game) for _ in range(many)]
        rename(other)
        for one in waiting:
            error = one.exception(60)
            assert isinstance(error, DATABASE_FAILURES)
            assert is_busy(error)
        refused = organiser.patch(f"/api/v1/games/{game}", json={"name": "Evening"})
        assert (refused.status_code, refused.headers["Retry-After"]) == (503, "5")
    assert organiser.patch(f"/api/v1/games/{game}", json={"name": "Evening"}).status_code == 200


def test_concurrent_imports_create_a_game_once(context: AppContext) -> None:
    game = new_game(context, State.CLOSED)
    photo = accept(context, PhotoTarget(game), png(1), ORGANISER).id
    out = BytesIO()
    export_game(context, game, out)
    set_game(context, game, state=State.DRAFT.value)
    delete_game(context, game, ORGANISER)
    results = in_threads(lambda: import_game(context, BytesIO(out.getvalue()), ORGANISER))
    assert results == ["game-exists"] * (TOGETHER - 1)
    with context.database.reading() as session:
        assert load_game(session, game).state == State.CLOSED
    assert context.photos.get(game, photo)


def test_a_new_server_has_one_secret(context: AppContext) -> None:
    secrets: list[bytes] = []
    assert in_threads(lambda: secrets.append(load_server_config(context.database).secret)) == []
    assert (len(secrets), len(set(secrets))) == (TOGETHER, 1)


def test_an_envelope_is_received_with_its_first_photo_in_any_scan_order(context: AppContext, clock: Clock) -> None:
    game = new_game(context)
    waiting = []
    for _ in range(TOGETHER):
        add_photo(context, game)
        waiting.insert(0, claimed(context))
        clock.forward(seconds=1)
    found = reading([], labels=[1]).model_dump_json()

    def finish_one() -> None:
        mine = waiting.pop()
        with context.database.writing() as session:
            assert finish(session, mine, found, clock())
            record_receipt(session, mine.game, mine.id, [1])

    assert in_threads(finish_one) == []
    with context.database.reading() as session:
        assert session.get_one(Envelope, (game, 1)).received == START


def test_a_game_is_deleted_while_its_scans_end(context: AppContext, clock: Clock) -> None:
    game = new_game(context)
    for _ in range(TOGETHER):
        add_photo(context, game)
    waiting = [claimed(context) for _ in range(TOGETHER - 1)]
    set_game(context, game, state=State.DRAFT.value)

    def one() -> None:
        mine = waiting.pop() if waiting else None
        if mine is None:
            delete_game(context, game, ORGANISER)
            return
        with context.database.writing() as session:
            finish(session, mine, reading([]).model_dump_json(), clock())

    assert in_threads(one) == []
    with context.database.reading() as session:
        assert session.scalar(select(func.count()).select_from(Photo)) == 0


@pytest.mark.parametrize("envelope", [None, 1])
def test_concurrent_uploads_have_different_positions(context: AppContext, envelope: int | None) -> None:
    game = new_game(context)
    deck = deck_with(context, PlayerIdentity(game, 1)) if envelope else None
    pictures = [png(number) for number in range(TOGETHER)]

    def send() -> None:
        with store_file(context, game, pictures.pop()) as stored, context.database.writing() as session:
            if envelope:
                load_player(session, PlayerIdentity(game, envelope), change=True)
            insert_row(context, session, stored, PhotoTarget(game, envelope, deck), ORGANISER, context.clock())

    assert in_threads(send) == []
    with context.database.reading() as session:
        assert sorted(session.scalars(select(Photo.place))) == list(range(1, TOGETHER + 1))


def test_a_card_is_borrowed_for_all_players_but_the_first(context: AppContext) -> None:
    game = new_game(context, mode="full")
    card = dealt(context, game, 1)[0]
    decks = [
        (PlayerIdentity(game, number), deck_with(context, PlayerIdentity(game, number), card))
        for number in range(1, TOGETHER + 1)
    ]

    def ask() -> None:
        seat, deck = decks.pop()
        score_deck(context, seat, deck, ORGANISER)

    assert in_threads(ask) == []
    assert len(audited(context, game, "borrowed-cards")) == TOGETHER - 1


def test_a_revision_changes_with_late_commits(context: AppContext) -> None:
    game = new_game(context)

    def note(session: Session) -> None:
        audit(session, SERVER, "note", game=game, at=context.clock())
        session.flush()

    with context.database.writing() as first:
        note(first)
        with context.database.writing() as second:
            note(second)
        with context.database.reading() as session:
            before = state_mark(session, game)
    with context.database.reading() as session:
        assert state_mark(session, game) != before


def test_two_concurrent_corrections_create_two_versions(context: AppContext) -> None:
    game = counted_game(context)
    values = iter([5, 7])

    def work() -> None:
        with context.database.writing() as session:
            changes = {"settings": {"blue_base": next(values)}, "confirmed": ["blue_base"]}
            change_game(session, load_game(session, game), changes, ORGANISER, context.clock(), "Miscounted flips.")
        correct(context, game, ORGANISER, CountRequest("Again."))

    assert in_threads(work, threads=2) == []
    with context.database.reading() as session:
        row = load_game(session, game)
        for number in (2, 3):
            version = load_version(session, game, number)
            assert version.document == score_inputs(edition_of_game(row), version.inputs["game"])
        assert row.settings == {"blue_base": version.inputs["game"]["settings"]["blue_base"]}
