"""Each kind of item of a picture or a card: when it is there, what decides it, and what settles it by itself."""

from __future__ import annotations

import dataclasses

import pytest

from server.jobs.readings import DeckReading, Reading
from server.play.assembly import assemble
from server.play.items import Standing
from tests.play.worlds import card, decks, items_of, names, picture, ruled, shot, the_item, world
from tests.readings import reading


def test_pictures_of_one_label_make_one_list() -> None:
    """Any number of pictures with a label are one hand, each card once, with every place where it was seen."""
    whole = assemble(world(shot("a", [1, 2], [1]), shot("b", [2, 3], [1], at=1)))
    assert decks(whole) == {1: names(1, 2, 3)}
    assert [place.photo for place in whole.hands[1].places[card(2)]] == ["a", "b"]
    assert whole.hands[1].pictures == ("a", "b")
    assert {item.kind for item in whole.items} == {"missing"}


def test_a_picture_without_a_label_is_nobodys() -> None:
    """Between two players' pictures lies one whose label is hidden: its cards join neither."""
    whole = assemble(world(shot("a", [1, 2], [1]), shot("b", [3, 4], at=1), shot("c", [5, 6], [2], at=2)))
    assert decks(whole) == {1: names(1, 2), 2: names(5, 6)}
    item = the_item(whole, "no-label")
    assert item.standing is Standing.OPEN
    assert item.cards == names(3, 4)
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
    assert decks(assemble(world(*pictures, rulings=ruled(key, "assign", envelope=1)))) == {1: names(1, 2, 3, 4)}
    aside = assemble(world(*pictures, rulings=ruled(key, "ignore")))
    assert decks(aside) == {1: names(1, 2)}
    assert the_item(aside, "no-label").cards == names(3, 4)


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
    assert decks(whole) == {1: names(1, 2, 3)}


def _two_piles(labels: tuple[int, ...], sides: tuple[int | None, int | None]) -> Reading:
    found = reading(names(1, 2, 5, 6), labels)
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
    assert decks(split) == {1: names(1, 2), 2: names(5, 6)}
    half = assemble(world(two, rulings=ruled(item.key, "split", envelopes=(None, 2))))
    assert decks(half) == {2: names(5, 6)}
    assert the_item(half, "two-labels").cards == names(1, 2)


def test_two_labels_suggest_those_two_alone() -> None:
    """Neither the picture before it in the batch nor another player's list brings in an envelope not in sight."""
    pictures = shot("a", [7], [3]), shot("b", [1, 2, 5, 6], [1, 2], at=1)
    whole = assemble(world(*pictures, claims={3: [1, 2, 5], 2: [5, 6]}))
    assert [idea.envelope for idea in the_item(whole, "two-labels").suggestions] == [2]


def test_a_pile_apart_from_the_label_is_nobodys() -> None:
    """One label and two piles: the far pile waits for a word."""
    whole = assemble(world(picture("a", _two_piles((1,), (1, None)))))
    assert decks(whole) == {1: names(1, 2)}
    assert the_item(whole, "no-label").cards == names(5, 6)


def test_a_label_of_no_envelope_is_no_label() -> None:
    """A well signed label whose envelope the game does not have says nothing."""
    whole = assemble(world(shot("a", [1], [9])))
    assert decks(whole) == {}
    assert "9" in the_item(whole, "no-label").text


def test_a_label_can_be_overruled() -> None:
    """A label that lay in the wrong picture: an organiser says whose it is, and that shows."""
    one = shot("a", [1, 2], [1])
    whole = assemble(world(one, rulings=ruled(str(one.key), "assign", envelope=2)))
    assert decks(whole) == {2: names(1, 2)}
    assert the_item(whole, "assigned").standing is Standing.RULED


def test_a_picture_read_otherwise_is_another_question() -> None:
    """A decision about what lay together does not carry over to a reading in which other cards do."""
    one = shot("a", [1, 2])
    rulings = ruled(str(one.key), "assign", envelope=1)
    other = dataclasses.replace(one, reading=reading(names(1, 2, 5)))
    whole = assemble(world(other, rulings=rulings))
    assert decks(whole) == {}
    assert whole.without_effect == tuple(rulings)


def test_a_card_in_two_decks_counts_in_none_until_decided() -> None:
    """Both places are shown; the card goes where an organiser says, or nowhere."""
    pictures = shot("a", [1, 2], [1]), shot("b", [2, 5], [2], at=1)
    whole = assemble(world(*pictures))
    assert decks(whole) == {1: names(1), 2: names(5)}
    item = the_item(whole, "two-decks")
    assert [place.photo for place in item.places] == ["a", "b"]
    assert decks(assemble(world(*pictures, rulings=ruled(item.key, "belongs", envelope=2)))) == {
        1: names(1),
        2: names(2, 5),
    }
    assert decks(assemble(world(*pictures, rulings=ruled(item.key, "void")))) == {1: names(1), 2: names(5)}


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
    assert decks(whole) == {1: names(1)}
    item = the_item(whole, "dead")
    assert item.cards == names(13)
    assert decks(assemble(world(one, rulings=ruled(item.key, "accept")))) == {1: names(1, 13)}
    assert decks(assemble(world(one, rulings=ruled(item.key, "void")))) == {1: names(1)}


def test_a_card_that_was_never_printed_cannot_be_brought_to_life() -> None:
    """A signed code of a card that no run has printed counts nowhere, and nobody is asked."""
    whole = assemble(world(picture("a", reading([card(1), "red-999"], [1]))))
    assert decks(whole) == {1: names(1)}
    item = the_item(whole, "dead")
    assert (item.choices, item.standing) == ((), Standing.SETTLED)


def test_a_lost_card_is_dead() -> None:
    """Another was printed in its place; if it turns up all the same, an organiser decides."""
    whole = assemble(world(shot("a", [1, 2], [1]), lost=frozenset(names(2))))
    assert decks(whole) == {1: names(1)}
    assert "lost" in the_item(whole, "dead").text


def test_a_label_of_a_sealed_envelope_asks_whether_it_was_given_out() -> None:
    """Accepted, the hand counts and its cards live; refused, it does not count."""
    one = shot("a", [1, 13], [4])
    whole = assemble(world(one))
    assert whole.hands[4].why == "sealed"
    assert the_item(whole, "sealed").standing is Standing.OPEN
    accepted = assemble(world(one, rulings=ruled("sealed:4", "accept")))
    assert (accepted.hands[4].counts, accepted.hands[4].cards) == (True, names(1, 13))
    assert not items_of(accepted, "dead")
    refused = assemble(world(one, rulings=ruled("sealed:4", "refuse")))
    assert (refused.hands[4].why, refused.hands[4].cards) == ("sealed", names(1))


def test_a_copy_counts_once_and_is_told() -> None:
    """The same card at two places of one picture is one card and a copy."""
    one = shot("a", [1, 1, 2], [1])
    whole = assemble(world(one))
    assert decks(whole) == {1: names(1, 2)}
    item = the_item(whole, "copy")
    assert len(item.places) == 2
    assert decks(assemble(world(one, rulings=ruled(item.key, "void")))) == {1: names(2)}
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
    assert (first.standing, first.choices) == (Standing.SETTLED, ())
    assert decks(whole) == {1: names(1), 2: names(5)}


def test_a_decision_about_what_is_no_longer_asked_does_no_harm() -> None:
    """Earlier versions asked about strange codes and unreadable pictures, and kept what was said."""
    shots = (shot("a", [1], [1], strangers=[("foreign", "X")]), picture("b", None, at=1, state="failed"))
    plain = assemble(world(*shots))
    keys = [the_item(plain, kind).key for kind in ("foreign", "failed")]
    for key in (*keys, "code:foreign:0123456789abcdef"):
        whole = assemble(world(*shots, rulings=ruled(key, "ignore")))
        assert (whole.items, whole.hands, whole.without_effect) == (plain.items, plain.hands, ())


def test_a_picture_that_failed_or_shows_nothing_is_told() -> None:
    """Neither can be overlooked."""
    whole = assemble(world(picture("a", None, state="failed", reason="crashed"), shot("b", at=1)))
    failed = the_item(whole, "failed")
    assert "crashed" in failed.text
    assert failed.standing is Standing.SETTLED
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
