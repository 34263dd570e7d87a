"""Archives with one modified field are refused, or the imported game can be shown."""

from __future__ import annotations

import io
import json
import zipfile
from typing import TYPE_CHECKING, Any

import pytest

from server.api.rate_limit import limiter
from server.db.models import Deck, Game, Photo, ProvisionalScore
from server.games.errors import DomainError
from server.games.lifecycle.repository import load_game
from server.games.transfer.game_archive import export_game, import_game
from tests.api.endpoints import endpoints
from tests.context import ORGANISER, START, Clock, as_organiser, as_player, as_projector, new_context
from tests.played_game import counted_game

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from flask import Flask
    from flask.testing import FlaskClient

    from server.games.context import AppContext

DECK, PHOTO, BULK = "d" * 32, "a" * 32, "b" * 32
MISSING = object()
"""Marks a field to omit."""
DEEP = json.loads('{"a":' * 40 + "0" + "}" * 40)
VALUES: tuple[Any, ...] = (MISSING, None, "", "x" * 70, "\ud800", -1, 0, 2**40, 1e308, float("nan"), float("inf"))
VALUES += (True, [], [None], {}, DEEP)
STRIDE, OFTEN = 128, 4
"""Every nth pair of a field and a value is tried, and with `--all` more of them, since all take minutes."""
LEFT_OUT = ("events", ".png", "/pages", "sheets.pdf", "stickers.pdf")
"""Event streams and files that are slow to draw."""


def _game(context: AppContext, edition: str) -> str:
    """Create a published game with rows in every table."""
    game = counted_game(context, edition, published=True)
    with context.database.writing() as session:
        card = f"{load_game(session, game).kinds[0]}-001"
        deck = Deck(id=DECK, game=game, envelope=1, state="confirmed", cards=[card], created=START, confirmed=START)
        session.add(deck)
        session.flush()
        answer = {"score": "5", "eliminated": False, "ground": "0" * 64}
        checked = {"digest": "0" * 64, "mode": "known", "spent": True, "answer": answer, "at": START}
        session.add(ProvisionalScore(game=game, envelope=1, deck=DECK, **checked))
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
        done = {
            "state": "done",
            "attempts": 1,
            "size": 4,
            "created": START,
            "scanned": START,
            "image_deleted_at": START,
        }
        file = {"game": game, "name": "x.jpg", "scan_result": reading, **done}
        own = {"source": "player", "envelope": 1, "deck": DECK, "place": 0}
        for photo, owner in {PHOTO: own, BULK: {"source": "organiser", "batch": "one", "place": 1}}.items():
            session.add(Photo(id=photo, digest=photo * 2, **file, **owner))
    return game


def _fields(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:  # noqa: ANN401 - JSON
    """Yield the path of every value within JSON; of lists, only those in the first item."""
    if path:
        yield path
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from _fields(inner, (*path, key))
    elif isinstance(value, list) and value:
        yield from _fields(value[0], (*path, 0))


def _tampered(parts: dict[str, bytes], part: str, path: tuple[Any, ...], value: Any) -> io.BytesIO:  # noqa: ANN401 - JSON
    """Return an archive with another value in one field of the first row of a part."""
    first, *others = parts[part].splitlines()
    row = inner = json.loads(first)
    for key in path[:-1]:
        inner = inner[key]
    if value is MISSING:
        del inner[path[-1]]
    else:
        inner[path[-1]] = value
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as file:
        for name, data in {**parts, part: b"\n".join([json.dumps(row).encode(), *others])}.items():
            file.writestr(name, data)
    return out


def _everything(app: Flask, context: AppContext, game: str) -> Iterator[tuple[FlaskClient, str]]:
    """Yield all URLs that can be read of a game, each with a client."""
    clients = {"organiser": as_organiser(app), "player": as_player(app, context, game, 1)}
    clients["projector"] = as_projector(app, context, game)
    for one in endpoints(app):
        if one.method == "GET" and one.access[0] in clients and not one.rule.endswith(LEFT_OUT):
            for photo in (PHOTO, BULK) if "photo>" in one.rule else (BULK,):
                yield clients[one.access[0]], one.url(game=game, deck=DECK, photo=photo)


@pytest.mark.usefixtures("draw_in_process")
@pytest.mark.parametrize(("edition", "turn"), [("eurocg-2026", 0), ("tarot-fr", STRIDE // 2)])
def test_a_tampered_game_is_refused_or_can_be_shown(
    edition: str,
    turn: int,
    app: Flask,
    context: AppContext,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    request: pytest.FixtureRequest,
) -> None:
    """For any value of a field, the file is refused with a message or all of the game can be read."""
    stride = OFTEN if request.config.getoption("all") else STRIDE
    monkeypatch.setattr(limiter, "enabled", False)
    source = new_context(tmp_path / "source", Clock())
    game, out = _game(source, edition), io.BytesIO()
    export_game(source, game, out)
    source.database.close()
    with zipfile.ZipFile(out) as file:
        parts = {name: file.read(name) for name in file.namelist()}
    rows = {part: json.loads(data.splitlines()[0]) for part, data in parts.items() if part.endswith(".jsonl")}
    fields = [(part, path) for part, row in rows.items() for path in _fields(row)]
    failed, refused, shown = [], set(), 0
    for number, (part, path) in enumerate(fields, turn):
        for value in VALUES[number % stride :: stride]:
            try:
                here = import_game(context, _tampered(parts, part, path, value), ORGANISER)
            except DomainError as refusal:
                refused.add((refusal.slug, str(refusal).count("\n")))
                continue
            shown += 1
            for client, address in _everything(app, context, here):
                with client.get(address) as answer:
                    if answer.status_code >= 500:
                        failed.append((part, path, value, address, answer.status_code))
            with context.database.writing() as session:
                session.delete(session.get_one(Game, here))
    assert not failed
    assert refused == {("wrong-file", 0)}
    assert shown
