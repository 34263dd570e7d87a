"""Review by organisers: issues, decisions, manual cards, card counts, and the audit log."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from sqlalchemy import select

from server.db.models import AuditEntry, Envelope, ReviewDecision
from server.games.lifecycle.repository import load_game
from server.games.lifecycle.states import State
from server.games.results.inputs import game_inputs
from server.games.review.short_codes import code_of_card
from tests.context import as_organiser, new_game
from tests.players import DECKS, Player, audited, dealt, problem, set_game
from tests.readings import add_photo, reading

if TYPE_CHECKING:
    from flask import Flask
    from flask.testing import FlaskClient
    from werkzeug.test import TestResponse

    from server.games.context import AppContext


class ReviewClient:
    """Requests of an organiser for a closed game of six envelopes."""

    def __init__(self, app: Flask, context: AppContext) -> None:
        self.context, self.game = context, new_game(context, State.CLOSED)
        self.client: FlaskClient = as_organiser(app)
        self.url = f"/api/v1/games/{self.game}"
        self.hand = dealt(context, self.game, 1)

    def unlabelled(self) -> dict[str, Any]:
        """Add a photo of envelope 1's cards without a label; return its issue."""
        add_photo(self.context, self.game, reading(self.hand), batch="table-1", place=1)
        return self.item("no-label")

    def queue(self, **query: object) -> dict[str, Any]:
        """Return the open issues."""
        reply = self.client.get(f"{self.url}/queue", query_string=query)
        assert reply.status_code == 200, reply.text
        return reply.json

    def item(self, kind: str, **query: object) -> dict[str, Any]:
        """Return the only issue of a kind."""
        (item,) = self.queue(kind=kind, **query)["items"]
        return dict(item)

    def rule(self, item: dict[str, Any], **body: object) -> TestResponse:
        """Decide an issue."""
        sent = {"reason": "Looked at the table.", **body}
        url = f"{self.url}/queue/{item['key']}/ruling"
        return self.client.put(url, json=sent, headers={"If-Match": item["revision"]})

    def take_back(self, item: dict[str, Any], revision: str) -> TestResponse:
        """Withdraw a decision."""
        url, reason = f"{self.url}/queue/{item['key']}/ruling", {"reason": "Wrong envelope."}
        return self.client.delete(url, query_string=reason, headers={"If-Match": revision})

    def count(self, envelope: int, counted: object) -> int:
        """Enter the number of cards in an envelope; return the status."""
        return self.client.patch(f"{self.url}/envelopes/{envelope}", json={"counted": counted}).status_code


@pytest.fixture
def desk(app: Flask, context: AppContext) -> ReviewClient:
    """Return a client for reviews."""
    return ReviewClient(app, context)


def test_a_photo_without_a_label_is_assigned_to_an_envelope(desk: ReviewClient, context: AppContext) -> None:
    """The issue names photo and crop. After the decision the cards count until it is withdrawn."""
    item = desk.unlabelled()
    add_photo(context, desk.game)
    before = desk.queue(standing="all")
    assert (before["waiting"], before["open"], before["kinds"]) == (1, 7, {"no-label": 1, "missing": 6})
    assert {card["card"] for card in item["cards"]} == set(desk.hand)
    place = item["places"][0]
    assert f"/photos/{place['photo']}/image?crop=" in place["image"]
    reply = desk.rule(item, do="assign", envelope=1)
    ruled = reply.json["item"]
    assert (reply.status_code, ruled["standing"]) == (200, "ruled")
    with context.database.reading() as session:
        hand = game_inputs(session, load_game(session, desk.game)).game["hands"][0]
        assert sum(hand["cards"].values()) == len(desk.hand)
        assert session.get_one(Envelope, (desk.game, 1)).received is not None
    (entry,) = audited(context, desk.game, "settle")
    assert (entry.who, entry.reason) == ("Olga", "Looked at the table.")
    assert entry.before == {"decision": None, "hands": {"1": {"cards": [], "left_out": "not-seen"}}}
    assert (entry.after or {})["hands"] == {"1": {"cards": desk.hand, "left_out": None}}

    assert desk.take_back(item, ruled["revision"]).status_code == 200
    assert desk.queue(standing="all") == before
    with context.database.reading() as session:
        assert session.scalar(select(ReviewDecision).where(ReviewDecision.game == desk.game)) is None
        assert session.get_one(Envelope, (desk.game, 1)).received is None
        of_item = select(AuditEntry.action).where(AuditEntry.subject == item["key"]).order_by(AuditEntry.id)
        assert session.scalars(of_item).all() == ["settle", "take-back"]


def test_invalid_decisions_are_refused(desk: ReviewClient) -> None:
    """The refusal lists valid choices. Decisions on outdated or unknown revisions are refused."""
    item = desk.unlabelled()
    for body, slug in (
        ({"do": "belongs"}, "wrong-decision"),
        ({"do": "assign"}, "wrong-decision"),
        ({"do": "assign", "envelope": 99}, "wrong-decision"),
        ({"do": "ignore", "envelope": 1}, "wrong-decision"),
        ({"do": "ignore", "reason": "   "}, "no-reason"),
        ({"do": "ignore", "card": "ZZ-ZZ-Z"}, "wrong-code"),
    ):
        assert problem(desk.rule(item, **body)) == f"422 {slug}"
        assert desk.item("no-label") == item
    assert desk.rule(item, do="assign", envelope=1).status_code == 200
    assert problem(desk.rule(item, do="assign", envelope=2)) == "412 changed"
    bare = desk.client.put(f"{desk.url}/queue/{item['key']}/ruling", json={"do": "ignore", "reason": "x"})
    assert bare.status_code == 428


def test_an_unread_card_is_entered_by_its_short_code(desk: ReviewClient, context: AppContext) -> None:
    """Any single wrong character is detected, with a message that says what to do."""
    add_photo(context, desk.game, reading(desk.hand[1:], [1], doubts=["glare"]))
    with context.database.reading() as session:
        code = code_of_card(load_game(session, desk.game), desk.hand[0])
    assert code is not None
    reply = desk.rule(desk.item("doubt"), do="card", card=code.lower().replace("-", " "))
    decision = {"do": "card", "card": desk.hand[0], "envelope": None, "envelopes": None}
    assert reply.json["item"]["ruling"]["decision"] == decision
    assert desk.client.get(f"{desk.url}/cards/{code}").json["envelope"] == 1
    bare = code.replace("-", "")
    slips = [bare[:at] + ("2" if bare[at] != "2" else "3") + bare[at + 1 :] for at in range(len(bare))]
    messages = {"0A-1F": "5 characters", "00-01-0": "one of them is wrong", "hello world": "characters"}
    for wrong in (*slips, *messages):
        refused = desk.client.get(f"{desk.url}/cards/{wrong}")
        assert refused.status_code == 422, wrong
        assert messages.get(wrong, "") in refused.json["detail"]


def test_an_envelope_has_its_deck_and_its_player_s_list(desk: ReviewClient, context: AppContext) -> None:
    """Both are in the order of the edition's kinds."""
    kinds = [kind["slug"] for kind in desk.client.get(f"{desk.url}/kinds").json["kinds"]]
    ordered = sorted(desk.hand, key=lambda card: (kinds.index(card.rpartition("-")[0]), card))
    add_photo(context, desk.game, reading(desk.hand[1:], [1]))
    with context.database.writing() as session:
        session.get_one(Envelope, (desk.game, 1)).submitted_cards = desk.hand
    found = desk.client.get(f"{desk.url}/hands/1").json or {}
    assert [card["card"] for card in found["cards"]] == [card for card in ordered if card != desk.hand[0]]
    assert [card["card"] for card in found["listed"]] == ordered
    assert desk.client.get(f"{desk.url}/hands/2").json == {
        "envelope": 2,
        "cards": [],
        "listed": None,
        "excluded": "not-seen",
    }
    assert problem(desk.client.get(f"{desk.url}/hands/99")) == "404 not-found"


def test_a_manual_card_counts_once(desk: ReviewClient, context: AppContext) -> None:
    """Repeated requests and the same card from another organiser have no effect; the opposite is a conflict.

    It is allowed as a correction after the freeze, but not before the game is open.
    """
    cards = dealt(context, desk.game, 2)
    body = {"code": cards[0], "envelope": 2, "reason": "The code is torn."}

    def send(key: str, **more: str) -> int:
        headers = {"Idempotency-Key": key}
        return desk.client.post(f"{desk.url}/cards", json=body | more, headers=headers).status_code

    assert [send(key) for key in ("a", "a", "b")] == [201, 201, 201]
    assert len(desk.client.get(f"{desk.url}/cards").json["entered"]) == 1
    assert send("c", do="remove") == 409
    with context.database.reading() as session:
        inputs = game_inputs(session, load_game(session, desk.game))
    assert (inputs.envelopes, inputs.left_out) == ((2,), dict.fromkeys((1, 3, 4, 5, 6), "not-seen"))
    states = ((State.PRINTED, 409), (State.FROZEN, 201), (State.PUBLISHED, 201))
    for card, (state, status) in zip(cards[1:4], states, strict=True):
        set_game(context, desk.game, state=state)
        assert send(state, code=card) == status


def test_a_players_list_is_entered_at_once(desk: ReviewClient, context: AppContext) -> None:
    """Each card that differs can be withdrawn. One that cannot be entered leaves all as it was."""
    with context.database.writing() as session:
        session.get_one(Envelope, (desk.game, 1)).submitted_cards = desk.hand[:-1]
    add_photo(context, desk.game, reading(desk.hand[3:], [1]))
    item = desk.item("count")
    assert [choice["do"] for choice in item["choices"]] == ["list", "accept"]
    assert desk.rule({**item, "revision": "0"}, do="list").status_code == 412

    outcome = desk.rule(item, do="list").json
    assert outcome["item"] is None
    entered = {one["cards"][0]["card"]: (one["ruling"]["decision"]["do"], one) for one in outcome["entered"]}
    assert {card: do for card, (do, _) in entered.items()} == {
        **dict.fromkeys(desk.hand[:3], "add"),
        desk.hand[-1]: "remove",
    }
    cards = desk.client.get(f"{desk.url}/hands/1").json["cards"]
    assert {card["card"] for card in cards} == set(desk.hand[:-1])
    (entry,) = audited(context, desk.game, "settle")
    assert (entry.subject, entry.after["decision"]["do"]) == (item["key"], "list")

    for _, one in entered.values():
        assert desk.take_back(one, one["revision"]).status_code == 200
    assert desk.item("count") == item

    body = {"code": desk.hand[-1], "envelope": 1, "reason": "It is there."}
    assert desk.client.post(f"{desk.url}/cards", json=body, headers={"Idempotency-Key": "a"}).status_code == 201
    assert problem(desk.rule(desk.item("count"), do="list")) == "409 conflict"
    assert len(desk.client.get(f"{desk.url}/cards").json["entered"]) == 1


def test_missing_envelopes_are_counted_alike_everywhere(desk: ReviewClient, context: AppContext) -> None:
    """Envelopes given out and not photographed, with or without a list, until an organiser has decided on them."""
    with context.database.writing() as session:
        session.get_one(Envelope, (desk.game, 3)).opened = None
        row = session.get_one(Envelope, (desk.game, 2))
        row.submitted_at, row.submitted_cards = row.opened, dealt(context, desk.game, 2)

    def missing() -> list[int]:
        envelopes = desk.client.get(f"{desk.url}/envelopes").json["envelopes"]
        numbers = [one["number"] for one in envelopes if one["missing"]]
        items = desk.queue(kind="missing")["items"] + desk.queue(kind="unseen")["items"]
        points = [point["slug"] for point in desk.client.get(f"{desk.url}/results").json["open"]]
        assert sorted(number for item in items for number in item["envelopes"]) == numbers
        assert desk.queue()["missing"] == len(numbers)
        assert points.count("missing") + points.count("unseen") == len(numbers)
        return numbers

    assert missing() == [1, 2, 4, 5, 6]
    add_photo(context, desk.game, reading(desk.hand, [1]))
    assert desk.rule(desk.item("unseen"), do="trust").status_code == 200
    assert desk.rule(desk.item("missing", envelope=5), do="absent").status_code == 200
    assert missing() == [4, 6]


def test_counting_an_envelope_reveals_a_missed_card(desk: ReviewClient, context: AppContext) -> None:
    """Each entered number is in the audit log."""
    for wrong in (-1, 1001, "3", 2.5):
        assert desk.count(1, wrong) == 422
    add_photo(context, desk.game, reading(desk.hand[:-2], [1]))
    for envelope in range(2, 7):
        add_photo(context, desk.game, reading(dealt(context, desk.game, envelope), [envelope]))
    assert desk.queue()["open"] == 0
    seen, whole = len(desk.hand) - 2, len(desk.hand)
    assert desk.count(1, whole) == 200
    item = desk.item("count")
    assert (item["case"], item["seen"], item["expected"]) == ("counted", seen, whole)
    frozen = desk.client.post(f"{desk.url}/acts", json={"act": "freeze"})
    assert problem(frozen) == "409 not-settled"
    assert desk.rule(item, do="accept").status_code == 200
    assert desk.queue()["open"] == 0
    assert desk.count(1, None) == 200
    assert desk.client.get(f"{desk.url}/envelopes/1").json["counted"] is None
    entries = [(entry.subject, entry.after) for entry in audited(context, desk.game, "count-cards")]
    assert entries == [("envelope 1", {"counted": whole}), ("envelope 1", {"counted": None})]


def test_a_game_may_expect_the_dealt_number_of_cards(desk: ReviewClient, context: AppContext) -> None:
    """By default it does not, since players trade unequal numbers of cards."""
    add_photo(context, desk.game, reading(desk.hand[1:], [1]))
    assert desk.queue(kind="count")["items"] == []
    assert desk.client.patch(desk.url, json={"expect_dealt": True}).json["expect_dealt"] is True
    item = desk.item("count")
    assert (item["case"], item["seen"], item["expected"]) == ("dealt", len(desk.hand) - 1, len(desk.hand))
    assert desk.count(1, len(desk.hand) - 1) == 200
    assert desk.queue(kind="count")["items"] == []


def test_the_number_counted_by_a_player_is_checked(app: Flask, desk: ReviewClient, context: AppContext) -> None:
    """A deck with fewer cards than its player counted does not confirm itself."""
    set_game(context, desk.game, state=State.OPEN)
    ada = Player(app, context, desk.game, 1)
    deck, whole = ada.begin(), len(ada.hand)
    ada.photograph(deck, ada.hand[1:], [1])
    body = {"digest": ada.look(deck)["digest"], "counted": whole}
    assert ada.client.post(f"{DECKS}/{deck}/confirm", json=body).json["counted"] == whole
    assert ada.hand_in(deck).status_code == 200
    add_photo(context, desk.game, reading(ada.hand[1:], [1]))
    item = desk.item("count")
    assert (item["case"], item["seen"], item["expected"]) == ("player", whole - 1, whole)


def test_a_decision_without_its_issue_is_shown(desk: ReviewClient) -> None:
    item = desk.unlabelled()
    desk.rule(item, do="assign", envelope=1)
    photo = f"{desk.url}/photos/{item['places'][0]['photo']}"
    assert desk.client.delete(photo).status_code == 422
    assert desk.client.delete(photo, query_string={"reason": "Twice."}).status_code == 204
    assert [lost["key"] for lost in desk.queue()["without_effect"]] == [item["key"]]
    back = desk.take_back(item, "0")
    assert (back.status_code, back.json["item"]) == (200, None)
    assert desk.queue()["without_effect"] == []


def test_the_audit_log_has_pages(desk: ReviewClient) -> None:
    desk.rule(desk.unlabelled(), do="ignore")

    def entries(**query: object) -> tuple[list[str], int | None]:
        body = desk.client.get(f"{desk.url}/audit", query_string=query).json
        return [entry["action"] for entry in body["entries"]], body["next"]

    seen, before = entries(limit=2)
    while before is not None:
        page, before = entries(limit=2, before=before)
        assert page
        seen += page
    assert seen == ["settle", "close", "open", "print", "create"]
    assert entries(action="settle", who="Olga")[0] == ["settle"]
    assert (entries(who="Olga")[0], entries(who="Otto")[0]) == (seen, [])
