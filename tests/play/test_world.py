"""What hands are made of is put together once for each state of the database."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from sqlalchemy import select

from cardgen.cards import CardId
from server.play.house import game_row
from server.play.world import assembled
from server.store.tables import Card, Photo, Ruling
from tests.house import START, new_game
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


def test_a_picture_that_is_read_again_says_what_was_read_last(house: House) -> None:
    """Nothing in its row tells the two apart but the moment, which is enough."""
    game = new_game(house)
    photo = add_photo(house, game, reading(labels=[1]))
    assert look(house, game).hands[1].pictures == (photo,)
    with house.database.writing() as session:
        row = session.get_one(Photo, photo)
        assert row.scanned is not None
        row.scanned, row.reading = row.scanned + timedelta(seconds=1), reading(labels=[2]).as_json()
    now = look(house, game)
    assert (now.hands[1].pictures, now.hands[2].pictures) == ((), (photo,))


def test_a_card_that_is_reported_lost_is_dead_at_once(house: House) -> None:
    """Printed cards are kept in memory as long as their rows are as they were."""
    game = new_game(house)
    with house.database.reading() as session:
        kind, copy = session.execute(select(Card.kind, Card.copy).where(Card.game == game, Card.envelope == 1)).first()
    card = CardId(kind, copy).name
    add_photo(house, game, reading([card], [1]))
    assert look(house, game).hands[1].cards == (card,)
    with house.database.writing() as session:
        session.get_one(Card, (game, kind, copy)).lost = START
    now = look(house, game)
    assert (now.hands[1].cards, [item.key for item in now.open]) == ((), [f"dead:{card}"])


def test_a_look_sees_what_its_own_transaction_has_changed(house: House) -> None:
    """Before it is written: a decision, and what was read in a picture."""
    game = new_game(house)
    photo = add_photo(house, game, reading(labels=[1]))
    with house.database.writing() as session:
        row = game_row(session, game)
        assert assembled(session, row).without_effect == ()
        decision = {"do": "assign", "envelope": 3}
        session.add(Ruling(game=game, item="picture:gone", decision=decision, reason="", who="Olga", at=START))
        session.get_one(Photo, photo).state = "failed"
        now = assembled(session, row)
    assert (now.without_effect, now.hands[1].pictures) == (("picture:gone",), ())
