"""A whole game as one file: there and back it is the same game, and a strange file does no harm."""

from __future__ import annotations

import io
import json
import zipfile
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

import pytest
from sqlalchemy import select

from server.jobs import queue
from server.play import game_archive
from server.play.game_rows import TABLES, name_of, order_of, row_as_json
from server.play.house import game_row
from server.play.refusals import Refusal
from server.play.retention import ORPHANS, sweep
from server.play.states import State
from server.play.versions import version_row
from server.play.whole_game import export_game, import_game, incoming
from server.store.tables import AuditEntry, Check, Deck, Envelope, Game, Photo, PrintRun, Ruling
from tests.house import ORGANISER, START, Clock, new_game, new_house
from tests.played import EDITIONS, counted_game

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path

    from server.play.house import House

ANSWER = {"score": "5", "eliminated": False}


@pytest.fixture
def other(tmp_path: Path, clock: Clock) -> Iterator[House]:
    """Give another server, which has a game of its own."""
    house = new_house(tmp_path / "other", clock)
    new_game(house)
    yield house
    house.database.close()


@pytest.fixture(scope="module")
def exported(tmp_path_factory: pytest.TempPathFactory) -> tuple[str, bytes]:
    """Return the id and the file of a game that has something in every table."""
    house = new_house(tmp_path_factory.mktemp("exported"), Clock())
    game = _full_game(house)
    file = _exported(house, game)
    house.database.close()
    return game, file


def _full_game(house: House, edition: str = "eurocg-2026") -> str:
    """Make a game that has something in every table, and three pictures of which one was deleted."""
    game = counted_game(house, edition, published=True)
    with house.database.writing() as session:
        cards = [f"{game_row(session, game).kinds[0]}-001"]
        session.add(Deck(id="d" * 32, game=game, envelope=1, state="confirmed", cards=cards, created=START))
        session.flush()
        session.add(
            Check(
                game=game, envelope=1, deck="d" * 32, digest="0" * 64, mode="known", spent=True, answer=ANSWER, at=START
            )
        )
        for number, mark in enumerate("abc"):
            session.add(
                Photo(
                    id=mark * 32,
                    game=game,
                    source="player" if mark == "a" else "organiser",
                    envelope=1 if mark == "a" else None,
                    deck="d" * 32 if mark == "a" else None,
                    place=number,
                    name="Łódź.jpg",
                    digest=mark * 64,
                    size=4,
                    state="done",
                    attempts=1,
                    reading={"width": 4, "height": 3, "labels": [1]},
                    created=START,
                    scanned=START,
                    erased=START if mark == "c" else None,
                )
            )
            if mark != "c":
                house.photos.put(game, mark * 32, f"jpg{mark}".encode())
    return game


def _exported(house: House, game: str, *, photos: bool = True) -> bytes:
    out = io.BytesIO()
    export_game(house, game, out, photos=photos)
    return out.getvalue()


def _tables(house: House, game: str) -> dict[str, list[dict[str, Any]]]:
    """Return all that a house holds of a game."""
    with house.database.reading() as session:
        runs = {run.id: run.number for run in session.scalars(select(PrintRun).where(PrintRun.game == game))}
        return {
            name_of(table): [
                row_as_json(row, runs)
                for row in session.scalars(
                    select(table)
                    .where((table.id if table is Game else table.game) == game)  # type: ignore[attr-defined]
                    .order_by(*order_of(table))
                )
            ]
            for table in TABLES
        }


def _sweep(house: House, clock: Clock) -> None:
    """Sweep as if a while had passed. Files have the machine's own time."""
    clock.time = datetime.now(UTC) + ORPHANS + timedelta(minutes=1)
    sweep(house)


def _import_without_room(house: House, file: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    """Import a game where there is no room for its second picture."""
    put = house.photos.put

    def full(of: str, photo: str, data: bytes) -> None:
        if photo[0] == "b":
            raise OSError(28, "No space left on device")
        put(of, photo, data)

    with monkeypatch.context() as patch:
        patch.setattr(house.photos, "put", full)
        import_game(house, io.BytesIO(file), ORGANISER)


@pytest.mark.parametrize("edition", EDITIONS)
def test_there_and_back_it_is_the_same_game(edition: str, house: House, other: House) -> None:
    """Every table and every picture, in a house that has games already; the audit says who brought it."""
    game = _full_game(house, edition)
    assert import_game(other, io.BytesIO(_exported(house, game)), ORGANISER) == game
    before, after = _tables(house, game), _tables(other, game)
    assert all(before.values())
    brought = after["audit"].pop()
    assert (brought["action"], brought["who"]) == ("import", "Olga")
    assert after == before
    for mark in "abc":
        assert other.photos.get(game, mark * 32) == house.photos.get(game, mark * 32)
    assert _exported(house, game) == _exported(house, game)


def test_the_imported_game_counts_the_same(house: House, other: House) -> None:
    """Its results are those that were exported, and it is published there as here."""
    game = _full_game(house)
    import_game(other, io.BytesIO(_exported(house, game)), ORGANISER)
    for one in (house, other):
        with one.database.reading() as session:
            row = game_row(session, game)
            assert (row.state, row.published_version) == (State.PUBLISHED, 1)
            assert version_row(session, game, 1).document["hands"][0]["player"] == "Greta"


def test_a_file_of_a_version_before_comes_in(exported: tuple[str, bytes], other: House) -> None:
    """What it does not say of a game, its envelopes and decks yet is as in a new game."""
    added = {"games": "expect_dealt", "envelopes": "counted", "decks": "counted"}

    def as_before(parts: dict[str, bytes]) -> None:
        for table, name in added.items():
            rows = [json.loads(line) for line in parts[f"{table}.jsonl"].splitlines()]
            parts[f"{table}.jsonl"] = b"\n".join(
                _dumped({key: value for key, value in row.items() if key != name}) for row in rows
            )

    game, file = exported
    import_game(other, _edited(file, as_before), ORGANISER)
    told = _tables(other, game)
    assert [{row[name] for row in told[table]} for table, name in added.items()] == [{False}, {None}, {None}]


def test_a_game_that_is_there_is_not_replaced(house: House) -> None:
    """Neither rows nor pictures of the game that is there change."""
    game = _full_game(house)
    file = _exported(house, game)
    house.photos.put(game, "a" * 32, b"newer")
    before = _tables(house, game)
    with pytest.raises(Refusal, match="is here already"):
        import_game(house, io.BytesIO(file), ORGANISER)
    assert _tables(house, game) == before
    assert house.photos.get(game, "a" * 32) == b"newer"


def test_without_pictures_they_count_as_deleted(house: House, other: House) -> None:
    """What was read in them stays; one that was never scanned has failed."""
    game = _full_game(house)
    with house.database.writing() as session:
        session.get_one(Photo, "b" * 32).state = "scanning"
    import_game(other, io.BytesIO(_exported(house, game, photos=False)), ORGANISER)
    with other.database.reading() as session:
        pictures = {row.id[0]: row for row in session.scalars(select(Photo).where(Photo.game == game))}
    assert [pictures[mark].erased is not None for mark in "abc"] == [True] * 3
    assert [(pictures[mark].state, pictures[mark].reason) for mark in "ab"] == [("done", None), ("failed", "missing")]
    assert pictures["a"].reading == {"width": 4, "height": 3, "labels": [1]}


def test_a_scan_that_is_in_hand_begins_again_elsewhere(house: House, other: House) -> None:
    """The lease is of the server that the picture comes from."""
    game = _full_game(house)
    with house.database.writing() as session:
        row = session.get_one(Photo, "b" * 32)
        row.state, row.lease, row.reading = "scanning", START, None
    import_game(other, io.BytesIO(_exported(house, game)), ORGANISER)
    with other.database.reading() as session:
        taken = session.get_one(Photo, "b" * 32)
    assert (taken.state, taken.lease) == ("waiting", None)


def test_no_lease_and_no_scan_comes_in(exported: tuple[str, bytes], other: House) -> None:
    """A file that says otherwise holds up no picture, and none is kept for ever for want of a time."""
    game, file = exported
    edited = _edited(file, _in_row("photos", state="scanning", lease="2190-01-01T00:00:00+00:00"))
    edited = _edited(edited.getvalue(), _fail_second)
    import_game(other, edited, ORGANISER)
    with other.database.reading() as session:
        first, second = session.get_one(Photo, "a" * 32), session.get_one(Photo, "b" * 32)
    assert (first.game, first.state, first.lease) == (game, "waiting", None)
    assert (second.state, second.scanned) == ("failed", START)


def test_a_file_of_an_earlier_version_says_where_a_picture_stood_in_its_queue(
    exported: tuple[str, bytes], other: House
) -> None:
    """That is nothing to this server: the picture is scanned as if it had just come in."""
    _, file = exported
    old = {"lease": "2190-01-01T00:00:00+00:00", "attempts": 300, "begun": -1, "token": "1f", "bare": True}
    import_game(other, _edited(file, _in_row("photos", state="waiting", reading=None, scanned=None, **old)), ORGANISER)
    with other.database.writing() as session:
        mine = queue.claim(session, START)
        assert mine
        assert (mine.attempts, mine.bare) == (1, False)


def _fail_second(parts: dict[str, bytes]) -> None:
    first, second, *others = parts["photos.jsonl"].splitlines()
    failed = {**json.loads(second), "state": "failed", "reason": "crashed", "reading": None, "scanned": None}
    parts["photos.jsonl"] = b"\n".join([first, _dumped(failed), *others])


def _edited(file: bytes, edit: Callable[[dict[str, bytes]], None]) -> io.BytesIO:
    """Return the file with other parts."""
    with zipfile.ZipFile(io.BytesIO(file)) as old:
        parts = {name: old.read(name) for name in old.namelist()}
    edit(parts)
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as new:
        for name, data in parts.items():
            new.writestr(name, data)
    out.seek(0)
    return out


def _dumped(row: dict[str, Any]) -> bytes:
    """Return a row as JSON; what has no end becomes a number that is too large for any."""
    return json.dumps(row).replace("Infinity", "1e400").encode()


def _in_row(table: str, **fields: Any) -> Callable[[dict[str, bytes]], None]:  # noqa: ANN401 - JSON
    """Return an edit that puts values into the first row of a table."""

    def edit(parts: dict[str, bytes]) -> None:
        first, *others = parts[f"{table}.jsonl"].splitlines()
        parts[f"{table}.jsonl"] = b"\n".join([_dumped({**json.loads(first), **fields}), *others])

    return edit


def _put(name: str, data: bytes) -> Callable[[dict[str, bytes]], None]:
    return lambda parts: parts.__setitem__(name, data)


def _drop(name: str) -> Callable[[dict[str, bytes]], None]:
    return lambda parts: parts.__delitem__(name)


def _reading(card: str = "red-001", codes: Sequence[int] = (), x: float = 0.0) -> dict[str, Any]:
    """Return a reading with one card at a place."""
    seen = {"card": card, "outline": [[x, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]], "codes": list(codes)}
    return {"width": 4, "height": 3, "seen": [seen]}


HOSTILE = {
    "a part outside": _put("../../etc/passwd", b"x"),
    "an absolute part": _put("/etc/passwd", b"x"),
    "a picture elsewhere": _put("photos/../../x.jpg", b"x"),
    "a picture too many": _put(f"photos/{'e' * 32}.jpg", b"x"),
    "no manifest": _drop("haggle-game.json"),
    "another format": _put("haggle-game.json", b'{"format": 2}'),
    "a manifest that is no JSON": _put("haggle-game.json", b"{"),
    "a manifest that is a list": _put("haggle-game.json", b"[]"),
    "a table missing": _drop("cards.jsonl"),
    "rows missing": _put("cards.jsonl", b""),
    "a bomb": _put("audit.jsonl", b"\n" * 10_000_000),
    "no JSON": _put("games.jsonl", b"nonsense"),
    "deep JSON": _put("games.jsonl", b"[" * 100_000),
    "no object": _put("games.jsonl", b"[]"),
    "a NaN": _in_row("games", settings={"blue_base": float("nan")}),
    "a nested reading": _in_row("photos", reading=json.loads("[" * 50 + "]" * 50)),
    "a strange reading": _in_row("photos", reading={"width": "wide"}),
    "an unknown field": _in_row("games", admin=True),
    "a text for a number": _in_row("games", players="6"),
    "a truth for a number": _in_row("games", players=True),
    "a huge number": _in_row("games", tries=10**30),
    "a number for a text": _in_row("games", name=5),
    "a long text": _in_row("games", name="x" * 201),
    "half a character": _in_row("games", name="\ud800"),
    "a control character": _in_row("games", name="a\x00b"),
    "a time without a zone": _in_row("games", created="2026-03-25T09:00:00"),
    "no time": _in_row("games", created="now"),
    "a time before all times": _in_row("games", published="0001-01-01T00:00:00+14:00"),
    "a time after all times": _in_row("games", published="9999-12-31T23:59:59-14:00"),
    "a time of long ago": _in_row("games", published="1899-12-31T23:59:59+00:00"),
    "a time of far ahead": _in_row("games", published="2200-01-01T00:00:00+00:00"),
    "nothing where something must be": _in_row("games", key=None),
    "a short key": _in_row("games", key="00"),
    "a key that is no key": _in_row("games", key="zz"),
    "a strange id": _in_row("games", id="../x"),
    "a strange state": _in_row("games", state="won"),
    "an unknown edition": _in_row("games", edition="../../x"),
    "unknown kinds": _in_row("games", kinds=["red", "purple"]),
    "kinds that are no texts": _in_row("games", kinds=[1, 2]),
    "a strange geometry": _in_row("games", geometry={"width": -1}),
    "a wrong setting": _in_row("games", settings={"blue_base": -1}),
    "an unknown rule": _in_row("games", active_rules=["99"]),
    "an unknown zone": _in_row("games", timezone="../../etc/passwd"),
    "an unknown mode": _in_row("games", mode="all"),
    "a version that is not there": _in_row("games", published_version=7),
    "a row of another game": _in_row("cards", game="0000"),
    "a card of no kind": _in_row("cards", kind="purple"),
    "a copy too high": _in_row("cards", copy=100_000),
    "a card in no envelope": _in_row("cards", envelope=99),
    "an envelope of no run": _in_row("envelopes", run=9),
    "an envelope below one": _in_row("envelopes", number=0),
    "a name to turn the text": _in_row("envelopes", name="\u202eevil"),
    "a list of no cards": _in_row("envelopes", claim=[{"red": 1}]),
    "a claim of no card": _in_row("envelopes", claim=["red"]),
    "a claim of no kind": _in_row("envelopes", claim=["purple-001"]),
    "a card written otherwise": _in_row("envelopes", claim=["red-1"]),
    "a strange lateness": _in_row("envelopes", lateness="maybe"),
    "a token below zero": _in_row("envelopes", token=-1),
    "fewer cards counted than none": _in_row("envelopes", counted=-1),
    "more cards counted than anybody can": _in_row("decks", counted=1001),
    "an unknown fact": _in_row("envelopes", facts={"height": 1}),
    "a rule to cancel that is none": _in_row("envelopes", cancels=["99"]),
    "a rule to cancel that is no text": _in_row("envelopes", cancels=[1]),
    "a deck in no state": _in_row("decks", state="lost"),
    "a deck of no cards": _in_row("decks", cards=["nothing"]),
    "a deck of no copy": _in_row("decks", cards=["red-000"]),
    "a confirmed deck without a list": _in_row("decks", cards=None),
    "a deck's strange name": _in_row("decks", id="../../x"),
    "a run in no language": _in_row("print_runs", language="xx"),
    "a run with a strange spread": _in_row("print_runs", spread="wide"),
    "a run that begins below one": _in_row("print_runs", first=0),
    "a check by no mode": _in_row("checks", mode="all"),
    "a check with a strange answer": _in_row("checks", answer={"score": 5}),
    "a check of nobody's deck": _in_row("checks", envelope=2),
    "a picture of another deck": _in_row("photos", deck="9" * 32),
    "a player's picture of nobody": _in_row("photos", envelope=None, deck=None),
    "a picture read without a reading": _in_row("photos", reading=None),
    "a reading of no cards": _in_row("photos", reading=_reading(card="nothing")),
    "a reading of no kind": _in_row("photos", reading=_reading(card="purple-001")),
    "a reading of codes that are not there": _in_row("photos", reading=_reading(codes=[0])),
    "a reading at no place": _in_row("photos", reading=_reading(x=float("1e400"))),
    "published without results": _in_row("games", published_version=None),
    "a strange ruling": _in_row("rulings", decision={"do": ["rm"]}),
    "strange inputs": _in_row("results", inputs={}),
    "a strange result": _in_row("results", document={"hands": [{"player": "x"}]}),
    "a picture in no state": _in_row("photos", state="lost"),
    "a picture's strange name": _in_row("photos", id="../../x"),
}


@pytest.mark.parametrize("what", HOSTILE)
def test_a_strange_file_is_refused_and_leaves_nothing(
    what: str, exported: tuple[str, bytes], house: House, clock: Clock
) -> None:
    """One sentence, no rows, and no pictures that are not swept later."""
    game, file = exported
    with pytest.raises(Refusal) as told:
        import_game(house, _edited(file, HOSTILE[what]), ORGANISER)
    assert told.value.slug == "wrong-file"
    with house.database.reading() as session:
        assert session.get(Game, game) is None
    _sweep(house, clock)
    assert not list(house.photos.names())


@pytest.mark.parametrize("file", [b"", b"PK", b"x" * 1000])
def test_what_is_no_zip_is_refused(file: bytes, house: House) -> None:
    """Also half of one."""
    with pytest.raises(Refusal, match="no zip"):
        import_game(house, io.BytesIO(file), ORGANISER)


def test_damage_anywhere_is_refused_or_harmless(house: House, tmp_path: Path) -> None:
    """A file cut off, or with a byte changed, is never half taken in."""
    game = _full_game(house)
    file = _exported(house, game)
    clock = Clock()
    target = new_house(tmp_path / "target", clock)
    for place in range(0, len(file), max(1, len(file) // 60)):
        for damaged in (file[:place], file[:place] + bytes([file[place] ^ 255]) + file[place + 1 :]):
            try:
                import_game(target, io.BytesIO(damaged), ORGANISER)
            except Refusal:
                with target.database.reading() as session:
                    assert session.get(Game, game) is None
                _sweep(target, clock)
                assert not list(target.photos.names())
            else:
                rows = _tables(target, game)
                rows["audit"].pop()
                assert rows == _tables(house, game)
                with target.database.writing() as session:
                    session.delete(session.get_one(Game, game))
                for mark in "abc":
                    target.photos.delete(game, mark * 32)
    target.database.close()


@pytest.mark.parametrize(
    ("bound", "value"),
    [
        ("MOST_MEMBERS", 3),
        ("MOST_ROWS", 5),
        ("TABLE_BYTES", 100),
        ("TABLES_BYTES", 100),
        ("MOST_BYTES", 100),
        ("PHOTO_BYTES", 2),
    ],
)
def test_sizes_are_bounded(
    bound: str, value: int, exported: tuple[str, bytes], house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Parts, rows, and bytes of tables and pictures."""
    monkeypatch.setattr(game_archive, bound, value)
    with pytest.raises(Refusal, match=r"too large|more than"):
        import_game(house, io.BytesIO(exported[1]), ORGANISER)
    assert not list(house.photos.names())


def test_sizes_in_the_head_are_not_believed(exported: tuple[str, bytes], house: House) -> None:
    """A member that says it is small and unpacks to more is damaged."""
    with zipfile.ZipFile(io.BytesIO(exported[1])) as old:
        member = old.getinfo("audit.jsonl")
    real = member.file_size.to_bytes(4, "little")
    lied = exported[1].replace(real, (10).to_bytes(4, "little"))
    with pytest.raises(Refusal):
        import_game(house, io.BytesIO(lied), ORGANISER)


def test_a_list_of_millions_of_parts_is_never_read(exported: tuple[str, bytes], house: House) -> None:
    """Its length stands at the end of the file; more than a game can have is refused before the memory is taken."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as file:
        for number in range(40_000):
            file.writestr(f"{number}{'x' * 80}", b"")
    assert len(out.getvalue()) > 2 * game_archive.DIRECTORY_BYTES
    with pytest.raises(Refusal, match="list of parts is too long"):
        import_game(house, out, ORGANISER)
    assert import_game(house, io.BytesIO(exported[1]), ORGANISER) == exported[0]


def test_a_full_store_leaves_no_game(house: House, other: House, clock: Clock, monkeypatch: pytest.MonkeyPatch) -> None:
    """If a picture cannot be kept, no row is; pictures that were kept before are swept later."""
    game = _full_game(house)
    with pytest.raises(Refusal, match="disk is full"):
        _import_without_room(other, _exported(house, game), monkeypatch)
    with other.database.reading() as session:
        assert session.get(Game, game) is None
    _sweep(other, clock)
    assert not list(other.photos.names())


def test_one_that_comes_in_twice_at_once_keeps_its_pictures(
    house: House, other: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On two servers: one has kept the pictures and is about to write the rows when the other one fails."""
    game = _full_game(house)
    file = _exported(house, game)
    with incoming(other, io.BytesIO(file)) as first:
        with pytest.raises(Refusal, match="disk is full"):
            _import_without_room(other, file, monkeypatch)
        with other.database.writing() as session:
            first.keep(session, ORGANISER, other.clock())
    for mark in "ab":
        assert other.photos.get(game, mark * 32) == house.photos.get(game, mark * 32) is not None


def test_the_audit_of_a_game_without_one_stays_of_the_server(house: House) -> None:
    """What the server itself did is in no game's file."""
    game = _full_game(house)
    with house.database.writing() as session:
        session.add(AuditEntry(game=None, at=START, who="x", action="password", subject="", reason=""))
    with zipfile.ZipFile(io.BytesIO(_exported(house, game))) as file:
        assert b"password" not in file.read("audit.jsonl")


def test_only_envelopes_know_their_run(house: House) -> None:
    """Two games in one house keep their runs apart when they are read back."""
    game = _full_game(house)
    with house.database.reading() as session:
        assert {row.run for row in session.scalars(select(Envelope).where(Envelope.game == game))} <= {
            run.id for run in session.scalars(select(PrintRun).where(PrintRun.game == game))
        }
        assert session.scalars(select(Ruling).where(Ruling.game == game)).first() is not None
