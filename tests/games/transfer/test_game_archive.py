"""Game archives: export, import, and invalid files."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select

from cardgen.cards import CardId
from server.db.models import AuditEntry, Card, Deck, Game, Photo, ProvisionalScore
from server.games.context import AppContext
from server.games.errors import DomainError
from server.games.lifecycle.repository import load_game
from server.games.lifecycle.states import State
from server.games.photos import scan_queue
from server.games.photos.retention import ORPHAN_AGE
from server.games.printing.runs import replace_cards
from server.games.transfer import game_archive
from server.games.transfer.game_archive import check_limits, export_game, import_game, open_import
from tests.context import ORGANISER, START, Clock, delete_orphan_files, new_context, new_game
from tests.played_game import EDITIONS, counted_game

Edit = Callable[[dict[str, bytes]], None]

DECK, PHOTOS = "d" * 32, {mark: mark * 32 for mark in "abc"}


@pytest.fixture
def other(tmp_path: Path, clock: Clock) -> Iterator[AppContext]:
    """Provide another application context with another game."""
    context = new_context(tmp_path / "other", clock)
    new_game(context)
    yield context
    context.database.close()


@pytest.fixture(scope="module")
def exported(tmp_path_factory: pytest.TempPathFactory) -> tuple[str, bytes]:
    """Return the id and the archive of a game with rows in every table."""
    context = new_context(tmp_path_factory.mktemp("exported"), Clock())
    game = _full_game(context)
    file = _exported(context, game)
    context.database.close()
    return game, file


def _full_game(context: AppContext, edition: str = "eurocg-2026") -> str:
    """Create a game with rows in every table: photos of a player and an organiser, and a deleted one."""
    game = counted_game(context, edition, published=True)
    own = {"game": game, "envelope": 1, "deck": DECK}
    with context.database.writing() as session:
        cards = [f"{load_game(session, game).kinds[0]}-001"]
        session.add(Deck(id=DECK, game=game, envelope=1, state="confirmed", cards=cards, created=START))
        session.flush()
        answer = {"score": "5", "eliminated": False}
        scored = {"digest": "0" * 64, "mode": "known", "spent": True, "cards": cards, "answer": answer, "at": START}
        session.add(ProvisionalScore(**own, **scored))
        # Audit entries of the server are not exported.
        session.add(AuditEntry(game=None, at=START, who="x", action="password", subject="", reason=""))
        common = {"name": "Łódź.jpg", "size": 4, "state": "done", "attempts": 1, "created": START, "scanned": START}
        found = {"width": 4, "height": 3, "labels": [1]}
        for index, (mark, photo) in enumerate(PHOTOS.items()):
            owner = own | {"source": "player"} if mark == "a" else {"game": game, "source": "organiser"}
            erased = START if mark == "c" else None
            session.add(
                Photo(
                    id=photo,
                    place=index,
                    digest=mark * 64,
                    scan_result=found,
                    image_deleted_at=erased,
                    **common,
                    **owner,
                )
            )
            if not erased:
                context.photos.put(game, photo, f"jpg{mark}".encode())
    return game


def _exported(context: AppContext, game: str, *, photos: bool = True) -> bytes:
    out = io.BytesIO()
    export_game(context, game, out, photos=photos)
    return out.getvalue()


def _import(context: AppContext, file: bytes) -> str:
    return import_game(context, io.BytesIO(file), ORGANISER)


def _refusal(context: AppContext, file: bytes) -> str | None:
    """Return why a file is refused, or None."""
    try:
        _import(context, file)
    except DomainError as refusal:
        return refusal.slug
    return None


def _set_photo(context: AppContext, mark: str, **columns: object) -> None:
    with context.database.writing() as session:
        row = session.get_one(Photo, PHOTOS[mark])
        for name, value in columns.items():
            setattr(row, name, value)


def _photos(context: AppContext) -> dict[str, Photo]:
    """Return the rows of a game's photos by their marks."""
    with context.database.reading() as session:
        return {mark: session.get_one(Photo, photo) for mark, photo in PHOTOS.items()}


def _tables(context: AppContext, game: str) -> dict[str, list[Any]]:
    """Return all rows of a game."""
    with zipfile.ZipFile(io.BytesIO(_exported(context, game, photos=False))) as file:
        tables = [name for name in file.namelist() if name.endswith(".jsonl")]
        return {name[:-6]: list(map(json.loads, file.read(name).splitlines())) for name in tables}


def _sweep(context: AppContext, clock: Clock) -> None:
    """Delete orphaned files as of a later time; their times are those of the real clock."""
    clock.time = datetime.now(UTC) + ORPHAN_AGE + timedelta(minutes=1)
    delete_orphan_files(context)


def _import_without_room(context: AppContext, file: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    """Import a game while there is no room for its second photo."""
    put = context.photos.put

    def full(of: str, photo: str, data: bytes) -> None:
        if photo[0] == "b":
            raise OSError(28, "No space left on device")
        put(of, photo, data)

    with monkeypatch.context() as patch:
        patch.setattr(context.photos, "put", full)
        _import(context, file)


def _edited(file: bytes, edit: Edit) -> bytes:
    """Return the archive with modified parts."""
    with zipfile.ZipFile(io.BytesIO(file)) as old:
        parts = {name: old.read(name) for name in old.namelist()}
    edit(parts)
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as new:
        for name, data in parts.items():
            new.writestr(name, data)
    return out.getvalue()


def _in_row(table: str, place: int = 0, /, **fields: Any) -> Edit:  # noqa: ANN401 - JSON
    """Return an edit that sets fields in a row of a table. Infinity is written as a number too large for any type."""

    def edit(parts: dict[str, bytes]) -> None:
        rows = parts[f"{table}.jsonl"].splitlines()
        rows[place] = json.dumps({**json.loads(rows[place]), **fields}).replace("Infinity", "1e400").encode()
        parts[f"{table}.jsonl"] = b"\n".join(rows)

    return edit


@pytest.mark.parametrize("edition", EDITIONS)
def test_an_imported_game_is_identical(edition: str, context: AppContext, other: AppContext) -> None:
    game = _full_game(context, edition)
    file = _exported(context, game)
    assert _import(other, file) == game
    before, after = _tables(context, game), _tables(other, game)
    assert all(before.values())
    assert "password" not in {entry["action"] for entry in before["audit"]}
    brought = after["audit"].pop()
    assert (brought["action"], brought["who"]) == ("import", "Olga")
    assert after == before
    for photo in PHOTOS.values():
        assert other.photos.get(game, photo) == context.photos.get(game, photo)
    assert _exported(context, game) == file
    context.photos.put(game, PHOTOS["a"], b"newer")
    with pytest.raises(DomainError, match="is here already"):
        _import(context, file)
    assert _tables(context, game) == before, "a game that is there is not replaced"
    assert context.photos.get(game, PHOTOS["a"]) == b"newer"


def test_a_game_with_replaced_cards_can_be_imported(context: AppContext, other: AppContext) -> None:
    game = new_game(context, State.PRINTED, players=1)
    with context.database.writing() as session:
        lost = session.scalars(select(Card).where(Card.game == game)).first()
        assert lost
        name = CardId(lost.kind, lost.copy).name
        replace_cards(session, load_game(session, game), [name], ORGANISER, context.clock(), "lost")
    assert _import(other, _exported(context, game)) == game
    assert _tables(other, game)["cards"] == _tables(context, game)["cards"]


def test_an_archive_of_the_previous_version_gets_defaults(exported: tuple[str, bytes], other: AppContext) -> None:
    added = {"games": "expect_dealt", "envelopes": "counted", "decks": "counted"}

    def as_before(parts: dict[str, bytes]) -> None:
        for table, name in added.items():
            rows = [json.loads(line) for line in parts[f"{table}.jsonl"].splitlines()]
            for row in rows:
                del row[name]
            parts[f"{table}.jsonl"] = b"\n".join(json.dumps(row).encode() for row in rows)

    game, file = exported
    _import(other, _edited(file, as_before))
    result = _tables(other, game)
    assert [{row[name] for row in result[table]} for table, name in added.items()] == [{False}, {None}, {None}]


def test_photos_missing_from_an_archive_count_as_deleted(context: AppContext, other: AppContext) -> None:
    game = _full_game(context)
    _set_photo(context, "b", state="scanning")
    _import(other, _exported(context, game, photos=False))
    pictures = _photos(other)
    assert all(row.image_deleted_at for row in pictures.values())
    assert [(pictures[mark].state, pictures[mark].reason) for mark in "ab"] == [("done", None), ("failed", "missing")]
    assert pictures["a"].scan_result == {"width": 4, "height": 3, "labels": [1]}


def test_an_unfinished_scan_is_repeated_after_the_import(context: AppContext, other: AppContext) -> None:
    game = _full_game(context)
    _set_photo(context, "b", state="scanning", lease=START, scan_result=None)
    _import(other, _exported(context, game))
    assert (_photos(other)["b"].state, _photos(other)["b"].lease) == ("waiting", None)


def test_leases_attempts_and_times_of_an_archive_do_not_delay_scans(
    exported: tuple[str, bytes], other: AppContext
) -> None:
    old = {"lease": "2190-01-01T00:00:00+00:00", "attempts": 300, "begun": -1, "token": "1f", "bare": True}
    edited = _edited(exported[1], _in_row("photos", state="scanning", reading=None, scanned=None, **old))
    failed = {"state": "failed", "reason": "crashed", "reading": None, "scanned": None}
    _import(other, _edited(edited, _in_row("photos", 1, **failed)))
    pictures = _photos(other)
    assert (pictures["a"].state, pictures["a"].lease) == ("waiting", None)
    assert (pictures["b"].state, pictures["b"].scanned) == ("failed", START)
    with other.database.writing() as session:
        mine = scan_queue.claim(session, START)
    assert mine
    assert (mine.id, mine.attempts, mine.bare) == (PHOTOS["a"], 1, False)


def _reading(card: str = "red-001", codes: tuple[int, ...] = (), x: float = 0.0) -> dict[str, Any]:
    """Return a scan result with one card at a position."""
    seen = {"card": card, "outline": [[x, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]], "codes": list(codes)}
    return {"width": 4, "height": 3, "seen": [seen]}


STRANGE_PARTS: dict[str, list[bytes | None]] = {
    "../../etc/passwd": [b"x"],
    "/etc/passwd": [b"x"],
    "photos/../../x.jpg": [b"x"],
    f"photos/{'e' * 32}.jpg": [b"a picture too many"],
    "haggle-game.json": [None, b'{"format": 2}', b"{", b"[]"],
    "cards.jsonl": [None, b""],
    "audit.jsonl": [b"\n" * 10_000_000],
    "games.jsonl": [b"nonsense", b"[" * 100_000, b"[]"],
}
STRANGE_ROWS: dict[str, dict[str, list[Any]]] = {
    "games": {
        "settings": [{"blue_base": float("nan")}, {"blue_base": -1}],
        "admin": [True],
        "players": ["6", True],
        "tries": [10**30],
        "name": [5, "x" * 201, "\ud800", "a\x00b"],
        "created": ["2026-03-25T09:00:00", "now"],
        "published": [
            *("0001-01-01T00:00:00+14:00", "9999-12-31T23:59:59-14:00"),
            *("1899-12-31T23:59:59+00:00", "2200-01-01T00:00:00+00:00"),
        ],
        "key": [None, "00", "zz"],
        "id": ["../x"],
        "state": ["won"],
        "edition": ["../../x"],
        "kinds": [["red", "purple"], [1, 2]],
        "geometry": [{"width": -1}],
        "active_rules": [["99"]],
        "timezone": ["../../etc/passwd"],
        "mode": ["all"],
        "published_version": [7, None],
    },
    "cards": {"game": ["0000"], "kind": ["purple"], "copy": [100_000], "envelope": [99]},
    "envelopes": {
        "run": [9],
        "number": [0],
        "name": ["\u202eevil"],
        "claim": [[{"red": 1}], ["red"], ["purple-001"], ["red-1"]],
        "lateness": ["maybe"],
        "token": [-1],
        "counted": [-1],
        "facts": [{"height": 1}],
        "cancels": [["99"], [1]],
        "adjustments": [
            *([{"id": "1", "points": 1, "reason": "hat"}], [{"id": "a" * 8, "points": "1", "reason": "hat"}]),
            *([{"id": "a" * 8, "points": 1, "reason": reason}] for reason in ("a\x07b", "\u202eb", " ")),
        ],
    },
    "decks": {"state": ["lost"], "cards": [["nothing"], ["red-000"], None], "id": ["../../x"], "counted": [1001]},
    "print_runs": {"language": ["xx"], "spread": ["wide"], "first": [0]},
    "checks": {"mode": ["all"], "answer": [{"score": 5}], "envelope": [2]},
    "photos": {
        "deck": ["9" * 32],
        "envelope": [None],
        "reading": [
            *(None, json.loads("[" * 50 + "]" * 50), {"width": "wide"}, _reading("nothing"), _reading("purple-001")),
            *(_reading(codes=(0,)), _reading(x=float("1e400"))),
        ],
        "state": ["lost"],
        "id": ["../../x"],
    },
    "rulings": {"decision": [{"do": ["rm"]}]},
    "results": {"inputs": [{}], "document": [{"hands": [{"player": "x"}]}]},
}


def _put(name: str, data: bytes | None) -> Edit:
    def edit(parts: dict[str, bytes]) -> None:
        parts.pop(name, None)
        if data is not None:
            parts[name] = data

    return edit


@pytest.mark.parametrize("where", [*STRANGE_PARTS, *STRANGE_ROWS])
def test_invalid_archives_are_refused_without_leftovers(
    where: str, exported: tuple[str, bytes], context: AppContext, clock: Clock
) -> None:
    game, file = exported
    edits: list[tuple[object, Edit]] = [(data, _put(where, data)) for data in STRANGE_PARTS.get(where, ())]
    for name, values in STRANGE_ROWS.get(where, {}).items():
        edits += [((name, value), _in_row(where, **{name: value})) for value in values]
    for what, edit in edits:
        assert _refusal(context, _edited(file, edit)) == "wrong-file", what
    with context.database.reading() as session:
        assert session.get(Game, game) is None
    _sweep(context, clock)
    assert not list(context.photos.names())


def test_a_player_who_is_named_must_be_another(
    context: AppContext, other: AppContext, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "lantern").mkdir()
    (tmp_path / "lantern" / "edition.toml").write_text(
        'slug = "lantern"\nextends = "eurocg-2026"\ntitle.en = "Lantern"\n'
        '[[facts]]\nname = "friend"\nlabel.en = "Friend?"\ntype = "player"\n'
    )
    monkeypatch.setenv("HAGGLE_EDITIONS", str(tmp_path))
    file = _exported(context, new_game(context, State.CLOSED, edition="lantern", players=4))
    for friend in (1, 99, -1, True):
        assert _refusal(other, _edited(file, _in_row("envelopes", facts={"friend": friend}))) == "wrong-file", friend
    assert _refusal(other, _edited(file, _in_row("envelopes", facts={"friend": 2}))) is None


def test_damaged_archives_are_refused_or_harmless(
    exported: tuple[str, bytes], context: AppContext, clock: Clock
) -> None:
    """Archives that are truncated or have a changed byte are never imported in part."""
    game, file = exported
    for data in (b"", b"PK", b"x" * 1000):
        with pytest.raises(DomainError, match="not a ZIP file"):
            _import(context, data)
    damaged, taken = [file], []
    for index in range(0, len(file), max(1, len(file) // 40)):
        damaged += [file[:index], file[:index] + bytes([file[index] ^ 255]) + file[index + 1 :]]
    for data in damaged:
        if _refusal(context, data):
            with context.database.reading() as session:
                assert session.get(Game, game) is None
            _sweep(context, clock)
            assert not list(context.photos.names())
        else:
            taken.append({**_tables(context, game), "audit": None})
            with context.database.writing() as session:
                session.delete(session.get_one(Game, game))
            context.photos.delete(game, *PHOTOS.values())
    assert all(tables == taken[0] for tables in taken)


@pytest.mark.parametrize(
    ("bound", "value"),
    [
        ("MAX_MEMBERS", 3),
        ("MAX_ROWS", 5),
        ("TABLE_BYTES", 100),
        ("TABLES_BYTES", 100),
        ("MAX_BYTES", 100),
        ("PHOTO_BYTES", 2),
    ],
)
def test_sizes_are_limited(
    bound: str, value: int, exported: tuple[str, bytes], context: AppContext, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Exports can be checked by the same limits."""
    check_limits(io.BytesIO(exported[1]))
    monkeypatch.setattr(game_archive, bound, value)
    with pytest.raises(DomainError, match=r"too large|more than"):
        check_limits(io.BytesIO(exported[1]))
    with pytest.raises(DomainError, match=r"too large|more than"):
        _import(context, exported[1])
    assert not list(context.photos.names())


def test_sizes_in_the_header_of_an_archive_are_not_trusted(exported: tuple[str, bytes], context: AppContext) -> None:
    game, file = exported
    with zipfile.ZipFile(io.BytesIO(file)) as old:
        real = old.getinfo("audit.jsonl").file_size.to_bytes(4, "little")
    with pytest.raises(DomainError):
        _import(context, file.replace(real, (10).to_bytes(4, "little")))
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as many:
        for number in range(40_000):
            many.writestr(f"{number}{'x' * 80}", b"")
    assert len(out.getvalue()) > 2 * game_archive.DIRECTORY_BYTES
    with pytest.raises(DomainError, match="list of parts is too long"):
        import_game(context, out, ORGANISER)
    assert _import(context, file) == game


def test_a_failed_import_leaves_nothing_and_does_not_affect_others(
    exported: tuple[str, bytes], context: AppContext, other: AppContext, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    game, file = exported
    with pytest.raises(DomainError, match="disk is full"):
        _import_without_room(other, file, monkeypatch)
    with other.database.reading() as session:
        assert session.get(Game, game) is None
    _sweep(other, clock)
    assert not list(other.photos.names())
    with open_import(context, io.BytesIO(file)) as first:
        # Another import of the same game fails just before this one inserts the rows.
        with pytest.raises(DomainError, match="disk is full"):
            _import_without_room(context, file, monkeypatch)
        with context.database.writing() as session:
            first.insert(session, ORGANISER, context.clock())
    assert [context.photos.get(game, PHOTOS[mark]) for mark in "ab"] == [b"jpga", b"jpgb"]
