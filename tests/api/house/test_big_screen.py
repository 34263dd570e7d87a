"""An organiser presents a count before it is published; the big screen's own link tells nothing until then."""

from __future__ import annotations

import re
from fractions import Fraction
from typing import TYPE_CHECKING

import cv2
import numpy as np
import pytest

from scanner import read_codes
from server.play.house import game_row
from server.play.tokens import projector_token
from server.play.versions import publish
from server.store.tables import Envelope
from tests.api.house.test_results import as_projector
from tests.house import ORGANISER, START, as_organiser, as_player
from tests.played import EDITIONS, counted_game, recorded_result

if TYPE_CHECKING:
    from flask import Flask

    from server.play.house import House


def test_the_screens_link_tells_nothing_while_an_organiser_presents(app: Flask, house: House) -> None:
    """Every byte is as before the ceremony, for the screen and for phones; only publication changes that."""
    game = counted_game(house)
    screen, phone = as_projector(app, house, game), as_player(app, house, game, 1)
    before = [screen.get("/api/v1/projector").data, phone.get("/api/v1/me/result").data]
    names = [hand["player"] for hand in recorded_result("eurocg-2026")["hands"]]
    told = as_organiser(app).get(f"/api/v1/games/{game}/results/1/reveal")
    assert [step["player"] for step in told.json["reveal"]] == names[::-1]
    assert told.json["published"] is False
    assert [screen.get("/api/v1/projector").data, phone.get("/api/v1/me/result").data] == before
    assert not any(name.encode() in answer for name in names for answer in before)
    with house.database.writing() as session:
        publish(session, game_row(session, game), None, ORGANISER, START)
    shown = screen.get("/api/v1/projector").json
    assert (shown["version"], shown["reveal"]) == (1, told.json["reveal"])


@pytest.mark.parametrize("published", [False, True])
def test_only_organisers_get_the_reveal_of_a_version(published: bool, app: Flask, house: House) -> None:  # noqa: FBT001 - a case
    """Neither a stranger nor a player nor the screen's link opens it, nor the link's code."""
    game = counted_game(house, published=published)
    for client in (app.test_client(), as_player(app, house, game, 1), as_projector(app, house, game)):
        for path in ("results/1/reveal", "screen.svg"):
            assert client.get(f"/api/v1/games/{game}/{path}").status_code == 401


@pytest.mark.parametrize("edition", EDITIONS)
def test_each_place_tells_its_gains_its_losses_and_what_was_void(edition: str, app: Flask, house: House) -> None:
    """Losses cost, void lines name the rule that voided them, and rules have names."""
    game = counted_game(house, edition)
    reveal = as_organiser(app).get(f"/api/v1/games/{game}/results/1/reveal?language=de").json["reveal"]
    hands = recorded_result(edition)["hands"][::-1]
    for step, hand in zip(reveal, hands, strict=True):
        sums: dict[str | None, Fraction] = {}
        for line in hand["lines"]:
            sums[line["rule"]] = sums.get(line["rule"], Fraction(0)) + Fraction(line["points"]) * (not line["void"])
        assert all(Fraction(line["points"]) == sums[line["rule"]] < 0 for line in step["losses"])
        assert len(step["losses"]) == min(2, sum(points < 0 for points in sums.values()))
        void = {(line["rule"], line["points"], line["voided_by"]) for line in hand["lines"] if line["void"]}
        assert {(line["rule"], line["points"], line["voided_by"]) for line in step["void"]} <= void
        assert len(step["losses"]) <= 2 >= len(step["void"])
        assert all(line["name"] for line in step["lines"] if line["rule"] is not None)
    assert any(step["void"] for step in reveal) == any(
        line["void"] and Fraction(line["points"]) for hand in hands for line in hand["lines"]
    )


def test_somebody_without_a_name_is_only_a_place(app: Flask, house: House) -> None:
    """Neither lines nor the number of cards tell who it is, to the organiser's screen as little as to others."""
    game = counted_game(house)
    with house.database.writing() as session:
        session.get_one(Envelope, (game, 1)).hidden = True
    reveal = as_organiser(app).get(f"/api/v1/games/{game}/results/1/reveal").json["reveal"]
    (unnamed,) = [step for step in reveal if step["player"] is None]
    assert (unnamed["cards"], unnamed["lines"], unnamed["losses"], unnamed["void"]) == (None, [], [], [])
    assert all(step["cards"] is not None for step in reveal if step["player"])


def test_the_link_comes_as_a_code(app: Flask, house: House) -> None:
    """A reader finds the screen's address in it, with the token behind the `#`."""
    game = counted_game(house)
    drawn = as_organiser(app).get(f"/api/v1/games/{game}/screen.svg")
    assert drawn.mimetype == "image/svg+xml"
    with house.database.reading() as session:
        row = game_row(session, game)
        link = f"http://localhost/screen#{projector_token(row.id, row.key)}"
    assert [code.text for code in read_codes(_painted(drawn.get_data(as_text=True)))] == [link]


def _painted(svg: str, scale: int = 4) -> np.ndarray:
    """Paint the horizontal strokes of a code, and nothing else that SVG can do."""
    size = int(re.findall(r'viewBox="0 0 (\d+) ', svg)[0])
    picture = np.full((size, size), 255, np.uint8)
    for x, y, length in re.findall(r"M(\d+) (\d+)h(\d+)v1", svg):
        picture[int(y), int(x) : int(x) + int(length)] = 0
    return cv2.resize(picture, None, fx=scale, fy=scale, interpolation=cv2.INTER_NEAREST)
