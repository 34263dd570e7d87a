"""Whole hands: counts, what is missing, what came late, and cards entered by hand."""

from __future__ import annotations

import dataclasses
from datetime import timedelta

import pytest

from server.play.assembly import assemble
from server.play.items import Standing
from tests.play.worlds import END, card, decks, items_of, knowing, names, ruled, shot, the_item, world


def test_a_count_unlike_the_players_own_list_names_the_cards() -> None:
    """Which were not seen, and which are too many; the same list raises nothing."""
    whole = assemble(world(shot("a", [1, 2, 5], [1]), claims={1: [1, 2, 3]}))
    item = the_item(whole, "count")
    assert (item.missing, item.extra) == (names(3), names(5))
    accepted = assemble(world(shot("a", [1, 2, 5], [1]), claims={1: [1, 2, 3]}, rulings=ruled(item.key, "accept")))
    assert the_item(accepted, "count").standing is Standing.RULED
    assert decks(accepted) == {1: names(1, 2, 5)}
    assert not items_of(assemble(world(shot("a", [1, 2], [1]), claims={1: [1, 2]})), "count")


def test_another_difference_is_another_question() -> None:
    """A difference that was accepted says nothing about the next one."""
    first = the_item(assemble(world(shot("a", [1, 2, 5], [1]), claims={1: [1, 2]})), "count").key
    whole = assemble(world(shot("a", [1, 2, 5, 6], [1]), claims={1: [1, 2]}, rulings=ruled(first, "accept")))
    assert the_item(whole, "count").standing is Standing.OPEN
    assert whole.without_effect == (first,)


@pytest.mark.parametrize(("known", "says"), [("counted", "counted"), ("claim_counted", "player"), ("dealt", "dealt")])
@pytest.mark.parametrize("expected", [1, 2, 3, 4])
def test_a_deck_has_as_many_cards_as_somebody_counted(known: str, says: str, expected: int) -> None:
    """One more or one less is a doubt, whoever says the number; the same number raises nothing."""
    whole = assemble(knowing(world(shot("a", [1, 2, 3], [1])), **{known: expected}))
    if expected == 3:
        assert not items_of(whole, "count")
        return
    item = the_item(whole, "count")
    assert (item.envelopes, item.seen, item.expected, item.case) == ((1,), 3, expected, says)
    assert [choice.do for choice in item.choices] == ["accept"]
    assert whole.hands[1].counts


def test_an_organisers_count_overrides_the_players_and_that_the_number_dealt() -> None:
    """The envelope is counted last, and by those who count."""
    base = world(shot("a", [1, 2, 3], [1]))
    assert not items_of(assemble(knowing(base, counted=3, claim_counted=4, dealt=5)), "count")
    assert the_item(assemble(knowing(base, claim_counted=4, dealt=3)), "count").case == "player"


def test_a_deck_that_is_the_players_own_list_is_not_doubted() -> None:
    """Card by card it has to be: as many others, or a list of which its player counted more cards, support nothing."""
    base = world(shot("a", [1, 2, 3], [1]), claims={1: [1, 2, 3]})
    for number in (2, 3, 4):
        assert not items_of(assemble(knowing(base, counted=number, dealt=number)), "count")
        assert not items_of(assemble(knowing(base, counted=number, claim_counted=3)), "count")
    assert the_item(assemble(knowing(base, claim_counted=4)), "count").expected == 4
    assert not items_of(assemble(knowing(base, claim_counted=4, counted=3)), "count")
    other = the_item(assemble(knowing(world(shot("a", [1, 2, 3], [1]), claims={1: [1, 2, 5]}), counted=4)), "count")
    assert (other.missing, other.extra, other.expected) == (names(5), names(3), 4)


def test_a_number_of_cards_is_settled_once_and_asked_again_of_another_deck() -> None:
    """The decision is about these cards and this number: it has no effect on others, nor where the number is met."""
    base = knowing(world(shot("a", [1, 2], [1])), counted=3)
    rulings = ruled(the_item(assemble(base), "count").key, "accept")
    settled = dataclasses.replace(base, rulings=rulings)
    assert the_item(assemble(settled), "count").standing is Standing.RULED
    assert not [item for item in assemble(settled).open if item.kind == "count"]
    others = [
        dataclasses.replace(settled, pictures=(shot("a", [1, 5], [1]),)),
        dataclasses.replace(settled, rulings={**rulings, **ruled(f"hand:{card(2)}:1", "remove")}),
        knowing(settled, counted=4),
    ]
    for other in others:
        assert the_item(assemble(other), "count").standing is Standing.OPEN
        assert rulings.keys() <= set(assemble(other).without_effect)
    met = assemble(dataclasses.replace(settled, rulings={**rulings, **ruled(f"hand:{card(3)}:1", "add")}))
    assert not items_of(met, "count")
    assert met.without_effect == tuple(rulings)


def test_cards_that_lie_there_and_do_not_count_are_counted_by_hand_all_the_same() -> None:
    """A dead card is one of the pile; a card that turned out to lie in another envelope is not."""
    assert not items_of(assemble(knowing(world(shot("a", [1, 2, 13], [1])), counted=3)), "count")
    two = world(shot("a", [1, 2], [1]), shot("b", [2, 5], [2]))
    twice = the_item(assemble(two), "two-decks").key
    belongs = dataclasses.replace(two, rulings=ruled(twice, "belongs", envelope=2))
    assert not items_of(assemble(knowing(belongs, counted=1)), "count")
    assert the_item(assemble(knowing(belongs, counted=2)), "count").seen == 1


def test_no_number_is_asked_of_an_envelope_that_does_not_count_or_was_not_seen() -> None:
    """It has a doubt of its own, and nothing that could be counted again."""
    assert not items_of(assemble(knowing(world(), counted=3, dealt=3)), "count")
    trusted = world(claims={1: [1, 2]}, rulings=ruled("unseen:1", "trust"))
    assert not items_of(assemble(knowing(trusted, claim_counted=3)), "count")
    sealed = world(shot("a", [13, 14], [4]), rulings=ruled("sealed:4", "refuse"))
    assert not items_of(assemble(knowing(sealed, 4, counted=3)), "count")


def test_who_handed_in_by_phone_and_was_never_photographed() -> None:
    """Not counted, until an organiser trusts the player's own list; that list meets all other decks."""
    claims = {1: [1, 2]}
    whole = assemble(world(claims=claims))
    assert whole.hands[1].why == "not-seen"
    assert the_item(whole, "unseen").cards == names(1, 2)
    trusted = assemble(world(shot("a", [2, 5], [2]), claims=claims, rulings=ruled("unseen:1", "trust")))
    assert (trusted.hands[1].counts, trusted.hands[1].cards) == (True, names(1))
    assert the_item(trusted, "two-decks").cards == names(2)
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
    assert (refused.hands[1].counts, refused.hands[1].why, refused.hands[1].cards) == (False, "late-refused", names(1))
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


def test_a_card_entered_by_hand_lies_in_its_envelope() -> None:
    """An envelope that nobody can photograph is entered card by card, and counts."""
    whole = assemble(world(rulings=ruled(f"hand:{card(1)}:1", "add") | ruled(f"hand:{card(2)}:1", "add")))
    assert (whole.hands[1].counts, whole.hands[1].cards, whole.hands[1].received) == (True, names(1, 2), END)
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
    assert decks(whole) == {1: names(2)}
    assert the_item(whole, "by-hand").places[0].photo == "a"
    nothing = assemble(world(shot("a", [2], [1]), rulings=removal))
    assert nothing.without_effect == tuple(removal)
