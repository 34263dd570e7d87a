"""What a player's phone and the big screen get holds nothing that is not theirs: secrets, other people, rule texts."""

from __future__ import annotations

import base64
from typing import TYPE_CHECKING

import pytest
from sqlalchemy import select

from server.play.house import edition_of, game_row
from server.play.settings import MODES
from server.play.states import State
from server.play.tokens import join_token, projector_token
from server.store.tables import Card, Envelope
from tests.api.house.endpoints import Endpoint, endpoints
from tests.house import as_player, new_game
from tests.readings import add_photo, reading

if TYPE_CHECKING:
    from collections.abc import Iterator

    from flask import Flask
    from werkzeug.test import TestResponse

    from server.play.house import House

ME = "/api/v1/me"
STREAMS = "/events"
_FRAGMENT = 24
# Characters of a wording that can hardly stand anywhere else by chance.


def _played(house: House, app: Flask, mode: str, state: State = State.OPEN) -> tuple[str, list[TestResponse]]:
    """Let player 1 photograph, confirm and check a deck; return the game and all answers on the way."""
    game = new_game(house, State.OPEN, mode=mode)
    with house.database.writing() as session:
        for number in range(1, 7):
            session.get_one(Envelope, (game, number)).name = f"Zebedee {number}"
        own = [
            f"{card.kind}-{card.copy:03d}"
            for card in session.scalars(select(Card).where(Card.game == game, Card.envelope == 1))
        ]
        others = session.scalars(select(Card).where(Card.game == game, Card.envelope == 2)).all()
    client = as_player(app, house, game, 1)
    answers = [client.post(f"{ME}/decks", headers={"Idempotency-Key": "deck"})]
    deck = answers[0].json["id"]
    borrowed = [f"{card.kind}-{card.copy:03d}" for card in others[:3]]
    found = reading([*own, *borrowed], [1], doubts=["glare"], strangers=[("foreign", "a poster"), ("forged", "H" * 20)])
    add_photo(house, game, found, deck=deck, source="player", envelope=1, name="beach.jpg")
    answers.append(client.get(f"{ME}/decks/{deck}"))
    digest = {"digest": answers[-1].json["digest"]}
    for step in ("confirm", "check", "check", "hand-in"):
        body = {"json": digest} if step == "confirm" else {"json": {}}
        answers.append(client.post(f"{ME}/decks/{deck}/{step}", headers={"Idempotency-Key": step}, **body))
    with house.database.writing() as session:
        game_row(session, game).state = state
    answers += [client.get(endpoint.url(deck=deck)) for endpoint in _readable(app, "player")]
    with house.database.reading() as session:
        row = game_row(session, game)
        screen = {"Authorization": f"Bearer {projector_token(row.id, row.key)}"}
    answers += [app.test_client().get(found.url(), headers=screen) for found in _readable(app, "projector")]
    return game, answers


def _readable(app: Flask, who: str) -> list[Endpoint]:
    """Return what somebody can look at; streams have tests of their own."""
    mine = [endpoint for endpoint in endpoints(app) if endpoint.who == (who,) and endpoint.method == "GET"]
    return [endpoint for endpoint in mine if not endpoint.rule.endswith(STREAMS)]


def _texts(answers: list[TestResponse]) -> Iterator[str]:
    """Yield all that was sent: heads and bodies."""
    for told in answers:
        yield f"{told.status}\n{told.headers}\n{told.get_data(as_text=True)}"


def _secrets(house: House, game: str) -> list[str]:
    with house.database.reading() as session:
        row = game_row(session, game)
        runs = [join_token(row.id, row.key, number) for number in range(1, row.players + 1)]
        return [row.key.hex(), base64.b64encode(row.key).decode().rstrip("="), row.seed, *runs]


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("state", [State.OPEN, State.CLOSED, State.FROZEN])
def test_nothing_of_others_and_no_secret_leaves_before_publication(
    app: Flask, house: House, mode: str, state: State
) -> None:
    """No key, seed, link, file name or other player's name stands in anything that a player or the screen gets."""
    game, answers = _played(house, app, mode, state)
    unwanted = [*_secrets(house, game), *(f"Zebedee {number}" for number in range(2, 7)), "beach.jpg", "a poster"]
    assert any("Zebedee 1" in text for text in _texts(answers))
    for text in _texts(answers):
        for secret in unwanted:
            assert secret not in text


@pytest.mark.parametrize("mode", [mode for mode in MODES if mode != "full"])
def test_no_wording_leaves_but_of_cards_in_the_picture(app: Flask, house: House, mode: str) -> None:
    """In every mode but that of practice, no part of the wording of a rule that is not in the picture is sent."""
    game, answers = _played(house, app, mode)
    with house.database.reading() as session:
        row = game_row(session, game)
        editions = [edition_of(row, language) for language in ("en", "de", "fr")]
    seen = {kind["kind"] for kind in answers[1].json["kinds"]}
    said = "\n".join(_texts(answers))
    for edition in editions:
        own = "\n".join(rule.text for rule in edition.rules if f"rule-{rule.key}" in seen)
        for rule in edition.rules:
            pieces = {rule.text[at : at + _FRAGMENT] for at in range(len(rule.text) - _FRAGMENT)}
            assert not [piece for piece in pieces if piece in said and piece not in own], rule.key


def test_the_walk_would_find_a_wording(app: Flask, house: House) -> None:
    """In practice mode the same walk meets wordings: what it looks for is what is sent."""
    game, answers = _played(house, app, "full")
    with house.database.reading() as session:
        edition = edition_of(game_row(session, game))
    said = "".join(_texts(answers))
    assert any(rule.text[:_FRAGMENT] in said for rule in edition.rules)
