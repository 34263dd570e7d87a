"""The review queue, and cards that organisers enter by hand."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Annotated, Any, Literal

from apiflask import APIBlueprint
from pydantic import BaseModel, Field

from server.api.application import current_context
from server.api.auth import current_actor, organiser
from server.api.idempotency import describe_idempotency_key, run_once
from server.api.openapi import responses
from server.api.organiser.review_serializers import (
    DECISION_RESPONSES,
    about,
    outcome_model,
    review_serializer,
)
from server.api.revisions import describe_if_match, required_revision
from server.api.schemas.common import IssueKind, IssueStatus, RequestBody
from server.api.schemas.editions import EditionKindModel
from server.api.schemas.review import (
    CardNameModel,
    DecisionOutcomeModel,
    DecisionRecordModel,
    EnvelopeNumber,
    IssueModel,
    Limit,
    Offset,
    PlaceModel,
    Reason,
    ReasonQuery,
)
from server.games.errors import not_found
from server.games.lifecycle.repository import edition_of_game, load_game
from server.games.review import issues
from server.games.review.decisions import DecisionRequest, decide, enter_card, find_issue, revoke
from server.games.review.evidence import load_evidence
from server.games.review.issues import Decision
from server.games.review.reconcile import reconcile_cached, reconcile_game
from server.games.review.short_codes import card_of_code

if TYPE_CHECKING:
    from sqlalchemy.orm import Session

    from server.games.review.issues import ReviewIssue


class IneffectiveDecisionModel(DecisionRecordModel):
    """A decision without effect, since its item does not exist any more."""

    key: str


class QueueModel(BaseModel):
    """The review queue."""

    items: list[IssueModel]
    total: int = Field(description="Number of items that match the filters")
    open: int = Field(description="Open items of the whole game")
    ruled: int
    settled: int
    kinds: dict[str, int] = Field(description="Open items by kind")
    missing: int = Field(description="Envelopes given out, not photographed by organisers, and not decided on")
    waiting: int = Field(description="Number of photos that are not read yet")
    without_effect: list[IneffectiveDecisionModel]


class QueueQuery(BaseModel):
    """Filters of items."""

    standing: IssueStatus | Literal["all"] = "open"
    kind: IssueKind | None = None
    envelope: EnvelopeNumber | None = None
    photo: Annotated[str, Field(pattern=r"^[0-9a-f]{32}$")] | None = None
    limit: Limit = 200
    offset: Offset = 0


class DecisionBody(RequestBody):
    """A decision. `card` is the short code or the name of a card."""

    do: Annotated[str, Field(min_length=1, max_length=20)]
    envelope: EnvelopeNumber | None = None
    envelopes: Annotated[list[EnvelopeNumber | None], Field(max_length=200)] | None = None
    card: Annotated[str, Field(min_length=1, max_length=100)] | None = None
    reason: Reason


blueprint = APIBlueprint("queue", __name__, url_prefix="/api/v1/games/<string:game>/queue", tag="Hand-ins")


@blueprint.get("")
@organiser
@blueprint.input(QueueQuery, location="query", arg_name="query")
@blueprint.output(QueueModel)
@blueprint.doc(operation_id="get_queue", responses=responses({404: "There is no such game"}))
def show_all(game: str, query: QueueQuery) -> QueueModel:
    """Get the review queue.

    Items are ordered so that deciding them takes least work: whole photos come first, since deciding them settles
    others. Includes decisions whose item no longer exists; these have no effect.
    """
    with current_context().database.reading() as session:
        row = load_game(session, game)
        evidence = load_evidence(session, row)
        whole = reconcile_cached(evidence)
        views = review_serializer(session, row)
        chosen = [issue for issue in whole.issues if _matches(issue, query)]
        statuses = Counter(issue.status.value for issue in whole.issues)
        return QueueModel(
            items=[views.issue(issue) for issue in chosen[query.offset : query.offset + query.limit]],
            total=len(chosen),
            open=statuses["open"],
            ruled=statuses["ruled"],
            settled=statuses["settled"],
            kinds=dict(Counter(issue.kind.value for issue in whole.open_issues)),
            missing=len(whole.missing),
            waiting=len(whole.waiting),
            without_effect=[
                IneffectiveDecisionModel.model_validate(
                    {"key": key, **vars(evidence.decisions[key])}, from_attributes=True
                )
                for key in whole.without_effect
            ],
        )


@blueprint.get("/<string:item>")
@organiser
@blueprint.output(IssueModel)
@blueprint.doc(operation_id="get_queue_item", responses=responses({404: "There is no such game or item"}))
def show(game: str, item: str) -> IssueModel:
    """Get a review item.

    Works for undisputed matters too: `picture:…` is whose a photo is, `hand:CARD:ENVELOPE` whether a card is in an
    envelope, and `late:ENVELOPE` whether a hand was late.
    """
    with current_context().database.reading() as session:
        row = load_game(session, game)
        evidence = load_evidence(session, row)
        return review_serializer(session, row).issue(find_issue(evidence, reconcile_cached(evidence), item))


@blueprint.put("/<string:item>/ruling")
@describe_if_match
@organiser
@blueprint.input(DecisionBody, arg_name="body")
@blueprint.output(DecisionOutcomeModel)
@blueprint.doc(operation_id="rule", responses=responses(DECISION_RESPONSES))
def decide_issue(game: str, item: str, body: DecisionBody) -> DecisionOutcomeModel:
    """Decide a review item.

    `do` is one of the item's choices. `list` enters each card by hand that differs from the player's list; these
    entries are taken back one by one. In a scored game this is a correction: score the game again afterwards.
    """
    context, revision = current_context(), required_revision()
    with context.database.writing() as session:
        row = load_game(session, game)
        card = None if body.card is None else card_of_code(session, row, body.card)
        envelopes = None if body.envelopes is None else tuple(body.envelopes)
        request = DecisionRequest(Decision(body.do, body.envelope, envelopes, card), body.reason, revision)
        return outcome_model(session, row, decide(session, row, item, request, current_actor(), context.clock()))


@blueprint.delete("/<string:item>/ruling")
@describe_if_match
@organiser
@blueprint.input(ReasonQuery, location="query", arg_name="query")
@blueprint.output(DecisionOutcomeModel)
@blueprint.doc(operation_id="take_ruling_back", responses=responses(DECISION_RESPONSES))
def revoke_decision(game: str, item: str, query: ReasonQuery) -> DecisionOutcomeModel:
    """Revoke a decision.

    As if the decision had never been made; the audit log keeps both.
    """
    context, revision = current_context(), required_revision()
    with context.database.writing() as session:
        row = load_game(session, game)
        return outcome_model(
            session, row, revoke(session, row, item, query.reason, revision, current_actor(), context.clock())
        )


def _matches(issue: ReviewIssue, query: QueueQuery) -> bool:
    return (
        query.standing in {"all", issue.status}
        and query.kind in {None, issue.kind}
        and (query.envelope is None or query.envelope in issue.envelopes)
        and (query.photo is None or about(issue, query.photo))
    )


class KindsModel(BaseModel):
    """The kinds of cards of a game, in the order of their numbers in codes."""

    kinds: list[EditionKindModel]


class ManualEntryBody(RequestBody):
    """A card to add to an envelope, or to remove from it, regardless of photos."""

    code: Annotated[str, Field(min_length=1, max_length=100, description="Its short code, or its name")]
    envelope: EnvelopeNumber
    do: Literal["add", "remove"] = "add"
    reason: Reason


class CardFactsModel(CardNameModel):
    """A card with the envelope into which it was dealt, and the one in which it is now."""

    dealt: int
    envelope: int | None = Field(description="The envelope for which it counts; null if for none")
    places: list[PlaceModel]
    items: list[IssueModel] = Field(description="All items about it")


class EnvelopeDeckModel(BaseModel):
    """The deck of an envelope, as far as it is known."""

    envelope: int
    cards: list[CardNameModel] = Field(description="Cards in it")
    listed: list[CardNameModel] | None = Field(description="Cards that its player listed; null without a hand-in")
    excluded: str = Field(
        description="Why it does not count: sealed, not-seen, absent or late-refused; empty if it counts"
    )


class CardsModel(BaseModel):
    """The cards that were entered by hand."""

    entered: list[IssueModel]


cards_blueprint = APIBlueprint("cards", __name__, url_prefix="/api/v1/games/<string:game>", tag="Hand-ins")


@cards_blueprint.get("/kinds")
@organiser
@cards_blueprint.output(KindsModel)
@cards_blueprint.doc(operation_id="list_kinds", responses=responses({404: "There is no such game"}))
def kinds(game: str) -> KindsModel:
    """List the kinds of cards.

    Includes what the cards look like. Not available to players, since the names of rules are secret.
    """
    with current_context().database.reading() as session:
        found = edition_of_game(load_game(session, game)).kinds
    return KindsModel(kinds=[EditionKindModel.of(kind) for kind in found])


@cards_blueprint.get("/hands/<int:envelope>")
@organiser
@cards_blueprint.output(EnvelopeDeckModel)
@cards_blueprint.doc(operation_id="get_hand", responses=responses({404: "There is no such game or envelope"}))
def show_hand(game: str, envelope: int) -> EnvelopeDeckModel:
    """Get the deck of an envelope.

    Contains the cards that photographs and decisions put into it, and those on the list of its player.
    """
    with current_context().database.reading() as session:
        row = load_game(session, game)
        evidence = load_evidence(session, row)
        hand = reconcile_cached(evidence).hands.get(envelope)
        if hand is None:
            raise not_found("envelope")
        views = review_serializer(session, row)
        listed = evidence.envelopes[envelope].hand_in
        return EnvelopeDeckModel(
            envelope=envelope,
            cards=views.cards(hand.cards),
            listed=None if listed is None else views.cards(listed),
            excluded=hand.exclusion,
        )


@cards_blueprint.get("/cards")
@organiser
@cards_blueprint.output(CardsModel)
@cards_blueprint.doc(operation_id="list_entered_cards", responses=responses({404: "There is no such game"}))
def show_cards(game: str) -> CardsModel:
    """List the cards that were entered by hand."""
    with current_context().database.reading() as session:
        row = load_game(session, game)
        views = review_serializer(session, row)
        found = reconcile_game(session, row).issues
        return CardsModel(entered=[views.issue(issue) for issue in found if issue.kind is issues.IssueKind.BY_HAND])


@cards_blueprint.post("/cards")
@describe_idempotency_key
@organiser
@cards_blueprint.input(ManualEntryBody, arg_name="body")
@cards_blueprint.output(DecisionOutcomeModel, status_code=201)
@cards_blueprint.doc(
    operation_id="enter_card",
    responses=responses(
        {404: "There is no such game or envelope", 409: "The game's state does not allow it", 422: "The code is wrong"}
    ),
)
def add(game: str, body: ManualEntryBody) -> tuple[dict[str, Any], int]:
    """Add a card to an envelope, or remove it.

    The card is identified by its printed short code. If it was seen elsewhere too, the review queue gets an item
    about it.
    """
    context, actor = current_context(), current_actor()

    def work(session: Session) -> dict[str, Any]:
        row = load_game(session, game)
        card = card_of_code(session, row, body.code)
        outcome = enter_card(
            session, row, card, body.envelope, do=body.do, reason=body.reason, actor=actor, at=context.clock()
        )
        return outcome_model(session, row, outcome).model_dump(mode="json")

    return run_once(work)


@cards_blueprint.get("/cards/<string:code>")
@organiser
@cards_blueprint.output(CardFactsModel)
@cards_blueprint.doc(
    operation_id="get_card", responses=responses({404: "There is no such game", 422: "The code is wrong"})
)
def show_card(game: str, code: str) -> CardFactsModel:
    """Look up a card by its short code.

    Shows which envelope it was dealt into and whose it is now. Card names such as red-007 are accepted too.
    """
    with current_context().database.reading() as session:
        row = load_game(session, game)
        card = card_of_code(session, row, code)
        evidence = load_evidence(session, row)
        whole = reconcile_cached(evidence)
        views = review_serializer(session, row)
        hand = next((hand for hand in whole.hands.values() if card in hand.cards), None)
        return CardFactsModel(
            **views.card(card).model_dump(),
            dealt=evidence.dealt[card],
            envelope=hand.envelope if hand else None,
            places=views.places(hand.places[card]) if hand else [],
            items=[views.issue(issue) for issue in whole.issues if card in issue.cards],
        )
