"""Print runs: the cards that are printed for each envelope. A later run never repeats a card."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import func, select

from cardgen.cards import CardId
from cardgen.payload import MAX_NUMBER
from server.db.models import Card, Envelope, Game, PrintRun
from server.games.audit import audit
from server.games.errors import DomainError, not_found
from server.games.events import publish_event
from server.games.lifecycle.repository import edition_of_game, load_game, lock_game
from server.games.lifecycle.states import ALLOWED, Act, State
from server.games.printing.dealing import DealInputs, DealResult, deal_run
from server.printing.game_file import MAX_LABEL
from server.printing.links import AddressError, address_of
from server.scoring import decimal
from server.workers.process_pool import WorkerProcessError, run_in_process

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from sqlalchemy.orm import Session

    from server.games.audit import Actor
    from server.games.context import AppContext

MAX_ENVELOPES = 600
"""Maximum number of envelopes in a run."""
MAX_EVEN = 100_000
QUICK_COUNTS = 8000
"""Approximate number of cards to score in the server's own process. Hands of few players may have 15 times as many
cards as those of many."""


def load_deal_inputs(session: Session, game: Game) -> DealInputs:
    """Return the inputs of the next run's deal."""
    counts = session.execute(
        select(Card.kind, func.count(), func.max(Card.copy)).where(Card.game == game.id).group_by(Card.kind)
    ).all()
    first_run = session.scalars(select(PrintRun).where(PrintRun.game == game.id, PrintRun.number == 1)).first()
    return DealInputs(
        edition=game.edition,
        language=game.language,
        settings=dict(game.settings),
        active_rules=None if game.active_rules is None else tuple(game.active_rules),
        seed=game.seed,
        number=_next_number(session, game),
        first=(session.scalar(select(func.max(Envelope.number)).where(Envelope.game == game.id)) or 0) + 1,
        like=None if first_run is None else first_run.envelopes,
        printed={kind: count for kind, count, _ in counts},
        highest={kind: highest for kind, _, highest in counts},
    )


def check_run(envelopes: int, spare: int, even: int | None) -> None:
    """Raise DomainError `wrong-number` for numbers that no run can have."""
    if not 1 <= envelopes <= MAX_ENVELOPES:
        raise DomainError(
            "wrong-number",
            f"A run prints 1 to {MAX_ENVELOPES} envelopes.",
            {"why": "envelopes", "most": MAX_ENVELOPES},
        )
    if not 0 <= spare <= envelopes:
        message = f"Of {envelopes} envelopes, 0 to {envelopes} can be spare."
        raise DomainError("wrong-number", message, {"why": "spare", "most": envelopes})
    if even is not None and not 0 <= even <= MAX_EVEN:
        message = f"Hands can be made even to within 0 to {MAX_EVEN} points."
        raise DomainError("wrong-number", message, {"why": "even", "most": MAX_EVEN})


def envelope_count(session: Session, game: Game, envelopes: int | None) -> int:
    """Return the number of players' envelopes in the next run; None means all players, in the first run.

    Raises DomainError `wrong-number` for None in a later run.
    """
    if envelopes is not None:
        return envelopes
    if _next_number(session, game) > 1:
        message = "Say how many envelopes to print: the players' own have been printed already."
        raise DomainError("wrong-number", message, {"why": "printed"})
    return game.players


def deal_in_subprocess(
    context: AppContext, game: str, envelopes: int | None, spare: int, even: int
) -> DealResult | None:
    """Deal a run with balanced starting hands, for `add_run`; None if the game's state forbids it.

    A deal that needs few swaps is made in this process. Raises DomainError `not-found`, `wrong-number`, `cannot-print`
    or `busy`.
    """
    with context.database.reading() as session:
        row = load_game(session, game)
        if State(row.state) not in ALLOWED[Act.PRINT]:
            return None
        number = envelope_count(session, row, envelopes) + spare
        check_run(number, spare, even)
        inputs = load_deal_inputs(session, row)
    # Nearly always this is enough, and a process takes seconds to start on a busy machine.
    quick = _deal_quickly(inputs, number, even)
    if quick.spread is not None and quick.spread <= even:
        return quick
    try:
        return run_in_process(deal_run, inputs, number, even)
    except WorkerProcessError as error:
        raise DomainError("busy", str(error), retry=5) from None


def _deal_quickly(inputs: DealInputs, envelopes: int, even: int) -> DealResult:
    """Deal a run and balance it as far as scoring few cards allows. A higher limit continues with the same swaps."""
    plain = deal_run(inputs, envelopes, even, most=0)
    return deal_run(inputs, envelopes, even, most=QUICK_COUNTS // max(len(hand) for hand in plain.hands))


def check_next_run(session: Session, game: Game, number: int) -> None:
    """Raise DomainError `conflict` if a game's next run has another number, since somebody has dealt meanwhile."""
    lock_game(session, game)
    following = _next_number(session, game)
    if number == following:
        return
    meanwhile = select(func.min(PrintRun.first), func.max(PrintRun.first + PrintRun.envelopes - 1)).where(
        PrintRun.game == game.id, PrintRun.number >= number, PrintRun.envelopes > 0
    )
    first, last = session.execute(meanwhile).one()
    message = f"The game's next print run is {following}, not {number}. Look at the runs before you deal more."
    raise DomainError("conflict", message, {"why": "run", "next": following, "first": first, "last": last})


def add_run(
    session: Session,
    game: Game,
    envelopes: int,
    actor: Actor,
    at: datetime,
    *,
    spare: int = 0,
    server_url: str | None = None,
    even: int | None = None,
    dealt: DealResult | None = None,
) -> PrintRun:
    """Add a run of envelopes, of which the last `spare` are spare, and store their cards.

    The labels have links to `server_url`; by default, to the first run's. `dealt` is a deal made before, outside of the
    transaction; None deals here. Raises DomainError, `conflict` if the deal no longer fits.
    """
    lock_game(session, game, Act.PRINT)
    check_run(envelopes, spare, even)
    inputs = load_deal_inputs(session, game)
    if inputs.first + envelopes - 1 > MAX_LABEL:
        raise DomainError(
            "cannot-print", f"Envelopes are numbered up to {MAX_LABEL}.", {"why": "envelopes", "most": MAX_LABEL}
        )
    if dealt is None:
        dealt = deal_run(inputs, envelopes, even)
    elif dealt.inputs != inputs or len(dealt.hands) != envelopes:
        raise DomainError("conflict", "The game changed while the cards were being dealt. Try again.")
    if server_url is None:
        server_url = session.scalar(select(PrintRun.join).where(PrintRun.game == game.id, PrintRun.number == 1))
    run = new_run(
        session, game, at, server_url=server_url, number=inputs.number, first=inputs.first, envelopes=envelopes
    )
    run.seed, run.tries, run.even, run.spare = dealt.seed, 1, even, spare
    run.spread = None if dealt.spread is None else decimal(dealt.spread)
    insert_hands(session, game, run, dealt.hands)
    if game.state == State.DRAFT:
        game.state = State.PRINTED.value
    after = {"first": run.first, "envelopes": envelopes, "spare": spare, "even": even, "spread": run.spread}
    audit(session, actor, "print", game=game.id, at=at, subject=f"run {run.number}", after=after)
    publish_event(session, game.id, at, "envelopes")
    return run


def insert_hands(session: Session, game: Game, run: PrintRun, hands: Sequence[Sequence[CardId]]) -> None:
    """Insert the envelopes of a run and their cards."""
    numbers = range(run.first, run.first + run.envelopes)
    session.add_all(
        Envelope(
            game=game.id,
            number=number,
            run=run.id,
            spare=number >= run.first + run.envelopes - run.spare,
        )
        for number in numbers
    )
    session.flush()
    session.add_all(
        Card(game=game.id, kind=card.kind, copy=card.copy, envelope=number, run=run.number)
        for number, hand in zip(numbers, hands, strict=True)
        for card in hand
    )


def replace_cards(
    session: Session, game: Game, names: Sequence[str], actor: Actor, at: datetime, reason: str
) -> PrintRun:
    """Add a run with new copies of lost cards for the same envelopes. The codes of the lost cards become invalid.

    Raises DomainError, such as `not-found`, `replaced` or `no-reason`.
    """
    lock_game(session, game, Act.PRINT)
    lost = [_card(session, game, name) for name in dict.fromkeys(names)]
    if not lost:
        raise DomainError("wrong-number", "Name the cards that were lost.", {"why": "cards"})
    if not reason.strip():
        raise DomainError("no-reason", "Say why these cards are being replaced.")
    highest = load_deal_inputs(session, game).highest
    run = new_run(session, game, at, server_url=None, number=_next_number(session, game), first=0, envelopes=0)
    new: dict[str, int] = {}
    for card in sorted(lost, key=lambda card: (card.envelope, game.kinds.index(card.kind), card.copy)):
        if card.lost is not None:
            raise DomainError("replaced", f"{CardId(card.kind, card.copy).name} has been replaced already.")
        new[card.kind] = new.get(card.kind, highest[card.kind]) + 1
        if new[card.kind] > MAX_NUMBER:
            message = f"There would be more than {MAX_NUMBER} cards of {card.kind}."
            raise DomainError("cannot-print", message, {"why": "cards", "most": MAX_NUMBER})
        card.lost = at
        session.add(Card(game=game.id, kind=card.kind, copy=new[card.kind], envelope=card.envelope, run=run.number))
    subject, before = f"run {run.number}", {"cards": sorted(CardId(card.kind, card.copy).name for card in lost)}
    after = {"cards": len(lost)}
    audit(session, actor, "replace", game=game.id, at=at, subject=subject, reason=reason, before=before, after=after)
    publish_event(session, game.id, at, "envelopes")
    return run


def run_row(session: Session, game: Game, number: int) -> PrintRun:
    """Return a run of a game. Raises DomainError `not-found`."""
    known = select(PrintRun).where(PrintRun.game == game.id, PrintRun.number == number)
    row = session.scalars(known).first() if number <= MAX_LABEL else None
    if row is None:
        raise not_found("print run")
    return row


def _next_number(session: Session, game: Game) -> int:
    return (session.scalar(select(func.max(PrintRun.number)).where(PrintRun.game == game.id)) or 0) + 1


def new_run(
    session: Session, game: Game, at: datetime, *, server_url: str | None, number: int, first: int, envelopes: int
) -> PrintRun:
    """Insert a run whose cards are still to be dealt. Raises DomainError `wrong-address`."""
    try:
        server_url = None if server_url is None else address_of(server_url)
    except AddressError as error:
        raise DomainError("wrong-address", f"{error}.") from None
    run = PrintRun(
        game=game.id,
        number=number,
        first=first,
        envelopes=envelopes,
        language=edition_of_game(game).language,
        join=server_url,
        created=at,
    )
    session.add(run)
    session.flush()
    return run


def _card(session: Session, game: Game, name: str) -> Card:
    kind, _, copy = name.rpartition("-")
    row = (
        session.get(Card, (game.id, kind, int(copy)))
        if copy.isdecimal() and len(copy) <= len(str(MAX_NUMBER))
        else None
    )
    if row is None:
        raise not_found(f"card as {name!a:.60}")
    return row
