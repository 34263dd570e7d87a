"""Counting a game: versions that stay, corrections that show what moved, and publishing."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Any

import pytest
from sqlalchemy import select

from server.play import versions
from server.play.house import game_row
from server.play.moves import hands_by_envelope, moves
from server.play.refusals import Refusal
from server.play.settings import change_game
from server.play.states import State
from server.play.versions import Wish, correct, freeze, newest, publish, stale, unpublish, version_row
from server.store.tables import AuditEntry, Envelope, ResultVersion
from tests.engines.festival import on_postgresql
from tests.house import ORGANISER, Clock
from tests.played import EDITIONS, counted_game, played_game, recorded_result

if TYPE_CHECKING:
    from server.play.house import House


@pytest.mark.parametrize("edition", EDITIONS)
def test_a_count_gives_what_the_recorded_game_gave(edition: str, house: House) -> None:
    """The first version holds exactly the result that the same hands have by themselves, chance included."""
    game = counted_game(house, edition)
    with house.database.reading() as session:
        assert version_row(session, game, 1).document == recorded_result(edition)
        assert game_row(session, game).state == State.FROZEN
        assert not stale(session, game_row(session, game))


def test_what_is_open_is_listed_and_keeps_the_game_from_being_counted(house: House) -> None:
    """A setting that nobody confirmed is an open point; a reason to count all the same is kept with the version."""
    game = played_game(house)
    with pytest.raises(Refusal, match="still open") as told:
        freeze(house, game, ORGANISER, Wish())
    assert [point["slug"] for point in told.value.members["open"]] == ["confirm"]
    with house.database.reading() as session:
        assert newest(session, game) == 0
        assert game_row(session, game).state == State.CLOSED
    freeze(house, game, ORGANISER, Wish(override="The figure is lost."))
    with house.database.reading() as session:
        inputs = version_row(session, game, 1).inputs
    assert inputs["override"] == "The figure is lost."
    assert [point["slug"] for point in inputs["overridden"]] == ["confirm"]


def test_a_correction_makes_a_version_and_keeps_the_old_one(house: House) -> None:
    """A card less in one hand: the hand's score and lines move, and the first version stays as it was."""
    game = counted_game(house)
    with house.database.writing() as session:
        first = dict(version_row(session, game, 1).document)
        seat = session.get_one(Envelope, (game, 2))
        seat.claim = (seat.claim or [])[1:]
    with house.database.reading() as session:
        assert stale(session, game_row(session, game))
    assert correct(house, game, ORGANISER, Wish(reason="A card was counted twice.")) == 2
    with house.database.reading() as session:
        one, two = (version_row(session, game, number) for number in (1, 2))
        assert one.document == first
        assert two.reason == "A card was counted twice."
        assert not stale(session, game_row(session, game))
        moved = moves(hands_by_envelope(one.inputs, one.document), hands_by_envelope(two.inputs, two.document))
    move = next(move for move in moved if move.envelope == 2)
    assert move.before is not None
    assert move.after is not None
    assert move.before["score"] != move.after["score"]
    assert move.gone
    assert move.come


def _set(house: House, game: str, value: int) -> None:
    with house.database.writing() as session:
        changes = {"settings": {"blue_base": value}, "confirmed": ["blue_base"]}
        change_game(session, game_row(session, game), changes, ORGANISER, house.clock(), "Miscounted flips.")


def test_a_corrected_setting_counts_for_everybody(house: House) -> None:
    """The next version counts with the new value, the first keeps the old one."""
    game = counted_game(house)
    _set(house, game, 9)
    correct(house, game, ORGANISER, Wish("Miscounted flips."))
    with house.database.reading() as session:
        values = [version_row(session, game, number).inputs["game"]["settings"]["blue_base"] for number in (1, 2)]
    assert values == [4, 9]


def test_a_correction_wants_a_reason_and_a_counted_game(house: House) -> None:
    """Without a reason nothing is counted, and a closed game is frozen, not corrected."""
    game = counted_game(house)
    with pytest.raises(Refusal, match="Say why"):
        correct(house, game, ORGANISER, Wish(reason="  "))
    closed = played_game(house)
    with pytest.raises(Refusal, match="it is closed"):
        correct(house, closed, ORGANISER, Wish(reason="x"))
    with pytest.raises(Refusal, match="it is frozen"):
        freeze(house, game, ORGANISER, Wish())


def _at_once(work: Any) -> list[Any]:  # noqa: ANN401 - any function
    """Let two threads do the same; return what came out, refusals by their slugs."""
    outcomes: list[Any] = []
    barrier = threading.Barrier(2)

    def run() -> None:
        barrier.wait()
        try:
            outcomes.append(work())
        except Refusal as refusal:
            outcomes.append(refusal.slug)

    threads = [threading.Thread(target=run) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    return outcomes


@on_postgresql
def test_two_freezes_at_once_make_one_version(house: House) -> None:
    """One organiser freezes the game, the other one is told that it is frozen."""
    game = played_game(house, confirmed=["blue_base"])
    wish = Wish()
    assert sorted(map(str, _at_once(lambda: freeze(house, game, ORGANISER, wish)))) == ["1", "wrong-state"]
    with house.database.reading() as session:
        assert len(session.scalars(select(ResultVersion)).all()) == 1


@on_postgresql
def test_two_corrections_at_once_make_two_whole_versions(house: House) -> None:
    """Each of two corrected values stands in its own version with the result that belongs to it; none is a mix."""
    game = counted_game(house)
    values = iter([5, 7])

    def work() -> int:
        _set(house, game, next(values))
        return correct(house, game, ORGANISER, Wish("Again."))

    assert sorted(_at_once(work)) == [2, 3]
    with house.database.reading() as session:
        row = game_row(session, game)
        for number in (2, 3):
            version = version_row(session, game, number)
            assert version.document == versions.scored(versions.edition_of(row), version.inputs["game"])
        assert row.settings == {"blue_base": version.inputs["game"]["settings"]["blue_base"]}


@pytest.mark.parametrize(("times", "version"), [(2, 1), (3, None)])
def test_a_game_that_does_not_stand_still_is_not_counted(
    times: int, version: int | None, house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What changes during the count is counted anew, twice; after the third time the organiser is told to wait."""
    game = played_game(house, confirmed=["blue_base"])
    real = versions.scored
    left = iter(range(times))

    def slow(*arguments: Any) -> dict[str, Any]:  # noqa: ANN401 - whatever the real one takes
        document = real(*arguments)
        if (turn := next(left, None)) is not None:
            with house.database.writing() as session:
                session.get_one(Envelope, (game, 1)).name = f"Name {turn}"
                versions.changed(session, game, house.clock(), "envelopes", 1)
        return document

    monkeypatch.setattr(versions, "scored", slow)
    wish = Wish()
    if version is None:
        with pytest.raises(Refusal, match="changed while it was counted"):
            freeze(house, game, ORGANISER, wish)
    else:
        assert freeze(house, game, ORGANISER, wish) == version
        with house.database.reading() as session:
            names = {hand["player"] for hand in version_row(session, game, 1).document["hands"]}
        assert f"Name {times - 1}" in names


def test_publishing_what_is_published_changes_nothing(house: House, clock: Clock) -> None:
    """Whoever got no answer and publishes again leaves time, version and audit as they are."""
    game = counted_game(house, published=True)
    with house.database.reading() as session:
        before = session.scalars(select(AuditEntry.id)).all(), game_row(session, game).published
    clock.forward(minutes=1)
    for version in (None, 1):
        with house.database.writing() as session:
            publish(session, game_row(session, game), version, ORGANISER, house.clock())
    with house.database.reading() as session:
        assert (session.scalars(select(AuditEntry.id)).all(), game_row(session, game).published) == before


def test_publishing_shows_a_version_and_can_be_taken_back(house: House) -> None:
    """The newest one by default, an older one by its number, a newer one over it; unpublishing wants a reason."""
    game = counted_game(house, published=True)
    correct(house, game, ORGANISER, Wish(reason="Once more."))
    with house.database.writing() as session:
        row = game_row(session, game)
        assert (row.published_version, row.state) == (1, State.PUBLISHED)
        publish(session, row, 2, ORGANISER, house.clock())
        assert row.published_version == 2
        for number in (3, 0, -1, 10**30):
            with pytest.raises(Refusal, match="no such version"):
                publish(session, row, number, ORGANISER, house.clock())
        with pytest.raises(Refusal, match="Say why"):
            unpublish(session, row, ORGANISER, house.clock(), "")
        unpublish(session, row, ORGANISER, house.clock(), "Wrong slide.")
        assert (row.published_version, row.state, row.published) == (None, State.FROZEN, None)
