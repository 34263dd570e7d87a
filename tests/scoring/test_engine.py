"""The engine keeps its promises for any edition."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from server.scoring import EditionError, Hand, Numbers, Phase, Rulebook, Scorer, ScoringError, Seat, score
from tests.scoring.support import EUROCG, deck, scored, toy

if TYPE_CHECKING:
    from collections.abc import Callable

COINS = Hand("Ada", {"gold": 2, "tin": 3})


def worth_two(book: Rulebook) -> None:
    """Add a rule that makes each gold coin worth two."""

    @book.rule("worth", Phase.BASE)
    def worth(me: Seat, _n: Numbers) -> None:
        me.worth("gold", 2)


def test_cards_are_worth_what_a_rule_set() -> None:
    """Cards count with the worth that a rule set; kinds that no rule set count nothing, and say so."""
    book = Rulebook()
    worth_two(book)
    (hand,) = score(toy(book), [COINS]).hands
    assert hand.score == 4
    assert [(line.rule, line.points, line.text) for line in hand.lines] == [
        (None, 4, "Gold: 2 × 2 = 4. Worth by worth."),  # noqa: RUF001 - a multiplication sign on purpose
        (None, 0, "Tin: 3. No active rule sets their base value, so they count 0."),
    ]


VERBS: dict[str, tuple[set[Phase], Callable[[Seat], None]]] = {
    "eliminate": ({Phase.ELIMINATE}, lambda me: me.eliminate()),
    "keep": ({Phase.REMOVE}, lambda me: me.keep("coin", 4)),
    "cancel": ({Phase.CANCEL}, lambda me: me.cancel(["other"], everyone=True)),
    "spare": ({Phase.CANCEL}, lambda me: me.cancel(["other"], everyone=False)),
    "adjust": ({Phase.ADJUST}, lambda me: me.adjust(["other"], "limit", 1)),
    "worth": ({Phase.BASE}, lambda me: me.worth("gold", 1)),
    "cap": ({Phase.COUNT}, lambda me: me.cap("gold", 1)),
    "zero": ({Phase.WORTH}, lambda me: me.zero(["gold"])),
    "multiply": ({Phase.WORTH}, lambda me: me.multiply("gold", 2, 1)),
    "at least": ({Phase.WORTH}, lambda me: me.at_least("gold", 9)),
    "points": ({Phase.OWN, Phase.TABLE, Phase.DEDUCT}, lambda me: me.points(1)),
    "points for": ({Phase.OWN, Phase.TABLE, Phase.DEDUCT}, lambda me: me.points_for(me, 1)),
    "double": ({Phase.DOUBLE}, lambda me: me.double(2)),
    "void": ({Phase.SHIELD}, lambda me: me.void(["other"])),
    "shield": ({Phase.SHIELD}, lambda me: me.shield(["other"], 1)),
}


@pytest.mark.parametrize("verb", VERBS)
@pytest.mark.parametrize("phase", list(Phase))
def test_a_rule_writes_only_what_its_phase_allows(phase: Phase, verb: str) -> None:
    """Each verb works in its phases and is refused in all others; notes work in all."""
    phases, write = VERBS[verb]
    book = Rulebook()
    book.rule("other", Phase.OWN)(lambda me, _n: me.points(0))
    book.rule("mine", phase, touches=["other"])(lambda me, _n: (me.note("line"), write(me)))
    edition = toy(book, {"other": {"limit": 1}})
    if phase in phases:
        score(edition, [COINS])
    else:
        with pytest.raises(EditionError, match=f"rule mine acts in phase {phase.name}, where no rule may"):
            score(edition, [COINS])


@pytest.mark.parametrize("phase", [Phase.ADJUST, Phase.SHIELD])
def test_an_undeclared_touch_is_refused(phase: Phase) -> None:
    """A rule may touch only the rules that it declares."""
    book = Rulebook()
    book.rule("other", Phase.OWN)(lambda me, _n: me.points(1))
    act = {
        Phase.ADJUST: lambda me, _n: me.adjust(["other"], "limit", 1),
        Phase.SHIELD: lambda me, _n: me.void(["other"]),
    }[phase]
    book.rule("mine", phase)(act)
    with pytest.raises(EditionError, match="rule mine touches rule other without declaring it"):
        score(toy(book, {"other": {"limit": 1}}), [COINS])


def test_movements_of_a_number_add_up_and_hold_after_the_phase() -> None:
    """Two rules move a limit by 1 and 2; neither sees the other's movement, later rules see both."""
    book = Rulebook()
    seen: list[int] = []

    def mover(by: int) -> None:
        @book.rule(f"move-{by}", Phase.ADJUST, touches=["limited"])
        def move(me: Seat, _n: Numbers) -> None:
            seen.append(me.numbers["limited"].limit)
            me.adjust(["limited"], "limit", by)

    mover(1)
    mover(2)
    book.rule("limited", Phase.OWN)(lambda me, n: me.points(n.limit))
    (hand,) = score(toy(book, {"limited": {"limit": 5}}), [COINS]).hands
    assert (seen, hand.score) == ([5, 5], 8)


def test_a_moved_number_is_the_mover_s_alone() -> None:
    """A limit that moves for one hand stays as printed for the others."""
    book = Rulebook()

    @book.rule("move", Phase.ADJUST, touches=["limited"])
    def move(me: Seat, _n: Numbers) -> None:
        if me.handed_in("gold"):
            me.adjust(["limited"], "limit", 1)

    book.rule("limited", Phase.OWN)(lambda me, n: me.points(n.limit))
    result = score(toy(book, {"limited": {"limit": 5}}), [COINS, Hand("Bob", {"tin": 1})])
    assert {hand.hand.player: hand.score for hand in result.hands} == {"Ada": 6, "Bob": 5}


def test_the_highest_worth_counts() -> None:
    """Where several rules set the worth of a kind, the highest counts, in whatever order they come."""
    for worths in ([1, 3, 2], [3, 2, 1], [2, 1, 3]):
        book = Rulebook()
        for worth in worths:
            book.rule(f"worth-{worth}", Phase.BASE)(lambda me, _n, worth=worth: me.worth("gold", worth))
        (hand,) = score(toy(book), [COINS]).hands
        assert hand.score == 6
        assert hand.lines[0].text.endswith("Worth by worth-3.")


def test_zero_beats_any_worth_and_keeps_the_line() -> None:
    """A kind made worthless keeps a void line with what it would have been."""
    book = Rulebook()
    worth_two(book)
    book.rule("late", Phase.WORTH)(lambda me, _n: me.zero(["gold"]))
    book.rule("later", Phase.WORTH)(lambda me, _n: me.zero(["gold", "tin"]))
    (hand,) = score(toy(book), [COINS]).hands
    gold, tin, late, later = hand.lines
    assert hand.score == 0
    assert (gold.points, gold.void, gold.voided_by) == (4, True, "late")
    assert gold.text == "Gold: 2 × 2 = 4. Worth by worth. Worth nothing by rule late, rule later."  # noqa: RUF001 - as above
    assert (tin.points, tin.void, tin.voided_by) == (0, True, "later")
    assert [(line.rule, line.points, line.void) for line in (late, later)] == [
        ("late", 0, False),
        ("later", 0, False),
    ]


def test_zeroing_a_kind_that_was_not_handed_in_does_nothing() -> None:
    """A rule that zeroes only what is not there leaves no line."""
    book = Rulebook()
    book.rule("zero", Phase.WORTH)(lambda me, _n: me.zero(["gold"]))
    (hand,) = score(toy(book), [Hand("Ada")]).hands
    assert hand.lines == ()


def test_a_shield_voids_what_others_gave_and_leaves_a_line_only_then() -> None:
    """A voided line keeps its points and names the shield; a shield that voids nothing says nothing."""
    book = Rulebook()
    book.rule("gift", Phase.OWN)(lambda me, _n: me.points(me.handed_in("gold")))
    book.rule("shield", Phase.SHIELD, touches=["gift"])(lambda me, _n: me.void(["gift"]))
    edition = toy(book, valued=frozenset())
    (with_gold,) = score(edition, [COINS]).hands
    (without,) = score(edition, [Hand("Bob", {"tin": 1})]).hands
    assert with_gold.score == 0
    assert [(line.rule, line.points, line.void, line.voided_by) for line in with_gold.lines] == [
        ("gift", 2, True, "shield"),
        ("shield", 0, False, None),
    ]
    assert with_gold.lines[0].text == "Rule gift acted. Void by rule shield."
    assert without.lines == ()


def test_touching_an_inactive_rule_does_nothing() -> None:
    """A rule whose only target is inactive leaves no line, and does not fail."""
    book = Rulebook()
    book.rule("move", Phase.ADJUST, touches=["limited"])(lambda me, _n: me.adjust(["limited"], "limit", 1))
    book.rule("limited", Phase.OWN)(lambda me, n: me.points(n.limit))
    (hand,) = score(toy(book, {"limited": {"limit": 5}}, valued=frozenset()), [COINS], active_rules=["move"]).hands
    assert (hand.score, hand.lines) == (0, ())


def test_rules_may_have_names_instead_of_numbers() -> None:
    """Keys are text: a rule named by a word is active and scores like a numbered one."""
    book = Rulebook()
    book.rule("harmony", Phase.OWN)(lambda me, _n: me.points(7))
    (hand,) = score(toy(book), [COINS], active_rules=["harmony"]).hands
    assert (hand.score, hand.lines[-1].rule) == (7, "harmony")


def test_a_number_that_a_rule_lacks_is_named() -> None:
    """A rule that asks for a number it does not have fails with the numbers that it has."""
    book = Rulebook()
    book.rule("rule", Phase.OWN)(lambda me, n: me.points(n.limti))
    with pytest.raises(
        EditionError, match=r"test_engine.py:\d+: rule rule fails: .*the rule has no number 'limti' \(it has limit\)"
    ):
        score(toy(book, {"rule": {"limit": 5}}), [COINS])


def test_a_rule_or_a_tie_break_has_one_function() -> None:
    """Registering a second function under the same name is refused."""
    book = Rulebook()
    book.rule(1, Phase.OWN)(lambda _me, _n: None)
    book.tie("age")(lambda _me: 0)
    with pytest.raises(EditionError, match="rule 1 has two functions"):
        book.rule("1", Phase.BASE)(lambda _me, _n: None)
    with pytest.raises(EditionError, match="tie-break age has two functions"):
        book.tie("age")(lambda _me: 1)


def test_unknown_cards_and_negative_counts_are_refused() -> None:
    """A hand that cannot be is an error with the player's name, not a wrong score."""
    with pytest.raises(ScoringError, match=r"Ada: eurocg-2026 has no card 'purple'"):
        scored(Hand("Ada", {"purple": 1}))
    with pytest.raises(ScoringError, match=r"Ada: -1 cards of kind 'red', which cannot be"):
        scored(Hand("Ada", {"red": -1}))


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"blue_base": -1}, "setting blue_base is -1, but must be at least 0"),
        ({"green_base": 1}, r"eurocg-2026 has no setting 'green_base' \(it has blue_base, seed\)"),
    ],
)
def test_unknown_settings_and_values_out_of_range_are_refused(settings: dict[str, int], message: str) -> None:
    """A setting must exist and lie in its range."""
    with pytest.raises(ScoringError, match=message):
        Scorer(EUROCG, settings)


def test_a_setting_may_have_an_upper_limit() -> None:
    """The limit itself is allowed, one more is not."""
    edition = toy(Rulebook())
    assert Scorer(edition, {"luck": 10}).settings == {"luck": 10}
    with pytest.raises(ScoringError, match="setting luck is 11, but must be at least 0 and at most 10"):
        Scorer(edition, {"luck": 11})


def test_unknown_active_rules_are_refused() -> None:
    """A rule that the edition does not have cannot be active."""
    with pytest.raises(ScoringError, match="eurocg-2026 has no rule '24'"):
        Scorer(EUROCG, active_rules=[1, 24])


def test_zero_cards_of_a_kind_are_no_cards() -> None:
    """A count of 0 is the same as leaving the kind out."""
    assert scored(deck(red=1, blue=0)).lines == scored(deck(red=1)).lines


def test_a_scorer_can_be_used_again() -> None:
    """Scoring leaves no trace: the same scorer gives the same answer twice."""
    scorer = Scorer(EUROCG)
    hands = [deck(red=5, green=7, blue=2, rules=[2, 11, 23]), deck(red=2, player="Bob")]
    first, second = scorer.score(hands), scorer.score(hands)
    assert [(h.score, h.rank, h.lines) for h in first.hands] == [(h.score, h.rank, h.lines) for h in second.hands]


def test_the_largest_hands_cost_no_more_than_small_ones() -> None:
    """Ten thousand copies of every card are counted, not listed one by one."""
    hand = Hand("Ada", {kind.slug: 10_000 for kind in EUROCG.kinds})
    (result,) = score(EUROCG, [hand]).hands
    assert result.seat.total == 530_000
    assert result.seat.serials("rule") == tuple(range(1, 24))
    assert [(line.rule, line.points) for line in result.lines if line.points and not line.void] == [
        ("11", 2),
        ("18", 12),
    ]
