"""Results over HTTP: counted and corrected by organisers, seen by players after publication alone."""

from __future__ import annotations

import json
from datetime import timedelta
from typing import TYPE_CHECKING, Any

import pytest
from sqlalchemy import select

from server.play.house import game_row
from server.play.states import State
from server.play.tokens import projector_token
from server.play.versions import publish, unpublish
from server.store.tables import Envelope, Ruling
from tests.house import ORGANISER, START, as_organiser, as_player, new_game
from tests.played import EDITIONS, counted_game, played_game, recorded, recorded_result

if TYPE_CHECKING:
    from flask import Flask
    from flask.testing import FlaskClient

    from server.play.house import House


START_OF = {"csv": b"\xef\xbb\xbf", "son": b"{", "pdf": b"%PDF-"}


def as_projector(app: Flask, house: House, game: str) -> FlaskClient:
    """Return a client that sends a game's projector token."""
    with house.database.reading() as session:
        row = game_row(session, game)
    client = app.test_client()
    client.environ_base["HTTP_AUTHORIZATION"] = f"Bearer {projector_token(row.id, row.key)}"
    return client


def _count(app: Flask, game: str, key: str = "k", **body: str) -> Any:  # noqa: ANN401 - an answer
    return as_organiser(app).post(f"/api/v1/games/{game}/results", json=body, headers={"Idempotency-Key": key})


def _accept_difference(house: House, game: str, envelope: int) -> None:
    """Let an organiser rename a player, which every count shows."""
    with house.database.writing() as session:
        session.get_one(Envelope, (game, envelope)).name = "Renamed"


def test_an_organiser_counts_corrects_and_compares(app: Flask, house: House) -> None:
    """Closed: counted and frozen. Frozen: counted anew with a reason, and what moved is listed."""
    game = played_game(house, confirmed=["blue_base"])
    assert _count(app, game).json == {"version": 1}
    client = as_organiser(app)
    first = client.get(f"/api/v1/games/{game}/results/1").json
    assert [hand["player"] for hand in first["hands"]] == [h["player"] for h in recorded_result("eurocg-2026")["hands"]]
    assert (first["since"], first["moves"]) == (None, [])
    _accept_difference(house, game, 1)
    assert client.get(f"/api/v1/games/{game}/results").json["stale"] is True
    assert _count(app, game, "other").status_code == 422
    assert _count(app, game, "third", reason="A wrong name.").json == {"version": 2}
    second = client.get(f"/api/v1/games/{game}/results/2").json
    assert [(m["envelope"], m["before"]["player"], m["after"]["player"]) for m in second["moves"]] == [
        (1, "Ada", "Renamed")
    ]
    listed = client.get(f"/api/v1/games/{game}/results").json
    assert [v["version"] for v in listed["versions"]] == [2, 1]
    assert listed["stale"] is False
    assert client.get(f"/api/v1/games/{game}/results/3").status_code == 404


def test_the_same_request_counts_once(app: Flask, house: House) -> None:
    """Sent twice with one key it makes one version; with another body the key is refused."""
    game = played_game(house, confirmed=["blue_base"])
    assert [_count(app, game).json for _ in range(2)] == [{"version": 1}] * 2
    assert _count(app, game, reason="another").status_code == 422
    assert len(as_organiser(app).get(f"/api/v1/games/{game}/results").json["versions"]) == 1


def test_what_is_open_is_listed(app: Flask, house: House) -> None:
    """The problem has the list, and a reason overrides it."""
    game = played_game(house)
    refused = _count(app, game)
    assert refused.status_code == 409
    assert [point["slug"] for point in refused.json["open"]] == ["confirm"]
    assert _count(app, game, "again", override="It is lost.").json == {"version": 1}
    shown = as_organiser(app).get(f"/api/v1/games/{game}/results/1").json
    assert [point["slug"] for point in shown["overridden"]] == ["confirm"]


@pytest.mark.parametrize("name", ["ranking.csv", "matrix.csv", "replay.json", "results.pdf"])
def test_files_come_as_downloads(name: str, app: Flask, house: House) -> None:
    """Each names itself by game and version."""
    game = counted_game(house)
    answer = as_organiser(app).get(f"/api/v1/games/{game}/results/1/{name}")
    assert answer.status_code == 200
    assert answer.headers["Content-Disposition"] == f'attachment; filename="{game}-1-{name}"'
    assert answer.data.startswith(START_OF[name[-3:]])


@pytest.mark.parametrize(
    "path", ["", "/1", "/1/ranking.csv", "/1/matrix.csv", "/1/replay.json", "/1/results.pdf", "/1/reveal"]
)
def test_players_and_strangers_get_no_organisers_results(path: str, app: Flask, house: House) -> None:
    """Neither a player's token nor a projector's opens them."""
    game = counted_game(house, published=True)
    for client in (app.test_client(), as_player(app, house, game, 1), as_projector(app, house, game)):
        assert client.get(f"/api/v1/games/{game}/results{path}").status_code == 401


@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize("language", ["en", "de", "fr"])
def test_after_publication_a_player_sees_every_line_and_every_rule(
    edition: str, language: str, app: Flask, house: House
) -> None:
    """The own hand with its lines in the wanted language, the ranking, and the wordings of all rules."""
    game = counted_game(house, edition, published=True)
    shown = as_player(app, house, game, 1).get(f"/api/v1/me/result?language={language}").json
    document = recorded_result(edition)
    mine = next(hand for hand in document["hands"] if hand["player"] == shown["own"]["player"])
    assert [line["points"] for line in shown["own"]["lines"]] == [line["points"] for line in mine["lines"]]
    assert (shown["own"]["rank"], shown["own"]["score"]) == (mine["rank"], mine["score"])
    assert [(p["rank"], p["player"]) for p in shown["ranking"]] == [(h["rank"], h["player"]) for h in document["hands"]]
    assert [place["player"] for place in shown["ranking"] if place["me"]] == [mine["player"]]
    assert shown["language"] == language
    assert all(rule["text"] for rule in shown["rules"])
    assert {line["rule"] for line in shown["own"]["lines"]} - {None} <= {rule["key"] for rule in shown["rules"]}


def test_after_publication_a_player_sees_what_of_the_own_list_counted(app: Flask, house: House) -> None:
    """The cards that counted, by kind, beside those on the list that the player handed in."""
    game = counted_game(house, published=True)
    hand = recorded("eurocg-2026")["hands"][0]
    with house.database.writing() as session:
        seat = session.get_one(Envelope, (game, 1))
        seat.claim = [*(seat.claim or ()), "red-499"]
    shown = as_player(app, house, game, 1).get("/api/v1/me/result").json
    assert {kind["kind"]: kind["count"] for kind in shown["own"]["kinds"]} == hand["cards"]
    listed = {kind["kind"]: kind["count"] for kind in shown["listed"]}
    told = [line["kind"] for line in shown["own"]["lines"] if line["rule"] is None]
    assert told
    assert set(told) <= set(hand["cards"])
    assert listed == {**hand["cards"], "red": hand["cards"].get("red", 0) + 1}


def test_before_publication_all_players_get_the_same_bytes(app: Flask, house: House) -> None:
    """Whatever the state and whoever asks, counted or not: one answer, which tells nothing."""
    games = [new_game(house, state) for state in (State.PRINTED, State.OPEN, State.CLOSED)]
    games += [counted_game(house), counted_game(house, published=True)]
    with house.database.writing() as session:
        unpublish(session, game_row(session, games[-1]), ORGANISER, START, "Wrong slide.")
    answers = {as_player(app, house, game, number).get("/api/v1/me/result").data for game in games for number in (1, 2)}
    assert len(answers) == 1
    assert as_player(app, house, games[0], 1).get("/api/v1/me/result").status_code == 409


def test_a_hand_that_does_not_count_is_told_why(app: Flask, house: House) -> None:
    """Its player sees the ranking and the rules, and no place of the own."""
    game = played_game(house, confirmed=["blue_base"], players=12)
    with house.database.writing() as session:
        session.get_one(Envelope, (game, 12)).claim = None
        session.add(Ruling(game=game, item="unseen:12", decision={"do": "absent"}, reason="-", who="Olga", at=START))
    assert _count(app, game, override="for the test").status_code == 201
    with house.database.writing() as session:
        publish(session, game_row(session, game), None, ORGANISER, START)
    shown = as_player(app, house, game, 12).get("/api/v1/me/result").json
    assert shown["own"] is None
    assert shown["left_out"]
    assert len(shown["ranking"]) == 11
    assert not any(place["me"] for place in shown["ranking"])


def test_a_hidden_player_is_known_to_the_own_page_alone(app: Flask, house: House) -> None:
    """Others and the big screen see a place without a name; the player sees it with it."""
    game = counted_game(house, "sackson-1969", published=True)
    with house.database.writing() as session:
        session.get_one(Envelope, (game, 9)).hidden = True
    own = as_player(app, house, game, 9).get("/api/v1/me/result").json
    assert own["own"]["player"] == "Second blue"
    assert [place["player"] for place in own["ranking"] if place["me"]] == ["Second blue"]
    others = [as_player(app, house, game, number).get("/api/v1/me/result").data for number in (1, 2, 7)]
    others.append(as_projector(app, house, game).get("/api/v1/projector").data)
    assert not any(b"Second blue" in answer for answer in others)
    places = json.loads(others[0])["ranking"]
    assert len(places) == 11
    assert [place["player"] for place in places].count(None) == 1


def test_the_screen_tells_nothing_of_the_count_before_publication(app: Flask, house: House) -> None:
    """The clock and the number of hand-ins; every byte is the same whatever lies in the envelopes."""
    answers = []
    for edition_hands in (False, True):
        game = counted_game(house)
        if edition_hands:
            with house.database.writing() as session:
                for number in range(1, 12):
                    seat = session.get_one(Envelope, (game, number))
                    seat.claim, seat.name, seat.hidden = [], f"Other {number}", True
        answers.append(as_projector(app, house, game).get("/api/v1/projector").data.replace(game.encode(), b"GAME"))
    assert answers[0] == answers[1]
    said = json.loads(answers[0])
    assert said["reveal"] is None
    assert (said["hand_ins"], said["envelopes"], said["state"]) == (11, 11, "frozen")


@pytest.mark.parametrize("edition", EDITIONS)
def test_the_reveal_goes_up_from_the_last_place(edition: str, app: Flask, house: House) -> None:
    """Each step names the rules that brought more than to the place below."""
    game = counted_game(house, edition, published=True)
    reveal = as_projector(app, house, game).get("/api/v1/projector").json["reveal"]
    document = recorded_result(edition)
    assert [step["player"] for step in reveal] == [hand["player"] for hand in reversed(document["hands"])]
    assert any(step["lines"] for step in reveal)
    for step in reveal:
        assert len(step["lines"]) <= 3
        assert all(float(line["more"]) > 0 for line in step["lines"])


def test_an_older_version_stays_published_until_the_newer_one_is(app: Flask, house: House) -> None:
    """A correction changes nothing for players before it is published."""
    game = counted_game(house, published=True)
    player = as_player(app, house, game, 1)
    before = player.get("/api/v1/me/result").data
    _accept_difference(house, game, 1)
    _count(app, game, reason="A wrong name.")
    assert player.get("/api/v1/me/result").data == before
    with house.database.writing() as session:
        publish(session, game_row(session, game), None, ORGANISER, START)
    assert player.get("/api/v1/me/result").json["own"]["player"] == "Renamed"


def _rule_late(house: House, game: str, envelope: int, do: str) -> None:
    """Let an organiser decide on a late hand."""
    with house.database.writing() as session:
        item = f"late:{envelope}"
        row = session.scalar(select(Ruling).where(Ruling.game == game, Ruling.item == item))
        if row is None:
            session.add(Ruling(game=game, item=item, decision={"do": do}, reason="-", who="Olga", at=START))
        else:
            row.decision = {"do": do}


def test_a_late_hand_counts_once_it_is_accepted(app: Flask, house: House) -> None:
    """Undecided it is open; accepted it has a place; refused by a correction it is gone, and others move up."""
    game = played_game(house, confirmed=["blue_base"])
    with house.database.writing() as session:
        late = session.get_one(Envelope, (game, 7))
        assert late.name == "Greta"
        closed = game_row(session, game).closed
        assert closed is not None
        late.claimed = late.received = closed + timedelta(minutes=5)
    assert [point["slug"] for point in _count(app, game).json["open"]] == ["late"]
    _rule_late(house, game, 7, "accept")
    assert _count(app, game, "second").status_code == 201
    first = as_organiser(app).get(f"/api/v1/games/{game}/results/1").json
    assert (first["hands"][0]["player"], first["left_out"]) == ("Greta", [])
    _rule_late(house, game, 7, "refuse")
    assert _count(app, game, "third", reason="Five minutes are too many.").status_code == 201
    second = as_organiser(app).get(f"/api/v1/games/{game}/results/2").json
    assert second["left_out"] == [{"envelope": 7, "reason": "late-refused"}]
    gone = next(move for move in second["moves"] if move["envelope"] == 7)
    assert (gone["before"]["rank"], gone["after"], gone["come"]) == (1, None, [])
    assert gone["gone"]
    ranks = {move["before"]["rank"]: move["after"]["rank"] for move in second["moves"] if move["after"]}
    assert ranks[2] == 1


def test_an_eliminated_hand_has_a_verdict_in_place_of_a_score(app: Flask, house: House) -> None:
    """On its player's page, in the ranking, in the tables and in the reveal."""
    game = counted_game(house, "sackson-1969", published=True)
    shown = as_player(app, house, game, 6).get("/api/v1/me/result?language=de").json
    assert (shown["own"]["player"], shown["own"]["score"], shown["own"]["eliminated"]) == ("Greedy", None, True)
    assert shown["own"]["verdict"].startswith("Ausgeschieden")
    assert [place["eliminated"] for place in shown["ranking"]][-1] is True
    reveal = as_projector(app, house, game).get("/api/v1/projector").json["reveal"]
    assert (reveal[0]["player"], reveal[0]["score"]) == ("Greedy", None)
    table = as_organiser(app).get(f"/api/v1/games/{game}/results/1/ranking.csv").data.decode("utf-8-sig")
    assert ",Greedy,6,,yes," in table
