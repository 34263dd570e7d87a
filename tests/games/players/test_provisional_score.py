"""In mode `known`, a score depends only on the player's own cards."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from server.editions import load_edition
from server.games.players.provisional_score import ScoreInputs, provisional_result
from server.scoring import Scorer
from tests.played_game import EDITIONS
from tests.random_rules import VARIANTS, others

LOADED = {slug: load_edition(slug, "en") for slug in EDITIONS}


@st.composite
def counts(draw: st.DrawFn) -> ScoreInputs:
    """Generate a deck of any edition in mode `known`."""
    edition = LOADED[draw(st.sampled_from(EDITIONS))]
    rules = draw(st.sets(st.sampled_from([rule.card for rule in edition.rules]), max_size=5))
    plain = [kind.slug for kind in edition.kinds if kind.category != "rule"]
    cards = draw(st.dictionaries(st.sampled_from(plain), st.integers(1, 6), max_size=8))
    values = {setting.name: draw(st.integers(0, 5)) for setting in edition.settings}
    return ScoreInputs(edition, "known", values, None, "seed", cards | dict.fromkeys(rules, 1))


@settings(max_examples=60, deadline=None)
@given(count=counts(), variant=st.sampled_from(VARIANTS), data=st.data())
def test_other_rules_do_not_change_known_scores(count: ScoreInputs, variant: object, data: st.DataObject) -> None:
    """Other rules may fail, be missing or change all points; active rules and settings are arbitrary."""
    held = set(count.cards)
    hidden = others(count.edition, held)
    dropped = data.draw(st.sampled_from([(), hidden[::2], hidden, count.edition.rules[::2]]))
    values = {name: value + 71 for name, value in count.settings.items()}
    edition = variant(count.edition, held)  # type: ignore[operator]  # one of VARIANTS
    keys = [rule.key for rule in edition.rules if rule not in dropped] if dropped else None
    there = replace(count, edition=edition, settings=values, active_rules=keys, seed="another")
    answer = provisional_result(count)
    assert provisional_result(there) == answer
    own = {rule.key for rule in count.edition.rules if rule.card in held}
    assert {key for line in answer.lines for key in (line.rule, line.voided_by) if key is not None} <= own
    assert set(answer.rules or ()) == own
    if answer.score is not None:
        assert sum(line.points for line in answer.lines if not line.void) == pytest.approx(float(answer.score))


@settings(max_examples=25, deadline=None)
@given(count=counts(), mode=st.sampled_from(["off", "inventory", "known", "total", "full"]))
def test_the_number_of_scorings_depends_only_on_the_mode(count: ScoreInputs, mode: str) -> None:
    calls = []
    scored = Scorer.score

    def counting(self: Scorer, *args: object, **more: object) -> object:
        calls.append(self)
        return scored(self, *args, **more)  # type: ignore[arg-type]  # passed on as it came

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Scorer, "score", counting)
        answer = provisional_result(replace(count, mode=mode))
    assert len(calls) == {"off": 0, "inventory": 0, "known": 1, "total": 1, "full": 1}[mode]
    if mode in {"off", "inventory"}:
        assert (answer.score, answer.lines, answer.rules) == (None, (), None)
    if mode == "total":
        assert (answer.unknown, answer.lines, answer.rules) == ((), (), None)
