"""Print runs: what is dealt, again and again, and never twice."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import select

from cardgen.cards import CardId
from cardgen.payload import MAX_NUMBER, card_text, is_signed, parse
from server.editions import load_edition
from server.jobs.apart import ApartError
from server.play.dealing import Basis, Dealt, deal_run, worths
from server.play.house import game_row, printed_game
from server.play.refusals import Refusal
from server.play.run_files import hands_of
from server.play.runs import MOST_ENVELOPES, QUICK, add_run, basis_of, check_run, dealt_apart, replace_cards
from server.play.states import State
from server.scoring import Scorer
from server.store.tables import Card, Envelope, PrintRun
from tests.house import ORGANISER, new_game

if TYPE_CHECKING:
    from collections.abc import Sequence
    from fractions import Fraction

    from server.play.house import House

EDITIONS = ("eurocg-2026", "sackson-1969", "tarot-fr")
BASIS = Basis("eurocg-2026", "en", {"blue_base": 1}, None, "seed", 1, 1, None, {}, {})


@settings(max_examples=12, deadline=None, suppress_health_check=list(HealthCheck))
@given(edition=st.sampled_from(EDITIONS), sizes=st.lists(st.integers(1, 9), min_size=2, max_size=5), data=st.data())
def test_no_run_repeats_a_code(house: House, edition: str, sizes: list[int], data: st.DataObject) -> None:
    """However many runs a game has, of envelopes and of lost cards: every code is another one, and all are signed."""
    game = new_game(house, State.DRAFT, edition=edition, players=sizes[0])
    for size in sizes:
        spare = data.draw(st.integers(0, size))
        with house.database.writing() as session:
            add_run(session, game_row(session, game), size, ORGANISER, house.clock(), spare=spare)
    with house.database.writing() as session:
        row = game_row(session, game)
        names = [CardId(card.kind, card.copy).name for card in session.scalars(select(Card).where(Card.game == game))]
        lost = data.draw(st.lists(st.sampled_from(sorted(names)), min_size=1, max_size=5, unique=True))
        replace_cards(session, row, lost, ORGANISER, house.clock(), "lost")
    with house.database.reading() as session:
        row = game_row(session, game)
        printed = printed_game(row)
        cards = [CardId(card.kind, card.copy) for card in session.scalars(select(Card).where(Card.game == game))]
        envelopes = session.scalars(select(Envelope.number).where(Envelope.game == game)).all()
    codes = {card_text(printed, card) for card in cards}
    assert len(codes) == len(cards)
    assert all(parse(code) and is_signed(code, printed.key) for code in codes)
    assert sorted(envelopes) == list(range(1, sum(sizes) + 1))


@pytest.mark.parametrize("edition", EDITIONS)
def test_every_envelope_of_every_run_starts_alike(house: House, edition: str) -> None:
    """As many cards of each category in an envelope of a later run as in those of the first."""
    game = new_game(house, State.PRINTED, edition=edition, players=12)
    with house.database.writing() as session:
        add_run(session, game_row(session, game), 3, ORGANISER, house.clock(), spare=3)
    loaded = load_edition(edition)
    with house.database.reading() as session:
        row = game_row(session, game)
        runs = session.scalars(select(PrintRun).where(PrintRun.game == game).order_by(PrintRun.number)).all()
        hands = [hand for run in runs for hand in hands_of(session, row, run, loaded).values()]
    shapes = {tuple(sorted(Counter(loaded.kind_of[card.kind].category for card in hand).items())) for hand in hands}
    assert (len(hands), len(shapes)) == (15, 1)


def test_a_later_run_takes_first_what_was_put_aside() -> None:
    """Of 169 rule cards 40 players get 4 each; the 9 others are dealt before any is printed a second time."""
    tarot = replace(BASIS, edition="tarot-fr", language="fr", settings={})
    first = [card for hand in deal_run(tarot, 40).hands for card in hand]
    printed = Counter(card.kind for card in first)
    highest = {kind: max(card.copy for card in first if card.kind == kind) for kind in printed}
    rules = {kind for kind in printed if kind.startswith("rule-")}
    assert (len(rules), max(printed[kind] for kind in rules)) == (160, 1)
    later = deal_run(replace(tarot, number=2, first=41, like=40, printed=printed, highest=highest), 2)
    fresh = [card for hand in later.hands for card in hand if card.kind.startswith("rule-")]
    assert len(fresh) == 8
    assert not rules & {card.kind for card in fresh}


def test_a_deal_hangs_on_its_basis_alone() -> None:
    """The same basis gives the same cards; another number, seed or try others."""
    assert deal_run(BASIS, 8).hands == deal_run(BASIS, 8).hands
    assert deal_run(BASIS, 8).hands != deal_run(replace(BASIS, number=2), 8).hands
    assert deal_run(BASIS, 8).hands != deal_run(replace(BASIS, seed="other"), 8).hands


@pytest.mark.parametrize(("above", "refused"), [(0, False), (1, True)])
def test_copies_are_numbered_as_far_as_codes_reach(above: int, *, refused: bool) -> None:
    """The highest copy that a code can say is printed, the next one is refused."""
    most = Counter(card.kind for hand in deal_run(BASIS, 8).hands for card in hand)["red"]
    basis = replace(BASIS, highest={"red": MAX_NUMBER - most + above})
    if refused:
        with pytest.raises(Refusal, match="more than 1023 cards of red"):
            deal_run(basis, 8)
    else:
        assert max(card.copy for hand in deal_run(basis, 8).hands for card in hand) == MAX_NUMBER


def test_hands_that_are_even_by_chance_stay() -> None:
    """Exactly as even as wanted is even enough; one point less needs a swap."""
    dealt, plain = deal_run(BASIS, 8, 10_000), deal_run(BASIS, 8)
    assert plain.spread is None
    assert dealt.hands == plain.hands
    assert dealt.spread == _spread(dealt)
    assert deal_run(BASIS, 8, int(dealt.spread)).hands == plain.hands
    better = deal_run(BASIS, 8, int(dealt.spread) - 1)
    assert better.spread == _spread(better) < dealt.spread


@pytest.mark.parametrize(
    ("edition", "envelopes", "even"), [("eurocg-2026", 147, 25), ("sackson-1969", 147, 25), ("tarot-fr", 70, 10)]
)
def test_many_hands_become_even_by_few_swaps(edition: str, envelopes: int, even: int) -> None:
    """As many as a hall holds come within what was asked for; most hands stay as chance has dealt them."""
    loaded = load_edition(edition)
    basis = replace(BASIS, edition=edition, language=loaded.language, settings={})
    dealt, plain = deal_run(basis, envelopes, even), deal_run(basis, envelopes)
    assert dealt.spread == _spread(dealt) <= even
    assert sorted(card.name for hand in dealt.hands for card in hand) == sorted(
        c.name for hand in plain.hands for c in hand
    )
    same = sum(mine == theirs for mine, theirs in zip(dealt.hands, plain.hands, strict=True))
    assert same > envelopes / 3
    different = [deal.category for deal in loaded.deal if deal.different]
    for mine, theirs in zip(dealt.hands, plain.hands, strict=True):
        categories = [[loaded.kind_of[card.kind].category for card in hand] for hand in (mine, theirs)]
        assert categories[0] == categories[1]
        once = [card.kind for card in mine if loaded.kind_of[card.kind].category in different]
        assert len(set(once)) == len(once)


def test_out_of_reach_hands_are_as_even_as_they_come() -> None:
    """More counts bring them nearer; the same ones give the same hands, and no count is made above the number given."""
    none, few, more = (deal_run(BASIS, 8, 0, most=most) for most in (0, 60, 6000))
    assert none.hands == deal_run(BASIS, 8).hands
    assert none.spread is not None
    assert few.spread is not None
    assert more.spread is not None
    assert none.spread > few.spread > more.spread > 0
    assert deal_run(BASIS, 8, 0, most=60) == few


def _spread(dealt: Dealt) -> Fraction:
    """Count each hand anew; return the points between the best and the worst."""
    points = worths(Scorer(load_edition(dealt.basis.edition, dealt.basis.language), dealt.basis.settings), dealt.hands)
    return max(points) - min(points)


@pytest.mark.parametrize(("edition", "players"), [("eurocg-2026", 8), ("tarot-fr", 3), ("tarot-fr", 5)])
def test_few_cards_are_counted_beside_other_requests(
    house: House, monkeypatch: pytest.MonkeyPatch, edition: str, players: int
) -> None:
    """However large hands are: what few counts do not reach is left to a process of its own."""
    swaps: list[int] = []

    def worth(scorer: Scorer, some: Sequence[Sequence[CardId]]) -> list[Fraction]:
        # Two hands change at a time; all of them are counted once, as they were dealt.
        if len(some) == 2:
            swaps.append(sum(map(len, some)))
        return worths(scorer, some)

    def apart(*_: object) -> Dealt:
        raise ApartError("busy")

    monkeypatch.setattr("server.play.dealing.worths", worth)
    monkeypatch.setattr("server.play.runs.run_apart", apart)
    game = new_game(house, State.DRAFT, edition=edition, players=players)
    with pytest.raises(Refusal) as told:
        dealt_apart(house, game, None, 0, 0)
    assert told.value.slug == "busy"
    assert 0 < sum(swaps) <= QUICK + max(swaps)


def test_a_deal_of_a_game_that_has_changed_is_not_kept(house: House) -> None:
    """Dealt before another run came between: the cards could be twice, so it is refused."""
    game = new_game(house, State.PRINTED)
    with house.database.reading() as session:
        dealt = deal_run(basis_of(session, game_row(session, game)), 2)
    with house.database.writing() as session:
        add_run(session, game_row(session, game), 1, ORGANISER, house.clock())
    with house.database.writing() as session, pytest.raises(Refusal) as told:
        add_run(session, game_row(session, game), 2, ORGANISER, house.clock(), dealt=dealt)
    assert told.value.slug == "conflict"


@pytest.mark.parametrize(
    ("envelopes", "spare", "good"),
    [
        (0, 0, False),
        (1, 0, True),
        (MOST_ENVELOPES, 0, True),
        (MOST_ENVELOPES + 1, 0, False),
        (3, -1, False),
        (3, 3, True),
        (3, 4, False),
    ],
)
def test_runs_have_bounds(envelopes: int, spare: int, *, good: bool) -> None:
    """Below, at and above each."""
    if good:
        check_run(envelopes, spare, None)
    else:
        with pytest.raises(Refusal):
            check_run(envelopes, spare, None)
