"""Archives of games: a whole game as one ZIP file, for safekeeping or for another server.

An archive contains the game's signing key, with which anybody can forge cards.
"""

from __future__ import annotations

import contextlib
import json
import re
import zipfile
import zlib
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, BinaryIO, cast

from sqlalchemy import insert, select
from sqlalchemy.exc import DataError, IntegrityError

from server.db.models import Base, Deck, Envelope, Game, Photo, PrintRun
from server.db.session import advisory_lock
from server.editions.registry import is_uploaded
from server.games.audit import audit
from server.games.errors import DomainError
from server.games.events import publish_event
from server.games.lifecycle.repository import edition_of_game, load_game, printed_game_of
from server.games.lifecycle.settings import check_settings
from server.games.lifecycle.states import State
from server.games.photos.image import is_foreign
from server.games.photos.scan_queue import UNSCANNED, PhotoState
from server.games.transfer.row_json import TABLES, check_rows, name_of, order_of, row_as_json, row_from_json, wrong
from server.games.uploaded_editions import install_checked_copy
from server.printing.game_file import GameFileError, check_game
from server.scoring.request_schema import JsonError, read_json
from server.storage.base import DISK_FULL

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from datetime import datetime

    from sqlalchemy.orm import Session

    from server.games.audit import Actor
    from server.games.context import AppContext


MANIFEST = "haggle-game.json"
FORMAT = 1

MAX_MEMBERS = 20_000
MAX_ROWS = 60_000
"""Limit of all tables together, which are written in one transaction. A game of 150 players has about 10,000."""
TABLE_BYTES = 64_000_000
TABLES_BYTES = 160_000_000
"""Unpacked sizes of one table and of all."""
DIRECTORY_BYTES = 4_000_000
"""Size of the list of members at the end of the archive."""
PHOTO_BYTES = 64_000_000
MAX_BYTES = 8_000_000_000
"""Unpacked size of the whole archive."""
RATIO = 300
"""Compression ratio above which a member is refused as a ZIP bomb. Rows of a game have 10 to 30."""

_CHUNK = 1 << 16
_PHOTO = re.compile(r"photos/([0-9a-f]{32})\.jpg", re.ASCII)
_ENCRYPTED = 0x1

# A constant, so that the same game always gives the same file.
_TIME = (1980, 1, 1, 0, 0, 0)

_KEY_BYTES = 32
_NO_PHOTO = "missing"


@dataclass(frozen=True)
class Archive:
    """A checked archive: rows by table, and the ids of the photographs. `read_photo` reads one."""

    rows: dict[type[Base], list[dict[str, Any]]]
    photos: frozenset[str]
    file: zipfile.ZipFile

    def read_photo(self, photo: str) -> bytes:
        """Return a photograph. Raises DomainError `wrong-file` if it is damaged."""
        return b"".join(_unpacked(self.file, f"photos/{photo}.jpg", PHOTO_BYTES))


def write_archive(
    out: BinaryIO,
    game: str,
    rows: Mapping[type[Base], Iterable[Mapping[str, Any]]],
    photos: Iterable[tuple[str, bytes]],
) -> None:
    """Write a game's rows and photographs."""
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as file:
        counts = {}
        for table, lines in rows.items():
            encoded = [json.dumps(line, ensure_ascii=False, separators=(",", ":")) for line in lines]
            counts[name_of(table)] = len(encoded)
            _write(file, _member(table), "".join(f"{line}\n" for line in encoded).encode())
        number = 0
        for number, (photo, data) in enumerate(photos, start=1):  # noqa: B007 - their number is needed below
            _write(file, f"photos/{photo}.jpg", data, packed=False)
        manifest = {"format": FORMAT, "game": game, "rows": counts, "photos": number}
        _write(file, MANIFEST, json.dumps(manifest, indent=1).encode())


def check_limits(source: BinaryIO) -> None:
    """Check whether a new archive is within the limits of imports. Raises DomainError `wrong-file`."""
    with zipfile.ZipFile(source) as file:
        _check_members(file)
        for member in file.infolist():
            if member.file_size > (PHOTO_BYTES if _PHOTO.fullmatch(member.filename) else TABLE_BYTES):
                raise wrong(f"{member.filename} is too large")
        if sum(_manifest(file)["rows"].values()) > MAX_ROWS:
            raise wrong(f"it has more than {MAX_ROWS} rows")


class _BoundedReader:
    """A file that limits the bytes read at once, so that a huge list of members does not fill the memory."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        self.most: int | None = DIRECTORY_BYTES

    def read(self, size: int = -1) -> bytes:
        """Read as a file does. Raises DomainError `wrong-file` for more than the limit."""
        if self.most is None:
            return self._file.read(size)
        data = self._file.read(self.most + 1 if size < 0 else min(size, self.most + 1))
        if len(data) > self.most:
            raise wrong("its list of parts is too long")
        return data

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401 - all other methods of a file
        return getattr(self._file, name)


def read_archive(source: BinaryIO) -> Archive:
    """Read and check an archive, without storing anything.

    Raises DomainError `wrong-file` for other files and for archives that exceed a limit.
    """
    reader = _BoundedReader(source)
    try:
        file = zipfile.ZipFile(cast("BinaryIO", reader))
    except (zipfile.BadZipFile, OSError, ValueError, NotImplementedError):
        raise wrong("it is not a ZIP file, or is incomplete") from None
    reader.most = None
    photos = _check_members(file)
    manifest = _manifest(file)
    rows = {table: list(_rows_of_file(file, table)) for table in TABLES}
    if sum(map(len, rows.values())) > MAX_ROWS:
        raise wrong(f"it has more than {MAX_ROWS} rows")
    counts = {name_of(table): len(lines) for table, lines in rows.items()}
    if manifest.get("rows") != counts or manifest.get("photos") != len(photos):
        raise wrong("rows or pictures are missing")
    return Archive(rows, photos, file)


def _check_members(file: zipfile.ZipFile) -> frozenset[str]:
    """Check names, sizes and compression of all members before any is unpacked; return the photographs' ids."""
    members = file.infolist()
    if len(members) > MAX_MEMBERS:
        raise wrong(f"it has more than {MAX_MEMBERS} parts")
    tables = {_member(table) for table in TABLES}
    expected = {MANIFEST, *tables}
    names = [member.filename for member in members]
    photos = {match[1] for name in names if (match := _PHOTO.fullmatch(name))}
    if len(set(names)) < len(names):
        raise wrong("a part occurs twice")
    if missing := sorted(expected - set(names)):
        raise wrong(f"{missing[0]} is missing")
    if len(names) != len(expected) + len(photos):
        raise wrong("it has unexpected parts")
    if sum(member.file_size for member in members) > MAX_BYTES:
        raise wrong("it is too large")
    if sum(member.file_size for member in members if member.filename in tables) > TABLES_BYTES:
        raise wrong("its tables are too large")
    for member in members:
        if member.flag_bits & _ENCRYPTED or member.compress_type not in {zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED}:
            raise wrong("a part is encrypted, or compressed by an unsupported method")
        if member.file_size > RATIO * max(member.compress_size, 1):
            raise wrong(f"{member.filename} unpacks to more than {RATIO} times its size")
    return frozenset(photos)


def _manifest(file: zipfile.ZipFile) -> dict[str, Any]:
    try:
        manifest = read_json(b"".join(_unpacked(file, MANIFEST, 100_000)))
    except JsonError as error:
        raise wrong(f"{MANIFEST}: {error}") from None
    if not isinstance(manifest, dict) or type(manifest.get("format")) is not int:
        raise wrong(f"{MANIFEST} has no format")
    if manifest["format"] != FORMAT:
        raise wrong(f"its format is {manifest['format']}; this version of Haggle reads format {FORMAT}")
    return manifest


def _rows_of_file(file: zipfile.ZipFile, table: type[Base]) -> Iterator[dict[str, Any]]:
    name = _member(table)
    text = b"".join(_unpacked(file, name, TABLE_BYTES))
    for number, line in enumerate(text.splitlines(), start=1):
        if number > MAX_ROWS:
            raise wrong(f"{name} has more than {MAX_ROWS} rows")
        where = f"{name}, line {number}"
        try:
            document = json.loads(line, parse_constant=_refuse)
        except (ValueError, RecursionError):
            raise wrong(f"{where} is not JSON") from None
        yield row_from_json(table, document, where)


def _unpacked(file: zipfile.ZipFile, name: str, most: int) -> Iterator[bytes]:
    """Yield the content of a member. The size in its header is not trusted."""
    size = 0
    try:
        with file.open(name) as member:
            while chunk := member.read(_CHUNK):
                size += len(chunk)
                if size > most:
                    raise wrong(f"{name} is too large")
                yield chunk
    except (zipfile.BadZipFile, OSError, EOFError, ValueError, NotImplementedError, zlib.error):
        raise wrong(f"{name} is damaged") from None


def _write(file: zipfile.ZipFile, name: str, data: bytes, *, packed: bool = True) -> None:
    info = zipfile.ZipInfo(name, _TIME)
    info.external_attr = 0o600 << 16
    # Photographs are compressed already.
    file.writestr(info, data, zipfile.ZIP_DEFLATED if packed else zipfile.ZIP_STORED)


def _member(table: type[Base]) -> str:
    return f"{name_of(table)}.jsonl"


def _refuse(constant: str) -> float:
    raise ValueError(constant)


def export_game(context: AppContext, game: str, out: BinaryIO, *, photos: bool = True) -> str:
    """Write a game with all its rows, and its photographs if wanted; return its id. Raises DomainError `not-found`."""
    with context.database.reading() as session:
        row = load_game(session, game)
        runs = {run.id: run.number for run in session.scalars(select(PrintRun).where(PrintRun.game == row.id))}
        rows = {table: [row_as_json(one, runs) for one in _rows(session, table, row.id)] for table in TABLES}
    for photo in rows[Photo]:
        if photo["state"] == PhotoState.SCANNING:
            # This server continues the scan; another one must begin again.
            photo |= {"state": PhotoState.WAITING, "lease": None}
    write_archive(out, row.id, rows, _photo_files(context, row.id, rows[Photo]) if photos else ())
    return row.id


class GameImport:
    """A game that is being imported: its photographs are stored, its rows are still to be inserted."""

    def __init__(self, archive: Archive, game: Game) -> None:
        self._archive = archive
        self._game = game

    def insert(self, session: Session, actor: Actor, at: datetime) -> str:
        """Insert all rows of the game and return its id. Raises DomainError `game-exists` if it exists by now."""
        game = self._game
        advisory_lock(session, "game", game.id)
        _refuse_taken(session, game.id, self._archive)
        _insert(session, self._archive, game, at)
        audit(session, actor, "import", game=game.id, at=at, after={"state": game.state})
        publish_event(session, game.id, at, "game")
        return game.id


@contextlib.contextmanager
def open_import(context: AppContext, source: BinaryIO) -> Iterator[GameImport]:
    """Check an archive and store its photographs; the `with` block must `insert` the rows.

    Photographs that the archive lacks count as deleted. If the import fails, the stored ones are left to the sweep of
    photographs without rows: another server may be importing the same game, and would lose them. Raises DomainError
    `wrong-file` for invalid archives, `game-exists` if the game exists, `disk-full`.
    """
    archive = read_archive(source)
    with archive.file:
        game = _checked(archive)
        with context.database.reading() as session:
            _refuse_taken(session, game.id, archive)
        kept = [photo["id"] for photo in archive.rows[Photo] if photo["id"] in archive.photos]
        try:
            # Photographs first, since no row may be without its file.
            for photo in kept:
                context.photos.put(game.id, photo, archive.read_photo(photo))
            yield GameImport(archive, game)
        except BaseException as error:
            if isinstance(error, IntegrityError | DataError):
                raise wrong("its rows are inconsistent") from None
            if isinstance(error, OSError) and error.errno in DISK_FULL:
                raise DomainError(
                    "disk-full", "The server's disk is full. Make room and send the file again."
                ) from None
            raise


def import_game(context: AppContext, source: BinaryIO, actor: Actor) -> str:
    """Import the game of an archive and return its id. Raises DomainError as `open_import`."""
    with open_import(context, source) as game, context.database.writing() as session:
        return game.insert(session, actor, context.clock())


def _rows(session: Session, table: type[Base], game: str) -> Sequence[Base]:
    of_game = table.id if table is Game else table.game  # type: ignore[attr-defined]  # all others have it
    return session.scalars(select(table).where(of_game == game).order_by(*order_of(table))).all()


def _photo_files(context: AppContext, game: str, rows: Sequence[Mapping[str, Any]]) -> Iterator[tuple[str, bytes]]:
    for row in rows:
        data = None if row["erased"] else context.photos.get(game, row["id"])
        # A failed photograph that still has its camera's metadata is about to be deleted.
        if data is not None and not (row["state"] == PhotoState.FAILED and is_foreign(data)):
            yield row["id"], data


def _refuse_taken(session: Session, game: str, archive: Archive) -> None:
    if session.get(Game, game) is not None:
        raise DomainError("game-exists", f"Game {game} is here already. Delete it first, or leave it as it is.")
    for table in (Deck, Photo):
        ids = [row["id"] for row in archive.rows[table]]
        if any(session.get(table, one) is not None for one in ids):
            raise wrong("its decks or pictures have the ids of another game's")


def _checked(archive: Archive) -> Game:
    """Return the game's row, not added to a session. Raises DomainError `wrong-file` for invalid rows."""
    rows = archive.rows
    if len(rows[Game]) != 1:
        raise wrong("it does not contain exactly one game")
    values = dict(rows[Game][0])
    game = Game(**values)
    for table in TABLES[1:]:
        if any(row["game"] != game.id for row in rows[table]):
            raise wrong("a row belongs to another game")
    if game.state not in {state.value for state in State} or len(game.key) != _KEY_BYTES:
        raise wrong("the game has an invalid state or key")
    try:
        if is_uploaded(game.edition) and game.edition_files is None:
            raise wrong(f"the edition {game.edition} is missing")
        if game.edition_files is not None:
            install_checked_copy(game.edition, game.edition_files)
        check_game(printed_game_of(game))
        check_settings(game, game.created, deadline=False)
        unknown = set(game.kinds) - set(edition_of_game(game).kind_of)
    except DomainError as refusal:
        raise wrong(str(refusal).rstrip(".")) from None
    except (GameFileError, TypeError, ValueError) as error:
        raise wrong(str(error).rstrip(".")) from None
    if unknown:
        raise wrong(f"the edition {game.edition} of this server has no card {min(map(str, unknown))!a:.60}")
    check_rows(rows, game)
    # With defaults for settings that the archive lacks.
    return Game(**{**values, "settings": game.settings})


def _insert(session: Session, archive: Archive, game: Game, at: datetime) -> None:
    """Insert all rows, each table after those that it refers to."""
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
        if values["state"] in UNSCANNED:
            values["state"] = PhotoState.WAITING
        if values["id"] not in archive.photos and values["image_deleted_at"] is None:
            values["image_deleted_at"] = at
        if values["state"] == PhotoState.WAITING and values["image_deleted_at"] is not None:
            values |= {"state": PhotoState.FAILED, "reason": _NO_PHOTO}
        if values["state"] == PhotoState.FAILED:
            # Retention depends on the time of the scan: without one a photograph would never be deleted.
            values["scanned"] = values["scanned"] or at
    return values
