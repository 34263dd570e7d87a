"""What hands are made of is put together once for each state of the database."""

from __future__ import annotations

from datetime import timedelta

from server.play.assembly import Assembly
from server.play.house import House, game_row
from server.play.world import assembled
from server.store.tables import Card, Photo, Ruling
from tests.house import START, new_game
from tests.players import dealt
from tests.readings import add_photo, reading


def look(house: House, game: str) -> Assembly:
    with house.database.reading() as session:
        return assembled(session, game_row(session, game))


def test_two_looks_at_one_state_are_one_piece_of_work(house: House) -> None:
    game, other = new_game(house), new_game(house)
    add_photo(house, game, reading(labels=[1]))
    first = look(house, game)
    assert look(house, other) is not first
    assert look(house, game) is first


def test_each_change_is_seen_at_once(house: House) -> None:
    game = new_game(house)
    assert look(house, game).waiting == ()
    photo = add_photo(house, game)
    assert look(house, game).waiting == (photo,), "a picture that came"
    for label in (2, 1):
        # Read again, nothing in its row differs but the moment.
        with house.database.writing() as session:
            row = session.get_one(Photo, photo)
            row.state, row.scanned = "done", house.clock() + timedelta(seconds=label)
            row.reading = reading(labels=[label]).as_json()
        now = look(house, game)
        assert (now.waiting, now.hands[label].pictures, now.hands[3 - label].pictures) == ((), (photo,), ())
    with house.database.writing() as session:
        session.delete(session.get_one(Photo, photo))
    assert look(house, game).hands[1].pictures == (), "a picture that is gone"


def test_a_card_that_is_reported_lost_is_dead_at_once(house: House) -> None:
    game = new_game(house)
    card = dealt(house, game, 1)[0]
    add_photo(house, game, reading([card], [1]))
    assert look(house, game).hands[1].cards == (card,)
    kind, _, copy = card.rpartition("-")
    with house.database.writing() as session:
        session.get_one(Card, (game, kind, int(copy))).lost = START
    now = look(house, game)
    assert (now.hands[1].cards, [item.key for item in now.open]) == ((), [f"dead:{card}"])


def test_a_look_sees_what_its_own_transaction_has_changed(house: House) -> None:
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
