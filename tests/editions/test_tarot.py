"""The tarot edition: cards and deal, worths and effects that count once, general cards and their cancelling."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from fractions import Fraction

import pytest

from server.editions import load_edition
from server.scoring import Hand, HandResult, ScoringError, decimal, score
from tests.editions.tarot_fr_cases import CASES
from tests.editions.tarot_reference import TABLE
from tests.scoring.support import by_player, by_rule

EDITION, ENGLISH = load_edition("tarot-fr"), load_edition("tarot-fr", "en")
GENERAL, CANCEL = ([str(key) for key, row in TABLE.items() if row["kind"] == kind] for kind in ("general", "cancel"))
SUITS = ("pique", "coeur", "carreau", "trefle")
NOON = datetime(2026, 6, 1, 12, tzinfo=UTC)
Cards = dict[str, int]


def game(*hands: Hand, active: list[int] | None = None) -> dict[str, HandResult]:
    """Score hands as a final game; results by player."""
    return by_player(score(ENGLISH, hands, active_rules=active, provisional=False))


def final(cards: Cards, active: list[int] | None = None) -> HandResult:
    """Score one envelope as a whole game."""
    return game(Hand("Ada", cards), active=active)["Ada"]


def provisional(cards: Cards, active: list[int] | None = None) -> HandResult:
    """Score one envelope before others are known."""
    return score(ENGLISH, [Hand("Ada", cards)], active_rules=active).hands[0]


def test_kinds_are_in_the_order_of_the_printed_codes() -> None:
    """Four suits of 14, 21 trumps, the excuse, three tokens, 169 rule cards."""
    ranks = [*map(str, range(1, 11)), "valet", "cavalier", "dame", "roi"]
    expected = [f"{suit}-{rank}" for suit in SUITS for rank in ranks]
    expected += [f"atout-{number}" for number in range(1, 22)] + ["excuse"]
    expected += ["token-red", "token-white", "token-blue"] + [f"rule-{number}" for number in range(1, 170)]
    assert [kind.slug for kind in EDITION.kinds] == expected


def test_every_rule_card_has_the_effect_and_points_of_the_table() -> None:
    assert [rule.key for rule in EDITION.rules] == [str(key) for key in TABLE] == [str(n) for n in range(1, 170)]
    for key, row in TABLE.items():
        rule = EDITION.rule_of[str(key)]
        amount = {"value": "worth", "capped": "each"}.get(row["kind"], "points")
        assert (rule.effect, decimal(rule.numbers[amount])) == (row["key"].replace("_", "-"), row["points"]), key
        assert rule.scope.value == ("in-play" if row["kind"] == "general" else "holder"), key


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
    supply, each = {}, {}
    for deal in EDITION.deal:
        kinds = tuple(kind.slug for kind in EDITION.kinds if kind.category == deal.category)
        supply[deal.category] = deal.copies(kinds, players) or {}
        each[deal.category] = deal.each_of(kinds, players)
    assert set(supply["tarot"].values()) == {decks}
    assert supply["token"] == dict.fromkeys(("token-red", "token-white", "token-blue"), 3 * players)
    assert {supply["rule"][f"rule-{number}"] for number in range(1, 21)} == {1}
    assert {supply["rule"][f"rule-{number}"] for number in range(21, 170)} == {2 if players > 70 else 1}
    assert each == {"tarot": cards, "token": 9, "rule": rules}


def test_still_more_players_get_still_more_sets() -> None:
    """Everybody starts with ten cards or more and two rule cards or more, and no set is idle."""
    for deal, enough in ((EDITION.deal[0], 10), (EDITION.deal[2], 2)):
        kinds = tuple(kind.slug for kind in EDITION.kinds if kind.category == deal.category)
        for players in range(71, 601):
            supply = deal.copies(kinds, players) or {}
            assert deal.each_of(kinds, players) == sum(supply.values()) // players >= enough
            without = sum(supply.values()) - sum(count > 1 for count in supply.values())
            assert players <= 159 or without // players < enough


@pytest.mark.parametrize(
    ("cards", "points"),
    [
        ({"pique-1": 2, "atout-3": 1, "excuse": 1, "token-blue": 3}, 7),
        # A capped kind takes the larger worth: eleven jacks of spades are worth 27.5 by rule 91, which is above 24.
        ({"pique-valet": 9, "rule-91": 1, "rule-56": 1}, 24),
        ({"pique-valet": 11, "rule-91": 1, "rule-56": 1}, Fraction(55, 2)),
        # Two squares, brelans or groups of bouts bring as much as one; two runs bring twice as much.
        ({"pique-6": 4, "atout-6": 4, "rule-21": 1}, 8 + 20),
        ({"pique-6": 4, "coeur-7": 4, "rule-21": 1, "rule-22": 1}, 8 + 20 + 20),
        ({"pique-valet": 3, "coeur-valet": 3, "rule-49": 1}, 6 + 16),
        ({"atout-1": 2, "atout-21": 2, "excuse": 2, "rule-94": 1}, 6 + 16),
        ({"pique-1": 2, "coeur-2": 2, "atout-3": 2, "rule-68": 1}, 6 + 10),
        ({"token-red": 8, "rule-70": 1}, 8 + 15),
    ],
)
def test_an_envelope_worked_out_by_hand_has_its_score(cards: Cards, points: int) -> None:
    assert final(cards).score == points


def test_the_highest_worth_counts_and_halves_stay_exact() -> None:
    """Rule 31 says 2 and rule 90 says 2.5 for hearts. French writes a comma."""
    result = final({"coeur-1": 3, "carreau-1": 1, "rule-31": 1, "rule-90": 1})
    assert result.score == Fraction(19, 2)
    assert [line.text for line in by_rule(result, None)] == [
        "1 of hearts: 3 × 2.5 = 7.5. Value by rule 90.",  # noqa: RUF001 - a multiplication sign
        "1 of diamonds: 1 × 2 = 2. Value by rule 31.",  # noqa: RUF001 - a multiplication sign
    ]
    (line,) = by_rule(score(EDITION, [Hand("Ada", {"token-red": 1, "rule-85": 1})], provisional=False).hands[0], None)
    assert (line.text, line.points) == ("Jeton rouge\u202f: 1 × 2,5 = 2,5. Valeur selon la règle 85.", Fraction(5, 2))  # noqa: RUF001 - a multiplication sign
    assert EDITION.rule_of["85"].text.endswith("valent 2,5 points pièce.")
    assert ENGLISH.rule_of["85"].text.endswith("worth 2.5 points apiece.")


def test_a_general_card_wins_over_values_but_not_over_a_capped_kind() -> None:
    """Rule 6 makes spades worth nothing: rule 91 is of no use, rule 56 is."""
    result = final({"pique-valet": 2, "pique-1": 1, "rule-6": 1, "rule-91": 1, "rule-56": 1})
    assert [(line.points, line.voided_by) for line in by_rule(result, None)] == [(Fraction(5, 2), "6"), (5, "6")]
    assert [line.points for line in by_rule(result, 56)] == [12]
    assert result.score == 12 + 10


def test_cards_of_the_same_effect_count_once() -> None:
    """Copies too; if a rule is left out of the game, the other rule of its effect acts."""
    assert final({"token-red": 4, "rule-46": 1}).score == 4
    cards = {"token-red": 4, "token-white": 1, "token-blue": 1, "rule-46": 2, "rule-47": 1}
    result = final(cards)
    assert [(line.rule, line.points, line.voided_by) for key in (46, 47) for line in by_rule(result, key)] == [
        ("46", 0, "46"),
        ("46", 4, None),
        ("47", 0, "46"),
    ]
    assert by_rule(result, 47)[0].text == "Same effect as rule 46: it counts only once."
    assert [line.points for line in by_rule(final(cards, [47]), 47)] == [4]


def test_every_rule_card_of_an_envelope_is_accounted_for() -> None:
    """A value that is outbid is void and says by which; a rule with nothing to do says so; inactive ones are silent."""
    cards = {"coeur-1": 3, "rule-31": 1, "rule-90": 1, "rule-35": 1, "rule-21": 1, "rule-53": 1}
    result = final(cards)
    assert [(line.rule, line.points, line.voided_by) for line in result.lines[1:]] == [
        ("21", 0, None),
        ("31", 0, "90"),
        ("35", 0, "90"),
        ("53", 0, None),
    ]
    assert by_rule(result, 21)[0].text == "Handed in, but without effect in this hand."
    assert by_rule(result, 31)[0].text == "Another value counts instead, at least as high, by rule 90."
    assert [line.rule for line in final(cards, [90]).lines] == [None]


def test_equal_points_share_a_place_and_the_earlier_is_listed_first() -> None:
    """Half a point decides; where points are equal no time does, it only orders the list."""
    hands = [
        Hand("late", {"token-red": 2, "rule-85": 1}, NOON + timedelta(minutes=1)),
        Hand("never", {"pique-1": 5}),
        Hand("early", {"coeur-1": 5}, NOON),
        Hand("half", {"coeur-1": 3, "token-red": 1, "rule-85": 1}, NOON + timedelta(hours=1)),
    ]
    found = [(h.hand.player, h.score, h.rank, h.decided_by) for h in score(EDITION, hands).hands]
    half = ("half", Fraction(11, 2), 1, None)
    assert found == [half, ("early", 5, 2, None), ("late", 5, 2, None), ("never", 5, 2, None)]


# General cards and cancelling


@pytest.mark.parametrize("general", GENERAL)
def test_a_cancelled_general_card_does_not_apply_and_still_pays_its_owner(general: str) -> None:
    """By each cancel card: the general card acts on another player until it is cancelled; its owner keeps 10."""
    effect = EDITION.rule_of[general].effect
    witness = next(case for case in CASES if case.effect == effect and case.expected is not None and not case.others)
    cards = {kind: 12 for kind, count in witness.cards.items() if count}
    for canceller, cancels in ((CANCEL[0], ()), *((canceller, (general,)) for canceller in CANCEL)):
        result = game(
            Hand("Ada", {f"rule-{canceller}": 1}, cancels=cancels),
            Hand("Bob", cards),
            Hand("Eve", {f"rule-{general}": 1}),
        )
        assert len(by_rule(result["Bob"], general)) == (0 if cancels else 1)
        assert any(line.void for line in result["Bob"].lines) == (not cancels and "zero" in effect)
        assert (result["Ada"].score, result["Eve"].score) == (6, 10)
        lines = [line.text for line in by_rule(result["Bob"], canceller)]
        assert lines == ([f"Rule {general} is cancelled and does not apply. Cancelled by: Ada."] if cancels else [])


def test_only_cancel_cards_touch_general_cards() -> None:
    declared = {(rule.key, touched) for rule in EDITION.rules for touched in rule.touches}
    assert declared == {(canceller, general) for canceller in CANCEL for general in GENERAL}


def test_players_who_cancel_the_same_rule_are_named_by_card() -> None:
    """One line names all of one card; two cancel cards in an envelope are one choice, and the second is void."""
    result = game(
        Hand("Bob", {"rule-11": 1, "rule-8": 1}, cancels=("8",)),
        Hand("Ada", {"rule-11": 1, "rule-19": 1, "coeur-1": 1}, cancels=("8",)),
        Hand("Eve", {"rule-12": 1}, cancels=("8",)),
    )
    gone = "Rule 8 is cancelled and does not apply. Cancelled by:"
    assert [line.text for line in by_rule(result["Ada"], 11)] == ["Cancel card handed in: +6.", f"{gone} Ada, Bob."]
    assert [line.text for line in by_rule(result["Ada"], 12)] == [f"{gone} Eve."]
    assert [(line.points, line.voided_by) for line in by_rule(result["Ada"], 19)] == [(0, "11")]
    assert result["Ada"].score == 7


@pytest.mark.parametrize(
    ("cards", "cancels", "active", "message"),
    [
        ({}, ("8",), None, "Ada: this player handed in no card that cancels a rule"),
        ({"rule-11": 1, "rule-12": 1}, ("8", "9"), None, "Ada: names 2 rules, but may cancel at most 1"),
        ({"rule-11": 1}, ("8",), [11], "Ada: rule 8 is not active in this game"),
    ],
)
def test_choices_that_cannot_be_are_refused(
    cards: Cards, cancels: tuple[str, ...], active: list[int] | None, message: str
) -> None:
    with pytest.raises(ScoringError, match=message):
        game(Hand("Ada", cards, cancels=cancels), Hand("Bob", {"rule-8": 1, "rule-9": 1}), active=active)


# Provisional scores


def test_a_provisional_score_lists_effects_of_others() -> None:
    """Own general cards count uncancelled, rule 1 stays open, the others are listed without a word of what they are."""
    result = provisional({"coeur-1": 2, "token-red": 1, "rule-8": 1, "rule-1": 1, "rule-11": 1})
    assert result.score == 1 + 10 + 10 + 6
    open_rules = {line.rule for line in result.lines if "may bring this general rule into play" in line.text}
    assert open_rules == set(GENERAL) - {"8", "1"}
    assert {line.rule for line in result.lines if line.open} == open_rules | {"1", "8", "11"}
    assert [line.points for line in by_rule(result, 1)] == [10, 0, 0]
    lines = [line.text for key in (8, 1, 11) for line in by_rule(result, key) if line.open]
    assert lines[0] == "Not known yet: another player may cancel this general rule."
    assert any(text.startswith("Not known yet: another hand may have more") for text in lines)
    assert any(text.startswith("Not known yet: once all envelopes") for text in lines)


@pytest.mark.parametrize(("rule", "held", "other"), [(1, "token-red", "coeur-1"), (3, "coeur-1", "token-red")])
def test_hands_without_cards_cannot_have_most(rule: int, held: str, other: str) -> None:
    """Without a token or a tarot card no hand loses by rules 1 and 3, so its provisional count is silent."""
    for cards, points in (({held: 1}, [10, 0]), ({other: 1}, [10]), ({}, [10])):
        assert [line.points for line in by_rule(provisional(cards | {f"rule-{rule}": 1}, [rule]), rule)] == points


def test_no_choice_is_open_without_cancel_cards_or_after_the_choice() -> None:
    assert not any(line.open for line in provisional({"coeur-1": 2, "rule-8": 1}, [8]).lines)
    (chosen,) = score(ENGLISH, [Hand("Ada", {"coeur-1": 2, "rule-8": 1, "rule-11": 1}, cancels=("8",))]).hands
    assert chosen.score == 2 + 10 + 6
    assert not any(line.open for line in chosen.lines)
