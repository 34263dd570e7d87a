"""Opening and sealing envelopes, renewing links, and lost cards."""

from __future__ import annotations

import csv
from decimal import Decimal
from typing import TYPE_CHECKING, Any

import pypdfium2
import pytest
from sqlalchemy import select

from cardgen.cards import CardId
from server.api.idempotency import HEADER
from server.db.models import Card, Deck, Envelope
from server.games.lifecycle.repository import edition_of_game, load_game
from server.games.lifecycle.states import State
from server.games.results.exports import matrix_csv, results_pdf
from server.games.results.standings import hands_by_envelope
from server.games.results.versions import CountRequest, correct, freeze, load_version
from tests.context import ORGANISER, as_organiser, as_player, new_game
from tests.played_game import played_game, recorded_result
from tests.players import audited, problem

if TYPE_CHECKING:
    from flask import Flask
    from flask.testing import FlaskClient
    from werkzeug.test import TestResponse

    from server.games.context import AppContext


def with_spares(client: FlaskClient, context: AppContext) -> str:
    """Return a printed game of six envelopes and two spare ones, not yet open."""
    game = new_game(context, State.DRAFT)
    answer = client.post(f"/api/v1/games/{game}/runs", json={"spare": 2}, headers={HEADER: "run"})
    assert answer.status_code == 201
    return game


def act(client: FlaskClient, game: str, what: str) -> None:
    assert client.post(f"/api/v1/games/{game}/acts", json={"act": what}).status_code == 200


def change(client: FlaskClient, game: str, number: int, **body: Any) -> TestResponse:  # noqa: ANN401 - any field
    return client.patch(f"/api/v1/games/{game}/envelopes/{number}", json=body)


def valid_cards(context: AppContext, game: str) -> dict[CardId, int]:
    """Return all valid cards with their envelopes: those of open envelopes that are not lost."""
    with context.database.reading() as session:
        rows = session.execute(select(Card).where(Card.game == game, Card.lost.is_(None))).scalars().all()
        opened = select(Envelope.number).where(Envelope.game == game, Envelope.opened.is_not(None))
        live = set(session.scalars(opened))
    return {CardId(row.kind, row.copy): row.envelope for row in rows if row.envelope in live}


def open_envelopes(context: AppContext, game: str) -> set[int]:
    return set(valid_cards(context, game).values())


def test_cards_are_valid_once_their_envelope_is_open(app: Flask, context: AppContext) -> None:
    """Opening a game opens all envelopes except spare ones and known no-shows; spare ones are for late joiners."""
    client = as_organiser(app)
    game = with_spares(client, context)
    given = (change(client, game, 2, give=True).json or {})["given"]
    assert given
    assert (change(client, game, 3, open=False).json or {})["spare"] is True
    assert (change(client, game, 7, open=True).json or {})["spare"] is False
    assert open_envelopes(context, game) == set()
    act(client, game, "open")
    assert open_envelopes(context, game) == {1, 2, 4, 5, 6, 7}
    listed = (client.get(f"/api/v1/games/{game}/envelopes").json or {})["envelopes"]
    assert [one["number"] for one in listed if one["spare"]] == [3, 8]
    assert [one["number"] for one in listed if one["opened"] is None] == [3, 8]
    assert [one["given"] for one in listed] == [None, given, *[None] * 6]
    assert (client.get(f"/api/v1/games/{game}").json or {})["counts"]["open"] == 6
    late = change(client, game, 8, open=True, name="Late Lena", reason="missed the train")
    assert (late.status_code, (late.json or {})["name"]) == (200, "Late Lena")
    assert open_envelopes(context, game) == {1, 2, 4, 5, 6, 7, 8}
    entry = audited(context, game, "open-envelope")[-1]
    assert (entry.subject, entry.who, entry.reason) == ("envelope 8", "Olga", "missed the train")
    assert (change(client, game, 2, give=True, name="Ada").json or {})["given"] >= given, "the last time counts"
    assert (change(client, game, 2, open=False).json or {})["given"] is None
    act(client, game, "close")
    assert change(client, game, 3, give=True).status_code == 409


def test_a_no_shows_envelope_can_be_sealed(app: Flask, context: AppContext) -> None:
    """Its cards are invalid until it is opened again. Repeated requests are recorded once. Hand-ins prevent sealing."""
    game = new_game(context)
    client = as_organiser(app)
    for _ in range(2):
        assert (change(client, game, 5, open=False, reason="never came").json or {})["opened"] is None
    assert open_envelopes(context, game) == {1, 2, 3, 4, 6}
    change(client, game, 5, open=True)
    assert open_envelopes(context, game) == {1, 2, 3, 4, 5, 6}
    assert len(audited(context, game, "seal-envelope")) == 1
    with context.database.writing() as session:
        session.get_one(Envelope, (game, 1)).submitted_at = context.clock()
        session.get_one(Envelope, (game, 2)).received = context.clock()
    for number in (1, 2):
        assert problem(change(client, game, number, open=False, insist=True)) == "409 handed-in"


def test_sealing_an_envelope_with_seen_cards_needs_confirmation(app: Flask, context: AppContext) -> None:
    game = new_game(context)
    name = next(card.name for card, number in valid_cards(context, game).items() if number == 5)
    deck = {"id": "d" * 32, "game": game, "envelope": 2, "state": "confirmed", "created": context.clock()}
    with context.database.writing() as session:
        session.add(Deck(**deck, cards=[name, "red-999"]))
    client = as_organiser(app)
    answer = change(client, game, 5, open=False)
    assert problem(answer) == "409 cards-seen"
    assert (answer.json or {})["seen"] == [{"envelope": 2, "cards": [name]}]
    assert 5 in open_envelopes(context, game)
    assert change(client, game, 5, open=False, insist=True).status_code == 200
    assert 5 not in open_envelopes(context, game)


def test_a_lost_card_is_invalid_and_its_replacement_valid(app: Flask, context: AppContext) -> None:
    """The replacement belongs to the same envelope; a card is not replaced twice."""
    game = new_game(context)
    client = as_organiser(app)
    lost = next(card for card, number in valid_cards(context, game).items() if number == 4)
    body = {"replace": [lost.name], "reason": "lost at lunch"}
    assert client.post(f"/api/v1/games/{game}/runs", json=body, headers={HEADER: "a"}).status_code == 201
    live = valid_cards(context, game)
    assert lost not in live
    assert sum(number == 4 for number in live.values()) == 13
    again = client.post(f"/api/v1/games/{game}/runs", json=body, headers={HEADER: "b"})
    assert (again.status_code, "replaced already" in again.get_json()["detail"]) == (422, True)


@pytest.mark.parametrize("state", State)
def test_envelopes_are_opened_and_sealed_in_some_states_only(app: Flask, context: AppContext, state: State) -> None:
    """A draft has no envelopes. In a scored game a name can be corrected with a reason."""
    game = new_game(context, state)
    client = as_organiser(app)
    if state is State.DRAFT:
        assert change(client, game, 1, open=True).status_code == 404
        return
    opens, seals = state in {State.PRINTED, State.OPEN}, state in {State.PRINTED, State.OPEN, State.CLOSED}
    assert change(client, game, 1, open=False).status_code == (200 if seals else 409)
    assert change(client, game, 1, open=True).status_code == (200 if opens else 409)
    if state is State.FROZEN:
        assert problem(change(client, game, 1, name="Ada")).endswith("no-reason")
        assert (change(client, game, 1, name="Ada", reason="misheard").json or {})["name"] == "Ada"
        assert change(client, game, 2, name="ada", reason="misheard").status_code in {409, 422}
        assert (change(client, game, 1, name=None, reason="asked for it").json or {})["name"] is None


def test_a_renewed_link_ends_the_player_s_session(app: Flask, context: AppContext) -> None:
    """The old link stops working; an envelope that does not exist is not found."""
    game = new_game(context)
    player = as_player(app, context, game, 3)
    assert player.get("/api/v1/me").status_code == 200
    client = as_organiser(app)
    answer = client.post(f"/api/v1/games/{game}/envelopes/3/token", json={}, headers={HEADER: "a"})
    assert answer.status_code == 201
    assert player.get("/api/v1/me").status_code == 401
    token = answer.get_json()["link"].partition("#")[2]
    assert player.get("/api/v1/me", headers={"Authorization": f"Bearer {token}"}).status_code == 200
    typed = player.post("/api/v1/me/token", json={"code": answer.get_json()["code"]})
    assert typed.get_json()["token"] == token
    for number in ("9", "0", "99999999999999999999999"):
        path = f"/api/v1/games/{game}/envelopes/{number}"
        assert client.post(f"{path}/token", json={}, headers={HEADER: number}).status_code == 404
        assert client.get(path).status_code == 404


def test_points_of_organisers_are_in_the_next_count_and_its_files(app: Flask, context: AppContext) -> None:
    """They are audited, and can be withdrawn; published results stay as they are until the game is counted again."""
    client = as_organiser(app)
    game = played_game(context, "sackson-1969")
    path = f"/api/v1/games/{game}/envelopes/1/adjustments"

    def give(points: int, reason: str) -> TestResponse:
        return client.post(path, json={"points": points, "reason": reason}, headers={HEADER: f"{points} {len(reason)}"})

    assert give(5, "best  costume").status_code == give(-3, "late").status_code == 201
    assert (give(-3, "late").json or {})["adjustments"][1]["points"] == -3, "the same request again"
    assert {problem(give(*wrong)) for wrong in ((0, "hat"), (1, "a\u202eb"))} == {"422 wrong-points"}
    entry = audited(context, game, "adjust")[-1]
    assert (entry.who, entry.subject, entry.reason) == ("Olga", "envelope 1", "late")
    assert (entry.after or {})["adjustments"] == ["+5 best costume", "-3 late"]

    freeze(context, game, ORGANISER, CountRequest())
    with context.database.reading() as session:
        row, version = load_game(session, game), load_version(session, game, 1)
        edition = edition_of_game(row)
    before = {hand["player"]: hand for hand in recorded_result("sackson-1969")["hands"]}
    ada = next(hand for envelope, hand in hands_by_envelope(version.inputs, version.document).items() if envelope == 1)
    assert Decimal(ada["score"]) == Decimal(before[ada["player"]]["score"]) + 2
    assert [(line["rule"], line["points"], line["text"]) for line in ada["lines"][-2:]] == [
        ("±", "5", "best costume"),
        ("±", "-3", "late"),
    ]
    column = list(version.document["hands"]).index(ada) + 2
    rows = list(csv.reader(matrix_csv(version, edition).decode("utf-8-sig").splitlines()))
    assert [row[column] for row in rows if row[0] == "±"] == ["2"]
    pdf = pypdfium2.PdfDocument(results_pdf(row, version))
    assert any("best costume" in page.get_textpage().get_text_range() for page in pdf)

    listed = (client.get(f"/api/v1/games/{game}/envelopes/1").json or {})["adjustments"]
    assert client.delete(f"{path}/{listed[0]['id']}").status_code == 200
    assert client.delete(f"{path}/{listed[0]['id']}").status_code == 404
    correct(context, game, ORGANISER, CountRequest("a mistake"))
    with context.database.reading() as session:
        version = load_version(session, game, 2)
    again = next(hand for hand in version.document["hands"] if hand["player"] == ada["player"])
    assert [line["text"] for line in again["lines"] if line["rule"] == "±"] == ["late"]
