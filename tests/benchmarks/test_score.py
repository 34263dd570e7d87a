"""`haggle bench score`: figures for every edition, beside a plain function that counts the same."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchmarks.score import plain_score
from server.cli.main import main
from server.editions import load_edition
from server.scoring import Hand, Scorer
from tests.editions.games_strategy import random_cards

if TYPE_CHECKING:
    from random import Random  # noqa: TID251 - the type of hypothesis's seeded generator

SCORER = Scorer(load_edition("eurocg-2026"))


def test_every_edition_is_measured(capsys: pytest.CaptureFixture[str]) -> None:
    """A JSON object a line; ratios are those of the speeds; the plain function stands beside EuroCG alone."""
    main(["bench", "score", "--hands", "20", "--json"])
    rows = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    ways = ["alone", "alone, texts", "game", "game, texts", "quarter", "quarter, texts", "half the rules"]
    assert [(row["edition"], row["way"]) for row in rows] == [
        ("eurocg-2026", "alone"),
        *(("eurocg-2026", way) for way in ways[1:]),
        ("eurocg-2026", "plain function"),
        *(("sackson-1969", way) for way in ways),
        *(("tarot-fr", way) for way in ways),
    ]
    speed = {(row["edition"], row["way"]): row["per_second"] for row in rows}
    for row in rows:
        if row["beside"] != "itself":
            ratio = speed[row["edition"], row["beside"]] / row["per_second"]
            assert row["ratio"] == pytest.approx(ratio, rel=0.05, abs=0.002)
    assert [row["hands"] for row in rows[:7]] == [20, 20, 20, 20, 5, 5, 20]
    assert [row["rules"] for row in rows[:7]] == [23, 23, 23, 23, 23, 23, 12]


def test_people_get_a_table(capsys: pytest.CaptureFixture[str]) -> None:
    """One edition, with its ways of scoring."""
    main(["bench", "score", "--hands", "10", "--edition", "sackson-1969"])
    out = capsys.readouterr().out
    assert "alone, texts" in out
    assert "tarot-fr" not in out


def test_an_unknown_edition_is_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    """Exit code 2, and the editions that there are."""
    with pytest.raises(SystemExit) as leaving:
        main(["bench", "score", "--edition", "nope"])
    assert leaving.value.code == 2
    assert capsys.readouterr().err.startswith("haggle: unknown edition 'nope' (there is eurocg-2026, ")


@settings(max_examples=500, deadline=None)
@given(st.randoms(use_true_random=True))
def test_the_plain_function_counts_like_the_engine(random: Random) -> None:
    """On random decks, small and large."""
    cards = random_cards(SCORER.edition, random)
    assert plain_score(cards) == SCORER.score([Hand("A", cards)]).hands[0].score
