"""Each kind of item: when it is there, what decides it, and what settles it by itself."""

from __future__ import annotations

import dataclasses
from datetime import timedelta

import pytest

from server.jobs.readings import DeckReading, Reading
from server.play.assembly import assemble
from server.play.items import Standing
from server.play.pictures import picture_key
from tests.play.worlds import END, card, decks, items_of, picture, ruled, shot, the_item, world
from tests.readings import quad_at, reading


def _names(*copies: int) -> tuple[str, ...]:
    return tuple(card(copy) for copy in copies)


def test_pictures_of_one_label_make_one_list() -> None:
    """Any number of pictures with a label are one hand, each card once, with every place where it was seen."""
    whole = assemble(world(shot("a", [1, 2], [1]), shot("b", [2, 3], [1], at=1)))
    assert decks(whole) == {1: _names(1, 2, 3)}
    assert [place.photo for place in whole.hands[1].places[card(2)]] == ["a", "b"]
    assert whole.hands[1].pictures == ("a", "b")
    assert {item.kind for item in whole.items} == {"missing"}


def test_a_picture_without_a_label_is_nobodys() -> None:
    """Between two players' pictures lies one whose label is hidden: its cards join neither."""
    whole = assemble(world(shot("a", [1, 2], [1]), shot("b", [3, 4], at=1), shot("c", [5, 6], [2], at=2)))
    assert decks(whole) == {1: _names(1, 2), 2: _names(5, 6)}
    item = the_item(whole, "no-label")
    assert item.standing is Standing.OPEN
    assert item.cards == _names(3, 4)
    assert [idea.envelope for idea in item.suggestions] == [1, 2]


def test_the_envelope_between_two_others_comes_first() -> None:
    """Between pictures of 1 and 3, in either order, lies one of 2, unless another picture shows that one."""
    first, last = shot("a", [1, 2], [1]), shot("c", [5, 6], [3], at=2)
    for around in ((first, last), (shot("a", [5, 6], [3]), shot("c", [1, 2], [1], at=2))):
        ideas = the_item(assemble(world(*around, shot("b", [3, 4], at=1))), "no-label").suggestions
        assert [(idea.envelope, idea.how) for idea in ideas[:1]] == [(2, "between")]
        assert {idea.envelope for idea in ideas} == {1, 2, 3}
    known = world(first, last, shot("b", [3, 4], at=1), shot("d", [9], [2], at=3))
    assert 2 not in {idea.envelope for idea in the_item(assemble(known), "no-label").suggestions}


def test_a_neighbour_that_shows_no_label_is_named_by_its_envelope() -> None:
    """It was given to the envelope by hand, so there is no label to speak of."""
    pictures = shot("a", [1, 2]), shot("b", [3, 4], at=1)
    item, _ = items_of(assemble(world(*pictures)), "no-label")
    given = assemble(world(*pictures, rulings=ruled(item.key, "assign", envelope=1)))
    (idea,) = next(one for one in items_of(given, "no-label") if one.key != item.key).suggestions
    assert (idea.envelope, idea.why) == (1, "The picture before it in the batch belongs to envelope 1.")


def test_an_organiser_says_whose_a_picture_without_a_label_is() -> None:
    """Assigned, its cards join that deck; set aside, they join none, and the item keeps telling of them."""
    pictures = shot("a", [1, 2], [1]), shot("b", [3, 4], at=1)
    key = the_item(assemble(world(*pictures)), "no-label").key
    assert decks(assemble(world(*pictures, rulings=ruled(key, "assign", envelope=1)))) == {1: _names(1, 2, 3, 4)}
    aside = assemble(world(*pictures, rulings=ruled(key, "ignore")))
    assert decks(aside) == {1: _names(1, 2)}
    assert the_item(aside, "no-label").cards == _names(3, 4)


def test_a_players_own_list_suggests_whose_a_picture_is() -> None:
    """The list with most cards in common comes first."""
    whole = assemble(world(shot("b", [3, 4, 5]), claims={1: [3], 2: [4, 5, 6]}))
    assert [idea.envelope for idea in the_item(whole, "no-label").suggestions] == [2, 1]


def test_another_picture_of_the_same_cards_settles_one_without_a_label() -> None:
    """Once every card of it is seen beside a label, there is nothing to decide, and the trace stays."""
    first = shot("a", [1, 2])
    assert the_item(assemble(world(first)), "no-label").standing is Standing.OPEN
    part = assemble(world(first, shot("b", [1], [1], at=1)))
    assert the_item(part, "no-label").standing is Standing.OPEN
    whole = assemble(world(first, shot("b", [1, 2, 3], [1], at=1)))
    assert the_item(whole, "no-label").standing is Standing.SETTLED
    assert the_item(whole, "no-label").settled
    assert decks(whole) == {1: _names(1, 2, 3)}


def _two_piles(labels: tuple[int, ...], sides: tuple[int | None, int | None]) -> Reading:
    found = reading(_names(1, 2, 5, 6), labels)
    left, right = sides
    piles = (DeckReading(label=left, cards=(0, 1)), DeckReading(label=right, cards=(2, 3)))
    return found.model_copy(update={"decks": piles})


def test_two_labels_part_nothing_by_themselves() -> None:
    """Even where the scanner sees two decks with a label each, an organiser says which is whose."""
    two = picture("a", _two_piles((1, 2), (1, 2)))
    whole = assemble(world(two))
    assert decks(whole) == {}
    item = the_item(whole, "two-labels")
    assert item.envelopes == (1, 2)
    split = assemble(world(two, rulings=ruled(item.key, "split", envelopes=(1, 2))))
    assert decks(split) == {1: _names(1, 2), 2: _names(5, 6)}
    half = assemble(world(two, rulings=ruled(item.key, "split", envelopes=(None, 2))))
    assert decks(half) == {2: _names(5, 6)}
    assert the_item(half, "two-labels").cards == _names(1, 2)


def test_two_labels_suggest_those_two_alone() -> None:
    """Neither the picture before it in the batch nor another player's list brings in an envelope not in sight."""
    pictures = shot("a", [7], [3]), shot("b", [1, 2, 5, 6], [1, 2], at=1)
    whole = assemble(world(*pictures, claims={3: [1, 2, 5], 2: [5, 6]}))
    assert [idea.envelope for idea in the_item(whole, "two-labels").suggestions] == [2]


def test_a_pile_apart_from_the_label_is_nobodys() -> None:
    """One label and two piles: the far pile waits for a word."""
    whole = assemble(world(picture("a", _two_piles((1,), (1, None)))))
    assert decks(whole) == {1: _names(1, 2)}
    assert the_item(whole, "no-label").cards == _names(5, 6)


def test_a_label_of_no_envelope_is_no_label() -> None:
    """A well signed label whose envelope the game does not have says nothing."""
    whole = assemble(world(shot("a", [1], [9])))
    assert decks(whole) == {}
    assert "9" in the_item(whole, "no-label").text


def test_a_label_can_be_overruled() -> None:
    """A label that lay in the wrong picture: an organiser says whose it is, and that shows."""
    one = shot("a", [1, 2], [1])
    whole = assemble(world(one, rulings=ruled(str(picture_key(one)), "assign", envelope=2)))
    assert decks(whole) == {2: _names(1, 2)}
    assert the_item(whole, "assigned").standing is Standing.RULED


def test_a_picture_read_otherwise_is_another_question() -> None:
    """A decision about what lay together does not carry over to a reading in which other cards do."""
    one = shot("a", [1, 2])
    rulings = ruled(str(picture_key(one)), "assign", envelope=1)
    other = dataclasses.replace(one, reading=reading(_names(1, 2, 5)))
    whole = assemble(world(other, rulings=rulings))
    assert decks(whole) == {}
    assert whole.without_effect == tuple(rulings)


def test_a_card_in_two_decks_counts_in_none_until_decided() -> None:
    """Both places are shown; the card goes where an organiser says, or nowhere."""
    pictures = shot("a", [1, 2], [1]), shot("b", [2, 5], [2], at=1)
    whole = assemble(world(*pictures))
    assert decks(whole) == {1: _names(1), 2: _names(5)}
    item = the_item(whole, "two-decks")
    assert [place.photo for place in item.places] == ["a", "b"]
    assert decks(assemble(world(*pictures, rulings=ruled(item.key, "belongs", envelope=2)))) == {
        1: _names(1),
        2: _names(2, 5),
    }
    assert decks(assemble(world(*pictures, rulings=ruled(item.key, "void")))) == {1: _names(1), 2: _names(5)}


def test_a_third_deck_asks_about_a_card_anew() -> None:
    """A decision between two decks says nothing about a third one: it loses its effect and is shown."""
    pictures = shot("a", [2], [1]), shot("b", [2], [2], at=1), shot("c", [2], [3], at=2)
    rulings = ruled(f"decks:{card(2)}:1+2", "belongs", envelope=1)
    whole = assemble(world(*pictures, rulings=rulings))
    assert decks(whole) == {}
    assert the_item(whole, "two-decks").standing is Standing.OPEN
    assert whole.without_effect == tuple(rulings)


def test_a_card_of_a_sealed_envelope_is_dead() -> None:
    """It counts nowhere unless an organiser says so."""
    one = shot("a", [1, 13], [1])
    whole = assemble(world(one))
    assert decks(whole) == {1: _names(1)}
    item = the_item(whole, "dead")
    assert item.cards == _names(13)
    assert decks(assemble(world(one, rulings=ruled(item.key, "accept")))) == {1: _names(1, 13)}
    assert decks(assemble(world(one, rulings=ruled(item.key, "void")))) == {1: _names(1)}


def test_a_card_that_was_never_printed_cannot_be_brought_to_life() -> None:
    """A signed code of a card that no run has printed can only be ignored."""
    whole = assemble(world(picture("a", reading([card(1), "red-999"], [1]))))
    assert decks(whole) == {1: _names(1)}
    assert [choice.do for choice in the_item(whole, "dead").choices] == ["void"]


def test_a_lost_card_is_dead() -> None:
    """Another was printed in its place; if it turns up all the same, an organiser decides."""
    whole = assemble(world(shot("a", [1, 2], [1]), lost=frozenset(_names(2))))
    assert decks(whole) == {1: _names(1)}
    assert "lost" in the_item(whole, "dead").text


def test_a_label_of_a_sealed_envelope_asks_whether_it_was_given_out() -> None:
    """Accepted, the hand counts and its cards live; refused, it does not count."""
    one = shot("a", [1, 13], [4])
    whole = assemble(world(one))
    assert whole.hands[4].why == "sealed"
    assert the_item(whole, "sealed").standing is Standing.OPEN
    accepted = assemble(world(one, rulings=ruled("sealed:4", "accept")))
    assert (accepted.hands[4].counts, accepted.hands[4].cards) == (True, _names(1, 13))
    assert not items_of(accepted, "dead")
    refused = assemble(world(one, rulings=ruled("sealed:4", "refuse")))
    assert (refused.hands[4].why, refused.hands[4].cards) == ("sealed", _names(1))


def test_a_copy_counts_once_and_is_told() -> None:
    """The same card at two places of one picture is one card and a copy."""
    one = shot("a", [1, 1, 2], [1])
    whole = assemble(world(one))
    assert decks(whole) == {1: _names(1, 2)}
    item = the_item(whole, "copy")
    assert len(item.places) == 2
    assert decks(assemble(world(one, rulings=ruled(item.key, "void")))) == {1: _names(2)}
    again = assemble(world(shot("a", [1, 2], [1]), shot("b", [1, 2], [1], at=1)))
    assert not items_of(again, "copy")


@pytest.mark.parametrize("status", ["forged", "other-game", "foreign"])
def test_a_strange_code_is_one_item_however_often_it_is_seen(status: str) -> None:
    """The same poster on the wall behind each deck is settled once."""
    whole = assemble(
        world(
            shot("a", [1], [1], strangers=[(status, "X")]),
            shot("b", [5], [2], at=1, strangers=[(status, "X"), (status, "Y")]),
        )
    )
    first, second = items_of(whole, status)
    assert sorted([len(first.places), len(second.places)]) == [1, 2]
    assert first.standing is Standing.OPEN
    assert decks(whole) == {1: _names(1), 2: _names(5)}


def test_a_picture_that_failed_or_shows_nothing_is_told() -> None:
    """Neither can be overlooked."""
    whole = assemble(world(picture("a", None, state="failed", reason="crashed"), shot("b", at=1)))
    assert "crashed" in the_item(whole, "failed").text
    assert the_item(whole, "nothing").places[0].photo == "b"
    assert [choice.do for choice in the_item(whole, "nothing").choices] == ["empty", "ignore"]


def test_a_picture_of_a_label_alone_may_be_an_empty_envelope() -> None:
    """It stays a question until other pictures show the envelope's cards, or an organiser says it was empty."""
    label = shot("a", [], [1])
    whole = assemble(world(label))
    assert the_item(whole, "nothing").standing is Standing.OPEN
    empty = assemble(world(label, rulings=ruled(the_item(whole, "nothing").key, "empty", envelope=1)))
    assert (empty.hands[1].counts, empty.hands[1].cards) == (True, ())
    more = assemble(world(label, shot("b", [1], [1], at=1)))
    assert the_item(more, "nothing").standing is Standing.SETTLED


def test_a_picture_that_waits_is_not_forgotten() -> None:
    """Pictures that are still to be read are counted apart."""
    whole = assemble(world(picture("a", None, state="waiting"), picture("b", None, at=1, state="scanning")))
    assert whole.waiting == ("a", "b")


# ----------------------------------------------------------------------------------------------- places not read


def test_an_unread_place_is_a_card_or_nothing() -> None:
    """The card that an organiser reads off it joins the deck of the picture."""
    one = shot("a", [1], [1], doubts=["blur"])
    item = the_item(assemble(world(one)), "doubt")
    assert item.places[0].quad == quad_at(0, 3)
    found = assemble(world(one, rulings=ruled(item.key, "card", card=card(2))))
    assert decks(found) == {1: _names(1, 2)}
    assert found.hands[1].places[card(2)][0].how == "doubt"
    assert decks(assemble(world(one, rulings=ruled(item.key, "nothing")))) == {1: _names(1)}


def test_an_unread_place_in_nobodys_picture_needs_an_envelope() -> None:
    """Where nobody knows whose the picture is, the decision names the envelope too."""
    one = shot("a", [1], doubts=["blur"])
    key = the_item(assemble(world(one)), "doubt").key
    assert decks(assemble(world(one, rulings=ruled(key, "card", card=card(2))))) == {}
    assert decks(assemble(world(one, rulings=ruled(key, "card", card=card(2), envelope=3)))) == {3: _names(2)}


def test_a_later_picture_of_the_same_layout_settles_an_unread_place() -> None:
    """Nobody moved the cards, and the later picture reads the one at that place: settled, with the card's name."""
    first = reading(_names(1, 2, 3), [1]).model_copy(update={"doubts": reading([], [], doubts=["blur"]).doubts[:1]})
    place = ((300.0, 0.0), (340.0, 0.0), (340.0, 40.0), (300.0, 40.0))
    first = first.model_copy(update={"doubts": (first.doubts[0].model_copy(update={"quad": place}),)})
    later = reading(_names(1, 2, 3, 4), [1])
    pictures = picture("a", first), picture("b", later, at=1)
    assert the_item(assemble(world(pictures[0])), "doubt").standing is Standing.OPEN
    item = the_item(assemble(world(*pictures)), "doubt")
    assert item.standing is Standing.SETTLED
    assert card(4) in item.settled


def test_a_close_up_of_moved_cards_settles_no_unread_place() -> None:
    """Where the common cards do not fit, the new card may have lain anywhere."""
    first = reading(_names(1, 2, 3), [1], doubts=["blur"])
    seen = list(reading(_names(3, 1, 4), [1]).seen)
    later = reading(_names(3, 1, 4), [1]).model_copy(update={"seen": tuple(seen)})
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
    half = picture("a", reading(_names(1, 2), [1]).model_copy(update={"complete": False}))
    whole = assemble(world(half))
    assert the_item(whole, "incomplete").standing is Standing.OPEN
    assert the_item(assemble(world(half, claims={1: [1, 2]})), "incomplete").standing is Standing.SETTLED
    looked = assemble(world(half, rulings=ruled(the_item(whole, "incomplete").key, "complete")))
    assert not [item for item in looked.open if item.kind == "incomplete"]


# ------------------------------------------------------------------------------------------------- whole hands


def test_a_count_unlike_the_players_own_list_names_the_cards() -> None:
    """Which were not seen, and which are too many; the same list raises nothing."""
    whole = assemble(world(shot("a", [1, 2, 5], [1]), claims={1: [1, 2, 3]}))
    item = the_item(whole, "count")
    assert (item.missing, item.extra) == (_names(3), _names(5))
    accepted = assemble(world(shot("a", [1, 2, 5], [1]), claims={1: [1, 2, 3]}, rulings=ruled(item.key, "accept")))
    assert the_item(accepted, "count").standing is Standing.RULED
    assert decks(accepted) == {1: _names(1, 2, 5)}
    assert not items_of(assemble(world(shot("a", [1, 2], [1]), claims={1: [1, 2]})), "count")


def test_another_difference_is_another_question() -> None:
    """A difference that was accepted says nothing about the next one."""
    first = the_item(assemble(world(shot("a", [1, 2, 5], [1]), claims={1: [1, 2]})), "count").key
    whole = assemble(world(shot("a", [1, 2, 5, 6], [1]), claims={1: [1, 2]}, rulings=ruled(first, "accept")))
    assert the_item(whole, "count").standing is Standing.OPEN
    assert whole.without_effect == (first,)


def test_who_handed_in_by_phone_and_was_never_photographed() -> None:
    """Not counted, until an organiser trusts the player's own list; that list meets all other decks."""
    claims = {1: [1, 2]}
    whole = assemble(world(claims=claims))
    assert whole.hands[1].why == "not-seen"
    assert the_item(whole, "unseen").cards == _names(1, 2)
    trusted = assemble(world(shot("a", [2, 5], [2]), claims=claims, rulings=ruled("unseen:1", "trust")))
    assert (trusted.hands[1].counts, trusted.hands[1].cards) == (True, _names(1))
    assert the_item(trusted, "two-decks").cards == _names(2)
    absent = assemble(world(claims=claims, rulings=ruled("unseen:1", "absent")))
    assert (absent.hands[1].counts, absent.hands[1].why) == (False, "absent")


def test_open_envelopes_that_nobody_has_seen_are_missed_when_the_game_is_over() -> None:
    """While it is played nobody is missed; a sealed envelope never is."""
    assert not assemble(world(over=False, ended=None)).items
    whole = assemble(world())
    assert [item.envelopes for item in items_of(whole, "missing")] == [(1,), (2,), (3,)]
    assert whole.hands[4].why == "sealed"
    assert assemble(world(rulings=ruled("missing:2", "absent"))).hands[2].why == "absent"


@pytest.mark.parametrize(("seconds", "late"), [(-1, False), (0, True), (1, True)])
def test_late_is_what_comes_at_the_end_or_after(seconds: int, late: bool) -> None:  # noqa: FBT001 - a table
    """At the very moment of the end the game is closed, so a hand is late."""
    base = world(shot("a", [1], [1]), claims={1: [1]})
    seat = dataclasses.replace(base.seats[1], claimed=END + timedelta(seconds=seconds))
    whole = assemble(dataclasses.replace(base, seats={**base.seats, 1: seat}))
    assert (whole.hands[1].late, len(items_of(whole, "late"))) == (late, int(late))
    assert whole.hands[1].counts


def test_a_late_hand_counts_unless_it_is_refused() -> None:
    """Refused, its cards still lie in it: they are nobody else's."""
    base = world(shot("a", [1], [1]), claims={1: [1]})
    seat = dataclasses.replace(base.seats[1], claimed=END)
    base = dataclasses.replace(base, seats={**base.seats, 1: seat})
    refused = assemble(dataclasses.replace(base, rulings=ruled("late:1", "refuse")))
    assert (refused.hands[1].counts, refused.hands[1].why, refused.hands[1].cards) == (False, "late-refused", _names(1))
    accepted = assemble(dataclasses.replace(base, rulings=ruled("late:1", "accept")))
    assert (accepted.hands[1].counts, accepted.hands[1].late) == (True, True)


def test_an_envelope_on_the_table_can_be_called_late() -> None:
    """Organisers may refuse an envelope that was put down too late, whatever the clock says of the phone."""
    whole = assemble(world(shot("a", [1], [1]), rulings=ruled("late:1", "refuse")))
    assert (whole.hands[1].why, whole.hands[1].late) == ("late-refused", True)
    assert not items_of(assemble(world(shot("a", [1], [1]))), "late")


def test_times_of_a_hand() -> None:
    """The phone's hand-in counts; without one, when the first picture of the envelope came, at the latest the close."""
    whole = assemble(
        world(shot("a", [1], [1], at=5), shot("b", [2], [1], at=3), shot("c", [5], [2], at=9), claims={1: [1, 2]})
    )
    assert whole.hands[1].received == END + timedelta(minutes=3)
    assert whole.hands[1].handed_in == END - timedelta(hours=1)
    assert (whole.hands[2].received, whole.hands[2].handed_in) == (END + timedelta(minutes=9), END)


@pytest.mark.parametrize(("minutes", "handed_in"), [(-1, -1), (0, 0), (1, 0), (9, 0)])
def test_pictures_after_the_close_part_nobody(minutes: int, handed_in: int) -> None:
    """Before the close an envelope has its own time; at the close and after it all have the time of the close."""
    whole = assemble(world(shot("a", [1], [1], at=minutes), shot("b", [5], [2], at=minutes + 3)))
    assert whole.hands[1].handed_in == END + timedelta(minutes=handed_in)
    assert whole.hands[2].handed_in == END
    still_open = assemble(dataclasses.replace(world(shot("a", [1], [1], at=minutes)), ended=None, over=False))
    assert still_open.hands[1].handed_in == END + timedelta(minutes=minutes)


# ---------------------------------------------------------------------------------------------------- by hand


def test_a_card_entered_by_hand_lies_in_its_envelope() -> None:
    """An envelope that nobody can photograph is entered card by card, and counts."""
    whole = assemble(world(rulings=ruled(f"hand:{card(1)}:1", "add") | ruled(f"hand:{card(2)}:1", "add")))
    assert (whole.hands[1].counts, whole.hands[1].cards, whole.hands[1].received) == (True, _names(1, 2), END)
    assert len(items_of(whole, "by-hand")) == 2


def test_a_card_entered_by_hand_that_lies_elsewhere_is_asked_about() -> None:
    """By hand or by picture: in two decks it counts in none."""
    whole = assemble(world(shot("a", [1], [1]), rulings=ruled(f"hand:{card(1)}:2", "add")))
    assert decks(whole) == {}
    assert the_item(whole, "two-decks").envelopes == (1, 2)


def test_a_card_removed_by_hand_is_told() -> None:
    """It no longer counts there, and the removal shows where it was seen; with nothing to remove it has no effect."""
    removal = ruled(f"hand:{card(1)}:1", "remove")
    whole = assemble(world(shot("a", [1, 2], [1]), rulings=removal))
    assert decks(whole) == {1: _names(2)}
    assert the_item(whole, "by-hand").places[0].photo == "a"
    nothing = assemble(world(shot("a", [2], [1]), rulings=removal))
    assert nothing.without_effect == tuple(removal)
