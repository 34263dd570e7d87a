"""Random draws: they happen in one place, and anyone can repeat them."""

from __future__ import annotations

import hashlib

from hypothesis import given, settings
from hypothesis import strategies as st

from server.scoring.phase_effects import draw_removed_cards, provisional_seed


def test_a_recorded_draw_stays_the_same() -> None:
    """A published result can be checked later: the cards with the smallest digests of seed/rule/player/kind/copy."""
    assert draw_removed_cards("", "15", "Ada", {"yellow": 3, "blue": 4, "red": 4, "white": 4}, 2) == {"blue": 2}
    names = [f"{kind}/{copy}" for kind in ("blue", "red") for copy in (1, 2)]
    names.sort(key=lambda name: hashlib.sha256(f"any text/15/Zoë/{name}".encode()).hexdigest())
    gone = [name.split("/")[0] for name in names[:3]]
    assert draw_removed_cards("any text", "15", "Zoë", {"blue": 2, "red": 2}, 3) == {
        kind: gone.count(kind) for kind in set(gone)
    }


def test_provisional_counts_have_a_separate_seed() -> None:
    for seed in ("night", ""):
        assert provisional_seed(seed) == hashlib.sha256(f"{seed}/provisional".encode()).hexdigest()[:16]


@settings(max_examples=50)
@given(
    st.dictionaries(st.sampled_from(["yellow", "blue", "red"]), st.integers(0, 6)),
    st.integers(0, 20),
    st.text(max_size=5),
)
def test_the_given_number_of_cards_is_removed_in_any_order_of_kinds(
    cards: dict[str, int], number: int, seed: str
) -> None:
    removed = draw_removed_cards(seed, "1", "Ada", cards, number)
    assert sum(removed.values()) == min(number, sum(cards.values()))
    assert all(0 < count <= cards[kind] for kind, count in removed.items())
    assert draw_removed_cards(seed, "1", "Ada", dict(reversed(cards.items())), number) == removed


def test_another_seed_rule_or_player_draws_other_cards() -> None:
    cards = {"yellow": 9, "blue": 9, "red": 9}
    for index in range(3):
        names = ["s", "1", "Ada"]
        found = {
            str(draw_removed_cards(*names[:index], f"{names[index]}{n}", *names[index + 1 :], cards, 13))
            for n in range(9)
        }
        assert len(found) > 1
