"""The queue: what organisers have to look at, and what they decide."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from apiflask import APIBlueprint
from sqlalchemy import select

from server.api.description import responses
from server.api.house.hand_in_models import (
    ItemModel,
    LostRulingModel,
    QueueModel,
    QueueQuery,
    ReasonQuery,
    RuledModel,
    RulingBody,
)
from server.api.house.hand_in_views import Views, about, ruling_model
from server.api.house.here import here
from server.api.house.revisions import if_match, revised
from server.api.house.who import actor, organiser
from server.play.entry import card_typed
from server.play.house import game_row
from server.play.items import Decision
from server.play.rulings import Said, find_item, settle, take_back
from server.play.world import assembly_of, world_of
from server.store.tables import Envelope

if TYPE_CHECKING:
    from sqlalchemy.orm import Session

    from server.play.items import Item
    from server.play.rulings import Outcome
    from server.store.tables import Game

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
    with here().house.database.reading() as session:
        row = game_row(session, game)
        world = world_of(session, row)
        whole = assembly_of(world)
        views = views_of(session, row)
        chosen = [item for item in whole.items if _wanted(item, query)]
        standings = Counter(item.standing.value for item in whole.items)
        return QueueModel(
            items=[views.item(item) for item in chosen[query.offset : query.offset + query.limit]],
            total=len(chosen),
            open=standings["open"],
            ruled=standings["ruled"],
            settled=standings["settled"],
            kinds=dict(Counter(item.kind.value for item in whole.open)),
            waiting=len(whole.waiting),
            without_effect=[
                LostRulingModel(key=key, **ruling_model(world.rulings[key]).model_dump())
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
    with here().house.database.reading() as session:
        row = game_row(session, game)
        world = world_of(session, row)
        return views_of(session, row).item(find_item(world, assembly_of(world), item))


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
    house, revision = here().house, if_match()
    with house.database.writing() as session:
        row = game_row(session, game)
        card = None if body.card is None else card_typed(session, row, body.card)
        envelopes = None if body.envelopes is None else tuple(body.envelopes)
        said = Said(Decision(body.do, body.envelope, envelopes, card), body.reason, revision)
        return ruled_model(session, row, settle(session, row, item, said, actor(), house.clock()))


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
    house, revision = here().house, if_match()
    with house.database.writing() as session:
        row = game_row(session, game)
        return ruled_model(session, row, take_back(session, row, item, query.reason, revision, actor(), house.clock()))


def views_of(session: Session, game: Game) -> Views:
    """Return what makes models of a game's findings."""
    names = session.execute(select(Envelope.number, Envelope.name).where(Envelope.game == game.id)).all()
    return Views(game, {number: name for number, name in names})  # noqa: C416 - rows are no pairs to the checker


def ruled_model(session: Session, game: Game, outcome: Outcome) -> RuledModel:
    """Return an item as it is after a decision."""
    item = None if outcome.item is None else views_of(session, game).item(outcome.item)
    return RuledModel(item=item, open=outcome.open)


def _wanted(item: Item, query: QueueQuery) -> bool:
    return (
        query.standing in {"all", item.standing}
        and query.kind in {None, item.kind}
        and (query.envelope is None or query.envelope in item.envelopes)
        and (query.photo is None or about(item, query.photo))
    )
