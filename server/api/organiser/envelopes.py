"""Envelopes: who has which, opened and sealed, and the links on their labels."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from apiflask import APIBlueprint

from server.api.auth import actor, organiser
from server.api.context import current_context
from server.api.idempotency import creates, once
from server.api.openapi import responses
from server.api.organiser.games import ORGANISERS, STATE, caller
from server.api.schemas.games import ChangeEnvelope, EnvelopeModel, EnvelopesModel, LinkModel, RevokeLink
from server.games.lifecycle.envelopes import (
    count_cards,
    envelope_row,
    envelope_rows,
    give_out,
    given_out,
    link_of,
    open_envelope,
    rename_envelope,
    revoke_link,
    seal_envelope,
)
from server.games.lifecycle.repository import load_game
from server.games.players.submission import take_back_hand_in

if TYPE_CHECKING:
    from datetime import datetime

    from sqlalchemy.orm import Session

    from server.db.models import Envelope, Game

blueprint = APIBlueprint("envelopes", __name__, url_prefix="/api/v1/games/<string:game>/envelopes", tag="Envelopes")

_MISSING = {404: "There is no such game or envelope"}


@blueprint.get("")
@organiser
@blueprint.output(EnvelopesModel)
@blueprint.doc(
    summary="A game's envelopes",
    description=f"In the order of their numbers. {ORGANISERS}",
    operation_id="list_envelopes",
    responses=responses({404: "There is no such game"}),
)
def show_all(game: str) -> EnvelopesModel:
    """List a game's envelopes."""
    with current_context().context.database.reading() as session:
        row = load_game(session, game)
        return EnvelopesModel(envelopes=_envelopes(session, row))


@blueprint.get("/<int:number>")
@organiser
@blueprint.output(EnvelopeModel)
@blueprint.doc(
    summary="An envelope", description=ORGANISERS, operation_id="get_envelope", responses=responses(_MISSING)
)
def show(game: str, number: int) -> EnvelopeModel:
    """Show an envelope."""
    with current_context().context.database.reading() as session:
        return _one(session, load_game(session, game), number)


@blueprint.patch("/<int:number>")
@organiser
@blueprint.input(ChangeEnvelope, arg_name="body")
@blueprint.output(EnvelopeModel)
@blueprint.doc(
    summary="Open, seal, give out or name an envelope, say how many cards lie in it, or take its hand-in back",
    description=(
        "Sealing is refused with `cards-seen` where its cards are in somebody's pictures, unless one insists. "
        "A deck that has not as many cards as `counted` says becomes a doubt. "
        f"{ORGANISERS}"
    ),
    operation_id="change_envelope",
    responses=responses({**_MISSING, **STATE, 422: "The name cannot be used, or a reason is missing"}),
)
def change(game: str, number: int, body: ChangeEnvelope) -> EnvelopeModel:
    """Change an envelope."""
    context = current_context().context
    with context.database.writing() as session:
        row, at = load_game(session, game), context.clock()
        envelope = envelope_row(session, row, number)
        if body.take_back:
            take_back_hand_in(session, row, envelope, actor(), at, body.reason)
        if body.open:
            open_envelope(session, row, number, actor(), at, body.reason)
        elif body.open is False:
            seal_envelope(session, row, number, actor(), at, body.reason, insist=body.insist)
        if body.give:
            give_out(session, row, number, actor(), at, body.reason)
        if "name" in body.model_fields_set:
            rename_envelope(session, row, number, body.name, actor(), at, body.reason)
        if "counted" in body.model_fields_set:
            count_cards(session, row, number, body.counted, actor(), at, body.reason)
        session.flush()
        return _one(session, row, number)


@blueprint.post("/<int:number>/token")
@creates
@organiser
@blueprint.input(RevokeLink, arg_name="body")
@blueprint.output(LinkModel, status_code=201)
@blueprint.doc(
    summary="End an envelope's link, and make a new one",
    description=f"Labels printed before no longer let anybody in; labels.pdf has the new label. {ORGANISERS}",
    operation_id="renew_link",
    responses=responses({**_MISSING, **STATE, 422: "The Idempotency-Key is missing"}),
)
def renew(game: str, number: int, body: RevokeLink) -> tuple[dict[str, Any], int]:
    """End an envelope's link."""
    context = current_context().context

    def work(session: Session) -> dict[str, Any]:
        row = revoke_link(session, load_game(session, game), number, actor(), context.clock(), body.reason)
        return {"envelope": row.number, "version": row.token_version}

    answer, status = once(caller(), work)
    # The link is not kept with the answer.
    with context.database.reading() as session:
        row = load_game(session, game)
        seat = envelope_row(session, row, number)
        link = link_of(session, row, seat) if seat.token_version == answer["version"] else None
    return LinkModel.model_validate(answer | {"link": link}).model_dump(mode="json"), status


def _one(session: Session, game: Game, number: int) -> EnvelopeModel:
    envelope_row(session, game, number)
    return next(one for one in _envelopes(session, game) if one.number == number)


def _envelopes(session: Session, game: Game) -> list[EnvelopeModel]:
    given = given_out(session, game)
    return [_envelope(*row, given.get(row[0].number)) for row in envelope_rows(session, game)]


def _envelope(row: Envelope, run: int, cards: int, given: datetime | None) -> EnvelopeModel:
    apart = {"run": run, "cards": cards, "given": given, "claimed": row.submitted_at}
    fields = {name: getattr(row, name) for name in EnvelopeModel.model_fields if name not in apart}
    return EnvelopeModel.model_validate(fields | apart)
