"""The zip of a whole game: what lies in it, and the bounds within which a strange one is read.

haggle-game.json      what this is: format, game, how many rows and pictures
games.jsonl, ...      one file a table, one row a line
photos/<id>.jpg       the pictures, as they are stored
"""

from __future__ import annotations

import json
import re
import zipfile
import zlib
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, BinaryIO, cast

from server.play.game_rows import TABLES, name_of, row_from_json, wrong
from server.scoring.strict_json import JsonError, read_json

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from server.store.tables import Base

MANIFEST = "haggle-game.json"
FORMAT = 1

MOST_MEMBERS = 20_000
MOST_ROWS = 60_000
"""Of all tables together; all are written in one transaction. A game of 150 players has some 10,000."""
TABLE_BYTES = 64_000_000
TABLES_BYTES = 160_000_000
"""Unpacked, of one table and of all."""
DIRECTORY_BYTES = 4_000_000
"""Of the list of members at its end."""
PHOTO_BYTES = 64_000_000
MOST_BYTES = 8_000_000_000
"""Unpacked, pictures and all."""
RATIO = 300
"""A member that unpacks to so many times its size is a bomb. Rows of a game pack to a tenth or a thirtieth."""

_CHUNK = 1 << 16
_PHOTO = re.compile(r"photos/([0-9a-f]{32})\.jpg", re.ASCII)
_TIME = (1980, 1, 1, 0, 0, 0)
# The same game gives the same file.
_ENCRYPTED = 0x1


@dataclass(frozen=True)
class Archive:
    """An archive that was looked through: rows by table, and the ids of the pictures. `picture` reads one."""

    rows: dict[type[Base], list[dict[str, Any]]]
    photos: frozenset[str]
    file: zipfile.ZipFile

    def picture(self, photo: str) -> bytes:
        """Return a picture; Refusal `wrong-file` if it is damaged."""
        return b"".join(_unpacked(self.file, f"photos/{photo}.jpg", PHOTO_BYTES))


def write_archive(
    out: BinaryIO,
    game: str,
    rows: Mapping[type[Base], Iterable[Mapping[str, Any]]],
    photos: Iterable[tuple[str, bytes]],
) -> None:
    """Write a game's rows and pictures."""
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as file:
        counts = {}
        for table, lines in rows.items():
            said = [json.dumps(line, ensure_ascii=False, separators=(",", ":")) for line in lines]
            counts[name_of(table)] = len(said)
            _write(file, _member(table), "".join(f"{line}\n" for line in said).encode())
        number = 0
        for number, (photo, data) in enumerate(photos, start=1):  # noqa: B007 - how many there were
            _write(file, f"photos/{photo}.jpg", data, packed=False)
        manifest = {"format": FORMAT, "game": game, "rows": counts, "photos": number}
        _write(file, MANIFEST, json.dumps(manifest, indent=1).encode())


class _Careful:
    """A file of which little is read at once: a list of millions of members would fill the memory unseen."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        self.most: int | None = DIRECTORY_BYTES

    def read(self, size: int = -1) -> bytes:
        """Read as a file does; Refusal `wrong-file` for more than may be."""
        if self.most is None:
            return self._file.read(size)
        data = self._file.read(self.most + 1 if size < 0 else min(size, self.most + 1))
        if len(data) > self.most:
            raise wrong("its list of parts is too long")
        return data

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401 - whatever else a file can do
        return getattr(self._file, name)


def read_archive(source: BinaryIO) -> Archive:
    """Look through an archive; Refusal `wrong-file` for what is none, or breaks the bounds. Nothing is kept of it."""
    careful = _Careful(source)
    try:
        file = zipfile.ZipFile(cast("BinaryIO", careful))
    except (zipfile.BadZipFile, OSError, ValueError, NotImplementedError):
        raise wrong("it is no zip, or only part of one") from None
    careful.most = None
    photos = _check_members(file)
    manifest = _manifest(file)
    rows = {table: list(_rows(file, table)) for table in TABLES}
    if sum(map(len, rows.values())) > MOST_ROWS:
        raise wrong(f"it has more than {MOST_ROWS} rows")
    counts = {name_of(table): len(lines) for table, lines in rows.items()}
    if manifest.get("rows") != counts or manifest.get("photos") != len(photos):
        raise wrong("rows or pictures are missing")
    return Archive(rows, photos, file)


def _check_members(file: zipfile.ZipFile) -> frozenset[str]:
    """Refuse members of strange names, sizes and forms before any is unpacked; return the pictures' ids."""
    members = file.infolist()
    if len(members) > MOST_MEMBERS:
        raise wrong(f"it has more than {MOST_MEMBERS} parts")
    tables = {_member(table) for table in TABLES}
    expected = {MANIFEST, *tables}
    names = [member.filename for member in members]
    photos = {match[1] for name in names if (match := _PHOTO.fullmatch(name))}
    if len(set(names)) < len(names):
        raise wrong("a part stands twice in it")
    if missing := sorted(expected - set(names)):
        raise wrong(f"{missing[0]} is missing")
    if len(names) != len(expected) + len(photos):
        raise wrong("it has parts that do not belong there")
    if sum(member.file_size for member in members) > MOST_BYTES:
        raise wrong("it is too large")
    if sum(member.file_size for member in members if member.filename in tables) > TABLES_BYTES:
        raise wrong("its tables are too large")
    for member in members:
        if member.flag_bits & _ENCRYPTED or member.compress_type not in {zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED}:
            raise wrong("a part of it is encrypted, or packed in another way")
        if member.file_size > RATIO * max(member.compress_size, 1):
            raise wrong(f"{member.filename} unpacks to more than {RATIO} times its size")
    return frozenset(photos)


def _manifest(file: zipfile.ZipFile) -> dict[str, Any]:
    try:
        said = read_json(b"".join(_unpacked(file, MANIFEST, 100_000)))
    except JsonError as error:
        raise wrong(f"{MANIFEST}: {error}") from None
    if not isinstance(said, dict) or type(said.get("format")) is not int:
        raise wrong(f"{MANIFEST} names no format")
    if said["format"] != FORMAT:
        raise wrong(f"its format is {said['format']}, this version of Haggle reads {FORMAT}")
    return said


def _rows(file: zipfile.ZipFile, table: type[Base]) -> Iterator[dict[str, Any]]:
    name = _member(table)
    text = b"".join(_unpacked(file, name, TABLE_BYTES))
    for number, line in enumerate(text.splitlines(), start=1):
        if number > MOST_ROWS:
            raise wrong(f"{name} has more than {MOST_ROWS} rows")
        where = f"{name}, line {number}"
        try:
            said = json.loads(line, parse_constant=_refuse)
        except (ValueError, RecursionError):
            raise wrong(f"{where} is no JSON") from None
        yield row_from_json(table, said, where)


def _unpacked(file: zipfile.ZipFile, name: str, most: int) -> Iterator[bytes]:
    """Yield the content of a member. What its head says of its size is not believed."""
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
    # Pictures are packed already.
    file.writestr(info, data, zipfile.ZIP_DEFLATED if packed else zipfile.ZIP_STORED)


def _member(table: type[Base]) -> str:
    return f"{name_of(table)}.jsonl"


def _refuse(constant: str) -> float:
    raise ValueError(constant)
