"""What hands are made of is put together once for each state of the database."""

from __future__ import annotations

from typing import TYPE_CHECKING

from server.play.house import game_row
from server.play.world import assembled
from server.store.tables import Photo
from tests.house import new_game
from tests.readings import add_photo, reading

if TYPE_CHECKING:
    from server.play.assembly import Assembly
    from server.play.house import House


def look(house: House, game: str) -> Assembly:
    """Return a game's hands and its queue."""
    with house.database.reading() as session:
        return assembled(session, game_row(session, game))


def test_what_has_not_changed_is_not_put_together_again(house: House) -> None:
    """Two looks at one state are one piece of work, also when another game was looked at in between."""
    game, other = new_game(house), new_game(house)
    add_photo(house, game, reading(labels=[1]))
    first = look(house, game)
    assert look(house, other) is not first
    assert look(house, game) is first


def test_whatever_changes_is_seen_at_once(house: House) -> None:
    """A picture that comes, one that is read and one that is gone: each look tells how it is now."""
    game = new_game(house)
    assert look(house, game).waiting == ()
    photo = add_photo(house, game)
    assert look(house, game).waiting == (photo,)
    with house.database.writing() as session:
        row = session.get_one(Photo, photo)
        row.state, row.scanned, row.reading = "done", house.clock(), reading(labels=[2]).as_json()
    now = look(house, game)
    assert (now.waiting, now.hands[2].pictures) == ((), (photo,))
    with house.database.writing() as session:
        session.delete(session.get_one(Photo, photo))
    assert look(house, game).hands[2].pictures == ()
