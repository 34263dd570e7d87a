"""Tokens of players and projectors: validity and refusals."""

from __future__ import annotations

import string

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cardgen.payload import join_token
from server.api.auth import MAX_TOKEN, player_of, projected_game, projector_token
from server.db.models import Envelope
from server.games.context import AppContext
from server.games.errors import DomainError
from server.games.lifecycle.repository import PlayerIdentity, load_game
from tests.context import new_game

LETTERS = string.ascii_uppercase + string.ascii_lowercase + string.digits + "-_"
"""The alphabet of base64url, in the order of values."""


def _refused(context: AppContext, token: str) -> str:
    """Return the refusal of a token that is invalid for players and projectors."""
    with context.database.reading() as session:
        with pytest.raises(DomainError) as player:
            player_of(session, token)
        with pytest.raises(DomainError) as projector:
            projected_game(session, token)
    assert player.value.slug == projector.value.slug == "bad-token"
    return str(player.value)


def _key(context: AppContext, game: str) -> bytes:
    with context.database.reading() as session:
        return load_game(session, game).key


def test_a_token_gives_access_to_its_envelope_or_game(context: AppContext) -> None:
    game, other = new_game(context), new_game(context)
    key = _key(context, game)
    player, projector = join_token(game, key, 6), projector_token(game, key)
    with context.database.reading() as session:
        assert player_of(session, player) == PlayerIdentity(game, 6)
        assert projected_game(session, projector) == game
        with pytest.raises(DomainError):
            player_of(session, projector)
        with pytest.raises(DomainError):
            projected_game(session, player)
    assert _refused(context, player.replace(game, other))
    assert _refused(context, projector.replace(game, other))


def test_a_new_version_invalidates_older_links(context: AppContext) -> None:
    game = new_game(context)
    key = _key(context, game)
    with context.database.writing() as session:
        session.get_one(Envelope, (game, 2)).token_version = 1
    assert _refused(context, join_token(game, key, 2))
    with context.database.reading() as session:
        assert player_of(session, join_token(game, key, 2, 1)) == PlayerIdentity(game, 2)


def test_all_invalid_tokens_get_the_same_error(context: AppContext) -> None:
    game = new_game(context)
    key = _key(context, game)
    wrong = ["", join_token("0000", key, 1), join_token(game, key, 99), join_token(game, b"no key", 1)]
    wrong += ["x" * (MAX_TOKEN + 1)]
    for token in (join_token(game, key, 1), projector_token(game, key)):
        # The last character has bits that base64 ignores.
        last = LETTERS.index(token[-1])
        wrong += [token[:-1] + LETTERS[last ^ bits] for bits in (1, 2, 3)]
        wrong += [f"{token}x", f"{token}=", f"{token}==", f"{token}\n", f" {token}"]
    assert len({_refused(context, token) for token in wrong}) == 1


def test_no_change_to_a_token_leaves_it_valid(context: AppContext) -> None:
    game = new_game(context)
    token = join_token(game, _key(context, game), 1)

    @settings(max_examples=30, deadline=None)
    @given(place=st.integers(0, len(token) - 1), sign=st.characters() | st.just(""), over=st.booleans(), text=st.text())
    def check(place: int, sign: str, text: str, *, over: bool) -> None:
        changed = token[:place] + sign + token[place + over :]
        if changed != token:
            assert _refused(context, changed)
        assert _refused(context, text)

    check()
