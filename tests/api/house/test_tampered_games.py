"""The file of a game in which somebody has changed any field: it is refused, or the game that comes in can be shown."""

from __future__ import annotations

import copy
import io
import json
import zipfile
from typing import TYPE_CHECKING, Any

import pytest

from server.api.house.limits import limiter
from server.play import run_files
from server.play.house import game_row
from server.play.refusals import Refusal
from server.play.tokens import projector_token
from server.play.whole_game import export_game, import_game
from server.store.tables import Check, Deck, Game, Photo
from tests.house import ORGANISER, START, as_organiser, as_player, new_house
from tests.played import counted_game

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from flask import Flask
    from flask.testing import FlaskClient

    from server.play.house import House
    from tests.house import Clock

DECK, PHOTO, BULK = "d" * 32, "a" * 32, "b" * 32
MISSING = object()
"""Marks a field to leave out."""
DEEP = json.loads('{"a":' * 40 + "0" + "}" * 40)
VALUES: tuple[Any, ...] = (
    *(
        MISSING,
        None,
        "",
        "x" * 70,
        "\ud800",
        -1,
        0,
        2**40,
        1e308,
        float("nan"),
        float("inf"),
        True,
        [],
        [None],
        {},
        DEEP,
    ),
)
STRIDE = 8
"""Each field gets every eighth value, and the next one begins at the next value: all of them take minutes."""
LEFT_OUT = ("events", ".png", "/pages", "sheets.pdf", "stickers.pdf")
"""Streams, and what takes long to draw: faces of cards."""


def _game(house: House, edition: str) -> str:
    """Make a game with something in every table, published, so that everybody has everything to see."""
    game = counted_game(house, edition, published=True)
    with house.database.writing() as session:
        card = f"{game_row(session, game).kinds[0]}-001"
        session.add(
            Deck(id=DECK, game=game, envelope=1, state="confirmed", cards=[card], created=START, confirmed=START)
        )
        session.flush()
        answer = {"score": "5", "eliminated": False, "ground": "0" * 64}
        session.add(
            Check(game=game, envelope=1, deck=DECK, digest="0" * 64, mode="known", spent=True, answer=answer, at=START)
        )
        quad = [[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]]
        reading = {
            "width": 4,
            "height": 3,
            "codes": [{"text": "x", "quad": quad, "status": "card", "card": card}],
            "seen": [{"card": card, "outline": quad, "codes": [0]}],
            "labels": [1],
            "decks": [{"label": 1, "cards": [0]}],
            "doubts": [{"quad": quad, "reason": "blur"}],
            "hints": [{"slug": "blur", "text": "Hold still."}],
        }
        for place, photo in enumerate((PHOTO, BULK)):
            own = photo == PHOTO
            session.add(
                Photo(
                    id=photo,
                    game=game,
                    source="player" if own else "organiser",
                    envelope=1 if own else None,
                    deck=DECK if own else None,
                    batch=None if own else "one",
                    place=place,
                    name="x.jpg",
                    digest=photo * 2,
                    size=4,
                    state="done",
                    attempts=1,
                    reading=reading,
                    created=START,
                    scanned=START,
                    erased=START,
                )
            )
    return game


def _paths(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:  # noqa: ANN401 - JSON
    """Yield the place of every value within JSON; of a list, those in its first item."""
    if path:
        yield path
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from _paths(inner, (*path, key))
    elif isinstance(value, list) and value:
        yield from _paths(value[0], (*path, 0))


def _changed(row: Any, path: tuple[Any, ...], value: Any) -> Any:  # noqa: ANN401 - JSON
    """Return JSON with another value at a place."""
    row = copy.deepcopy(row)
    inner = row
    for key in path[:-1]:
        inner = inner[key]
    if value is MISSING:
        del inner[path[-1]]
    else:
        inner[path[-1]] = value
    return row


def _everything(app: Flask, house: House, game: str) -> list[tuple[FlaskClient, str]]:
    """Return all that can be read of a game, and who reads it."""
    with house.database.reading() as session:
        row = game_row(session, game)
        token = projector_token(row.id, row.key)
    wall = app.test_client()
    wall.environ_base["HTTP_AUTHORIZATION"] = f"Bearer {token}"
    clients = {"organiser": as_organiser(app), "player": as_player(app, house, game, 1), "projector": wall}
    values = {"game": game, "number": 1, "envelope": 1, "version": 1, "deck": DECK, "photo": BULK}
    asked = []
    for rule in app.url_map.iter_rules():
        who = getattr(app.view_functions[rule.endpoint], "who", [""])[0]
        if "GET" not in rule.methods or who not in clients or rule.rule.endswith(LEFT_OUT):
            continue
        for photo in (PHOTO, BULK) if "photo" in rule.arguments else (BULK,):
            used = {name: (values | {"photo": photo}).get(name, 1) for name in rule.arguments}
            with app.test_request_context():
                asked.append((clients[who], app.url_map.bind("localhost").build(rule.endpoint, used)))
    return asked


@pytest.mark.parametrize("edition", ["eurocg-2026", "tarot-fr"])
def test_a_tampered_game_is_refused_or_can_be_shown(
    edition: str, app: Flask, house: House, clock: Clock, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever one field says, one sentence refuses the file, or everything that can be read of the game is there."""
    monkeypatch.setattr(limiter, "enabled", False)
    # What is drawn for print takes a process of its own, and that a second.
    monkeypatch.setattr(run_files, "run_apart", lambda work, *arguments: work(*arguments))
    source = new_house(tmp_path / "source", clock)
    game, out = _game(source, edition), io.BytesIO()
    export_game(source, game, out)
    source.database.close()
    with zipfile.ZipFile(out) as file:
        parts = {name: file.read(name) for name in file.namelist()}
    failed, refused = [], set()
    for number, (part, path) in enumerate(_fields(parts)):
        for value in VALUES[number % STRIDE :: STRIDE]:
            try:
                here = import_game(house, _tampered(parts, part, path, value), ORGANISER)
            except Refusal as refusal:
                refused.add((refusal.slug, str(refusal).count("\n")))
                continue
            for client, address in _everything(app, house, here):
                with client.get(address) as answer:
                    if answer.status_code >= 500:
                        failed.append((part, path, value, address, answer.status_code))
            with house.database.writing() as session:
                session.delete(session.get_one(Game, here))
    assert not failed
    assert refused == {("wrong-file", 0)}


def _fields(parts: dict[str, bytes]) -> Iterator[tuple[str, tuple[Any, ...]]]:
    """Yield the part and the place of each field: of a table, those of its first row."""
    for part, data in parts.items():
        if part.endswith(".jsonl"):
            yield from ((part, path) for path in _paths(json.loads(data.splitlines()[0])))


def _tampered(parts: dict[str, bytes], part: str, path: tuple[Any, ...], value: Any) -> io.BytesIO:  # noqa: ANN401 - JSON
    """Return the file with another value in one field."""
    first, *others = parts[part].splitlines()
    row = json.dumps(_changed(json.loads(first), path, value)).encode()
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as file:
        for name, data in {**parts, part: b"\n".join([row, *others])}.items():
            file.writestr(name, data)
    return out
