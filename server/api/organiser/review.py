"""The queue: what organisers have to look at, and what they decide."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Annotated, Any, Literal

from apiflask import APIBlueprint
from pydantic import BaseModel, Field
from sqlalchemy import select

from server.api.auth import actor, organiser
from server.api.context import current_context
from server.api.idempotency import creates, if_match, once, revised
from server.api.openapi import responses
from server.api.organiser.review_serializers import ReviewSerializer, about, ruling_model
from server.api.schemas.review import (
    Body,
    CardNameModel,
    EnvelopeNumber,
    ItemModel,
    LostRulingModel,
    PlaceModel,
    QueueModel,
    QueueQuery,
    Reason,
    ReasonQuery,
    RuledModel,
    RulingBody,
)
from server.db.models import Envelope
from server.games.lifecycle.repository import edition_of_game, load_game
from server.games.review.decisions import DecisionRequest, card_of_code, decide, enter_card, find_issue, revoke
from server.games.review.evidence import load_evidence, reconcile_cached, reconcile_game
from server.games.review.issues import Decision, IssueKind

if TYPE_CHECKING:
    from sqlalchemy.orm import Session

    from server.db.models import Game
    from server.games.review.decisions import DecisionOutcome
    from server.games.review.issues import ReviewIssue


blueprint = APIBlueprint("queue", __name__, url_prefix="/api/v1/games/<string:game>/queue", tag="Hand-ins")

ORGANISER = "Who may call it: organisers who are signed in."
CHANGES = {
    404: "There is no such game, picture or item",
    409: "The game's state does not allow it",
    412: "It has changed since: look again",
    422: "That cannot be decided here, or the reason is missing",
    428: "No revision was named in If-Match",
}


@blueprint.get("")
@organiser
@blueprint.input(QueueQuery, location="query", arg_name="query")
@blueprint.output(QueueModel)
@blueprint.doc(
    summary="What there is to look at",
    description="Items in the order in which they are settled fastest: whole pictures first, since they settle others. "
    f"Also the decisions that have lost their item, and so have no effect. {ORGANISER}",
    operation_id="get_queue",
    responses=responses({404: "There is no such game"}),
)
def show_all(game: str, query: QueueQuery) -> QueueModel:
    """Show the queue."""
    with current_context().context.database.reading() as session:
        row = load_game(session, game)
        world = load_evidence(session, row)
        whole = reconcile_cached(world)
        views = views_of(session, row)
        chosen = [item for item in whole.issues if _wanted(item, query)]
        standings = Counter(item.status.value for item in whole.issues)
        return QueueModel(
            items=[views.item(item) for item in chosen[query.offset : query.offset + query.limit]],
            total=len(chosen),
            open=standings["open"],
            ruled=standings["ruled"],
            settled=standings["settled"],
            kinds=dict(Counter(item.kind.value for item in whole.open_issues)),
            waiting=len(whole.waiting),
            without_effect=[
                LostRulingModel(key=key, **ruling_model(world.decisions[key]).model_dump())
                for key in whole.without_effect
            ],
        )


@blueprint.get("/<string:item>")
@organiser
@blueprint.output(ItemModel)
@blueprint.doc(
    summary="One item",
    description="Also what may be decided where nothing is doubtful: `picture:…` whose a picture is, "
    "`hand:CARD:ENVELOPE` that a card lies in an envelope or does not, `late:ENVELOPE` that a hand came too late. "
    f"{ORGANISER}",
    operation_id="get_queue_item",
    responses=responses({404: "There is no such game or item"}),
)
def show(game: str, item: str) -> ItemModel:
    """Show an item."""
    with current_context().context.database.reading() as session:
        row = load_game(session, game)
        world = load_evidence(session, row)
        return views_of(session, row).item(find_issue(world, reconcile_cached(world), item))


@blueprint.put("/<string:item>/ruling")
@revised
@organiser
@blueprint.input(RulingBody, arg_name="body")
@blueprint.output(RuledModel)
@blueprint.doc(
    summary="Decide an item",
    description="`do` is one of the item's choices. In a game that has been counted it is a correction: count again "
    f"afterwards. {ORGANISER}",
    operation_id="rule",
    responses=responses(CHANGES),
)
def rule(game: str, item: str, body: RulingBody) -> RuledModel:
    """Decide an item."""
    context, revision = current_context().context, if_match()
    with context.database.writing() as session:
        row = load_game(session, game)
        card = None if body.card is None else card_of_code(session, row, body.card)
        envelopes = None if body.envelopes is None else tuple(body.envelopes)
        said = DecisionRequest(Decision(body.do, body.envelope, envelopes, card), body.reason, revision)
        return ruled_model(session, row, decide(session, row, item, said, actor(), context.clock()))


@blueprint.delete("/<string:item>/ruling")
@revised
@organiser
@blueprint.input(ReasonQuery, location="query", arg_name="query")
@blueprint.output(RuledModel)
@blueprint.doc(
    summary="Take a decision back",
    description=f"Everything is then as if it had never been taken; the record keeps both. {ORGANISER}",
    operation_id="take_ruling_back",
    responses=responses(CHANGES),
)
def unrule(game: str, item: str, query: ReasonQuery) -> RuledModel:
    """Take a decision back."""
    context, revision = current_context().context, if_match()
    with context.database.writing() as session:
        row = load_game(session, game)
        return ruled_model(session, row, revoke(session, row, item, query.reason, revision, actor(), context.clock()))


def views_of(session: Session, game: Game) -> ReviewSerializer:
    """Return what makes models of a game's findings."""
    names = session.execute(select(Envelope.number, Envelope.name).where(Envelope.game == game.id)).all()
    return ReviewSerializer(game, {number: name for number, name in names})  # noqa: C416 - rows are no pairs to the checker


def ruled_model(session: Session, game: Game, outcome: DecisionOutcome) -> RuledModel:
    """Return an item as it is after a decision."""
    item = None if outcome.issue is None else views_of(session, game).item(outcome.issue)
    return RuledModel(item=item, open=outcome.open)


def _wanted(item: ReviewIssue, query: QueueQuery) -> bool:
    return (
        query.standing in {"all", item.status}
        and query.kind in {None, item.kind}
        and (query.envelope is None or query.envelope in item.envelopes)
        and (query.photo is None or about(item, query.photo))
    )


class GameKindModel(BaseModel):
    """A kind of card, for organisers: rules with their names."""

    slug: str
    category: str
    name: str = Field(description="In the game's language")
    ink: str = Field(description="#RRGGBB, or empty")
    symbol: str = Field(description="Name of the drawing on the card, or empty")
    number: int | None = Field(description="Number of a rule card")


class KindsModel(BaseModel):
    """A game's kinds of cards, in the order in which codes number them."""

    kinds: list[GameKindModel]


class CardBody(Body):
    """A card that lies in an envelope, or does not, whatever the pictures show."""

    code: Annotated[str, Field(min_length=1, max_length=100, description="Its short code, or its name")]
    envelope: EnvelopeNumber
    do: Literal["add", "remove"] = "add"
    reason: Reason


class CardFactsModel(CardNameModel):
    """A card: which envelope it was dealt into, and where it lies now."""

    dealt: int
    envelope: int | None = Field(description="In whose hand it counts; null for nobody's")
    places: list[PlaceModel]
    items: list[ItemModel] = Field(description="All items about it")


class CardsModel(BaseModel):
    """The cards that were entered by hand."""

    entered: list[ItemModel]


cards_blueprint = APIBlueprint("cards", __name__, url_prefix="/api/v1/games/<string:game>", tag="Hand-ins")


@cards_blueprint.get("/kinds")
@organiser
@cards_blueprint.output(KindsModel)
@cards_blueprint.doc(
    summary="The kinds of cards",
    description="With what their cards look like, so that a picture's cards can be named. Players never get this: the "
    f"names of rules are secret. {ORGANISER}",
    operation_id="list_kinds",
    responses=responses({404: "There is no such game"}),
)
def kinds(game: str) -> KindsModel:
    """List the kinds of cards."""
    with current_context().context.database.reading() as session:
        found = edition_of_game(load_game(session, game)).kinds
    return KindsModel(
        kinds=[
            GameKindModel(
                slug=kind.slug,
                category=kind.category,
                name=kind.name,
                ink=kind.ink,
                symbol=kind.symbol,
                number=kind.number,
            )
            for kind in found
        ]
    )


@cards_blueprint.get("/cards")
@organiser
@cards_blueprint.output(CardsModel)
@cards_blueprint.doc(
    summary="The cards that were entered by hand",
    description=ORGANISER,
    operation_id="list_entered_cards",
    responses=responses({404: "There is no such game"}),
)
def show_cards(game: str) -> CardsModel:
    """List what was entered by hand."""
    with current_context().context.database.reading() as session:
        row = load_game(session, game)
        views = views_of(session, row)
        found = reconcile_game(session, row).issues
        return CardsModel(entered=[views.item(item) for item in found if item.kind is IssueKind.BY_HAND])


@cards_blueprint.post("/cards")
@creates
@organiser
@cards_blueprint.input(CardBody, arg_name="body")
@cards_blueprint.output(RuledModel, status_code=201)
@cards_blueprint.doc(
    summary="Add a card to an envelope, or remove it",
    description="By the short code printed on it. If the card lies elsewhere too, that becomes an item of the queue. "
    f"{ORGANISER}",
    operation_id="enter_card",
    responses=responses(
        {404: "There is no such game or envelope", 409: "The game's state does not allow it", 422: "The code is wrong"}
    ),
)
def add(game: str, body: CardBody) -> tuple[dict[str, Any], int]:
    """Enter a card."""
    context, who = current_context().context, actor()

    def work(session: Session) -> dict[str, Any]:
        row = load_game(session, game)
        card = card_of_code(session, row, body.code)
        item = enter_card(session, row, (card, body.envelope, body.do), body.reason, who, context.clock())
        return ruled_model(session, row, item).model_dump(mode="json")

    return once(f"organiser {who.name}", work)


@cards_blueprint.get("/cards/<string:code>")
@organiser
@cards_blueprint.output(CardFactsModel)
@cards_blueprint.doc(
    summary="Which card a short code names, and where it lies",
    description=f"Its name, such as red-007, is taken too. {ORGANISER}",
    operation_id="get_card",
    responses=responses({404: "There is no such game", 422: "The code is wrong"}),
)
def show_card(game: str, code: str) -> CardFactsModel:
    """Look a card up."""
    with current_context().context.database.reading() as session:
        row = load_game(session, game)
        card = card_of_code(session, row, code)
        world = load_evidence(session, row)
        whole = reconcile_cached(world)
        views = views_of(session, row)
        hand = next((hand for hand in whole.hands.values() if card in hand.cards), None)
        return CardFactsModel(
            **views.card(card).model_dump(),
            dealt=world.dealt[card],
            envelope=hand.envelope if hand else None,
            places=views.places(hand.places[card]) if hand else [],
            items=[views.item(item) for item in whole.issues if card in item.cards],
        )
