"""Envelopes: opened with the game, later for who comes late, sealed again for who never came."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from sqlalchemy import select

from cardgen.cards import CardId
from server.api.house.once import HEADER
from server.play.states import State
from server.store.tables import AuditEntry, Card, Deck, Envelope
from tests.house import as_organiser, as_player, new_game

if TYPE_CHECKING:
    from flask import Flask
    from flask.testing import FlaskClient

    from server.play.house import House


def with_spares(app: Flask, house: House) -> str:
    """Return a game of six envelopes and two spare ones, printed and not yet open."""
    game = new_game(house, State.DRAFT)
    answer = as_organiser(app).post(f"/api/v1/games/{game}/runs", json={"spare": 2}, headers={HEADER: "run"})
    assert answer.status_code == 201
    return game


def act(client: FlaskClient, game: str, what: str) -> None:
    """Lead a game to its next state."""
    assert client.post(f"/api/v1/games/{game}/acts", json={"act": what}).status_code == 200


def change(client: FlaskClient, game: str, number: int, **body: Any) -> Any:  # noqa: ANN401 - the client's own answer
    """Change an envelope; return the answer."""
    return client.patch(f"/api/v1/games/{game}/envelopes/{number}", json=body)


def live_cards(house: House, game: str) -> dict[CardId, int]:
    """Return the cards that live, each with its envelope: of open envelopes, and not lost."""
    with house.database.reading() as session:
        rows = session.execute(select(Card).where(Card.game == game, Card.lost.is_(None))).scalars().all()
        opened = select(Envelope.number).where(Envelope.game == game, Envelope.opened.is_not(None))
        live = set(session.scalars(opened))
    return {CardId(row.kind, row.copy): row.envelope for row in rows if row.envelope in live}


def living(house: House, game: str) -> set[int]:
    """Return the envelopes whose cards live."""
    return set(live_cards(house, game).values())


def test_opening_a_game_opens_all_but_the_spare_envelopes(app: Flask, house: House) -> None:
    """Before that all cards are dead; cards of spare envelopes stay so."""
    game = with_spares(app, house)
    client = as_organiser(app)
    assert living(house, game) == set()
    act(client, game, "open")
    assert living(house, game) == {1, 2, 3, 4, 5, 6}
    listed = client.get(f"/api/v1/games/{game}/envelopes").get_json()["envelopes"]
    assert [(one["number"], one["spare"], one["opened"] is None) for one in listed] == [
        (number, number > 6, number > 6) for number in range(1, 9)
    ]
    assert client.get(f"/api/v1/games/{game}").get_json()["counts"]["open"] == 6


def test_a_spare_envelope_is_opened_for_a_late_joiner(app: Flask, house: House) -> None:
    """With the name; its cards live from then on, and the audit knows who gave it out."""
    game = with_spares(app, house)
    client = as_organiser(app)
    act(client, game, "open")
    answer = change(client, game, 8, open=True, name="Late Lena", reason="missed the train")
    assert (answer.status_code, answer.get_json()["name"]) == (200, "Late Lena")
    assert 8 in living(house, game)
    assert 7 not in living(house, game)
    with house.database.reading() as session:
        entry = session.scalars(select(AuditEntry).where(AuditEntry.action == "open-envelope")).one()
    assert (entry.subject, entry.who, entry.reason) == ("envelope 8", "Olga", "missed the train")


def test_no_shows_are_known_before_the_game_opens(app: Flask, house: House) -> None:
    """Sealed then, an envelope stays sealed when the game opens; a spare one opened then opens with it."""
    game = with_spares(app, house)
    client = as_organiser(app)
    assert change(client, game, 3, open=False).get_json()["spare"] is True
    assert change(client, game, 7, open=True).get_json()["spare"] is False
    assert living(house, game) == set()
    act(client, game, "open")
    assert living(house, game) == {1, 2, 4, 5, 6, 7}


def test_a_no_show_s_envelope_is_sealed_again(app: Flask, house: House) -> None:
    """Its cards are dead; opened again they live. Doing it twice leaves one entry."""
    game = new_game(house)
    client = as_organiser(app)
    for _ in range(2):
        assert change(client, game, 5, open=False, reason="never came").get_json()["opened"] is None
    assert living(house, game) == {1, 2, 3, 4, 6}
    change(client, game, 5, open=True)
    assert living(house, game) == {1, 2, 3, 4, 5, 6}
    with house.database.reading() as session:
        entries = session.scalars(select(AuditEntry).where(AuditEntry.action == "seal-envelope")).all()
    assert len(entries) == 1


def test_an_envelope_whose_cards_were_seen_is_sealed_only_if_one_insists(app: Flask, house: House) -> None:
    """The refusal names the decks in which they are."""
    game = new_game(house)
    with house.database.writing() as session:
        card = session.scalars(select(Card).where(Card.game == game, Card.envelope == 5)).first()
        assert card is not None
        name = CardId(card.kind, card.copy).name
        session.add(
            Deck(id="d" * 32, game=game, envelope=2, state="confirmed", cards=[name, "red-999"], created=house.clock())
        )
    client = as_organiser(app)
    answer = change(client, game, 5, open=False)
    assert (answer.status_code, answer.get_json()["type"]) == (409, "/problems/cards-seen")
    assert answer.get_json()["seen"] == [{"envelope": 2, "cards": [name]}]
    assert 5 in living(house, game)
    assert change(client, game, 5, open=False, insist=True).status_code == 200
    assert 5 not in living(house, game)


def test_an_envelope_that_was_handed_in_is_not_sealed(app: Flask, house: House) -> None:
    """By phone or in the organisers' hands: its player came."""
    game = new_game(house)
    with house.database.writing() as session:
        session.get_one(Envelope, (game, 1)).claimed = house.clock()
        session.get_one(Envelope, (game, 2)).received = house.clock()
    for number in (1, 2):
        answer = change(as_organiser(app), game, number, open=False, insist=True)
        assert (answer.status_code, answer.get_json()["type"]) == (409, "/problems/handed-in")


def test_a_lost_card_is_dead_and_its_other_copy_lives(app: Flask, house: House) -> None:
    """In the same envelope; the same card is not replaced twice."""
    game = new_game(house)
    client = as_organiser(app)
    lost = next(card for card, number in live_cards(house, game).items() if number == 4)
    body = {"replace": [lost.name], "reason": "lost at lunch"}
    assert client.post(f"/api/v1/games/{game}/runs", json=body, headers={HEADER: "a"}).status_code == 201
    live = live_cards(house, game)
    assert lost not in live
    assert sum(number == 4 for number in live.values()) == 13
    again = client.post(f"/api/v1/games/{game}/runs", json=body, headers={HEADER: "b"})
    assert (again.status_code, "replaced already" in again.get_json()["detail"]) == (422, True)


@pytest.mark.parametrize("state", State)
def test_envelopes_are_opened_and_sealed_in_their_states(app: Flask, house: House, state: State) -> None:
    """Elsewhere the refusal names the states; in a draft there is no envelope."""
    game = new_game(house, state)
    client = as_organiser(app)
    if state is State.DRAFT:
        assert change(client, game, 1, open=True).status_code == 404
        return
    opens, seals = state in {State.PRINTED, State.OPEN}, state in {State.PRINTED, State.OPEN, State.CLOSED}
    assert change(client, game, 1, open=False).status_code == (200 if seals else 409)
    assert change(client, game, 1, open=True).status_code == (200 if opens else 409)


def test_a_name_in_a_counted_game_is_corrected_with_a_reason(app: Flask, house: House) -> None:
    """Without one it is refused; two players never have one name."""
    game = new_game(house, State.FROZEN)
    client = as_organiser(app)
    assert change(client, game, 1, name="Ada").get_json()["type"] == "/problems/no-reason"
    assert change(client, game, 1, name="Ada", reason="misheard").get_json()["name"] == "Ada"
    assert change(client, game, 2, name="ada", reason="misheard").status_code in {409, 422}
    assert change(client, game, 1, name=None, reason="asked for it").get_json()["name"] is None


def test_a_renewed_link_ends_the_player_s_session(app: Flask, house: House) -> None:
    """Whoever had the old link is out; an envelope that is not there is not found."""
    game = new_game(house)
    player = as_player(app, house, game, 3)
    assert player.get("/api/v1/me").status_code == 200
    client = as_organiser(app)
    answer = client.post(f"/api/v1/games/{game}/envelopes/3/token", json={}, headers={HEADER: "a"})
    assert answer.status_code == 201
    assert player.get("/api/v1/me").status_code == 401
    assert as_player(app, house, game, 3).get("/api/v1/me").status_code == 200
    for number in ("9", "0", "99999999999999999999999"):
        path = f"/api/v1/games/{game}/envelopes/{number}"
        assert client.post(f"{path}/token", json={}, headers={HEADER: number}).status_code == 404
        assert client.get(path).status_code == 404


def test_what_was_given_out_at_the_door_is_kept_with_its_time(app: Flask, house: House) -> None:
    """The last time counts; who seals an envelope has it back. After the close none is given."""
    game = with_spares(app, house)
    client = as_organiser(app)
    given = change(client, game, 2, give=True).json["given"]
    assert (given is not None, living(house, game)) == (True, set())
    act(client, game, "open")
    told: Any = client.get(f"/api/v1/games/{game}/envelopes").json
    assert [one["given"] for one in told["envelopes"][:3]] == [None, given, None]
    assert change(client, game, 2, give=True, name="Ada").json["given"] >= given
    assert change(client, game, 2, open=False).json["given"] is None
    act(client, game, "close")
    assert change(client, game, 3, give=True).status_code == 409
