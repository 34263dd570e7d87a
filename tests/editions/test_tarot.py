"""The tarot edition: cards and deal, general cards and their cancelling, effects that count once, halves."""

from __future__ import annotations

import csv
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from server.editions import load_edition
from server.scoring import Hand, ScoringError, decimal, score
from tests.editions.tarot_fr_cases import CASES, PIECE

if TYPE_CHECKING:
    from server.scoring import HandResult, Line
    from tests.editions.cases import Cards

EDITION = load_edition("tarot-fr")
ENGLISH = load_edition("tarot-fr", "en")
TABLE = list(csv.DictReader((Path(__file__).parent / "tarot_rules.csv").read_text(encoding="utf-8").splitlines()))
GENERAL = [row["number"] for row in TABLE if row["kind"] == "general"]
CANCEL = [row["number"] for row in TABLE if row["kind"] == "cancel"]


def game(*hands: Hand) -> dict[str, HandResult]:
    """Score hands as a final game; results by player."""
    return {hand.hand.player: hand for hand in score(ENGLISH, hands, provisional=False).hands}


def alone(cards: Cards) -> HandResult:
    """Score one envelope as a whole game."""
    return game(Hand("Ada", cards))["Ada"]


def lines(result: HandResult, rule: str | None) -> list[Line]:
    """Return the lines of a rule, or with None those of the cards."""
    return [line for line in result.lines if line.rule == rule]


# Cards and deal


def test_kinds_stand_in_the_order_of_the_printed_codes() -> None:
    """Four suits of 14, 21 trumps, the excuse, three tokens, 169 rule cards."""
    figures = ["valet", "cavalier", "dame", "roi"]
    ranks = [*map(str, range(1, 11)), *figures]
    expected = [f"{suit}-{rank}" for suit in ("pique", "coeur", "carreau", "trefle") for rank in ranks]
    expected += [f"atout-{number}" for number in range(1, 22)] + ["excuse"]
    expected += ["token-red", "token-white", "token-blue"] + [f"rule-{number}" for number in range(1, 170)]
    assert [kind.slug for kind in EDITION.kinds] == expected


@pytest.mark.parametrize("row", TABLE, ids=lambda row: row["number"])
def test_every_rule_card_has_the_effect_of_the_table(row: dict[str, str]) -> None:
    """Effect and points of each of the 169 cards are those of the rules' table."""
    rule = EDITION.rule_of[row["number"]]
    assert rule.effect == row["key"].replace("_", "-")
    name = "worth" if row["kind"] == "value" else "each" if row["kind"] == "capped" else "points"
    assert decimal(rule.numbers[name]) == row["points"]
    assert rule.scope.value == ("in-play" if row["kind"] == "general" else "holder")


def test_there_are_169_rules() -> None:
    """No more and no fewer, in the order of their numbers."""
    assert [rule.key for rule in EDITION.rules] == [row["number"] for row in TABLE] == [str(n) for n in range(1, 170)]


@pytest.mark.parametrize(
    ("players", "decks", "cards", "rules"),
    [
        (35, 5, 11, 4),
        (43, 5, 9, 3),
        (44, 6, 10, 3),
        (46, 6, 10, 3),
        (47, 7, 11, 3),
        (54, 7, 10, 3),
        (55, 8, 11, 3),
        (62, 8, 10, 2),
        (63, 9, 11, 2),
        (70, 9, 10, 2),
        (71, 10, 10, 4),
        (140, 18, 10, 2),
    ],
)
def test_the_deal_follows_the_number_of_players(players: int, decks: int, cards: int, rules: int) -> None:
    """Decks by players, shared out equally; three tokens of each colour; more than 70 get a second set of rules."""
    stock, each = {}, {}
    for deal in EDITION.deal:
        kinds = tuple(kind.slug for kind in EDITION.kinds if kind.category == deal.category)
        stock[deal.category] = deal.stock(kinds, players) or {}
        each[deal.category] = deal.each_of(kinds, players)
    assert set(stock["tarot"].values()) == {decks}
    assert stock["token"] == dict.fromkeys(("token-red", "token-white", "token-blue"), 3 * players)
    assert {stock["rule"][f"rule-{number}"] for number in range(1, 21)} == {1}
    assert {stock["rule"][f"rule-{number}"] for number in range(21, 170)} == {2 if players > 70 else 1}
    assert each == {"tarot": cards, "token": 9, "rule": rules}


def test_still_more_players_get_still_more_sets() -> None:
    """Whatever the number, everybody starts with ten cards or more and two rule cards or more, and no set is idle."""
    for deal, enough in ((EDITION.deal[0], 10), (EDITION.deal[2], 2)):
        kinds = tuple(kind.slug for kind in EDITION.kinds if kind.category == deal.category)
        for players in range(71, 601):
            stock = deal.stock(kinds, players) or {}
            assert deal.each_of(kinds, players) == sum(stock.values()) // players >= enough
            without = sum(stock.values()) - sum(count > 1 for count in stock.values())
            assert players <= 159 or without // players < enough


# Worth


def test_a_card_and_a_token_are_worth_a_point() -> None:
    """Without rules everything counts one, trumps and excuse too."""
    result = alone({"pique-1": 2, "atout-3": 1, "excuse": 1, "token-blue": 3})
    assert (result.score, len(result.lines)) == (7, 4)


def test_the_highest_worth_counts_and_halves_stay_exact() -> None:
    """Rule 31 says 2 and rule 90 says 2.5 for hearts: 2.5 counts, whichever comes first."""
    result = alone({"coeur-1": 3, "carreau-1": 1, "rule-31": 1, "rule-90": 1})
    assert result.score == Fraction(19, 2)
    assert [line.text for line in lines(result, None)] == [
        "1 of hearts: 3 × 2.5 = 7.5. Value by rule 90.",  # noqa: RUF001 - a multiplication sign
        "1 of diamonds: 1 × 2 = 2. Value by rule 31.",  # noqa: RUF001 - a multiplication sign
    ]


def test_a_general_card_wins_over_values_but_not_over_a_capped_kind() -> None:
    """Rule 6 makes spades worth nothing: rule 91 is of no use, rule 56 is."""
    result = alone({"pique-valet": 2, "pique-1": 1, "rule-6": 1, "rule-91": 1, "rule-56": 1})
    assert [(line.points, line.voided_by) for line in lines(result, None)] == [(Fraction(5, 2), "6"), (5, "6")]
    assert [line.points for line in lines(result, "56")] == [12]
    assert result.score == 12 + 10


def test_a_capped_kind_takes_the_larger_worth() -> None:
    """Eleven jacks of spades are worth 27.5 by rule 91, which is more than 24."""
    assert alone({"pique-valet": 9, "rule-91": 1, "rule-56": 1}).score == 24
    assert alone({"pique-valet": 11, "rule-91": 1, "rule-56": 1}).score == Fraction(55, 2)


# Effects count once


def test_cards_of_the_same_effect_count_once() -> None:
    """Rules 31, 32 and 125 say the same, and a copy too: the first counts, the others are void and say so."""
    once = alone({"token-red": 4, "rule-46": 1})
    result = alone({"token-red": 4, "token-white": 1, "token-blue": 1, "rule-46": 2, "rule-47": 1})
    assert once.score == 4
    assert [(line.points, line.void, line.voided_by) for line in lines(result, "46")] == [
        (0, True, "46"),
        (4, False, None),
    ]
    assert [(line.points, line.void, line.voided_by) for line in lines(result, "47")] == [(0, True, "46")]
    assert lines(result, "47")[0].text == "Same effect as rule 46: it counts only once."


def test_every_rule_card_of_an_envelope_is_accounted_for() -> None:
    """A value that is outbid is void and says by which; a rule with nothing to do says so; inactive ones are silent."""
    cards = {"coeur-1": 3, "rule-31": 1, "rule-90": 1, "rule-35": 1, "rule-21": 1, "rule-53": 1}
    result = alone(cards)
    assert [(line.rule, line.points, line.voided_by) for line in result.lines[1:]] == [
        ("21", 0, None),
        ("31", 0, "90"),
        ("35", 0, "90"),
        ("53", 0, None),
    ]
    assert lines(result, "21")[0].text == "Handed in, but without effect in this hand."
    assert lines(result, "31")[0].text == "Another value counts instead, at least as high, by rule 90."
    (without,) = score(ENGLISH, [Hand("Ada", cards)], active_rules=[90], provisional=False).hands
    assert [line.rule for line in without.lines] == [None]


def test_an_inactive_rule_makes_room_for_its_twin() -> None:
    """With rule 46 left out of the game, rule 47 counts."""
    hand = Hand("Ada", {"token-red": 1, "token-white": 1, "token-blue": 1, "rule-46": 1, "rule-47": 1})
    (result,) = score(ENGLISH, [hand], active_rules=[47], provisional=False).hands
    assert [line.points for line in lines(result, "47")] == [4]


def test_a_rule_card_acts_only_for_its_holder() -> None:
    """Bob's hearts are worth one each, whatever Ada hands in."""
    result = game(Hand("Ada", {"coeur-1": 1, "rule-90": 1}), Hand("Bob", {"coeur-1": 1}))
    assert (result["Ada"].score, result["Bob"].score) == (Fraction(5, 2), 1)


# General cards and cancelling


@pytest.mark.parametrize("canceller", CANCEL)
@pytest.mark.parametrize("general", GENERAL)
def test_a_cancelled_general_card_does_not_apply_and_still_pays_its_owner(canceller: str, general: str) -> None:
    """Every edge: the general card acts on the other player, and no more once it is cancelled; its owner keeps 10."""
    effect = EDITION.rule_of[general].effect
    witness = next(
        case.cards for case in CASES if case.effect == effect and case.expected is not None and not case.others
    )
    cards = {kind: 12 for kind, count in witness.items() if count}
    for cancels in ((), (general,)):
        result = game(
            Hand("Ada", {f"rule-{canceller}": 1}, cancels=cancels),
            Hand("Bob", cards),
            Hand("Eve", {f"rule-{general}": 1}),
        )
        effects = [line for line in result["Bob"].lines if line.rule == general]
        assert len(effects) == (0 if cancels else 1)
        assert any(line.void for line in result["Bob"].lines) == (not cancels and "zero" in effect)
        assert (result["Ada"].score, result["Eve"].score) == (6, 10)
        named = [line.text for line in result["Bob"].lines if line.rule == canceller]
        assert named == ([f"Rule {general} is cancelled and does not apply. Cancelled by: Ada."] if cancels else [])


def test_every_touch_is_tested() -> None:
    """The pairs of the test above are all that the edition declares."""
    declared = {(rule.key, touched) for rule in EDITION.rules for touched in rule.touches}
    assert declared == {(canceller, general) for canceller in CANCEL for general in GENERAL}


def test_two_players_may_cancel_the_same_rule() -> None:
    """One line in every breakdown, which names both; a card of another number has a line of its own."""
    result = game(
        Hand("Bob", {"rule-11": 1, "rule-8": 1}, cancels=("8",)),
        Hand("Ada", {"rule-11": 1, "coeur-1": 1}, cancels=("8",)),
        Hand("Eve", {"rule-12": 1}, cancels=("8",)),
    )
    assert [line.text for line in lines(result["Ada"], "11")] == [
        "Cancel card handed in: +6.",
        "Rule 8 is cancelled and does not apply. Cancelled by: Ada, Bob.",
    ]
    told = ["Rule 8 is cancelled and does not apply. Cancelled by: Eve."]
    assert [line.text for line in lines(result["Ada"], "12")] == told
    assert result["Ada"].score == 7


def test_two_cancel_cards_in_an_envelope_count_once() -> None:
    """They have the same effect: one choice, once the points, and the second card is void."""
    result = game(Hand("Ada", {"rule-11": 1, "rule-19": 1}, cancels=("8",)), Hand("Bob", {"rule-8": 1}))
    assert result["Ada"].score == 6
    assert [(line.points, line.voided_by) for line in lines(result["Ada"], "19")] == [(0, "11")]


@pytest.mark.parametrize(
    ("cards", "cancels", "message"),
    [
        ({}, ("8",), "Ada: this player handed in no card that cancels a rule"),
        ({"rule-11": 1}, ("7",), "Ada: rule 7 is not in play: nobody handed in its card"),
        ({"rule-11": 1}, ("31",), r"Ada: rule 31 cannot be cancelled \(these can: 1, 2, 3"),
        ({"rule-11": 1}, ("999",), 'Ada: tarot-fr has no rule "999"'),
        ({"rule-11": 1, "rule-12": 1}, ("8", "9"), "Ada: names 2 rules, but may cancel at most 1"),
    ],
)
def test_choices_that_cannot_be_are_refused(cards: Cards, cancels: tuple[str, ...], message: str) -> None:
    """One line with the player and what is wrong."""
    with pytest.raises(ScoringError, match=message):
        game(Hand("Ada", cards, cancels=cancels), Hand("Bob", {"rule-8": 1, "rule-9": 1}))


def test_a_rule_that_is_not_active_cannot_be_cancelled() -> None:
    """A general card whose rule is left out has no effect to cancel."""
    hands = [Hand("Ada", {"rule-11": 1, "rule-8": 1}, cancels=("8",)), Hand("Bob")]
    with pytest.raises(ScoringError, match="Ada: rule 8 is not active in this game"):
        score(EDITION, hands, active_rules=[11])


# A hand by itself


def test_a_provisional_score_applies_what_it_holds_and_lists_what_others_may_bring() -> None:
    """Own general cards count uncancelled, rule 1 stays open, the others are listed without a word of what they are."""
    (result,) = score(
        ENGLISH, [Hand("Ada", {"coeur-1": 2, "token-red": 1, "rule-8": 1, "rule-1": 1, "rule-11": 1})]
    ).hands
    assert result.score == 1 + 10 + 10 + 6
    open_rules = {line.rule for line in result.lines if "may bring this general rule into play" in line.text}
    assert open_rules == set(GENERAL) - {"8", "1"}
    assert {line.rule for line in result.lines if line.open} == open_rules | {"1", "8", "11"}
    assert [line.points for line in lines(result, "1")] == [10, 0, 0]
    assert [line.text for line in lines(result, "8") if line.open] == [
        "Not known yet: another player may cancel this general rule."
    ]
    assert any(line.text.startswith("Not known yet: another hand may have more") for line in lines(result, "1"))
    assert any(line.text.startswith("Not known yet: once all envelopes") for line in lines(result, "11"))


@pytest.mark.parametrize(("rule", "held"), [("1", "token-red"), ("3", "coeur-1")])
def test_who_has_nothing_cannot_have_most(rule: str, held: str) -> None:
    """Without a token or a tarot card no hand loses by rules 1 and 3, so its provisional count is silent."""
    other = {"token-red": "coeur-1", "coeur-1": "token-red"}[held]
    for cards, told in (({held: 1}, [10, 0]), ({other: 1}, [10]), ({}, [10])):
        (result,) = score(ENGLISH, [Hand("Ada", cards | {f"rule-{rule}": 1})], active_rules=[rule]).hands
        assert [line.points for line in lines(result, rule)] == told


def test_a_general_card_that_nobody_can_cancel_says_nothing_of_it() -> None:
    """Where no cancel card is active, nothing about it is open."""
    (result,) = score(ENGLISH, [Hand("Ada", {"coeur-1": 2, "rule-8": 1})], active_rules=[8]).hands
    assert not any(line.open for line in result.lines)


def test_several_provisional_scores_tell_nothing_of_each_other() -> None:
    """General cards and choices of others leave no trace; each envelope scores as it would by itself."""
    hands = [
        Hand("Ada", {"coeur-1": 2, "rule-11": 1}, cancels=("8",)),
        Hand("Bob", {"rule-8": 1, "rule-1": 1, "rule-3": 1, "token-red": 5}),
        Hand("Eve", {"coeur-2": 3, "token-blue": 1}),
    ]
    together = score(ENGLISH, hands, provisional=True)
    assert together.provisional
    for hand in together.hands:
        (alone,) = score(ENGLISH, [replace(hand.hand, cancels=())], provisional=True).hands
        assert (hand.score, hand.lines) == (alone.score, alone.lines)


def test_a_single_hand_with_a_choice_to_cancel_is_final() -> None:
    """Choices are made when all envelopes are open, so nothing is open any more."""
    hand = Hand("Ada", {"coeur-1": 2, "rule-8": 1, "rule-11": 1}, cancels=("8",))
    (result,) = score(ENGLISH, [hand]).hands
    assert result.score == 2 + 10 + 6
    assert not any(line.open for line in result.lines)


def test_sets_of_kinds_are_what_their_names_say() -> None:
    """The excuse is an even trump without a number; low and high cards are suit cards."""
    kinds = {group.slug: set(group.kinds) for group in EDITION.groups}
    assert kinds["atout"] == kinds["atout-odd"] | kinds["atout-even"]
    assert "excuse" in kinds["atout-even"]
    assert not any("excuse" in kinds[f"rank-{number}"] for number in range(1, 22))
    assert kinds["cards"] == set().union(*(kinds[s] for s in ("pique", "coeur", "carreau", "trefle", "atout")))
    assert kinds["low"] | kinds["high"] | kinds["atout"] == kinds["cards"]
    assert not kinds["low"] & kinds["high"]
    assert all(len(kinds[f"rank-{number}"]) == (5 if number <= 14 else 1) for number in range(1, 22))
    assert set(PIECE.values()) <= set(EDITION.kind_of)


def test_french_writes_a_comma_and_json_a_point() -> None:
    """Halves read as people of the language write them; the points of a line stay exact."""
    (result,) = score(EDITION, [Hand("Ada", {"token-red": 1, "rule-85": 1})]).hands
    line = next(line for line in result.lines if line.rule is None)
    assert (line.text, line.points) == ("Jeton rouge\u00a0: 1 × 2,5 = 2,5. Valeur selon la règle 85.", Fraction(5, 2))  # noqa: RUF001 - a multiplication sign
    assert EDITION.rule_of["85"].text.endswith("valent 2,5 points pièce.")
    assert ENGLISH.rule_of["85"].text.endswith("worth 2.5 points apiece.")
