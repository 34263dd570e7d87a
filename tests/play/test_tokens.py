"""A token opens its own envelope, and any other text opens nothing."""

from __future__ import annotations

import string
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from server.play.house import game_row
from server.play.refusals import Refusal
from server.play.tokens import MAX_TOKEN, Seat, join_token, projected_game, projector_token, seat_of
from server.store.tables import Envelope
from tests.house import new_game

if TYPE_CHECKING:
    from server.play.house import House


def _refused(house: House, token: str) -> str:
    """Return what is said of a token that opens nothing, neither as a player's nor as a projector's."""
    with house.database.reading() as session:
        with pytest.raises(Refusal) as player:
            seat_of(session, token)
        with pytest.raises(Refusal) as projector:
            projected_game(session, token)
    assert player.value.slug == projector.value.slug == "bad-token"
    return str(player.value)


def test_a_token_opens_its_own_envelope(house: House) -> None:
    """Each envelope's token names that envelope, each game's token for the big screen that game."""
    game = new_game(house)
    with house.database.reading() as session:
        key = game_row(session, game).key
        for envelope in (1, 6):
            assert seat_of(session, join_token(game, key, envelope)) == Seat(game, envelope)
        assert projected_game(session, projector_token(game, key)) == game


def test_a_raised_version_ends_the_links_before_it(house: House) -> None:
    """After a revocation the old link opens nothing, and a new one does."""
    game = new_game(house)
    with house.database.writing() as session:
        key = game_row(session, game).key
        session.get_one(Envelope, (game, 2)).token = 1
    assert _refused(house, join_token(game, key, 2))
    with house.database.reading() as session:
        assert seat_of(session, join_token(game, key, 2, 1)) == Seat(game, 2)


def test_tokens_of_one_kind_or_game_are_none_of_another(house: House) -> None:
    """A projector's token is no player's, and a game's token is none of another game."""
    one, other = new_game(house), new_game(house)
    with house.database.reading() as session:
        key = game_row(session, one).key
        player, projector = join_token(one, key, 1), projector_token(one, key)
        with pytest.raises(Refusal):
            seat_of(session, projector)
        with pytest.raises(Refusal):
            projected_game(session, player)
    assert _refused(house, player.replace(one, other))
    assert _refused(house, projector.replace(one, other))


def test_all_that_opens_nothing_sounds_alike(house: House) -> None:
    """Games and envelopes that do not exist, and wrong signatures, are told in the same words."""
    game = new_game(house)
    with house.database.reading() as session:
        key = game_row(session, game).key
    wrong = (
        "",
        join_token("0000", key, 1),
        join_token(game, key, 99),
        join_token(game, b"no key", 1),
        f"{join_token(game, key, 1)}x",
        "x" * (MAX_TOKEN + 1),
    )
    assert len({_refused(house, token) for token in wrong}) == 1


_LETTERS = string.ascii_uppercase + string.ascii_lowercase + string.digits + "-_"
# Of base64, in the order of their values.


def test_a_signature_is_written_in_one_way(house: House) -> None:
    """A last letter that differs in bits that base64 does not use, and padding, make no second valid token."""
    game = new_game(house)
    with house.database.reading() as session:
        key = game_row(session, game).key
    for token in (join_token(game, key, 1), projector_token(game, key)):
        last = _LETTERS.index(token[-1])
        same = [_LETTERS[last ^ bits] for bits in (1, 2, 3)]
        for changed in (
            *(token[:-1] + letter for letter in same),
            f"{token}=",
            f"{token}==",
            f"{token}\n",
            f" {token}",
        ):
            assert _refused(house, changed)


def test_no_change_to_a_token_leaves_it_valid(house: House) -> None:
    """A token with a character changed, left out or put in opens nothing; nor does any other text."""
    game = new_game(house)
    with house.database.reading() as session:
        token = join_token(game, game_row(session, game).key, 1)

    @settings(max_examples=80, deadline=None)
    @given(place=st.integers(0, len(token) - 1), sign=st.characters() | st.just(""), over=st.booleans(), text=st.text())
    def check(place: int, sign: str, text: str, *, over: bool) -> None:
        changed = token[:place] + sign + token[place + over :]
        if changed != token:
            assert _refused(house, changed)
        assert _refused(house, text)

    check()
