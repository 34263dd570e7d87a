"""Uploads: limits, and files stored before their rows and only once."""

from __future__ import annotations

import errno
import threading
from pathlib import Path

import pytest

from server.db.models import Deck, Photo
from server.games.context import AppContext
from server.games.errors import DomainError
from server.games.lifecycle.states import State
from server.games.photos import upload
from server.games.photos.upload import RETRY_SECONDS, PhotoTarget, accept, insert_row, store_file
from server.storage.photo_store import PhotoStore
from tests.context import ORGANISER, Clock, new_game
from tests.engines.cluster import on_postgresql
from tests.players import audited
from tests.scan_jobs import png


def deck_of(context: AppContext, game: str, name: str = "d1") -> PhotoTarget:
    """Create a deck of a player; return the target of its uploads."""
    with context.database.writing() as session:
        session.add(Deck(id=name, game=game, envelope=1, state="open", created=context.clock()))
    return PhotoTarget(game, envelope=1, deck=name)


def files(context: AppContext) -> list[str]:
    return sorted(photo for _, photo, _ in context.photos.names())


def test_duplicates_in_a_batch_or_deck_are_one_photo(context: AppContext) -> None:
    game = new_game(context)
    places = [
        PhotoTarget(game, batch="a"),
        PhotoTarget(game, batch="b"),
        *(deck_of(context, game, name) for name in ("d1", "d2")),
    ]
    first, again = ([accept(context, where, png(1), ORGANISER).id for where in places] for _ in range(2))
    assert first == again
    assert files(context) == sorted(set(first))
    assert len(files(context)) == 4
    assert [accept(context, places[0], png(number), ORGANISER).place for number in range(1, 4)] == [1, 2, 3]


@on_postgresql
def test_concurrent_uploads_of_one_file_are_one_photo(context: AppContext) -> None:
    where = PhotoTarget(new_game(context), batch="a")
    found: list[str] = []
    threads = [
        threading.Thread(target=lambda: found.append(accept(context, where, png(1), ORGANISER).id)) for _ in range(6)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 6
    assert files(context) == sorted(set(found)) == [found[0]]


def test_file_names_are_not_paths_and_senders_are_audited(context: AppContext) -> None:
    game = new_game(context)
    photo = accept(context, PhotoTarget(game, name="../x/\u202egpj.1\x00.jpg" + "a" * 999), png(1), ORGANISER)
    assert photo.name.startswith("gpj.1.jpga")
    assert len(photo.name) == 200
    assert files(context) == [photo.id]
    (entry,) = audited(context, game, "receive")
    assert (entry.who, entry.subject) == ("Olga", f"photo {photo.id}")


@pytest.mark.parametrize("what", ["MAX_PER_DECK", "MAX_PER_PLAYER", "MAX_PER_GAME"])
def test_the_number_of_photos_is_limited(context: AppContext, monkeypatch: pytest.MonkeyPatch, what: str) -> None:
    monkeypatch.setattr(upload, what, 2)
    game = new_game(context)
    where = deck_of(context, game) if what != "MAX_PER_GAME" else PhotoTarget(game)
    for number in range(2):
        accept(context, where, png(number), ORGANISER)
    with pytest.raises(DomainError, match="2 pictures") as refused:
        accept(context, where, png(2), ORGANISER)
    assert refused.value.slug == "too-many-photos"
    accept(context, where, png(1), ORGANISER)
    assert len(files(context)) == 2


def test_uploads_are_refused_before_the_opening_and_after_the_count(context: AppContext) -> None:
    for state in (State.PRINTED, State.FROZEN):
        game = new_game(context, state)
        for where in (PhotoTarget(game), deck_of(context, game, name=state)):
            with pytest.raises(DomainError) as refused:
                accept(context, where, png(1), ORGANISER)
            assert refused.value.slug == "wrong-state"
    assert files(context) == []


def test_a_failed_transaction_leaves_no_file_and_no_notification(context: AppContext) -> None:
    game, before = new_game(context), context.notifier.count
    with pytest.raises(RuntimeError), store_file(context, game, png(1)):
        raise RuntimeError
    assert files(context) == []

    def enter_and_fail() -> None:
        with store_file(context, game, png(1)) as stored, context.database.writing() as session:
            insert_row(context, session, stored, PhotoTarget(game), ORGANISER, context.clock())
            raise RuntimeError

    with pytest.raises(RuntimeError):
        enter_and_fail()
    with context.database.reading() as session:
        assert session.query(Photo).count() == 0
    assert context.notifier.count == before
    with store_file(context, game, png(1)) as stored, context.database.writing() as session:
        insert_row(context, session, stored, PhotoTarget(game), ORGANISER, context.clock())
        assert context.notifier.count == before
    assert context.notifier.count == before + 1


def test_a_full_disk_and_an_unreachable_store_are_different_errors(
    tmp_path: Path, context: AppContext, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = new_game(context)
    full = type(context)(context.database, PhotoStore.in_folder(tmp_path / "data", reserve=10**18), clock)
    with pytest.raises(DomainError, match="disk is full") as refused:
        accept(full, PhotoTarget(game), png(1), ORGANISER)
    assert refused.value.slug == "disk-full"
    assert files(context) == []

    def broken(*_: object) -> None:
        raise OSError(errno.EIO, "broken")

    with monkeypatch.context() as patch:
        patch.setattr(context.photos, "put", broken)
        with pytest.raises(DomainError) as refused:
            accept(context, PhotoTarget(game), png(1), ORGANISER)
    assert (refused.value.slug, refused.value.retry) == ("busy", RETRY_SECONDS)
    accept(context, PhotoTarget(game), png(1), ORGANISER)
