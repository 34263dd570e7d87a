"""Reconciliation of photos, lists and decisions: all kinds of issues, and how they are settled."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from datetime import timedelta
from typing import Any

import pytest

from server.games.photos.readings import PileReading, Reading
from server.games.review.issues import IssueStatus
from server.games.review.photo_ownership import ReviewedPhoto
from server.games.review.reconcile import reconcile
from tests.games.review.made_evidence import (
    END,
    decided,
    decks,
    evidence,
    issues_of,
    names,
    picture,
    reconciled,
    shot,
    shots,
    the_issue,
    with_facts,
)
from tests.readings import quad_at, reading

OPEN, DECIDED, SETTLED = IssueStatus


def _two_piles(labels: Sequence[int], *sides: int | None) -> list[ReviewedPhoto]:
    piles = tuple(PileReading(label=side, cards=cards) for side, cards in zip(sides, ((0, 1), (2, 3)), strict=True))
    return [picture("a", reading(names(1, 2, 5, 6), labels).model_copy(update={"scanned_piles": piles}))]


def _decision(text: str) -> dict[str, Any]:
    """Parse a decision: `assign 1`, `split 1 -`, or `card 2 3`, which is card 2 in envelope 3."""
    do, *rest = text.split()
    if do == "split":
        return {"do": do, "envelopes": tuple(None if one == "-" else int(one) for one in rest)}
    fields: dict[str, Any] = {"do": do}
    if do == "card":
        fields["card"] = names(int(rest.pop(0)))[0]
    return fields | ({"envelope": int(rest[0])} if rest else {})


@pytest.mark.parametrize(
    ("pictures", "kind", "before", "outcomes"),
    [
        ("1 2 @1; 3 4; 5 6 @2", "no-label", "1: 1 2; 2: 5 6", {"assign 1": "1: 1 2 3 4; 2: 5 6"}),
        ("1 2 @1; 3 4", "no-label", "1: 1 2", {"assign 1": "1: 1 2 3 4", "ignore": "1: 1 2"}),
        # A label of an unknown envelope.
        ("1 @9", "no-label", "", {"assign 1": "1: 1"}),
        # Two labels do not divide the cards, even if the scanner sees two piles.
        (_two_piles((1, 2), 1, 2), "two-labels", "", {"split 1 2": "1: 1 2; 2: 5 6", "split - 2": "2: 5 6"}),
        # A pile away from the only label.
        (_two_piles((1,), 1, None), "no-label", "1: 1 2", {"assign 2": "2: 1 2 5 6"}),
        ("1 2 @1; 2 5 @2", "two-decks", "1: 1; 2: 5", {"belongs 2": "1: 1; 2: 2 5", "void": "1: 1; 2: 5"}),
        # A card of a sealed envelope.
        ("1 13 @1", "dead", "1: 1", {"accept": "1: 1 13", "void": "1: 1"}),
        # The same card twice in a photo.
        ("1 1 2 @1", "copy", "1: 1 2", {"void": "1: 2"}),
        ("1 @1 ?", "doubt", "1: 1", {"card 2": "1: 1 2", "nothing": "1: 1"}),
        ("1 ?", "doubt", "", {"card 2": "", "card 2 3": "3: 2"}),
    ],
)
def test_decisions_of_organisers_are_applied(
    pictures: str | list[ReviewedPhoto], kind: str, before: str, outcomes: dict[str, str]
) -> None:
    whole = reconciled(pictures)
    assert decks(whole) == before
    item = the_issue(whole, kind)
    assert item.places
    assert item.status is OPEN or kind == "copy"
    for decision, after in outcomes.items():
        assert decks(reconciled(pictures, decisions=decided(item.key, **_decision(decision)))) == after, decision


def test_photos_with_one_label_make_one_deck() -> None:
    whole = reconciled("1 2 @1; 2 3 @1")
    assert decks(whole) == "1: 1 2 3"
    assert [place.photo for place in whole.hands[1].places["red-002"]] == ["a", "b"]
    assert whole.hands[1].photos == ("a", "b")
    assert {item.kind for item in whole.issues} == {"missing"}, "a card in two pictures is no copy"


@pytest.mark.parametrize(
    ("pictures", "claims", "kind", "envelopes"),
    [
        ("1 2 @1; 3 4; 5 6 @3", {}, "no-label", [2, 1, 3]),
        ("5 6 @3; 3 4; 1 2 @1", {}, "no-label", [2, 3, 1]),
        # Another photo shows envelope 2.
        ("1 2 @1; 3 4; 5 6 @3; 9 @2", {}, "no-label", [1, 3]),
        ("1 2 @1; 3 4; 5 6 @2", {}, "no-label", [1, 2]),
        # The players' lists with most cards in common.
        ("3 4 5", {1: [3], 2: [4, 5, 6]}, "no-label", [2, 1]),
        # An envelope that is not visible is not among the two.
        ("7 @3; 1 2 5 6 @1 @2", {3: [1, 2, 5], 2: [5, 6]}, "two-labels", [2]),
    ],
)
def test_envelopes_are_suggested_for_a_photo(
    pictures: str, claims: dict[int, list[int]], kind: str, envelopes: list[int]
) -> None:
    item = the_issue(reconciled(pictures, claims=claims), kind)
    assert [idea.envelope for idea in item.suggestions] == envelopes
    assert kind == "no-label" or item.envelopes == (1, 2)


def test_suggestions_say_whether_another_photo_belongs_to_the_envelope() -> None:
    """The number of a photograph's own label does not count."""
    item = the_issue(reconciled("1 2 @1; 3 4; 5 6 @3"), "no-label")
    assert {idea.envelope: idea.photographed for idea in item.suggestions} == {2: False, 1: True, 3: True}


def test_a_neighbouring_photo_is_named_by_its_envelope() -> None:
    key = issues_of(reconciled("1 2; 3 4"), "no-label")[0].key
    given = reconciled("1 2; 3 4", decisions=decided(key, "assign", envelope=1))
    (idea,) = next(one for one in issues_of(given, "no-label") if one.key != key).suggestions
    assert (idea.envelope, idea.why) == (1, "The picture before it in the batch belongs to envelope 1.")


def test_the_envelopes_of_piles_are_prefilled_from_their_labels() -> None:
    for piles, labels in ((_two_piles((1, 2), 2, 1), (2, 1)), (_two_piles((1,), 1, None), (1, None))):
        (issue,) = issues_of(reconciled(piles), "two-labels" if None not in labels else "no-label")
        assert next(choice.labels for choice in issue.choices if choice.do == "split") == labels


def test_ignored_cards_are_still_listed() -> None:
    key = the_issue(reconciled("1 2 @1; 3 4"), "no-label").key
    assert the_issue(reconciled("1 2 @1; 3 4", decisions=decided(key, "ignore")), "no-label").cards == names(3, 4)
    two = _two_piles((1, 2), 1, 2)
    half = reconciled(
        two, decisions=decided(the_issue(reconciled(two), "two-labels").key, "split", envelopes=(None, 2))
    )
    assert the_issue(half, "two-labels").cards == names(1, 2)
    assert "9" in the_issue(reconciled("1 @9"), "no-label").text


def test_a_photo_without_a_label_is_settled_by_a_photo_of_the_same_cards() -> None:
    for pictures, standing in (("1 2", OPEN), ("1 2; 1 @1", OPEN), ("1 2; 1 2 3 @1", SETTLED)):
        item = the_issue(reconciled(pictures), "no-label")
        assert (item.status, bool(item.settled)) == (standing, standing is SETTLED)
    assert decks(reconciled("1 2; 1 2 3 @1")) == "1: 1 2 3"


def test_a_label_can_be_overridden() -> None:
    one = shots("1 2 @1")
    whole = reconciled(one, decisions=decided(str(one[0].key), "assign", envelope=2))
    assert decks(whole) == "2: 1 2"
    assert the_issue(whole, "assigned").status is DECIDED


def test_a_decision_has_no_effect_on_other_issues() -> None:
    count = the_issue(reconciled("1 2 5 @1", claims={1: [1, 2]}), "count").key
    for rulings, pictures, kind in (
        (decided(str(shot("a", [1, 2]).key), "assign", envelope=1), "1 2 5", "no-label"),
        (decided("decks:red-002:1+2", "belongs", envelope=1), "2 @1; 2 @2; 2 @3", "two-decks"),
        (decided(count, "accept"), "1 2 5 6 @1", "count"),
    ):
        whole = reconciled(pictures, claims={1: [1, 2]}, decisions=rulings)
        assert the_issue(whole, kind).status is OPEN
        assert whole.without_effect == tuple(rulings)


def test_some_invalid_cards_cannot_become_valid() -> None:
    never_printed = reconciled("1 999 @1")
    assert decks(never_printed) == "1: 1"
    item = the_issue(never_printed, "dead")
    assert (item.choices, item.status) == ((), SETTLED)
    lost = reconciled("1 2 @1", lost=frozenset(names(2)))
    assert decks(lost) == "1: 1"
    assert "lost" in the_issue(lost, "dead").text


def test_a_sealed_envelope_needs_a_decision_to_count() -> None:
    whole = reconciled("1 13 @4")
    assert (whole.hands[4].exclusion, the_issue(whole, "sealed").status) == ("sealed", OPEN)
    accepted = reconciled("1 13 @4", decisions=decided("sealed:4", "accept"))
    assert (accepted.hands[4].counts, accepted.hands[4].cards) == (True, names(1, 13))
    assert not issues_of(accepted, "dead")
    refused = reconciled("1 13 @4", decisions=decided("sealed:4", "refuse"))
    assert (refused.hands[4].exclusion, refused.hands[4].cards) == ("sealed", names(1))


@pytest.mark.parametrize("status", ["forged", "other-game", "foreign"])
def test_a_foreign_code_is_one_issue(status: str) -> None:
    second = shot("b", [5], [2], at=1, strangers=[(status, "X"), (status, "Y")])
    whole = reconciled([shot("a", [1], [1], strangers=[(status, "X")]), second])
    items = issues_of(whole, status)
    assert sorted(len(item.places) for item in items) == [1, 2]
    assert {(item.status, item.choices) for item in items} == {(SETTLED, ())}
    assert decks(whole) == "1: 1; 2: 5"


def test_decisions_of_earlier_versions_are_ignored() -> None:
    some = [shot("a", [1], [1], strangers=[("foreign", "X")]), picture("b", None, at=1, state="failed")]
    plain = reconciled(some)
    for key in (the_issue(plain, "foreign").key, the_issue(plain, "failed").key, "code:foreign:0123456789abcdef"):
        whole = reconciled(some, decisions=decided(key, "ignore"))
        assert (whole.issues, whole.hands, whole.without_effect) == (plain.issues, plain.hands, ())


def test_failed_waiting_and_empty_photos_are_listed() -> None:
    failed = picture("a", None, state="failed", reason="crashed")
    waiting = [picture("c", None, state="waiting"), picture("d", None, state="scanning")]
    whole = reconciled([failed, shot("b", at=1), *waiting])
    assert "crashed" in the_issue(whole, "failed").text
    assert the_issue(whole, "failed").status is SETTLED
    nothing = the_issue(whole, "nothing")
    assert ([place.photo for place in nothing.places], whole.waiting) == (["b"], ("c", "d"))
    assert [choice.do for choice in nothing.choices] == ["empty", "ignore"]


def test_a_photo_of_a_label_only_may_be_an_empty_envelope() -> None:
    item = the_issue(reconciled("@1"), "nothing")
    assert item.status is OPEN
    empty = reconciled("@1", decisions=decided(item.key, "empty", envelope=1))
    assert (empty.hands[1].counts, empty.hands[1].cards) == (True, ())
    assert the_issue(reconciled("@1; 1 @1"), "nothing").status is SETTLED


def _layout(*copies: int, unread: int | None = None) -> Reading:
    """Return a scan result of cards in a row, with an unread region."""
    found = reading(names(*copies), [1], doubts=["blur"] if unread is not None else [])
    places = [one.model_copy(update={"quad": quad_at(unread or 0)}) for one in found.doubts]
    return found.model_copy(update={"doubts": tuple(places)})


SAME_LAYOUT = [picture("a", _layout(1, 2, 3, unread=3)), picture("b", _layout(1, 2, 3, 4), at=1)]
MOVED = [SAME_LAYOUT[0], picture("b", _layout(3, 1, 4), at=1)]


@pytest.mark.parametrize(
    ("pictures", "claim", "standing"),
    [
        pytest.param("1 2 @1 ?", [], OPEN, id="nothing"),
        pytest.param(SAME_LAYOUT, [], SETTLED, id="the same layout in a later picture"),
        pytest.param(MOVED, [], OPEN, id="a close-up of moved cards"),
        pytest.param("1 2 @1 ?; 3 @1", [1, 2, 3], SETTLED, id="the player's list"),
        pytest.param("1 2 @1 ?; 3 @1", [1, 2, 3, 4], OPEN, id="a longer list"),
        pytest.param("1 2 3 @1 ?", [1, 2, 3], OPEN, id="a list without another picture"),
        pytest.param("1 2 @1 ?; 1 2 3 @1", [], SETTLED, id="a better picture"),
        pytest.param("1 2 @1 ?; 1 2 @1", [], OPEN, id="a picture of as many cards"),
        pytest.param("1 2 @1 ?; 1 3 5 @1", [], OPEN, id="a picture of other cards"),
        pytest.param("1 2 @1 ?; 1 2 3 @2", [], OPEN, id="a picture of another's deck"),
    ],
)
def test_unread_regions_are_settled_by_other_evidence(
    pictures: str | list[ReviewedPhoto], claim: list[int], standing: IssueStatus
) -> None:
    item = the_issue(reconciled(pictures, claims={1: claim} if claim else {}), "doubt")
    assert (item.status, bool(item.settled)) == (standing, standing is SETTLED)


def test_a_decision_on_an_unread_region_names_its_position() -> None:
    item = the_issue(reconciled("1 @1 ?"), "doubt")
    assert item.places[0].quad == quad_at(0, 3)
    found = reconciled("1 @1 ?", decisions=decided(item.key, "card", card="red-002"))
    assert found.hands[1].places["red-002"][0].how == "doubt"
    assert "red-004" in the_issue(reconciled(SAME_LAYOUT), "doubt").settled


def test_an_incomplete_scan_is_open_until_it_is_reviewed() -> None:
    half = [picture("a", reading(names(1, 2), [1]).model_copy(update={"complete": False}))]
    item = the_issue(reconciled(half), "incomplete")
    assert item.status is OPEN
    assert the_issue(reconciled(half, claims={1: [1, 2]}), "incomplete").status is SETTLED
    assert "incomplete" not in {
        one.kind for one in reconciled(half, decisions=decided(item.key, "complete")).open_issues
    }


def test_differences_to_the_players_list_are_named() -> None:
    item = the_issue(reconciled("1 2 5 @1", claims={1: [1, 2, 3]}), "count")
    assert (item.missing, item.extra) == (names(3), names(5))
    accepted = reconciled("1 2 5 @1", claims={1: [1, 2, 3]}, decisions=decided(item.key, "accept"))
    assert the_issue(accepted, "count").status is DECIDED
    assert decks(accepted) == "1: 1 2 5"
    assert not issues_of(reconciled("1 2 @1", claims={1: [1, 2]}), "count")
    # The same number of other cards does not confirm the list.
    other = the_issue(reconcile(with_facts(evidence("1 2 3 @1", claims={1: [1, 2, 5]}), counted=4)), "count")
    assert (other.missing, other.extra, other.expected) == (names(5), names(3), 4)


@pytest.mark.parametrize(("known", "says"), [("counted", "counted"), ("hand_in_count", "player"), ("dealt", "dealt")])
@pytest.mark.parametrize("expected", [1, 2, 3, 4])
def test_the_counted_number_of_cards_is_expected(known: str, says: str, expected: int) -> None:
    whole = reconcile(with_facts(evidence("1 2 3 @1"), **{known: expected}))
    if expected == 3:
        assert not issues_of(whole, "count")
        return
    item = the_issue(whole, "count")
    assert (item.envelopes, item.seen, item.expected, item.case) == ((1,), 3, expected, says)
    assert [choice.do for choice in item.choices] == ["accept"]
    assert whole.hands[1].counts


DECK, LISTED = evidence("1 2 3 @1"), evidence("1 2 3 @1", claims={1: [1, 2, 3]})
TWICE = evidence("1 2 @1; 2 5 @2", decisions=decided("decks:red-002:1+2", "belongs", envelope=2))
TRUSTED = evidence(claims={1: [1, 2]}, decisions=decided("unseen:1", "trust"))
SEALED = evidence("13 14 @4", decisions=decided("sealed:4", "refuse"))
COUNTED_BY = {
    "an organiser's count overrides all others": (with_facts(DECK, counted=3, hand_in_count=4, dealt=5), None),
    "a player's overrides the number dealt": (with_facts(DECK, hand_in_count=4, dealt=3), (3, 4, "player")),
    "a deck that is the player's list needs no count": (with_facts(LISTED, counted=4, dealt=2), None),
    "nor an organiser's and the player's": (with_facts(LISTED, counted=2, hand_in_count=3), None),
    "a list of which the player counted more is doubted": (with_facts(LISTED, hand_in_count=4), (3, 4, "player")),
    "unless an organiser counted as many": (with_facts(LISTED, hand_in_count=4, counted=3), None),
    "a dead card lies in the pile": (with_facts(evidence("1 2 13 @1"), counted=3), None),
    "a card of another's deck does not": (with_facts(TWICE, counted=1), None),
    "and is missed by who counted it": (with_facts(TWICE, counted=2), (1, 2, "counted")),
    "an envelope that was not seen": (with_facts(evidence(), counted=3, dealt=3), None),
    "a trusted list": (with_facts(TRUSTED, hand_in_count=3), None),
    "an envelope that does not count": (with_facts(SEALED, 4, counted=3), None),
}


@pytest.mark.parametrize(("known", "doubt"), COUNTED_BY.values(), ids=COUNTED_BY)
def test_sources_of_the_number_of_cards_have_an_order(known: Any, doubt: tuple[int, int, str] | None) -> None:  # noqa: ANN401 - a evidence
    items = issues_of(reconcile(known), "count")
    assert [(item.seen, item.expected, item.case) for item in items] == ([doubt] if doubt else [])


def test_an_accepted_number_of_cards_is_only_for_this_deck_and_number() -> None:
    base = with_facts(evidence("1 2 @1"), counted=3)
    rulings = decided(the_issue(reconcile(base), "count").key, "accept")
    settled = dataclasses.replace(base, decisions=rulings)
    assert the_issue(reconcile(settled), "count").status is DECIDED
    for other in (
        dataclasses.replace(settled, photos=tuple(shots("1 5 @1"))),
        dataclasses.replace(settled, decisions={**rulings, **decided("hand:red-002:1", "remove")}),
        with_facts(settled, counted=4),
    ):
        assert the_issue(reconcile(other), "count").status is OPEN
        assert rulings.keys() <= set(reconcile(other).without_effect)
    met = reconcile(dataclasses.replace(settled, decisions={**rulings, **decided("hand:red-003:1", "add")}))
    assert not issues_of(met, "count")
    assert met.without_effect == tuple(rulings)


def test_a_hand_in_without_a_photo_of_the_envelope_is_an_issue() -> None:
    whole = reconciled(claims={1: [1, 2]})
    assert whole.hands[1].exclusion == "not-seen"
    assert the_issue(whole, "unseen").cards == names(1, 2)
    trusted = reconciled(shots("2 5 @2"), claims={1: [1, 2]}, decisions=decided("unseen:1", "trust"))
    assert (trusted.hands[1].counts, trusted.hands[1].cards) == (True, names(1))
    assert the_issue(trusted, "two-decks").cards == names(2)
    absent = reconciled(claims={1: [1, 2]}, decisions=decided("unseen:1", "absent"))
    assert (absent.hands[1].counts, absent.hands[1].exclusion) == (False, "absent")


def test_open_envelopes_without_a_hand_in_are_issues_after_the_game() -> None:
    assert not reconciled(is_over=False, closed_at=None).issues
    whole = reconciled()
    assert [item.envelopes for item in issues_of(whole, "missing")] == [(1,), (2,), (3,)]
    assert whole.hands[4].exclusion == "sealed"
    assert reconciled(decisions=decided("missing:2", "absent")).hands[2].exclusion == "absent"


@pytest.mark.parametrize(("seconds", "late"), [(-1, False), (0, True), (1, True)])
def test_hand_ins_from_the_end_on_are_late(seconds: int, *, late: bool) -> None:
    base = with_facts(evidence("1 @1", claims={1: [1]}), handed_in=END + timedelta(seconds=seconds))
    whole = reconcile(base)
    assert (whole.hands[1].late, len(issues_of(whole, "late"))) == (late, int(late))
    accepted = reconcile(dataclasses.replace(base, decisions=decided("late:1", "accept")))
    assert whole.hands[1].counts
    assert accepted.hands[1].counts
    # Its cards remain in it after a refusal, as in an envelope that was late.
    for pictured in (base, evidence("1 @1")):
        refused = reconcile(dataclasses.replace(pictured, decisions=decided("late:1", "refuse"))).hands[1]
        assert (refused.counts, refused.exclusion, refused.cards) == (False, "late-refused", names(1))
        assert refused.late


@pytest.mark.parametrize(("minutes", "handed_in"), [(-1, -1), (0, 0), (1, 0), (9, 0)])
def test_the_time_of_a_hand_in_is_that_of_its_first_photo_or_the_close(minutes: int, handed_in: int) -> None:
    pictures = [shot("a", [1], [1], at=minutes), shot("b", [5], [2], at=minutes + 3), shot("c", [2], [1], at=10)]
    whole = reconciled(pictures)
    assert whole.hands[1].received == END + timedelta(minutes=minutes)
    assert whole.hands[1].handed_in == END + timedelta(minutes=handed_in)
    assert whole.hands[2].handed_in == END
    assert reconciled(pictures, closed_at=None, is_over=False).hands[1].handed_in == END + timedelta(minutes=minutes)
    assert reconciled(pictures, claims={1: [1, 2]}).hands[1].handed_in == END - timedelta(hours=1), "by phone"


def test_cards_can_be_added_and_removed_manually() -> None:
    whole = reconciled(decisions=decided("hand:red-001:1", "add") | decided("hand:red-002:1", "add"))
    assert (whole.hands[1].counts, whole.hands[1].cards, whole.hands[1].received) == (True, names(1, 2), END)
    assert len(issues_of(whole, "by-hand")) == 2
    elsewhere = reconciled("1 @1", decisions=decided("hand:red-001:2", "add"))
    assert decks(elsewhere) == ""
    assert the_issue(elsewhere, "two-decks").envelopes == (1, 2)
    removal = decided("hand:red-001:1", "remove")
    removed = reconciled("1 2 @1", decisions=removal)
    assert decks(removed) == "1: 2"
    assert the_issue(removed, "by-hand").places[0].photo == "a"
    assert reconciled("2 @1", decisions=removal).without_effect == tuple(removal)
