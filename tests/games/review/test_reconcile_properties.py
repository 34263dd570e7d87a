"""Properties of reconciliation for generated evidence: nothing is merged, lost or counted twice."""

from __future__ import annotations

import dataclasses
from collections import Counter

from hypothesis import given, settings
from hypothesis import strategies as st

from server.games.review.evidence import Evidence
from server.games.review.issues import DecisionRecord, IssueStatus, decision_error
from server.games.review.reconcile import Reconciliation, reconcile
from tests.games.review.made_evidence import CARDS, END, ENVELOPES, SEALED, decisions, generated_evidence

MANY = settings(max_examples=40, deadline=None)


def _facts(whole: Reconciliation) -> object:
    """Return a reconciliation in a form that does not depend on the order of equal things."""
    items = [(item.revision, item.status, item.text, item.settled, item.suggestions) for item in whole.issues]
    return whole.hands, items, whole.without_effect, whole.waiting


@MANY
@given(generated_evidence(), st.randoms(use_true_random=False))
def test_the_order_of_photos_and_decisions_does_not_matter(evidence: Evidence, chance: object) -> None:
    pictures, rulings = list(evidence.photos), list(evidence.decisions.items())
    chance.shuffle(pictures)  # type: ignore[attr-defined]  # the Random of hypothesis
    chance.shuffle(rulings)  # type: ignore[attr-defined]  # as above
    other = dataclasses.replace(evidence, photos=tuple(pictures), decisions=dict(rulings))
    assert _facts(reconcile(evidence)) == _facts(reconcile(other))


@MANY
@given(generated_evidence().filter(lambda evidence: bool(evidence.photos)), st.data())
def test_a_duplicate_file_changes_nothing(evidence: Evidence, data: st.DataObject) -> None:
    picture = data.draw(st.sampled_from(evidence.photos))
    later = picture.created.replace(year=2027)
    again = dataclasses.replace(picture, id=f"{picture.id}-again", created=later, batch="c")
    other = dataclasses.replace(evidence, photos=(*evidence.photos, again))
    assert _facts(reconcile(evidence)) == _facts(reconcile(other))


@MANY
@given(generated_evidence(), st.data())
def test_a_withdrawn_decision_leaves_no_trace(evidence: Evidence, data: st.DataObject) -> None:
    before = reconcile(evidence)
    undecided = [item for item in before.issues if item.choices and item.key not in evidence.decisions]
    if not undecided:
        return
    item = data.draw(st.sampled_from(undecided))
    decision = data.draw(decisions(item))
    assert decision_error(decision, item.choices, ENVELOPES, dict.fromkeys(CARDS, 1)) is None
    rulings = {**evidence.decisions, item.key: DecisionRecord(decision, "because", "Olga", END)}
    after = reconcile(dataclasses.replace(evidence, decisions=rulings))
    if item.status is IssueStatus.OPEN:
        assert item.key not in {left.key for left in after.open_issues}
    del rulings[item.key]
    assert _facts(reconcile(dataclasses.replace(evidence, decisions=rulings))) == _facts(before)


@settings(max_examples=80, deadline=None)
@given(generated_evidence())
def test_nothing_is_lost_or_counted_twice(evidence: Evidence) -> None:
    whole = reconcile(evidence)
    held = Counter(card for hand in whole.hands.values() for card in hand.cards)
    assert max(held.values(), default=1) == 1, "a card is in two decks"
    readings = [picture.reading for picture in evidence.photos if picture.reading]
    named = set(held) | {card for item in whole.issues for card in item.cards}
    assert {found.card for reading in readings for found in reading.seen} <= named, "a card that was seen is dropped"
    shown = {item.key for item in whole.issues if item.record is not None}
    assert shown | set(whole.without_effect) == set(evidence.decisions), (
        "a decision is neither shown nor without effect"
    )
    assert not shown & set(whole.without_effect), "a decision is shown and without effect"
    assert all(item.choices for item in whole.open_issues), "an open item has no answer"
    done = {record.decision.do for record in evidence.decisions.values()}
    mentioned = {place.photo for item in whole.issues for place in item.places} | set(whole.waiting)
    for picture in evidence.photos:
        found = picture.reading
        if found is None or not found.seen or len(found.labels) != 1 or found.labels[0] == 9:
            assert picture.id in mentioned, "a picture that was not understood has no item"
        if found is not None and found.doubts and "ignore" not in done:
            assert picture.id in mentioned, "a place that was not read has no item"
    if whole.hands[SEALED].exclusion == "sealed":
        accepted = {key for key, record in evidence.decisions.items() if record.decision.do == "accept"}
        assert all(f"dead:{card}" in accepted for card in held if int(card[-3:]) > 12), "a dead card counts"


@MANY
@given(generated_evidence())
def test_only_labels_and_organisers_assign_cards(evidence: Evidence) -> None:
    for number, hand in reconcile(dataclasses.replace(evidence, decisions={})).hands.items():
        readings = [picture.reading for picture in evidence.photos if picture.reading]
        labelled = {found.card for one in readings if set(one.labels) == {number} for found in one.seen}
        assert set(hand.cards) <= labelled
