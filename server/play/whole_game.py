"""A whole game as one file, to keep it or to go on elsewhere. The file holds the game's key: guard it as the game."""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING, Any, BinaryIO

from sqlalchemy import insert, select
from sqlalchemy.exc import DataError, IntegrityError

from server.jobs.queue import PhotoState
from server.play.game_archive import Archive, read_archive, write_archive
from server.play.game_rows import TABLES, order_of, row_as_json, wrong
from server.play.house import edition_of, game_row, printed_game
from server.play.record import changed, record
from server.play.refusals import Refusal
from server.play.row_checks import check_rows
from server.play.settings import check_settings
from server.play.states import State
from server.store.database import take_turn
from server.store.games import GameFileError, check_game
from server.store.photos import NO_ROOM
from server.store.stripping import is_foreign
from server.store.tables import Base, Deck, Envelope, Game, Photo, PrintRun

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from datetime import datetime

    from sqlalchemy.orm import Session

    from server.play.house import Actor, House

_KEY_BYTES = 32
_UNSCANNED = ("waiting", "scanning")
_NO_PICTURE = "missing"


def export_game(house: House, game: str, out: BinaryIO, *, photos: bool = True) -> str:
    """Write a game with all that belongs to it, and its pictures if wanted; return its id. Refusal `not-found`."""
    with house.database.reading() as session:
        row = game_row(session, game)
        runs = {run.id: run.number for run in session.scalars(select(PrintRun).where(PrintRun.game == row.id))}
        rows = {table: [row_as_json(one, runs) for one in _rows(session, table, row.id)] for table in TABLES}
    for picture in rows[Photo]:
        if picture["state"] == "scanning":
            # The scan goes on here, not where the file is read.
            picture |= {"state": "waiting", "lease": None}
    write_archive(out, row.id, rows, _pictures(house, row.id, rows[Photo]) if photos else ())
    return row.id


class Incoming:
    """A game on its way in: its pictures are here, its rows wait for `keep`."""

    def __init__(self, archive: Archive, game: Game) -> None:
        self._archive = archive
        self._game = game

    def keep(self, session: Session, actor: Actor, at: datetime) -> str:
        """Add all rows of the game and return its id; Refusal `game-exists` if somebody else was faster."""
        game = self._game
        take_turn(session, "game", game.id)
        _refuse_taken(session, game.id, self._archive)
        _insert(session, self._archive, game, at)
        record(session, game.id, actor, at, "import", after={"state": game.state})
        changed(session, game.id, at, "game")
        return game.id


@contextlib.contextmanager
def incoming(house: House, source: BinaryIO) -> Iterator[Incoming]:
    """Look through a game's file and keep its pictures; the block must `keep` its rows: all of them, or none.

    Pictures that the file lacks count as deleted. Those of a game that was not taken in belong to nothing and are swept
    later: here none is deleted, since the same game may be coming in a second time, on another server. Refusal
    `wrong-file` for a file that no server wrote, `game-exists` where the game is already, `disk-full`.
    """
    archive = read_archive(source)
    with archive.file:
        game = _checked(archive)
        with house.database.reading() as session:
            _refuse_taken(session, game.id, archive)
        kept = [picture["id"] for picture in archive.rows[Photo] if picture["id"] in archive.photos]
        try:
            # Pictures first: a row promises its picture.
            for picture in kept:
                house.photos.put(game.id, picture, archive.picture(picture))
            yield Incoming(archive, game)
        except BaseException as error:
            if isinstance(error, IntegrityError | DataError):
                raise wrong("its rows do not fit together") from None
            if isinstance(error, OSError) and error.errno in NO_ROOM:
                raise Refusal("disk-full", "The server's disk is full. Make room and send the file again.") from None
            raise


def import_game(house: House, source: BinaryIO, actor: Actor) -> str:
    """Take in the game of a file and return its id. Refusals as `incoming`."""
    with incoming(house, source) as game, house.database.writing() as session:
        return game.keep(session, actor, house.clock())


def _rows(session: Session, table: type[Base], game: str) -> Sequence[Base]:
    of_game = table.id if table is Game else table.game  # type: ignore[attr-defined]  # all others have it
    return session.scalars(select(table).where(of_game == game).order_by(*order_of(table))).all()


def _pictures(house: House, game: str, rows: Sequence[Mapping[str, Any]]) -> Iterator[tuple[str, bytes]]:
    for row in rows:
        data = None if row["erased"] else house.photos.get(game, row["id"])
        # One that failed and still holds what its camera wrote is about to be deleted here.
        if data is not None and not (row["state"] == PhotoState.FAILED and is_foreign(data)):
            yield row["id"], data


def _refuse_taken(session: Session, game: str, archive: Archive) -> None:
    if session.get(Game, game) is not None:
        raise Refusal("game-exists", f"Game {game} is here already. Delete it first, or leave it as it is.")
    for table in (Deck, Photo):
        ids = [row["id"] for row in archive.rows[table]]
        if any(session.get(table, one) is not None for one in ids):
            raise wrong("its decks or pictures have the numbers of another game's")


def _checked(archive: Archive) -> Game:
    """Return the game's row, not added to any session; Refusal `wrong-file` for what no game can be."""
    rows = archive.rows
    if len(rows[Game]) != 1:
        raise wrong("it does not hold exactly one game")
    values = dict(rows[Game][0])
    game = Game(**values)
    for table in TABLES[1:]:
        if any(row["game"] != game.id for row in rows[table]):
            raise wrong("a row belongs to another game")
    if game.state not in {state.value for state in State} or len(game.key) != _KEY_BYTES:
        raise wrong("the game has no such state, or no key")
    try:
        check_game(printed_game(game))
        check_settings(game, game.created, deadline=False)
        unknown = set(game.kinds) - set(edition_of(game).kind_of)
    except Refusal as refusal:
        raise wrong(str(refusal).rstrip(".")) from None
    except (GameFileError, TypeError, ValueError) as error:
        raise wrong(str(error).rstrip(".")) from None
    if unknown:
        raise wrong(f"the edition {game.edition} of this server has no card {min(map(str, unknown))!a:.60}")
    check_rows(rows, game)
    # With the settings that the file leaves out.
    return Game(**{**values, "settings": game.settings})


def _insert(session: Session, archive: Archive, game: Game, at: datetime) -> None:
    """Add all rows, each table after those that it refers to. Nobody else knows of them yet, so many go in at once."""
    runs = [PrintRun(**row) for row in archive.rows[PrintRun]]
    session.add(game)
    session.flush()
    session.add_all(runs)
    session.flush()
    ids = {run.number: run.id for run in runs}
    for table in TABLES:
        if table not in {Game, PrintRun} and archive.rows[table]:
            session.execute(insert(table), [_adapted(table, row, ids, archive, at) for row in archive.rows[table]])


def _adapted(
    table: type[Base], row: Mapping[str, Any], runs: Mapping[int, int], archive: Archive, at: datetime
) -> dict[str, Any]:
    values = dict(row)
    if table is Envelope:
        values["run"] = runs[values["run"]]
    if table is Photo:
        values |= {"attempts": 0, "turn": at.timestamp()}
        if values["state"] in _UNSCANNED:
            values["state"] = "waiting"
        if values["id"] not in archive.photos and values["erased"] is None:
            values["erased"] = at
        if values["state"] == "waiting" and values["erased"] is not None:
            values |= {"state": "failed", "reason": _NO_PICTURE}
        if values["state"] == "failed":
            # Retention goes by the time of the scan: without one a picture would stay for ever.
            values["scanned"] = values["scanned"] or at
    return values
