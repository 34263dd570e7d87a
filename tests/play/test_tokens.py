"""A token opens its own envelope or game, and any other text opens nothing."""

from __future__ import annotations

import string

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from server.play.house import House, game_row
from server.play.refusals import Refusal
from server.play.tokens import MAX_TOKEN, Seat, join_token, projected_game, projector_token, seat_of
from server.store.tables import Envelope
from tests.house import new_game

LETTERS = string.ascii_uppercase + string.ascii_lowercase + string.digits + "-_"
"""Of base64, in the order of their values."""


def _refused(house: House, token: str) -> str:
    """Return what is said of a token that opens nothing, neither as a player's nor as a projector's."""
    with house.database.reading() as session:
        with pytest.raises(Refusal) as player:
            seat_of(session, token)
        with pytest.raises(Refusal) as projector:
            projected_game(session, token)
    assert player.value.slug == projector.value.slug == "bad-token"
    return str(player.value)


def _key(house: House, game: str) -> bytes:
    with house.database.reading() as session:
        return game_row(session, game).key


def test_a_token_opens_its_own_envelope_or_game(house: House) -> None:
    game, other = new_game(house), new_game(house)
    key = _key(house, game)
    player, projector = join_token(game, key, 6), projector_token(game, key)
    with house.database.reading() as session:
        assert seat_of(session, player) == Seat(game, 6)
        assert projected_game(session, projector) == game
        with pytest.raises(Refusal):
            seat_of(session, projector)
        with pytest.raises(Refusal):
            projected_game(session, player)
    assert _refused(house, player.replace(game, other))
    assert _refused(house, projector.replace(game, other))


def test_a_raised_version_ends_the_links_before_it(house: House) -> None:
    game = new_game(house)
    key = _key(house, game)
    with house.database.writing() as session:
        session.get_one(Envelope, (game, 2)).token = 1
    assert _refused(house, join_token(game, key, 2))
    with house.database.reading() as session:
        assert seat_of(session, join_token(game, key, 2, 1)) == Seat(game, 2)


def test_all_that_opens_nothing_is_refused_in_the_same_words(house: House) -> None:
    game = new_game(house)
    key = _key(house, game)
    wrong = ["", join_token("0000", key, 1), join_token(game, key, 99), join_token(game, b"no key", 1)]
    wrong += ["x" * (MAX_TOKEN + 1)]
    for token in (join_token(game, key, 1), projector_token(game, key)):
        # The last letter has bits that base64 does not use.
        last = LETTERS.index(token[-1])
        wrong += [token[:-1] + LETTERS[last ^ bits] for bits in (1, 2, 3)]
        wrong += [f"{token}x", f"{token}=", f"{token}==", f"{token}\n", f" {token}"]
    assert len({_refused(house, token) for token in wrong}) == 1


def test_no_change_to_a_token_leaves_it_valid(house: House) -> None:
    game = new_game(house)
    token = join_token(game, _key(house, game), 1)

    @settings(max_examples=30, deadline=None)
    @given(place=st.integers(0, len(token) - 1), sign=st.characters() | st.just(""), over=st.booleans(), text=st.text())
    def check(place: int, sign: str, text: str, *, over: bool) -> None:
        changed = token[:place] + sign + token[place + over :]
        if changed != token:
            assert _refused(house, changed)
        assert _refused(house, text)

    check()
