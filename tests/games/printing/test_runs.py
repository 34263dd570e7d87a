"""Print runs: dealt cards, unique codes and even hands."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import select

from cardgen.cards import CardId
from cardgen.payload import MAX_NUMBER, card_text, is_signed, parse
from server.db.models import Card, Envelope, PrintRun
from server.editions import load_edition
from server.games.context import AppContext
from server.games.errors import DomainError
from server.games.lifecycle.repository import load_game, printed_game_of
from server.games.lifecycle.states import State
from server.games.printing.dealing import DealInputs, DealResult, deal_run, hand_points
from server.games.printing.files import hands_of
from server.games.printing.runs import MAX_ENVELOPES, add_run, check_run, load_deal_inputs, replace_cards
from server.scoring import Scorer
from tests.context import ORGANISER, new_game
from tests.played_game import EDITIONS

INPUTS = DealInputs("eurocg-2026", "en", {"blue_base": 1}, None, "seed", 1, 1, None, {}, {})


def _run(context: AppContext, game: str, envelopes: int, spare: int = 0, dealt: DealResult | None = None) -> None:
    with context.database.writing() as session:
        add_run(session, load_game(session, game), envelopes, ORGANISER, context.clock(), spare=spare, dealt=dealt)


@settings(max_examples=8, deadline=None, suppress_health_check=list(HealthCheck))
@given(edition=st.sampled_from(EDITIONS), sizes=st.lists(st.integers(1, 9), min_size=2, max_size=4), data=st.data())
def test_print_runs_have_unique_codes(context: AppContext, edition: str, sizes: list[int], data: st.DataObject) -> None:
    """For any number of runs of envelopes and lost cards; envelopes of all runs have the same numbers of cards."""
    game = new_game(context, State.DRAFT, edition=edition, players=sizes[0])
    for size in sizes:
        _run(context, game, size, data.draw(st.integers(0, size)))
    every = select(Card).where(Card.game == game)
    with context.database.writing() as session:
        row = load_game(session, game)
        names = sorted(CardId(card.kind, card.copy).name for card in session.scalars(every))
        lost = data.draw(st.lists(st.sampled_from(names), min_size=1, max_size=5, unique=True))
        loaded = load_edition(edition)
        runs = session.scalars(select(PrintRun).where(PrintRun.game == game).order_by(PrintRun.number)).all()
        hands = [hand for run in runs for hand in hands_of(session, row, run, loaded).values()]
        replace_cards(session, row, lost, ORGANISER, context.clock(), "lost")
    with context.database.reading() as session:
        printed = printed_game_of(load_game(session, game))
        cards = [CardId(card.kind, card.copy) for card in session.scalars(every)]
        envelopes = session.scalars(select(Envelope.number).where(Envelope.game == game)).all()
    codes = {card_text(printed, card) for card in cards}
    assert len(codes) == len(cards) == len(names) + len(lost)
    assert all(parse(code) and is_signed(code, printed.key) for code in codes)
    assert sorted(envelopes) == list(range(1, sum(sizes) + 1))
    shapes = {tuple(sorted(Counter(loaded.kind_of[card.kind].category for card in hand).items())) for hand in hands}
    assert (len(hands), len(shapes)) == (sum(sizes), 1)


def test_a_later_run_first_uses_undealt_cards() -> None:
    """40 players get 4 of 169 rule cards each; the other 9 are dealt before any is printed again."""
    tarot = replace(INPUTS, edition="tarot-fr", language="fr", settings={})
    first = [card for hand in deal_run(tarot, 40).hands for card in hand]
    printed = Counter(card.kind for card in first)
    highest = {kind: max(card.copy for card in first if card.kind == kind) for kind in printed}
    rules = {kind for kind in printed if kind.startswith("rule-")}
    assert (len(rules), max(printed[kind] for kind in rules)) == (160, 1)
    later = deal_run(replace(tarot, number=2, first=41, like=40, printed=printed, highest=highest), 2)
    fresh = [card for hand in later.hands for card in hand if card.kind.startswith("rule-")]
    assert len(fresh) == 8
    assert not rules & {card.kind for card in fresh}


def test_deals_depend_on_number_and_seed() -> None:
    plain = deal_run(INPUTS, 8).hands
    assert deal_run(INPUTS, 8).hands == plain
    assert plain not in (deal_run(replace(INPUTS, number=2), 8).hands, deal_run(replace(INPUTS, seed="other"), 8).hands)


def test_copy_numbers_are_limited_by_the_code() -> None:
    most = Counter(card.kind for hand in deal_run(INPUTS, 8).hands for card in hand)["red"]
    highest = deal_run(replace(INPUTS, highest={"red": MAX_NUMBER - most}), 8)
    assert max(card.copy for hand in highest.hands for card in hand) == MAX_NUMBER
    with pytest.raises(DomainError, match="more than 1023 cards of red"):
        deal_run(replace(INPUTS, highest={"red": MAX_NUMBER - most + 1}), 8)


def _spread(dealt: DealResult) -> Fraction:
    """Score all hands; return the difference between the best and the worst."""
    points = hand_points(
        Scorer(load_edition(dealt.inputs.edition, dealt.inputs.language), dealt.inputs.settings), dealt.hands
    )
    return max(points) - min(points)


def test_hands_are_as_even_as_requested_or_possible() -> None:
    dealt, plain = deal_run(INPUTS, 8, 10_000), deal_run(INPUTS, 8)
    assert plain.spread is None
    assert dealt.hands == plain.hands
    assert dealt.spread == _spread(dealt)
    assert deal_run(INPUTS, 8, int(dealt.spread)).hands == plain.hands, "exactly as even as wanted is even enough"
    better = deal_run(INPUTS, 8, int(dealt.spread) - 1)
    assert better.spread == _spread(better) < dealt.spread
    none, few, more = (deal_run(INPUTS, 8, 0, most=most) for most in (0, 60, 3000))
    assert none.hands == plain.hands
    spreads = [one.spread for one in (none, few, more) if one.spread is not None]
    assert len(spreads) == 3
    assert spreads == sorted(spreads, reverse=True)
    assert spreads[0] > spreads[1] > spreads[2] > 0
    assert deal_run(INPUTS, 8, 0, most=60) == few


@pytest.mark.parametrize(
    ("edition", "envelopes", "even"), [("eurocg-2026", 147, 25), ("sackson-1969", 147, 25), ("tarot-fr", 70, 10)]
)
def test_many_hands_are_made_even_by_few_swaps(edition: str, envelopes: int, even: int) -> None:
    loaded = load_edition(edition)
    inputs = replace(INPUTS, edition=edition, language=loaded.language, settings={})
    dealt, plain = deal_run(inputs, envelopes, even), deal_run(inputs, envelopes)
    assert dealt.spread == _spread(dealt) <= even
    names = [sorted(card.name for hand in one.hands for card in hand) for one in (dealt, plain)]
    assert names[0] == names[1]
    same = sum(mine == theirs for mine, theirs in zip(dealt.hands, plain.hands, strict=True))
    assert same > envelopes / 3
    different = [deal.category for deal in loaded.deal if deal.different]
    for mine, theirs in zip(dealt.hands, plain.hands, strict=True):
        categories = [[loaded.kind_of[card.kind].category for card in hand] for hand in (mine, theirs)]
        assert categories[0] == categories[1]
        once = [card.kind for card in mine if loaded.kind_of[card.kind].category in different]
        assert len(set(once)) == len(once)


def test_a_deal_is_refused_after_another_run(context: AppContext) -> None:
    game = new_game(context, State.PRINTED)
    with context.database.reading() as session:
        dealt = deal_run(load_deal_inputs(session, load_game(session, game)), 2)
    _run(context, game, 1)
    with pytest.raises(DomainError) as error:
        _run(context, game, 2, dealt=dealt)
    assert error.value.slug == "conflict"


def test_print_runs_are_limited() -> None:
    for envelopes, spare in ((1, 0), (MAX_ENVELOPES, 0), (3, 3)):
        check_run(envelopes, spare, None)
    for envelopes, spare in ((0, 0), (MAX_ENVELOPES + 1, 0), (3, -1), (3, 4)):
        with pytest.raises(DomainError):
            check_run(envelopes, spare, None)
