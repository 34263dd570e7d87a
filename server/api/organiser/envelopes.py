"""Envelopes, their holders, and the links on their labels."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, Annotated, Any, Literal

from apiflask import APIBlueprint
from pydantic import BaseModel, Field

from cardgen.payload import join_code
from server.api.application import current_context
from server.api.auth import current_actor, organiser
from server.api.idempotency import describe_idempotency_key, run_once
from server.api.openapi import responses
from server.api.organiser.games import STATE
from server.api.schemas.common import OptionalReason, RequestBody
from server.games.lifecycle.envelopes import (
    MAX_COUNTED,
    count_cards,
    envelope_row,
    envelope_rows,
    give_out,
    give_points,
    given_out,
    link_of,
    open_envelope,
    rename_envelope,
    revoke_link,
    seal_envelope,
    withdraw_points,
)
from server.games.lifecycle.repository import load_game
from server.games.players.submission import take_back_hand_in
from server.games.review.reconcile import reconcile_game
from server.scoring.request_schema import MAX_ADJUSTMENT, MAX_REASON

if TYPE_CHECKING:
    from datetime import datetime

    from sqlalchemy.orm import Session

    from server.db.models import Envelope, Game


Counted = Annotated[int, Field(ge=0, le=MAX_COUNTED)]


class AdjustmentModel(BaseModel):
    """Points that the organisers have given or taken."""

    id: str
    points: int
    reason: str


class EnvelopeModel(BaseModel):
    """An envelope."""

    number: int
    run: int
    cards: int = Field(description="Number of cards dealt into it, without lost ones")
    spare: bool = Field(description="Stays sealed when the game opens, as a spare envelope or because of a no-show")
    opened: datetime | None = Field(description="null: sealed; its cards do not count")
    given: datetime | None = Field(description="When it was handed out at the door; null: not recorded")
    name: str | None
    hidden: bool
    joined: datetime | None
    claimed: datetime | None
    received: datetime | None
    missing: bool = Field(description="Given out, not photographed by organisers, and not decided on")
    lateness: str | None
    counted: int | None = Field(description="Number of cards counted by hand; null: not entered")
    adjustments: list[AdjustmentModel] = Field(description="Points of the organisers, for the next count")


class EnvelopesModel(BaseModel):
    """A game's envelopes."""

    envelopes: list[EnvelopeModel]


class EnvelopeChanges(RequestBody):
    """Changes of an envelope; omitted fields keep their values."""

    open: bool | None = Field(
        default=None, description="true: its cards count; false: it is sealed, and its cards do not count"
    )
    give: Literal[True] | None = Field(default=None, description="Record that it was handed out at the door")
    name: Annotated[str, Field(min_length=1, max_length=200)] | None = Field(
        default=None, description="null removes the name"
    )
    counted: Counted | None = Field(default=None, description="Number of cards counted by hand; null: not entered")
    insist: bool = Field(default=False, description="Seal it although its cards were seen in photos")
    take_back: bool = Field(default=False, description="Undo the player's hand-in; needs a reason")
    reason: OptionalReason = ""


class AdjustmentBody(RequestBody):
    """Points to give, or to take if negative; players see the reason."""

    points: Annotated[int, Field(ge=-MAX_ADJUSTMENT, le=MAX_ADJUSTMENT)]
    reason: Annotated[str, Field(min_length=1, max_length=MAX_REASON)]


class RevokeLink(RequestBody):
    """The reason for replacing a link."""

    reason: OptionalReason = ""


class LinkModel(BaseModel):
    """An envelope's new link."""

    envelope: int
    version: int
    link: str | None = Field(description="null if its print run has no address, or the link was replaced since")
    code: str | None = Field(description="The code to type instead of the link; null where that is")


blueprint = APIBlueprint("envelopes", __name__, url_prefix="/api/v1/games/<string:game>/envelopes", tag="Envelopes")

_MISSING = {404: "No such game or envelope"}


@blueprint.get("")
@organiser
@blueprint.output(EnvelopesModel)
@blueprint.doc(operation_id="list_envelopes", responses=responses({404: "No such game"}))
def show_all(game: str) -> EnvelopesModel:
    """List a game's envelopes.

    In the order of their numbers.
    """
    with current_context().database.reading() as session:
        row = load_game(session, game)
        return EnvelopesModel(envelopes=_envelopes(session, row))


@blueprint.get("/<int:number>")
@organiser
@blueprint.output(EnvelopeModel)
@blueprint.doc(operation_id="get_envelope", responses=responses(_MISSING))
def show(game: str, number: int) -> EnvelopeModel:
    """Get an envelope."""
    with current_context().database.reading() as session:
        return _envelope_model(session, load_game(session, game), number)


@blueprint.patch("/<int:number>")
@organiser
@blueprint.input(EnvelopeChanges, arg_name="body")
@blueprint.output(EnvelopeModel)
@blueprint.doc(
    operation_id="change_envelope",
    responses=responses({**_MISSING, **STATE, 422: "The name cannot be used, or the reason is missing"}),
)
def change(game: str, number: int, body: EnvelopeChanges) -> EnvelopeModel:
    """Open, seal, hand out or name an envelope, enter its number of cards, or undo its hand-in.

    Sealing is refused with `cards-seen` if its cards were seen in photos, unless `insist` is set. A deck whose
    number of cards differs from `counted` becomes a review item.
    """
    context = current_context()
    with context.database.writing() as session:
        row, at = load_game(session, game), context.clock()
        envelope = envelope_row(session, row, number)
        if body.take_back:
            take_back_hand_in(session, row, envelope, current_actor(), at, body.reason)
        if body.open:
            open_envelope(session, row, number, current_actor(), at, body.reason)
        elif body.open is False:
            seal_envelope(session, row, number, current_actor(), at, body.reason, insist=body.insist)
        if body.give:
            give_out(session, row, number, current_actor(), at, body.reason)
        if "name" in body.model_fields_set:
            rename_envelope(session, row, number, body.name, current_actor(), at, body.reason)
        if "counted" in body.model_fields_set:
            count_cards(session, row, number, body.counted, current_actor(), at, body.reason)
        session.flush()
        return _envelope_model(session, row, number)


@blueprint.post("/<int:number>/adjustments")
@describe_idempotency_key
@organiser
@blueprint.input(AdjustmentBody, arg_name="body")
@blueprint.output(EnvelopeModel, status_code=201)
@blueprint.doc(
    operation_id="give_points",
    responses=responses({**_MISSING, **STATE, 422: "The points are 0, or the reason cannot be printed"}),
)
def give(game: str, number: int, body: AdjustmentBody) -> tuple[dict[str, Any], int]:
    """Give the hand of an envelope points, or take them.

    They are a line of its score in the next count, after all rules.
    """
    context = current_context()

    def work(session: Session) -> dict[str, Any]:
        row = load_game(session, game)
        give_points(session, row, number, body.points, body.reason, current_actor(), context.clock())
        session.flush()
        return _envelope_model(session, row, number).model_dump(mode="json")

    return run_once(work)


@blueprint.delete("/<int:number>/adjustments/<string:adjustment>")
@organiser
@blueprint.output(EnvelopeModel)
@blueprint.doc(operation_id="withdraw_points", responses=responses({**_MISSING, **STATE}))
def withdraw(game: str, number: int, adjustment: str) -> EnvelopeModel:
    """Withdraw points that organisers have given or taken.

    From the next count on.
    """
    context = current_context()
    with context.database.writing() as session:
        row = load_game(session, game)
        withdraw_points(session, row, number, adjustment, current_actor(), context.clock())
        session.flush()
        return _envelope_model(session, row, number)


@blueprint.post("/<int:number>/token")
@describe_idempotency_key
@organiser
@blueprint.input(RevokeLink, arg_name="body")
@blueprint.output(LinkModel, status_code=201)
@blueprint.doc(
    operation_id="renew_link", responses=responses({**_MISSING, **STATE, 422: "The Idempotency-Key is missing"})
)
def revoke(game: str, number: int, body: RevokeLink) -> tuple[dict[str, Any], int]:
    """Replace an envelope's link.

    Labels printed earlier stop working; labels.pdf contains the new label.
    """
    context = current_context()

    def work(session: Session) -> dict[str, Any]:
        row = revoke_link(session, load_game(session, game), number, current_actor(), context.clock(), body.reason)
        return {"envelope": row.number, "version": row.token_version}

    stored, status = run_once(work)
    # The link is secret, so it is not stored with the response.
    with context.database.reading() as session:
        row = load_game(session, game)
        envelope = envelope_row(session, row, number)
        link = link_of(session, row, envelope) if envelope.token_version == stored["version"] else None
        code = link and join_code(game, row.key, number, envelope.token_version)
    return LinkModel.model_validate(stored | {"link": link, "code": code}).model_dump(mode="json"), status


def _envelope_model(session: Session, game: Game, number: int) -> EnvelopeModel:
    envelope_row(session, game, number)
    return next(one for one in _envelopes(session, game) if one.number == number)


def _envelopes(session: Session, game: Game) -> list[EnvelopeModel]:
    given, missing = given_out(session, game), reconcile_game(session, game).missing
    return [
        _envelope(row, run=run, cards=cards, given=given.get(row.number), missing=row.number in missing)
        for row, run, cards in envelope_rows(session, game)
    ]


def _envelope(row: Envelope, **more: object) -> EnvelopeModel:
    extra = {**more, "claimed": row.submitted_at, "adjustments": row.adjustments or []}
    fields = {name: getattr(row, name) for name in EnvelopeModel.model_fields if name not in extra}
    return EnvelopeModel.model_validate(fields | extra)
