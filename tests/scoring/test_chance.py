"""Chance has one place, and anyone can repeat it."""

from __future__ import annotations

import hashlib

from hypothesis import given, settings
from hypothesis import strategies as st

from server.scoring.chance import drawn, provisional_seed

CARDS = st.dictionaries(st.sampled_from(["yellow", "blue", "red"]), st.integers(0, 6))


def test_the_draw_is_what_its_description_says() -> None:
    """The cards with the smallest SHA-256 digests of seed/rule/player/kind/copy are removed."""
    names = [f"{kind}/{copy}" for kind, copies in (("blue", 2), ("red", 2)) for copy in range(1, copies + 1)]
    names.sort(key=lambda name: hashlib.sha256(f"any text/15/Zoë/{name}".encode()).hexdigest())
    expected = [name.split("/")[0] for name in names[:3]]
    found = drawn("any text", "15", "Zoë", {"blue": 2, "red": 2}, 3)
    assert found == {kind: expected.count(kind) for kind in ("blue", "red") if kind in expected}


def test_a_recorded_draw_stays_the_same() -> None:
    """A published result can be checked later: this one is written down."""
    assert drawn("", "15", "Ada", {"yellow": 3, "blue": 4, "red": 4, "white": 4}, 2) == {"blue": 2}


def test_provisional_counts_draw_by_a_seed_of_their_own() -> None:
    """As described: 16 hexadecimal digits of the digest of seed/provisional."""
    assert provisional_seed("night") == hashlib.sha256(b"night/provisional").hexdigest()[:16]
    assert provisional_seed("") == hashlib.sha256(b"/provisional").hexdigest()[:16]


@settings(deadline=None)
@given(CARDS, st.integers(0, 20), st.text(max_size=5))
def test_so_many_cards_leave_as_asked(cards: dict[str, int], number: int, seed: str) -> None:
    """As many as asked or as there are, never more of a kind than there are, whatever the order of the kinds."""
    removed = drawn(seed, "1", "Ada", cards, number)
    assert sum(removed.values()) == min(number, sum(cards.values()))
    assert all(0 < count <= cards[kind] for kind, count in removed.items())
    backwards = dict(reversed(cards.items()))
    assert drawn(seed, "1", "Ada", backwards, number) == removed


def test_every_part_of_the_name_matters() -> None:
    """Another seed, rule or player draws other cards, sooner or later."""
    cards = {"yellow": 9, "blue": 9, "red": 9}
    plain = drawn("s", "1", "Ada", cards, 13)
    assert any(drawn(f"s{n}", "1", "Ada", cards, 13) != plain for n in range(9))
    assert any(drawn("s", f"{n}", "Ada", cards, 13) != plain for n in range(9))
    assert any(drawn("s", "1", f"Ada {n}", cards, 13) != plain for n in range(9))
