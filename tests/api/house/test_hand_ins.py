"""Organisers settle what hand-ins leave open: pictures, the queue, cards by hand, the record."""

from __future__ import annotations

import io
import threading
from typing import TYPE_CHECKING, Any

import pytest
from PIL import Image
from sqlalchemy import select

from cardgen.cards import CardId
from server.play.entry import code_of
from server.play.house import game_row
from server.play.inputs import game_inputs, open_points
from server.play.states import State
from server.store.tables import AuditEntry, Card, Envelope, Game, Photo, Ruling
from tests.house import as_organiser, new_game
from tests.players import DECKS, Player
from tests.readings import add_photo, reading

if TYPE_CHECKING:
    from flask import Flask
    from flask.testing import FlaskClient

    from server.jobs.readings import Reading
    from server.play.house import House


@pytest.fixture
def game(house: House) -> str:
    """Return a closed game of six envelopes."""
    return new_game(house, State.CLOSED)


@pytest.fixture
def client(app: Flask) -> FlaskClient:
    """Return a client that is signed in as an organiser."""
    return as_organiser(app)


def _dealt(house: House, game: str, envelope: int) -> list[str]:
    with house.database.reading() as session:
        rows = session.scalars(select(Card).where(Card.game == game, Card.envelope == envelope)).all()
    return sorted(CardId(row.kind, row.copy).name for row in rows)


def _queue(client: FlaskClient, game: str, **query: object) -> dict[str, Any]:
    told = client.get(f"/api/v1/games/{game}/queue", query_string=query)
    assert told.status_code == 200, told.text
    document: dict[str, Any] = told.json
    return document


def _item(client: FlaskClient, game: str, kind: str, **query: object) -> dict[str, Any]:
    (item,) = _queue(client, game, kind=kind, **query)["items"]
    return dict(item)


def _rule(client: FlaskClient, game: str, item: dict[str, Any], **body: object) -> Any:  # noqa: ANN401 - werkzeug's response
    return client.put(
        f"/api/v1/games/{game}/queue/{item['key']}/ruling",
        json={"reason": "Looked at the table.", **body},
        headers={"If-Match": item["revision"]},
    )


def _unlabelled(house: House, game: str) -> tuple[list[str], str]:
    """Add a picture of envelope 1's cards without a label; return the cards and the picture's id."""
    cards = _dealt(house, game, 1)
    return cards, add_photo(house, game, reading(cards), batch="table-1", place=1)


def test_a_picture_without_a_label_is_settled_with_a_reason(house: House, client: FlaskClient, game: str) -> None:
    """The item names picture, place and cut-out; decided, the cards count, and the record has both sides."""
    cards, photo = _unlabelled(house, game)
    item = _item(client, game, "no-label")
    assert [card["card"] for card in item["cards"]] == cards
    assert item["places"][0]["photo"] == photo
    assert f"/photos/{photo}/image?crop=" in item["places"][0]["image"]
    told = _rule(client, game, item, do="assign", envelope=1)
    assert (told.status_code, told.json["item"]["standing"]) == (200, "ruled")
    with house.database.reading() as session:
        hand = game_inputs(session, game_row(session, game)).game["hands"][0]
        assert sum(hand["cards"].values()) == len(cards)
        entry = session.scalars(select(AuditEntry).where(AuditEntry.action == "settle")).one()
        assert session.get_one(Envelope, (game, 1)).received is not None
    assert (entry.who, entry.reason) == ("Olga", "Looked at the table.")
    assert entry.before == {"decision": None, "hands": {"1": {"cards": [], "left_out": "not-seen"}}}
    assert entry.after is not None
    assert entry.after["hands"] == {"1": {"cards": cards, "left_out": None}}


def test_a_decision_taken_back_is_as_if_it_never_was(house: House, client: FlaskClient, game: str) -> None:
    """Queue and hands are what they were; the record has one more entry for it."""
    _unlabelled(house, game)
    before = _queue(client, game, standing="all")
    item = _item(client, game, "no-label")
    ruled = _rule(client, game, item, do="assign", envelope=1).json["item"]
    told = client.delete(
        f"/api/v1/games/{game}/queue/{item['key']}/ruling",
        query_string={"reason": "Wrong envelope."},
        headers={"If-Match": ruled["revision"]},
    )
    assert told.status_code == 200
    assert _queue(client, game, standing="all") == before
    with house.database.reading() as session:
        assert session.scalar(select(Ruling).where(Ruling.game == game)) is None
        actions = session.scalars(select(AuditEntry.action).where(AuditEntry.subject == item["key"])).all()
        assert session.get_one(Envelope, (game, 1)).received is None
    assert actions == ["settle", "take-back"]


def test_two_organisers_do_not_settle_an_item_differently_unawares(
    app: Flask, house: House, client: FlaskClient, game: str
) -> None:
    """Both looked at the same; the second one is told to look again, also when both come at once."""
    _unlabelled(house, game)
    item = _item(client, game, "no-label")
    answers: list[int] = []

    def decide(name: str, envelope: int) -> None:
        answers.append(_rule(as_organiser(app, name), game, item, do="assign", envelope=envelope).status_code)

    threads = [threading.Thread(target=decide, args=(f"O{number}", number)) for number in (1, 2, 3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(answers) == [200, 412, 412]
    told = _rule(client, game, item, do="assign", envelope=2)
    assert (told.status_code, told.json["type"]) == (412, "/problems/changed")
    bare = client.put(f"/api/v1/games/{game}/queue/{item['key']}/ruling", json={"do": "ignore", "reason": "x"})
    assert bare.status_code == 428


@pytest.mark.parametrize(
    ("body", "slug"),
    [
        ({"do": "belongs"}, "wrong-decision"),
        ({"do": "assign"}, "wrong-decision"),
        ({"do": "assign", "envelope": 99}, "wrong-decision"),
        ({"do": "ignore", "envelope": 1}, "wrong-decision"),
        ({"do": "ignore", "reason": "   "}, "no-reason"),
        ({"do": "ignore", "card": "ZZ-ZZ-Z"}, "wrong-code"),
    ],
)
def test_what_cannot_be_decided_is_refused(
    house: House, client: FlaskClient, game: str, body: dict[str, Any], slug: str
) -> None:
    """The refusal says what can be, and nothing changes."""
    _unlabelled(house, game)
    item = _item(client, game, "no-label")
    told = _rule(client, game, item, **body)
    assert (told.status_code, told.json["type"]) == (422, f"/problems/{slug}")
    assert _item(client, game, "no-label") == item


def test_an_unread_card_is_typed_by_its_short_code(house: House, client: FlaskClient, game: str) -> None:
    """The code printed on the card says which lies at the unread place."""
    cards = _dealt(house, game, 1)
    add_photo(house, game, reading(cards[1:], [1], doubts=["glare"]))
    with house.database.reading() as session:
        code = code_of(game_row(session, game), cards[0])
    assert code is not None
    told = _rule(client, game, _item(client, game, "doubt"), do="card", card=code.lower().replace("-", " "))
    assert told.json["item"]["ruling"]["decision"] == {
        "do": "card",
        "card": cards[0],
        "envelope": None,
        "envelopes": None,
    }
    assert client.get(f"/api/v1/games/{game}/cards/{code}").json["envelope"] == 1


@pytest.mark.parametrize(
    ("code", "said"),
    [("0A-1F", "5 characters"), ("00-01-0", "one of them is wrong"), ("hello world", "characters")],
)
def test_a_mistyped_code_says_what_is_wrong(client: FlaskClient, game: str, code: str, said: str) -> None:
    """The check character finds the slip, and the words say what to do."""
    told = client.get(f"/api/v1/games/{game}/cards/{code}")
    assert told.status_code == 422
    assert said in told.json["detail"]


def test_every_single_slip_in_a_short_code_is_found(house: House, client: FlaskClient, game: str) -> None:
    """Another character at any place names no card, or at least not a card by accident."""
    with house.database.reading() as session:
        code = str(code_of(game_row(session, game), _dealt(house, game, 1)[0])).replace("-", "")
    for place in range(len(code)):
        wrong = code[:place] + ("2" if code[place] != "2" else "3") + code[place + 1 :]
        assert client.get(f"/api/v1/games/{game}/cards/{wrong}").status_code == 422


def test_a_card_by_hand_counts_once_however_often_it_is_sent(house: House, client: FlaskClient, game: str) -> None:
    """The same request again, or another organiser with the same card, adds nothing; the opposite is a conflict."""
    card = _dealt(house, game, 2)[0]
    body = {"code": card, "envelope": 2, "reason": "The code is torn."}
    for key in ("a", "a", "b"):
        told = client.post(f"/api/v1/games/{game}/cards", json=body, headers={"Idempotency-Key": key})
        assert told.status_code == 201, told.text
    assert len(client.get(f"/api/v1/games/{game}/cards").json["entered"]) == 1
    told = client.post(f"/api/v1/games/{game}/cards", json={**body, "do": "remove"}, headers={"Idempotency-Key": "c"})
    assert told.status_code == 409
    with house.database.reading() as session:
        inputs = game_inputs(session, game_row(session, game))
    assert inputs.envelopes == (2,)
    assert inputs.left_out == {1: "not-seen", 3: "not-seen", 4: "not-seen", 5: "not-seen", 6: "not-seen"}


def test_a_counted_game_is_corrected_by_decisions(house: House, client: FlaskClient) -> None:
    """After the freeze a decision is a correction and allowed; in a game that is not open yet it is not."""
    for state, status in [(State.PRINTED, 409), (State.FROZEN, 201), (State.PUBLISHED, 201)]:
        game = new_game(house, state)
        body = {"code": _dealt(house, game, 2)[0], "envelope": 2, "reason": "Found under the table."}
        told = client.post(f"/api/v1/games/{game}/cards", json=body, headers={"Idempotency-Key": game})
        assert told.status_code == status


def test_open_items_and_waiting_pictures_are_open_points(house: House, client: FlaskClient, game: str) -> None:
    """Whoever counts is told of all that is still to be settled."""
    _unlabelled(house, game)
    add_photo(house, game)
    with house.database.reading() as session:
        slugs = [point.slug for point in open_points(session, game_row(session, game), {"blue_base": 0})]
    assert slugs.count("missing") == 6
    assert {"pictures", "no-label"} <= set(slugs)
    told = _queue(client, game)
    assert (told["waiting"], told["open"], told["kinds"]) == (1, 7, {"no-label": 1, "missing": 6})


def _counted(client: FlaskClient, game: str, envelope: int, counted: int | None) -> int:
    return client.patch(f"/api/v1/games/{game}/envelopes/{envelope}", json={"counted": counted}).status_code


def test_a_missed_card_is_noticed_by_counting_the_envelope(house: House, client: FlaskClient, game: str) -> None:
    """The count waits until the deck is said to be right, or the missing card is found; each number is recorded."""
    cards = _dealt(house, game, 1)
    add_photo(house, game, reading(cards[:-2], [1]))
    for envelope in range(2, 7):
        add_photo(house, game, reading(_dealt(house, game, envelope), [envelope]))
    assert _queue(client, game)["open"] == 0
    assert _counted(client, game, 1, len(cards)) == 200
    item = _item(client, game, "count")
    assert (item["case"], item["seen"], item["expected"]) == ("counted", len(cards) - 2, len(cards))
    frozen = client.post(f"/api/v1/games/{game}/acts", json={"act": "freeze"})
    assert (frozen.status_code, frozen.json["type"]) == (409, "/problems/not-settled")
    assert _rule(client, game, item, do="accept").status_code == 200
    assert _queue(client, game)["open"] == 0
    add_photo(house, game, reading(cards[:-1], [1]))
    assert _item(client, game, "count")["seen"] == len(cards) - 1
    add_photo(house, game, reading(cards, [1]))
    assert _queue(client, game, kind="count", standing="all")["items"] == []
    assert _counted(client, game, 1, None) == 200
    assert client.get(f"/api/v1/games/{game}/envelopes/1").json["counted"] is None
    with house.database.reading() as session:
        entries = session.scalars(select(AuditEntry).where(AuditEntry.action == "count-cards")).all()
    assert [(entry.subject, entry.after) for entry in entries] == [
        ("envelope 1", {"counted": len(cards)}),
        ("envelope 1", {"counted": None}),
    ]


def test_a_game_may_expect_the_number_dealt(house: House, client: FlaskClient, game: str) -> None:
    """Only where its organisers say so: people trade three cards for one, and need not hand in all they have."""
    cards = _dealt(house, game, 1)
    add_photo(house, game, reading(cards[1:], [1]))
    assert _queue(client, game, kind="count")["items"] == []
    assert client.patch(f"/api/v1/games/{game}", json={"expect_dealt": True}).json["expect_dealt"] is True
    item = _item(client, game, "count")
    assert (item["case"], item["seen"], item["expected"]) == ("dealt", len(cards) - 1, len(cards))
    assert _counted(client, game, 1, len(cards) - 1) == 200
    assert _queue(client, game, kind="count")["items"] == []


@pytest.mark.parametrize("missing", [0, 1])
def test_the_number_that_a_player_counted_goes_with_the_list(
    app: Flask, house: House, client: FlaskClient, missing: int
) -> None:
    """A list that its player says is whole supports the deck; one with fewer cards than were counted does not."""
    game = new_game(house)
    ada = Player(app, house, game, 1)
    found = ada.hand[missing:]
    deck = ada.begin()
    ada.photograph(deck, found, [1])
    body = {"digest": ada.look(deck)["digest"], "counted": len(ada.hand)}
    assert ada.client.post(f"{DECKS}/{deck}/confirm", json=body).json["counted"] == len(ada.hand)
    assert ada.hand_in(deck).status_code == 200
    add_photo(house, game, reading(found, [1]))
    _counted(client, game, 2, 5)
    items = _queue(client, game, kind="count")["items"]
    assert [(item["case"], item["seen"], item["expected"]) for item in items] == [
        ("player", len(found), len(ada.hand))
    ] * missing


@pytest.mark.parametrize("counted", [-1, 1001, "3", 2.5])
def test_what_nobody_can_count_is_refused(client: FlaskClient, game: str, counted: object) -> None:
    """A whole number of cards, or nothing."""
    told = client.patch(f"/api/v1/games/{game}/envelopes/1", json={"counted": counted})
    assert told.status_code == 422


def test_a_decision_whose_item_is_gone_is_shown(house: House, client: FlaskClient, game: str) -> None:
    """The picture is deleted: the decision about it has no effect, is shown, and can be taken back."""
    _, photo = _unlabelled(house, game)
    item = _item(client, game, "no-label")
    _rule(client, game, item, do="assign", envelope=1)
    assert client.delete(f"/api/v1/games/{game}/photos/{photo}").status_code == 422
    gone = client.delete(f"/api/v1/games/{game}/photos/{photo}", query_string={"reason": "Twice."})
    assert gone.status_code == 204
    told = _queue(client, game)
    assert [lost["key"] for lost in told["without_effect"]] == [item["key"]]
    back = client.delete(
        f"/api/v1/games/{game}/queue/{item['key']}/ruling",
        query_string={"reason": "No longer needed."},
        headers={"If-Match": "0"},
    )
    assert (back.status_code, back.json["item"]) == (200, None)
    assert _queue(client, game)["without_effect"] == []


def test_the_list_of_pictures_tells_how_far_they_are(house: House, client: FlaskClient, game: str) -> None:
    """Counts by state are of all; filters and pages choose among them."""
    cards = _dealt(house, game, 1)
    first = add_photo(house, game, reading(cards, [1]), batch="a", place=1)
    second = add_photo(house, game, reading(), batch="a", place=2)
    third = add_photo(house, game, batch="b", place=1)
    add_photo(house, game, reading(cards, [1]), envelope=1)

    def ids(**query: object) -> list[str]:
        told = client.get(f"/api/v1/games/{game}/photos", query_string=query).json
        assert told["states"] == {"waiting": 1, "scanning": 0, "done": 2, "failed": 0}
        return [photo["id"] for photo in told["photos"]]

    assert ids() == [first, second, third]
    assert ids(state="waiting") == [third]
    assert ids(batch="a", limit=1, offset=1) == [second]
    assert ids(envelope=1) == [first]
    assert ids(doubtful="true") == [second]
    assert (ids(limit=0), ids(limit=0, state="waiting")) == ([], [])
    totals = [
        client.get(f"/api/v1/games/{game}/photos?{query}").json["total"] for query in ("limit=0", "limit=0&envelope=1")
    ]
    assert totals == [3, 1]
    assert client.get(f"/api/v1/games/{game}/photos?limit=-1").status_code == 422
    detail = client.get(f"/api/v1/games/{game}/photos/{first}").json
    assert (detail["envelopes"], len(detail["seen"]), detail["open"]) == ([1], len(cards), 0)


def test_players_pictures_that_wait_are_told_of(house: House, client: FlaskClient, game: str) -> None:
    """Those that wait or are being read, of this game; none of them is in the list or among the states."""
    add_photo(house, game, envelope=1)
    add_photo(house, game, envelope=2, state="scanning")
    add_photo(house, game, envelope=1, state="failed", reason="crashed")
    add_photo(house, game, reading(), envelope=1)
    add_photo(house, game)
    add_photo(house, new_game(house), envelope=1)
    told = client.get(f"/api/v1/games/{game}/photos").json
    assert (told["of_players"], told["total"], told["states"]["waiting"], told["readers"]) == (2, 1, 1, 0)


def test_a_picture_with_a_label_can_be_given_to_another(house: House, client: FlaskClient, game: str) -> None:
    """By the picture's own address, with its revision."""
    photo = add_photo(house, game, reading(_dealt(house, game, 1), [1]))
    address = f"/api/v1/games/{game}/photos/{photo}"
    revision = client.get(address).json["revision"]
    body = {"envelope": 2, "reason": "The label lay in the wrong heap."}
    assert client.patch(address, json=body, headers={"If-Match": "0"}).status_code == 412
    assert client.patch(address, json=body, headers={"If-Match": revision}).status_code == 200
    assert client.get(address).json["envelopes"] == [2]


def test_players_pictures_are_no_business_of_the_queue(house: House, client: FlaskClient, game: str) -> None:
    """What players photograph for themselves is not shown to organisers, and not counted."""
    photo = add_photo(house, game, reading(_dealt(house, game, 1), [1]), envelope=1)
    for address in (photo, f"{photo}/image"):
        assert client.get(f"/api/v1/games/{game}/photos/{address}").status_code == 404
    assert client.get(f"/api/v1/games/{game}/photos").json["total"] == 0


def _jpeg(width: int = 400, height: int = 300) -> bytes:
    image = Image.new("RGB", (width, height), "white")
    image.paste("red", (100, 50, 200, 150))
    out = io.BytesIO()
    image.save(out, "JPEG", quality=95)
    return out.getvalue()


def _send(client: FlaskClient, game: str, key: str, **query: object) -> Any:  # noqa: ANN401 - werkzeug's response
    return client.post(
        f"/api/v1/games/{game}/photos",
        query_string=query,
        data={"photo": (io.BytesIO(_jpeg()), "deck.jpg")},
        headers={"Idempotency-Key": key},
    )


def test_a_picture_comes_in_and_its_parts_go_out(house: House, client: FlaskClient, game: str) -> None:
    """One request, one picture; cut-outs are JPEGs of the place and size asked for."""
    told = _send(client, game, "a", batch="t", place=7, name="IMG_1.jpg")
    assert told.status_code == 201, told.text
    assert (told.json["state"], told.json["batch"], told.json["place"]) == ("waiting", "t", 7)
    address = f"/api/v1/games/{game}/photos/{told.json['id']}/image"
    assert client.get(address).mimetype == "image/jpeg"
    assert client.get(address, query_string={"width": 100}).status_code == 409
    _finish(house, told.json["id"], reading())
    piece = client.get(address, query_string={"crop": "100,50,200,150", "width": 50})
    with Image.open(io.BytesIO(piece.data)) as image:
        assert image.size == (50, 50)
        assert image.getpixel((25, 25))[0] > 200
        assert image.getpixel((25, 25))[1] < 60
    assert client.get(address, query_string={"crop": "500,500,600,600"}).status_code == 422
    assert client.get(address, query_string={"crop": "1,2,3"}).status_code == 422
    assert _send(client, game, "a", batch="t", place=7, name="IMG_1.jpg").json == told.json
    assert _send(client, game, "b", batch="t", place=7, name="IMG_1.jpg").json["id"] == told.json["id"]


def _finish(house: House, photo: str, found: Reading) -> None:
    with house.database.writing() as session:
        row = session.get_one(Photo, photo)
        row.state, row.reading, row.scanned = "done", found.as_json(), house.clock()


def test_a_new_picture_is_answered_as_the_list_shows_it(house: House, client: FlaskClient, game: str) -> None:
    """Among others that were read; also where its file is another picture already, which it then names."""
    add_photo(house, game, reading(_dealt(house, game, 1), [1]))
    for batch in ("table-1", "table-2"):
        told = _send(client, game, f"new-{batch}", batch=batch)
        assert told.status_code == 201, told.text
        listed = client.get(f"/api/v1/games/{game}/photos", query_string={"batch": batch}).json["photos"]
        assert listed == [told.json]
    assert told.json["same_as"] is not None


def test_pictures_are_taken_while_the_game_is_open_or_closed(house: House, client: FlaskClient) -> None:
    """Before it opens and after it is counted there is nothing to photograph."""
    for state in (State.PRINTED, State.FROZEN):
        told = _send(client, new_game(house, state), state)
        assert (told.status_code, told.json["type"]) == (409, "/problems/wrong-state")


def test_a_picture_sent_again_after_the_count_gets_its_answer(house: House, client: FlaskClient, game: str) -> None:
    """It was taken then; a new one is refused."""
    first = _send(client, game, "a")
    with house.database.writing() as session:
        session.get_one(Game, game).state = State.FROZEN
    again = _send(client, game, "a")
    assert (again.status_code, again.json) == (201, first.json)
    assert _send(client, game, "b").status_code == 409


def test_a_failed_picture_can_be_read_again(house: House, client: FlaskClient, game: str) -> None:
    """It waits again, and the record says who asked."""
    photo = add_photo(house, game, state="failed", reason="crashed")
    assert _item(client, game, "failed", standing="settled")["places"][0]["photo"] == photo
    told = client.post(f"/api/v1/games/{game}/photos/{photo}/scan")
    assert (told.status_code, told.json["state"]) == (200, "waiting")
    assert _queue(client, game, kind="failed", standing="all")["items"] == []


def test_a_picture_that_is_being_deleted_is_not_read_again(house: House, app: Flask, game: str) -> None:
    """Who asks just then waits for the answer: it would be read for ever, without a file."""
    photo = add_photo(house, game, state="failed", reason="crashed")
    told: list[int] = []

    def ask() -> None:
        told.append(as_organiser(app).post(f"/api/v1/games/{game}/photos/{photo}/scan").status_code)

    asking = threading.Thread(target=ask)
    with house.database.writing() as session:
        session.get_one(Photo, photo, with_for_update=True).erased = house.clock()
        session.flush()
        asking.start()
        asking.join(1.0)
        assert asking.is_alive()
    asking.join(60)
    assert told == [409]
    with house.database.reading() as session:
        assert session.get_one(Photo, photo).state == "failed"


def test_the_record_is_read_page_by_page(house: House, client: FlaskClient, game: str) -> None:
    """The newest first; `next` leads on until the first entry."""
    _unlabelled(house, game)
    _rule(client, game, _item(client, game, "no-label"), do="ignore")
    seen: list[str] = []
    before: int | None = None
    for _ in range(20):
        query = {"limit": 2} | ({} if before is None else {"before": before})
        told = client.get(f"/api/v1/games/{game}/audit", query_string=query).json
        seen += [entry["action"] for entry in told["entries"]]
        before = told["next"]
        if before is None:
            break
    assert seen == ["settle", "close", "open", "print", "create"]
    only = client.get(f"/api/v1/games/{game}/audit", query_string={"action": "settle"}).json["entries"]
    assert [entry["who"] for entry in only] == ["Olga"]
    for who, entries in (("Olga", 5), ("Otto", 0)):
        told = client.get(f"/api/v1/games/{game}/audit", query_string={"who": who}).json
        assert len(told["entries"]) == entries
