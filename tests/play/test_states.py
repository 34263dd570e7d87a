"""The life of a game: each act is allowed in its states alone."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from sqlalchemy import select

from server.play.games import move
from server.play.house import game_row
from server.play.refusals import Refusal
from server.play.states import ALLOWED, NEXT, Act, State, allow
from server.store.tables import AuditEntry
from tests.house import ORGANISER, new_game

if TYPE_CHECKING:
    from server.play.house import House


@pytest.mark.parametrize("state", State)
def test_an_act_is_refused_with_the_states_that_allow_it(state: State, house: House) -> None:
    """An act passes in its states, and elsewhere the refusal names them."""
    game = new_game(house, state)
    with house.database.reading() as session:
        row = game_row(session, game)
        for act in Act:
            if state in ALLOWED[act]:
                allow(row, act)
            else:
                with pytest.raises(Refusal, match=f"it is {state.value}") as told:
                    allow(row, act)
                assert told.value.members["allowed_in"] == [s.value for s in State if s in ALLOWED[act]], act


@pytest.mark.parametrize("act", NEXT)
def test_an_act_leads_to_its_state_and_leaves_a_trace(act: Act, house: House) -> None:
    """Whoever leads a game to another state stands in the audit."""
    game = new_game(house, min(ALLOWED[act], key=list(State).index))
    with house.database.writing() as session:
        move(session, game_row(session, game), act, ORGANISER, house.clock(), "because")
    with house.database.reading() as session:
        assert game_row(session, game).state == NEXT[act]
        entry = session.scalars(
            select(AuditEntry).where(AuditEntry.game == game).order_by(AuditEntry.id.desc())
        ).first()
    assert entry is not None
    assert (entry.who, entry.action, entry.reason) == ("Olga", act.name.lower(), "because")
