"""Places that could not be read: what they ask, and what settles them by itself."""

from __future__ import annotations

from server.play.assembly import assemble
from server.play.items import Standing
from tests.play.worlds import card, decks, names, picture, ruled, shot, the_item, world
from tests.readings import quad_at, reading


def test_an_unread_place_is_a_card_or_nothing() -> None:
    """The card that an organiser reads off it joins the deck of the picture."""
    one = shot("a", [1], [1], doubts=["blur"])
    item = the_item(assemble(world(one)), "doubt")
    assert item.places[0].quad == quad_at(0, 3)
    found = assemble(world(one, rulings=ruled(item.key, "card", card=card(2))))
    assert decks(found) == {1: names(1, 2)}
    assert found.hands[1].places[card(2)][0].how == "doubt"
    assert decks(assemble(world(one, rulings=ruled(item.key, "nothing")))) == {1: names(1)}


def test_an_unread_place_in_nobodys_picture_needs_an_envelope() -> None:
    """Where nobody knows whose the picture is, the decision names the envelope too."""
    one = shot("a", [1], doubts=["blur"])
    key = the_item(assemble(world(one)), "doubt").key
    assert decks(assemble(world(one, rulings=ruled(key, "card", card=card(2))))) == {}
    assert decks(assemble(world(one, rulings=ruled(key, "card", card=card(2), envelope=3)))) == {3: names(2)}


def test_a_later_picture_of_the_same_layout_settles_an_unread_place() -> None:
    """Nobody moved the cards, and the later picture reads the one at that place: settled, with the card's name."""
    first = reading(names(1, 2, 3), [1]).model_copy(update={"doubts": reading([], [], doubts=["blur"]).doubts[:1]})
    place = ((300.0, 0.0), (340.0, 0.0), (340.0, 40.0), (300.0, 40.0))
    first = first.model_copy(update={"doubts": (first.doubts[0].model_copy(update={"quad": place}),)})
    later = reading(names(1, 2, 3, 4), [1])
    pictures = picture("a", first), picture("b", later, at=1)
    assert the_item(assemble(world(pictures[0])), "doubt").standing is Standing.OPEN
    item = the_item(assemble(world(*pictures)), "doubt")
    assert item.standing is Standing.SETTLED
    assert card(4) in item.settled


def test_a_close_up_of_moved_cards_settles_no_unread_place() -> None:
    """Where the common cards do not fit, the new card may have lain anywhere."""
    first = reading(names(1, 2, 3), [1], doubts=["blur"])
    seen = list(reading(names(3, 1, 4), [1]).seen)
    later = reading(names(3, 1, 4), [1]).model_copy(update={"seen": tuple(seen)})
    whole = assemble(world(picture("a", first), picture("b", later, at=1)))
    assert the_item(whole, "doubt").standing is Standing.OPEN


def test_the_players_own_list_settles_unread_places() -> None:
    """What was seen in all pictures is the player's own list: then the unread place is one of those cards."""
    pictures = shot("a", [1, 2], [1], doubts=["glare"]), shot("b", [3], [1], at=1)
    assert the_item(assemble(world(*pictures)), "doubt").standing is Standing.OPEN
    assert the_item(assemble(world(*pictures, claims={1: [1, 2, 3]})), "doubt").standing is Standing.SETTLED
    assert the_item(assemble(world(*pictures, claims={1: [1, 2, 3, 4]})), "doubt").standing is Standing.OPEN
    alone = shot("a", [1, 2, 3], [1], doubts=["glare"])
    assert the_item(assemble(world(alone, claims={1: [1, 2, 3]})), "doubt").standing is Standing.OPEN


def test_a_better_picture_of_the_same_deck_settles_unread_places() -> None:
    """It shows all that the first one shows, as many more as were unread, and no doubt of its own."""
    first = shot("a", [1, 2], [1], doubts=["glare"])
    settled = {
        name: the_item(assemble(world(first, other)), "doubt").standing is Standing.SETTLED
        for name, other in {
            "more": shot("b", [1, 2, 3], [1], at=1),
            "as many": shot("b", [1, 2], [1], at=1),
            "others": shot("b", [1, 3, 5], [1], at=1),
            "another's": shot("b", [1, 2, 3], [2], at=1),
        }.items()
    }
    assert settled == {"more": True, "as many": False, "others": False, "another's": False}


def test_a_picture_that_was_not_read_to_the_end_is_told() -> None:
    """Time ran out: there may be more cards, until an organiser has looked or the list is the player's own."""
    half = picture("a", reading(names(1, 2), [1]).model_copy(update={"complete": False}))
    whole = assemble(world(half))
    assert the_item(whole, "incomplete").standing is Standing.OPEN
    assert the_item(assemble(world(half, claims={1: [1, 2]})), "incomplete").standing is Standing.SETTLED
    looked = assemble(world(half, rulings=ruled(the_item(whole, "incomplete").key, "complete")))
    assert not [item for item in looked.open if item.kind == "incomplete"]
