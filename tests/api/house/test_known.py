"""In `known`, a player learns nothing that is not printed on the cards in the picture: whole replies, byte by byte."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from server.api.house.limits import limiter
from server.editions import editions_from, load_edition
from tests.editions.harbour import written
from tests.house import new_game
from tests.players import Player, set_game, some_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from flask import Flask
    from werkzeug.test import TestResponse

    from server.play.house import House

EXAMPLES = Path(__file__).parents[3] / "examples" / "editions"
EDITIONS = ["caravan", "eurocg-2026", "eurocg-short", "harbour", "lighthouse", "mosaic", "sackson-1969", "tarot-fr"]


@pytest.fixture(autouse=True)
def _editions(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Let a folder of one's own hold the examples and an edition with a setting, and anybody ask often."""
    shutil.copytree(EXAMPLES, tmp_path / "own")
    written(tmp_path / "own")
    monkeypatch.setattr(limiter, "enabled", False)
    with editions_from(tmp_path / "own"):
        yield


def wholly(reply: TestResponse) -> tuple[int, bytes, dict[str, str]]:
    """Return a reply with all that may tell something: not its time, nor its number in the log."""
    headers = {name: value for name, value in reply.headers.items() if name not in {"Date", "X-Request-Id"}}
    return reply.status_code, reply.data, headers


@pytest.mark.parametrize("slug", EDITIONS)
def test_the_reply_depends_on_nothing_but_the_cards(app: Flask, house: House, slug: str) -> None:
    """Other settings, active rules, chance and players change no byte, status or header of it."""
    edition = load_edition(slug)
    game = new_game(house, edition=slug, players=2, mode="known")
    rules = [rule.card for rule in edition.rules]
    plain = [kind.slug for kind in edition.kinds if kind.category != "rule"]
    worlds = st.fixed_dictionaries(
        {
            "settings": st.fixed_dictionaries({one.name: st.integers(0, 9) for one in edition.settings}),
            "active_rules": st.none() | st.lists(st.sampled_from([rule.key for rule in edition.rules]), unique=True),
            "seed": st.text("abc", max_size=3),
        }
    )

    @settings(max_examples=12, suppress_health_check=[HealthCheck.too_slow])
    @given(
        held=st.sets(st.sampled_from(rules), max_size=6),
        cards=st.dictionaries(st.sampled_from(plain), st.integers(1, 8), min_size=1, max_size=6),
        one=worlds,
        other=worlds,
        language=st.sampled_from([None, "de", "en", "fr"]),
    )
    def in_two_worlds(
        held: set[str], cards: dict[str, int], one: dict[str, Any], other: dict[str, Any], language: str | None
    ) -> None:
        names = some_of(house, game, cards | dict.fromkeys(held, 1))
        player, somebody = Player(app, house, game, 1), Player(app, house, game, 2)
        deck = player.lay(names)
        set_game(house, game, **one)
        here = wholly(player.check(deck, language))
        set_game(house, game, **other)
        somebody.check(somebody.lay(names))
        assert wholly(player.check(deck, language)) == here
        assert here[0] == 200

    in_two_worlds()


PUZZLES = {"red": "rule-5", "blue": "rule-6", "green": "rule-7", "orange": "rule-8"}


@pytest.mark.parametrize("colour", PUZZLES)
def test_what_a_card_only_hints_at_is_unknown(app: Flask, house: House, colour: str) -> None:
    """Neither the answer of a puzzle nor the organiser's value is in the reply, but that they are unknown."""
    game = new_game(house, players=2, mode="known", settings={"blue_base": 77})
    player = Player(app, house, game, 1)
    rule = PUZZLES[colour]
    reply = player.check(player.lay(some_of(house, game, {colour: 3, "yellow": 1, rule: 1})), "en").json
    assert reply
    assert reply["score"] == "0"
    assert reply["unknown"] == [colour, "yellow"]
    (line,) = [line for line in reply["lines"] if line["rule"]]
    assert (line["rule"], line["points"], line["void"], line["open"]) == (
        rule.removeprefix("rule-"),
        None,
        False,
        False,
    )
    assert line["text"] == "Not counted here: the card does not say all that is needed for it."
    assert all(line["points"] is None for line in reply["lines"])
    assert not [
        answer for answer in ("77", "42", "1993", "every face is") if answer in str([reply["lines"], reply["rules"]])
    ]


def test_a_held_rule_counts_whether_it_is_active_or_not(app: Flask, house: House) -> None:
    """So its holder cannot find out which rules are active."""
    game = new_game(house, players=2, mode="known", active_rules=["1"])
    player = Player(app, house, game, 1)
    reply = player.check(player.lay(some_of(house, game, {"rule-9": 1, "yellow": 2, "green": 3}))).json
    assert reply
    assert reply["score"] == "6"
