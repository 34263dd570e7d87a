"""What holds for all pictures and decisions: nothing is merged, dropped or counted twice."""

from __future__ import annotations

import dataclasses
from collections import Counter
from typing import TYPE_CHECKING

from hypothesis import given, settings
from hypothesis import strategies as st

from server.play.assembly import World, assemble
from server.play.items import Ruled, Standing, mistake_in
from tests.play.worlds import CARDS, END, ENVELOPES, SEALED, decisions, worlds

if TYPE_CHECKING:
    from server.play.assembly import Assembly

MANY = settings(max_examples=40, deadline=None)


def _facts(whole: Assembly) -> object:
    """Return what a queue says, whatever the order of equal things."""
    items = [(item.revision, item.standing, item.text, item.settled, item.suggestions) for item in whole.items]
    return whole.hands, items, whole.without_effect, whole.waiting


@MANY
@given(worlds(), st.randoms(use_true_random=False))
def test_the_order_of_pictures_does_not_matter(world: World, chance: object) -> None:
    """Pictures and decisions in another order give the same hands and the same queue."""
    pictures, rulings = list(world.pictures), list(world.rulings.items())
    chance.shuffle(pictures)  # type: ignore[attr-defined]  # hypothesis's own Random
    chance.shuffle(rulings)  # type: ignore[attr-defined]  # as above
    other = dataclasses.replace(world, pictures=tuple(pictures), rulings=dict(rulings))
    assert _facts(assemble(world)) == _facts(assemble(other))


@MANY
@given(worlds(), st.data())
def test_the_same_file_twice_changes_nothing(world: World, data: st.DataObject) -> None:
    """A picture that is sent again, under another name and in another batch, is the same picture."""
    if not world.pictures:
        return
    picture = data.draw(st.sampled_from(world.pictures))
    again = dataclasses.replace(
        picture, id=f"{picture.id}-again", created=picture.created.replace(year=2027), batch="c"
    )
    other = dataclasses.replace(world, pictures=(*world.pictures, again))
    assert _facts(assemble(world)) == _facts(assemble(other))


@MANY
@given(worlds())
def test_no_card_lies_in_two_decks(world: World) -> None:
    """Each card lies in one hand at most, whatever was seen and decided."""
    counts = Counter(card for hand in assemble(world).hands.values() for card in hand.cards)
    assert max(counts.values(), default=1) == 1


@MANY
@given(worlds())
def test_every_card_that_was_seen_lies_in_a_hand_or_in_an_item(world: World) -> None:
    """Nothing that a picture shows is dropped in silence."""
    whole = assemble(world)
    told = {card for hand in whole.hands.values() for card in hand.cards}
    told |= {card for item in whole.items for card in item.cards}
    seen = {found.card for picture in world.pictures if picture.reading for found in picture.reading.seen}
    assert seen <= told


@MANY
@given(worlds())
def test_only_labels_and_organisers_say_whose_a_card_is(world: World) -> None:
    """A hand has no card but those in pictures with its one label, and those that a decision names it for."""
    whole = assemble(dataclasses.replace(world, rulings={}))
    for number, hand in whole.hands.items():
        labelled = {
            found.card
            for picture in world.pictures
            if picture.reading and set(picture.reading.labels) == {number}
            for found in picture.reading.seen
        }
        assert set(hand.cards) <= labelled


@MANY
@given(worlds())
def test_every_picture_that_was_not_understood_has_an_item(world: World) -> None:
    """A picture that failed, or shows nothing, or has no single label, or an unread place, is in the queue."""
    whole = assemble(world)
    told = {place.photo for item in whole.items for place in item.places} | set(whole.waiting)
    for picture in world.pictures:
        found = picture.reading
        if found is None or not found.seen or len(found.labels) != 1 or found.labels[0] == 9:
            assert picture.id in told
        if found is not None and found.doubts and ("ignore" not in {r.decision.do for r in world.rulings.values()}):
            assert picture.id in told


@MANY
@given(worlds(), st.data())
def test_a_decision_taken_back_leaves_no_trace_in_the_hands(world: World, data: st.DataObject) -> None:
    """To decide and then to take it back gives exactly what was before."""
    before = assemble(world)
    undecided = [item for item in before.items if item.choices and item.key not in world.rulings]
    if not undecided:
        return
    item = data.draw(st.sampled_from(undecided))
    decision = data.draw(decisions(item))
    assert mistake_in(decision, item.choices, ENVELOPES, dict.fromkeys(CARDS, 1)) is None
    rulings = {**world.rulings, item.key: Ruled(decision, "because", "Olga", END)}
    after = assemble(dataclasses.replace(world, rulings=rulings))
    if item.standing is Standing.OPEN:
        assert item.key not in {left.key for left in after.open}
    del rulings[item.key]
    assert _facts(assemble(dataclasses.replace(world, rulings=rulings))) == _facts(before)


@MANY
@given(worlds())
def test_a_decision_has_its_effect_or_is_shown_to_have_none(world: World) -> None:
    """Each decision is shown with its item, or in the list of those without effect; never in both."""
    whole = assemble(world)
    shown = {item.key for item in whole.items if item.ruling is not None}
    assert shown | set(whole.without_effect) == set(world.rulings)
    assert not shown & set(whole.without_effect)


@MANY
@given(worlds())
def test_what_leaves_nothing_to_decide_is_not_asked(world: World) -> None:
    """Every open item has an answer."""
    assert all(item.choices for item in assemble(world).open)


@MANY
@given(worlds())
def test_dead_cards_count_only_by_a_decision(world: World) -> None:
    """A card of a sealed envelope lies in no hand unless an organiser said that it lives."""
    whole = assemble(world)
    if whole.hands[SEALED].why == "sealed":
        accepted = {key for key, ruling in world.rulings.items() if ruling.decision.do == "accept"}
        for hand in whole.hands.values():
            assert all(f"dead:{card}" in accepted for card in hand.cards if int(card[-3:]) > 12)
