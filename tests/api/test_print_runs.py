"""Print runs: unique cards, labels with join links, and refused options."""

from __future__ import annotations

import csv
import io
import time
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from cardgen.pages.raster import page_images
from cardgen.payload import parse
from server.api.auth import player_of
from server.api.idempotency import HEADER
from server.api.organiser.print_runs import address_for_phones
from server.games.errors import DomainError
from server.games.lifecycle.states import State
from server.games.printing.import_printed import import_printed_game
from server.printing.game_folder import print_game
from tests.context import ORGANISER, as_organiser, new_game
from tests.printed_pages import codes_of

if TYPE_CHECKING:
    from pathlib import Path

    from flask import Flask
    from flask.testing import FlaskClient

    from server.games.context import AppContext

URL = "https://haggle.example.org"


def run(client: FlaskClient, game: str, key: str, **body: Any) -> dict[str, Any]:  # noqa: ANN401 - any field of a run
    answer = client.post(f"/api/v1/games/{game}/runs", json=body, headers={HEADER: key})
    assert answer.status_code == 201, answer.get_json()
    reply: dict[str, Any] = answer.get_json()
    return reply


def cards(client: FlaskClient, game: str, number: int) -> list[dict[str, str]]:
    answer = client.get(f"/api/v1/games/{game}/runs/{number}/cards.csv")
    assert (answer.status_code, answer.mimetype) == (200, "text/csv")
    return list(csv.DictReader(io.StringIO(answer.get_data(as_text=True))))


def links(pdf: bytes) -> list[str]:
    texts = [code.text for image in page_images(pdf, 200) for code in codes_of(np.asarray(image), 200)]
    return [text for text in texts if parse(text) is None]


def test_print_runs_of_a_game_have_different_cards(app: Flask, context: AppContext) -> None:
    """Runs with spare envelopes, for late joiners and for lost cards have no card in common."""
    client = as_organiser(app)
    game = new_game(context, State.DRAFT)
    first = run(client, game, "a", spare=2, join=URL)
    assert (first["number"], first["first"], first["envelopes"], first["spare"]) == (1, 1, 8, 2)
    assert run(client, game, "a", spare=2, join=URL) == first, "sent twice, it is dealt once"
    second = run(client, game, "b", envelopes=0, spare=3)
    assert (second["first"], second["envelopes"], second["spare"]) == (9, 3, 3)
    lost = [row["card"] for row in cards(client, game, 1)][:3]
    third = run(client, game, "c", replace=lost, reason="fell into the coffee")
    assert (third["envelopes"], third["cards"]) == (0, 3)
    rows = [row for number in (1, 2, 3) for row in cards(client, game, number)]
    assert len({row["payload"] for row in rows}) == len({row["card"] for row in rows}) == 8 * 13 + 3 * 13 + 3
    old = [row for row in rows if row["card"] in lost]
    new = cards(client, game, 3)
    assert [(row["kind"], row["envelope"]) for row in old] == [(row["kind"], row["envelope"]) for row in new]
    listed = client.get(f"/api/v1/games/{game}/runs").get_json()["runs"]
    assert [one["cards"] for one in listed] == [104, 39, 3]
    assert client.get(f"/api/v1/games/{game}").get_json()["state"] == "printed"


@pytest.mark.parametrize("more", [{}, {"even": 60}])
def test_concurrent_deals_of_the_same_envelopes_are_refused(
    app: Flask, context: AppContext, more: dict[str, Any]
) -> None:
    """A request names the run that it expects to create. The refusal lists the existing envelopes."""
    client = as_organiser(app)
    game = new_game(context, State.DRAFT)
    body = {"envelopes": 8, "spare": 1, "number": 1, **more}

    def refused(**body: Any) -> tuple[Any, ...]:  # noqa: ANN401 - any field of a run
        answer = client.post(f"/api/v1/games/{game}/runs", json=body, headers={HEADER: "other"})
        reply = answer.get_json()
        return answer.status_code, reply["type"], reply["why"], reply["next"], reply["first"], reply["last"]

    assert run(client, game, "a", **body)["number"] == 1
    assert refused(**body) == (409, "/problems/conflict", "run", 2, 1, 9)
    assert run(client, game, "c", envelopes=1, number=2)["first"] == 10
    assert run(client, game, "d", envelopes=1)["first"] == 11
    lost = cards(client, game, 1)[0]["card"]
    run(client, game, "e", replace=[lost], reason="torn", number=4)
    assert refused(envelopes=1, number=4) == (409, "/problems/conflict", "run", 5, None, None)


def test_the_spread_of_even_hands_is_reported(app: Flask, context: AppContext) -> None:
    client = as_organiser(app)
    game = new_game(context, State.DRAFT)
    near = run(client, game, "a", even=60)
    assert near["reached"] is True
    assert float(near["spread"]) <= 60
    assert run(client, game, "a", even=60) == near, "sent twice, without a number of envelopes, it is dealt once"
    far = run(client, new_game(context, State.DRAFT), "b", even=0)
    assert far["reached"] is False
    assert float(far["spread"]) > 0


@pytest.mark.usefixtures("draw_in_process")
def test_a_label_works_until_its_link_is_renewed(app: Flask, context: AppContext, tmp_path: Path) -> None:
    """Labels of `haggle print --url` and of the server have the same link."""
    client = as_organiser(app)
    print_game("sackson-1969", 8, tmp_path / "g", server_url=URL)
    with context.database.writing() as session:
        game = import_printed_game(session, tmp_path / "g", ORGANISER, context.clock()).id
    labels = f"/api/v1/games/{game}/runs/1/labels.pdf?join={URL}"
    before = links((tmp_path / "g" / "labels.pdf").read_bytes())
    assert before == links(client.get(labels).data)
    tokens = [link.removeprefix(f"{URL}/j#") for link in before]
    with context.database.reading() as session:
        assert sorted(player_of(session, token).envelope for token in tokens) == list(range(1, 9))
    renew = f"/api/v1/games/{game}/envelopes/2/token"
    renewed, again = (client.post(renew, json={"reason": "lost"}, headers={HEADER: "k"}).get_json() for _ in range(2))
    assert (renewed["envelope"], renewed["version"], again) == (2, 1, renewed)
    (one,) = links(client.get(f"{labels}&envelope=2").data)
    with context.database.reading() as session:
        assert player_of(session, one.partition("#")[2]).envelope == 2
        with pytest.raises(DomainError):
            player_of(session, next(token for token in tokens if token.startswith(f"{game}.2.")))


def test_dealing_and_drawing_do_not_hold_a_connection(app: Flask, context: AppContext) -> None:
    """Slow work runs without an open transaction, so that others are not blocked."""
    client = as_organiser(app)
    game = new_game(context, State.DRAFT)
    requests = {
        # An unreachable target, so that the deal takes long.
        "deal": lambda: run(client, game, "a", even=0),
        "draw": lambda: client.get(f"/api/v1/games/{game}/runs/1/sheets.pdf").get_data(),
    }
    for request in requests.values():
        held = []
        with ThreadPoolExecutor(1) as thread:
            answer = thread.submit(request)
            while not answer.done():
                held.append(context.database.engine.pool.checkedout())  # type: ignore[attr-defined]  # of the pool that is used
                time.sleep(0.01)
        assert answer.result()
        assert held.count(0) > len(held) / 2


REFUSED: list[tuple[dict[str, Any], int, str]] = [
    ({"envelopes": 0}, 422, "1 to 600"),
    ({"envelopes": 601}, 422, "envelopes"),
    ({"envelopes": 1, "join": "haggle.example"}, 422, "write it whole"),
    ({"envelopes": 1, "join": "https://a.example/?x#y"}, 422, "write it whole"),
    ({"replace": ["red-001"]}, 422, "Say why"),
    ({"replace": ["red-999"], "reason": "x"}, 404, "no such card"),
    ({"replace": ["red"], "reason": "x"}, 404, "no such card"),
]


def test_invalid_print_runs_are_refused(app: Flask, context: AppContext) -> None:
    client = as_organiser(app)
    game = new_game(context, State.PRINTED)
    for body, status, words in REFUSED:
        answer = client.post(f"/api/v1/games/{game}/runs", json=body, headers={HEADER: "k"})
        assert answer.status_code == status, body
        assert words in answer.get_json()["detail"], body
    assert len(client.get(f"/api/v1/games/{game}/runs").get_json()["runs"]) == 1


@pytest.mark.parametrize(
    ("base", "network", "address"),
    [
        ("http://haggle.example.org", None, "http://haggle.example.org"),
        ("http://192.0.2.9:8000", None, "http://192.0.2.9:8000"),
        ("http://localhost:8000", "http://192.0.2.7:8000", "http://192.0.2.7:8000"),
        ("http://127.0.0.1:8000", None, None),
        ("http://[::1]:8000", None, None),
    ],
)
def test_labels_get_an_address_that_phones_can_reach(
    app: Flask, monkeypatch: pytest.MonkeyPatch, base: str, network: str | None, address: str | None
) -> None:
    """The address of the request; instead of localhost the address in the network, if the server listens there."""
    monkeypatch.setattr("server.api.organiser.print_runs.phone_address", lambda _port: network)
    with app.test_request_context(base_url=base):
        assert address_for_phones() == address
