"""Results: counts and corrections by organisers, and results for players and projectors after publication."""

from __future__ import annotations

import io
import json
import re
from datetime import timedelta
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import cv2
import numpy as np
import pytest
from PIL import Image
from sqlalchemy import delete

from scanner import read_codes
from server.api.auth import projector_token
from server.db.models import Envelope, Photo, ReviewDecision
from server.games.lifecycle.repository import load_game
from server.games.lifecycle.states import State
from server.games.results.versions import publish, unpublish
from tests.context import ORGANISER, START, as_organiser, as_player, as_projector, new_game
from tests.played_game import EDITIONS, counted_game, played_game, recorded, recorded_result
from tests.readings import add_photo, reading

if TYPE_CHECKING:
    from flask import Flask

    from server.games.context import AppContext

RESULT, SCREEN = "/api/v1/me/result", "/api/v1/projector"
START_OF = {"ranking.csv": b"\xef\xbb\xbf", "matrix.csv": b"\xef\xbb\xbf", "replay.json": b"{", "results.pdf": b"%PDF-"}


def _count(app: Flask, game: str, key: str = "k", **body: str) -> Any:  # noqa: ANN401 - an answer
    return as_organiser(app).post(f"/api/v1/games/{game}/results", json=body, headers={"Idempotency-Key": key})


def _publish(context: AppContext, game: str) -> None:
    with context.database.writing() as session:
        publish(session, load_game(session, game), None, ORGANISER, START)


def _change(context: AppContext, game: str, envelope: int, **columns: object) -> None:
    with context.database.writing() as session:
        seat = session.get_one(Envelope, (game, envelope))
        for name, value in columns.items():
            setattr(seat, name, value)


def _rule(context: AppContext, game: str, item: str, do: str) -> None:
    with context.database.writing() as session:
        session.execute(delete(ReviewDecision).where(ReviewDecision.game == game, ReviewDecision.item == item))
        session.add(ReviewDecision(game=game, item=item, decision={"do": do}, reason="-", who="Olga", at=START))


def test_a_game_is_counted_published_corrected_and_compared(app: Flask, context: AppContext) -> None:
    """Players see a correction only after it is published; a repeated request counts once."""
    game = played_game(context)
    client, path = as_organiser(app), f"/api/v1/games/{game}/results"
    refused = _count(app, game, "refused")
    assert (refused.status_code, [point["slug"] for point in refused.json["open"]]) == (409, ["confirm"])
    assert [_count(app, game, override="It is lost.").json for _ in range(2)] == [{"version": 1}] * 2
    assert _count(app, game, override="another body").status_code == 422
    first = client.get(f"{path}/1").json
    assert [point["slug"] for point in first["overridden"]] == ["confirm"]
    assert [hand["player"] for hand in first["hands"]] == [h["player"] for h in recorded_result("eurocg-2026")["hands"]]
    assert (first["since"], first["moves"]) == (None, [])
    for name, start in START_OF.items():
        file = client.get(f"{path}/1/{name}")
        assert file.headers["Content-Disposition"] == f'attachment; filename="{game}-1-{name}"'
        assert file.data.startswith(start), name
    _publish(context, game)
    player = as_player(app, context, game, 1)
    before = player.get(RESULT).data
    _change(context, game, 1, name="Renamed")
    assert client.get(path).json["stale"] is True
    assert _count(app, game, "without a reason").status_code == 422
    corrected = _count(app, game, "corrected", reason="A wrong name.", override="It is lost.")
    assert corrected.json == {"version": 2}
    moves = client.get(f"{path}/2").json["moves"]
    assert [(m["envelope"], m["before"]["player"], m["after"]["player"]) for m in moves] == [(1, "Ada", "Renamed")]
    listed = client.get(path).json
    assert ([one["version"] for one in listed["versions"]], listed["stale"]) == ([2, 1], False)
    assert client.get(f"{path}/3").status_code == 404
    assert player.get(RESULT).data == before
    _publish(context, game)
    assert player.get(RESULT).json["own"]["player"] == "Renamed"


@pytest.mark.parametrize("edition", EDITIONS)
def test_published_results_are_visible_to_everybody(edition: str, app: Flask, context: AppContext) -> None:
    """A player sees the player's own lines, the ranking and all rules in each language; the reveal goes up by rank."""
    game = counted_game(context, edition, published=True)
    player, document = as_player(app, context, game, 1), recorded_result(edition)
    for language in ("en", "de", "fr"):
        shown = player.get(f"{RESULT}?language={language}").json
        mine = next(hand for hand in document["hands"] if hand["player"] == shown["own"]["player"])
        assert [line["points"] for line in shown["own"]["lines"]] == [line["points"] for line in mine["lines"]]
        assert (shown["own"]["rank"], shown["own"]["score"]) == (mine["rank"], mine["score"])
        assert [entry["player"] for entry in shown["ranking"] if entry["me"]] == [mine["player"]]
        places = [(entry["rank"], entry["player"]) for entry in shown["ranking"]]
        assert places == [(hand["rank"], hand["player"]) for hand in document["hands"]]
        assert shown["language"] == language
        assert all(rule["text"] for rule in shown["rules"])
        assert {line["rule"] for line in shown["own"]["lines"]} - {None} <= {rule["key"] for rule in shown["rules"]}
    reveal = as_projector(app, context, game).get(SCREEN).json["reveal"]
    assert [step["player"] for step in reveal] == [hand["player"] for hand in reversed(document["hands"])]
    assert any(step["lines"] for step in reveal)
    for step in reveal:
        assert len(step["lines"]) <= 3
        assert all(float(line["more"]) > 0 for line in step["lines"])
    body = as_organiser(app).get(f"/api/v1/games/{game}/results/1/reveal?language=de").json["reveal"]
    _check_losses(body, document["hands"][::-1])


def _check_losses(reveal: list[dict[str, Any]], hands: list[dict[str, Any]]) -> None:
    """Check that losses are negative, that void lines name their rule, and that rules have names."""
    for step, hand in zip(reveal, hands, strict=True):
        sums: dict[str | None, Fraction] = {}
        for line in hand["lines"]:
            sums[line["rule"]] = sums.get(line["rule"], Fraction(0)) + Fraction(line["points"]) * (not line["void"])
        assert all(Fraction(line["points"]) == sums[line["rule"]] < 0 for line in step["losses"])
        assert len(step["losses"]) == min(2, sum(points < 0 for points in sums.values()))
        void = {(line["rule"], line["points"], line["voided_by"]) for line in hand["lines"] if line["void"]}
        assert {(line["rule"], line["points"], line["voided_by"]) for line in step["void"]} <= void
        assert len(step["void"]) <= 2
        if not step["eliminated"]:
            parts = {line["rule"]: Fraction(line["points"]) for line in step["parts"]}
            whole = {rule: points for rule, points in sums.items() if points}
            assert parts == whole if step["rank"] <= 3 else parts.items() <= whole.items()
            assert len(parts) <= 3 or sum(parts.values()) == Fraction(step["score"])
        assert all(line["name"] for line in step["lines"] if line["rule"] is not None)
    assert any(step["void"] for step in reveal) == any(
        line["void"] and Fraction(line["points"]) for hand in hands for line in hand["lines"]
    )


def test_a_player_sees_differences_between_list_and_result(app: Flask, context: AppContext) -> None:
    game = counted_game(context, published=True)
    cards = recorded("eurocg-2026")["hands"][0]["cards"]
    with context.database.writing() as session:
        seat = session.get_one(Envelope, (game, 1))
        seat.submitted_cards = [*(seat.submitted_cards or ()), "red-499"]
    shown = as_player(app, context, game, 1).get(RESULT).json
    assert {kind["kind"]: kind["count"] for kind in shown["own"]["kinds"]} == cards
    kinds = {line["kind"] for line in shown["own"]["lines"] if line["rule"] is None}
    assert kinds
    assert kinds <= set(cards)
    assert {kind["kind"]: kind["count"] for kind in shown["listed"]} == {**cards, "red": cards.get("red", 0) + 1}


def test_results_before_publication_are_identical_for_all_players(app: Flask, context: AppContext) -> None:
    """There is one response, without information, in all states, counted or not."""
    games = [new_game(context, state) for state in (State.PRINTED, State.OPEN, State.CLOSED)]
    games += [counted_game(context), counted_game(context, published=True)]
    with context.database.writing() as session:
        unpublish(session, load_game(session, games[-1]), ORGANISER, START, "Wrong slide.")
    answers = {as_player(app, context, game, number).get(RESULT).data for game in games for number in (1, 2)}
    assert len(answers) == 1
    assert as_player(app, context, games[0], 1).get(RESULT).status_code == 409


def test_the_projector_reveals_nothing_before_publication(app: Flask, context: AppContext) -> None:
    """Its response does not depend on the hands, even while an organiser presents the count."""
    game = counted_game(context)
    screen, phone = as_projector(app, context, game), as_player(app, context, game, 1)
    before = [screen.get(SCREEN).data, phone.get(RESULT).data]
    output = json.loads(before[0])
    assert (output["reveal"], output["hand_ins"], output["envelopes"], output["state"]) == (None, 11, 11, "frozen")
    for number in range(1, 12):
        _change(context, game, number, submitted_cards=[], name=f"Other {number}", hidden=number == 1)
    names = [hand["player"] for hand in recorded_result("eurocg-2026")["hands"]]
    body = as_organiser(app).get(f"/api/v1/games/{game}/results/1/reveal").json
    assert body["published"] is False
    assert {step["player"] for step in body["reveal"]} < {*names, None}
    (unnamed,) = [step for step in body["reveal"] if step["player"] is None]
    assert unnamed["cards"] is None
    assert [unnamed[key] for key in ("lines", "losses", "void", "parts", "inks")] == [[]] * 5
    assert all(step["cards"] is not None for step in body["reveal"] if step["player"])
    assert [screen.get(SCREEN).data, phone.get(RESULT).data] == before
    assert not any(name.encode() in answer for name in names for answer in before)
    _publish(context, game)
    shown = screen.get(SCREEN).json
    assert (shown["version"], shown["reveal"]) == (1, body["reveal"])


def test_a_photo_of_the_winners_cards_hides_everything_else(
    app: Flask, context: AppContext, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The projector gets it after publication, and nobody if the winner is not named or the file is deleted.

    No connection to the database is held while the image is made.
    """
    held = []
    get = context.photos.get
    engine: Any = context.database.engine
    monkeypatch.setattr(context.photos, "get", lambda *key: (held.append(engine.pool.checkedout()), get(*key))[1])
    game = counted_game(context)
    names = [hand["player"] for hand in recorded("eurocg-2026")["hands"]]
    winner = 1 + names.index(recorded_result("eurocg-2026")["hands"][0]["player"])
    with context.database.reading() as session:
        cards = (session.get_one(Envelope, (game, winner)).submitted_cards or [])[:3]
    photo = add_photo(context, game, reading(cards, [winner]))
    fine = 255 * (np.indices((400, 400)).sum(axis=0) // 2 % 2).astype(np.uint8)
    file = io.BytesIO()
    Image.fromarray(fine).save(file, "PNG")
    context.photos.put(game, photo, file.getvalue())
    desk, screen = as_organiser(app), as_projector(app, context, game)
    shown = desk.get(f"/api/v1/games/{game}/results/1/winner")
    assert (shown.status_code, shown.mimetype) == (200, "image/jpeg")
    with Image.open(io.BytesIO(shown.data)) as image:
        pixels = np.asarray(image.convert("L"), float)
    # Cards are at 0, 100 and 200, and 40 pixels long.
    assert pixels.shape[0] < 60
    assert min(pixels[4:36, at + 4 : at + 36].std() for at in (0, 100, 200)) > 80
    assert max(pixels[:40, at + 50 : at + 90].std() for at in (0, 100)) < 10
    assert screen.get(f"{SCREEN}/winner").status_code == 404
    assert desk.get(f"/api/v1/games/{game}/results/1/reveal").json["winner_photo"] is True
    assert screen.get(SCREEN).json["winner_photo"] is False
    _publish(context, game)
    published = screen.get(f"{SCREEN}/winner")
    assert held == [0, 0]
    assert published.data == shown.data
    # The same address shows another winner after a correction.
    assert "no-store" in published.headers["Cache-Control"]
    assert screen.get(SCREEN).json["winner_photo"] is True
    _change(context, game, winner, hidden=True)
    assert screen.get(f"{SCREEN}/winner").status_code == 404
    assert screen.get(SCREEN).json["winner_photo"] is False
    _change(context, game, winner, hidden=False)
    with context.database.writing() as session:
        session.get_one(Photo, photo).image_deleted_at = START
    assert screen.get(f"{SCREEN}/winner").status_code == 404


def test_a_hand_that_does_not_count_has_a_reason(app: Flask, context: AppContext) -> None:
    game = played_game(context, confirmed=["blue_base"], players=12)
    _change(context, game, 12, submitted_cards=None)
    _rule(context, game, "unseen:12", "absent")
    assert _count(app, game, override="for the test").status_code == 201
    _publish(context, game)
    shown = as_player(app, context, game, 12).get(RESULT).json
    assert shown["own"] is None
    assert shown["left_out"]
    assert len(shown["ranking"]) == 11
    assert not any(entry["me"] for entry in shown["ranking"])


def test_hidden_and_eliminated_players(app: Flask, context: AppContext) -> None:
    """Only the player sees a hidden name; an eliminated hand has a verdict instead of a score."""
    game = counted_game(context, "sackson-1969", published=True)
    _change(context, game, 9, hidden=True)
    own = as_player(app, context, game, 9).get(RESULT).json
    assert own["own"]["player"] == "Second blue"
    assert [entry["player"] for entry in own["ranking"] if entry["me"]] == ["Second blue"]
    screen = as_projector(app, context, game)
    others = [as_player(app, context, game, number).get(RESULT).data for number in (1, 2, 7)]
    assert not any(b"Second blue" in answer for answer in (*others, screen.get(SCREEN).data))
    places = [entry["player"] for entry in json.loads(others[0])["ranking"]]
    assert (len(places), places.count(None)) == (11, 1)
    shown = as_player(app, context, game, 6).get(f"{RESULT}?language=de").json
    assert (shown["own"]["player"], shown["own"]["score"], shown["own"]["eliminated"]) == ("Greedy", None, True)
    assert shown["own"]["verdict"].startswith("Ausgeschieden")
    assert shown["ranking"][-1]["eliminated"] is True
    last = screen.get(SCREEN).json["reveal"][0]
    assert (last["player"], last["score"]) == ("Greedy", None)
    table = as_organiser(app).get(f"/api/v1/games/{game}/results/1/ranking.csv").data.decode("utf-8-sig")
    assert ",Greedy,6,,yes," in table


def test_a_late_hand_in_counts_if_it_is_accepted(app: Flask, context: AppContext) -> None:
    """It is an open issue until it is accepted and ranked, or refused by a correction, after which others move up."""
    game = played_game(context, confirmed=["blue_base"])
    with context.database.reading() as session:
        closed = load_game(session, game).closed
    assert closed is not None
    at = closed + timedelta(minutes=5)
    _change(context, game, 7, submitted_at=at, received=at)
    assert [point["slug"] for point in _count(app, game).json["open"]] == ["late"]
    _rule(context, game, "late:7", "accept")
    assert _count(app, game, "second").status_code == 201
    path = f"/api/v1/games/{game}/results"
    first = as_organiser(app).get(f"{path}/1").json
    assert (first["hands"][0]["player"], first["left_out"]) == ("Greta", [])
    _rule(context, game, "late:7", "refuse")
    assert _count(app, game, "third", reason="Five minutes are too many.").status_code == 201
    second = as_organiser(app).get(f"{path}/2").json
    assert second["left_out"] == [{"envelope": 7, "reason": "late-refused"}]
    gone = next(move for move in second["moves"] if move["envelope"] == 7)
    assert (gone["before"]["rank"], gone["after"], gone["come"]) == (1, None, [])
    assert gone["gone"]
    ranks = {move["before"]["rank"]: move["after"]["rank"] for move in second["moves"] if move["after"]}
    assert ranks[2] == 1


def test_the_projector_link_is_shown_as_a_qr_code(app: Flask, context: AppContext) -> None:
    game = new_game(context)
    image = as_organiser(app).get(f"/api/v1/games/{game}/screen.svg")
    assert image.mimetype == "image/svg+xml"
    with context.database.reading() as session:
        row = load_game(session, game)
        link = f"http://localhost/screen#{projector_token(row.id, row.key)}"
    assert [code.text for code in read_codes(_painted(image.get_data(as_text=True)))] == [link]


def _painted(svg: str, scale: int = 4) -> np.ndarray:
    """Render the horizontal strokes of a QR code in SVG."""
    size = int(re.findall(r'viewBox="0 0 (\d+) ', svg)[0])
    picture = np.full((size, size), 255, np.uint8)
    for x, y, length in re.findall(r"M(\d+) (\d+)h(\d+)v1", svg):
        picture[int(y), int(x) : int(x) + int(length)] = 0
    return cv2.resize(picture, None, fx=scale, fy=scale, interpolation=cv2.INTER_NEAREST)
