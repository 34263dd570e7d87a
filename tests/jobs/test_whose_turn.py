"""Whose turn it is: the quick look and the whole order name the same photograph, on both engines."""

from __future__ import annotations

import secrets
from datetime import timedelta
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import delete, event, insert, text, update
from sqlalchemy.orm import Session

from server.jobs import queue
from server.jobs.queue import FAIR
from server.jobs.whose_turn import FAR, first_at_once, first_of_all
from server.play.states import State
from server.store.tables import Photo
from tests.house import START, Clock, new_game

if TYPE_CHECKING:
    from server.play.house import House

SINCE = {"since": START - FAIR}
both = pytest.mark.parametrize("place", ["laptop", "festival"], indirect=True)

pictures = st.fixed_dictionaries(
    {
        "game": st.integers(0, 2),
        "envelope": st.none() | st.integers(1, 3),
        "state": st.sampled_from(["waiting", "waiting", "waiting", "scanning", "done", "failed"]),
        "attempts": st.sampled_from([0, 0, 0, 1, 2]),
        "created": st.integers(0, 3),
        "scanned": st.sampled_from([59, 60, 61]),
        "place": st.integers(1, 2),
    }
)


def _row(games: list[str], drawn: dict[str, Any], number: int) -> dict[str, Any]:
    """Return the row of a picture that was drawn: its times are seconds before now."""
    over = drawn["state"] in {"done", "failed"}
    return {
        "id": f"{number:032x}",
        "game": games[drawn["game"]],
        "source": "organiser" if drawn["envelope"] is None else "player",
        "envelope": drawn["envelope"],
        "place": drawn["place"],
        "name": "",
        "digest": secrets.token_hex(32),
        "size": 1,
        "state": drawn["state"],
        "attempts": drawn["attempts"],
        "created": START - timedelta(seconds=drawn["created"]),
        "scanned": START - timedelta(seconds=drawn["scanned"]) if over else None,
    }


def _claims(session: Session) -> tuple[list[str], int]:
    """Claim all that wait, one by one; return them in order, and how many of them the quick look found."""
    order, quick = list[str](), 0
    while (whole := session.execute(first_of_all(), SINCE).first()) is not None:
        at_once = session.execute(first_at_once(), SINCE).first()
        assert at_once is None or at_once == whole
        quick += at_once is not None
        order.append(whole.id)
        change = update(Photo).where(Photo.id == whole.id)
        session.execute(change.values(state="scanning", attempts=whole.attempts + 1))
    return order, quick


@both
def test_the_quick_look_finds_what_the_whole_order_finds(house: House) -> None:
    """In whatever queue: where it finds one, that is the first of all; and nearly always it does."""
    games = [new_game(house, state) for state in (State.OPEN, State.PRINTED, State.CLOSED)]
    found, all_in_all = [0], [0]

    @settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
    @given(drawn=st.lists(pictures, min_size=1, max_size=14), shuffled=st.randoms(use_true_random=False))
    def claim_all(drawn: list[dict[str, Any]], shuffled: Any) -> None:  # noqa: ANN401 - a random.Random
        rows = [_row(games, one, number) for number, one in enumerate(drawn)]
        shuffled.shuffle(rows)
        with Session(house.database.engine) as session:
            # Nothing of it is kept.
            session.execute(delete(Photo))
            session.execute(insert(Photo), rows)
            order, quick = _claims(session)
        assert sorted(order) == sorted(row["id"] for row in rows if row["state"] == "waiting")
        found[0] += quick
        all_in_all[0] += len(order)

    claim_all()
    assert 0 < found[0] < all_in_all[0]


def _served(house: House, more: int) -> tuple[str, str]:
    """Let pictures of an envelope wait that just had its turn, by so many more than are looked at.

    Return the last one of them, and one of another envelope that came after them all.
    """
    game = new_game(house)
    drawn = {"game": 0, "envelope": 1, "state": "waiting", "attempts": 0, "created": 9, "scanned": 1, "place": 1}
    rows = [_row([game], drawn, number) for number in range(FAR + more)]
    rows.append(_row([game], drawn | {"state": "done", "attempts": 1}, len(rows)))
    rows.append(_row([game], drawn | {"envelope": 2, "created": 1}, len(rows)))
    with house.database.writing() as session:
        session.execute(insert(Photo), rows)
    return rows[-3]["id"], rows[-1]["id"]


@both
@pytest.mark.parametrize(("more", "at_once"), [(-1, True), (0, True), (1, False)])
def test_it_looks_at_so_many_in_vain(house: House, clock: Clock, more: int, at_once: bool) -> None:  # noqa: FBT001 - a case
    """What it does not find among those is found by the whole order."""
    _, other = _served(house, more)
    with house.database.reading() as session:
        found = session.execute(first_at_once(), SINCE).first()
    assert (found is not None) == at_once
    one = queue.candidate(house.database, clock())
    assert one
    assert one.photo == other


_ONE = {"game": 0, "envelope": None, "state": "waiting", "attempts": 0, "created": 5, "scanned": 1, "place": 1}


@both
def test_a_waiting_picture_that_says_when_it_was_scanned_is_put_in_order(house: House) -> None:
    """None of ours does; one of a game that was brought from elsewhere may."""
    game = new_game(house)
    rows = [_row([game], _ONE, 0), _row([game], _ONE | {"created": 9}, 1) | {"scanned": START}]
    with Session(house.database.engine) as session:
        session.execute(insert(Photo), rows)
        assert session.execute(first_at_once(), SINCE).first() is None


@both
def test_some_are_left_out(house: House, clock: Clock) -> None:
    """The first one of the others has its turn; none has where all are left out."""
    game = new_game(house)
    rows = [_row([game], _ONE | {"created": 9 - number}, number) for number in range(3)]
    with house.database.writing() as session:
        session.execute(insert(Photo), rows)
    ids = [row["id"] for row in rows]
    for but in range(4):
        one = queue.candidate(house.database, clock(), frozenset(ids[:but]))
        assert (one and one.photo) == (ids[but] if but < len(ids) else None)


@both
@pytest.mark.parametrize(
    ("beside", "at_once"),
    [
        ([], True),
        ([_ONE | {"attempts": 1, "created": 9}, _ONE | {"game": 1, "state": "scanning", "attempts": 1}], True),
        ([_ONE | {"game": 1}], False),
        ([_ONE | {"game": 1, "attempts": 1}], False),
        ([_ONE | {"envelope": 1, "attempts": 1}], False),
    ],
    ids=["alone", "tried and begun", "another game", "another game, tried", "a player's, tried"],
)
def test_pictures_of_one_games_envelopes_are_not_put_in_order(
    house: House, beside: list[dict[str, Any]], *, at_once: bool
) -> None:
    """The oldest untried one is found at once, as long as none of a player and of no other game waits."""
    games = sorted(new_game(house) for _ in range(2))
    # Whether the other game comes before or after.
    for order in (games, games[::-1]):
        rows = [_row(order, one, number) for number, one in enumerate([_ONE, _ONE | {"created": 4}, *beside])]
        with Session(house.database.engine) as session:
            session.execute(insert(Photo), rows)
            found = session.execute(first_at_once(), SINCE).first()
            assert at_once == (found is not None)
            if at_once:
                assert found == session.execute(first_of_all(), SINCE).first()
                assert found is not None
                assert found.id == rows[0]["id"]


def _plan(house: House) -> str:
    """Return how the engine would look, in its own words."""

    def ask(_: object, __: object, statement: str, values: object, *___: object) -> tuple[str, object]:
        return f"{how} {statement}", values

    how = "EXPLAIN" if house.database.is_shared else "EXPLAIN QUERY PLAN"
    with house.database.reading() as session:
        connection = session.connection()
        if house.database.is_shared:
            # Of a few rows it would rather read all, and put them in order.
            for way in ("seqscan", "bitmapscan", "sort"):
                connection.execute(text(f"SET LOCAL enable_{way} = off"))
        event.listen(connection, "before_cursor_execute", ask, retval=True)
        said = connection.execute(first_at_once(), SINCE).cursor
        assert said
        return "\n".join(str(line) for line in said.fetchall())


@both
def test_indexes_give_the_order_and_the_turns(house: House) -> None:
    """The quick look puts nothing in order itself, so it ends with the first one, however many wait."""
    _served(house, 0)
    plan = _plan(house)
    assert "ix_photos_turn" in plan
    # However many of an envelope's pictures are done, whether it had its turn is one place for each of their states.
    lately = [line for line in plan.splitlines() if ("Index Cond" in line or "ix_photos_lately" in line)]
    lately = [line for line in lately if "envelope" in line]
    assert sorted("scanned" in line for line in lately) == [False, False, True, True]
    assert all("state" in line for line in lately)
    assert "Sort" not in plan
    assert "TEMP B-TREE" not in plan
