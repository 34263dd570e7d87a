"""Cards by hand: where no picture helps, an organiser types the short code printed on a card."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from apiflask import APIBlueprint

from server.api.description import responses
from server.api.house.cards_models import CardBody, CardFactsModel, CardsModel, GameKindModel, KindsModel
from server.api.house.hand_in_models import RuledModel
from server.api.house.here import here
from server.api.house.once import creates, once
from server.api.house.queue import ORGANISER, ruled_model, views_of
from server.api.house.who import actor, organiser
from server.play.entry import card_typed, enter_card
from server.play.house import edition_of, game_row
from server.play.items import Kind
from server.play.world import assembled, assembly_of, world_of

if TYPE_CHECKING:
    from sqlalchemy.orm import Session

blueprint = APIBlueprint("cards", __name__, url_prefix="/api/v1/games/<string:game>", tag="Hand-ins")


@blueprint.get("/kinds")
@organiser
@blueprint.output(KindsModel)
@blueprint.doc(
    summary="The kinds of cards",
    description="With what their cards look like, so that a picture's cards can be named. Players never get this: the "
    f"names of rules are secret. {ORGANISER}",
    operation_id="list_kinds",
    responses=responses({404: "There is no such game"}),
)
def kinds(game: str) -> KindsModel:
    """List the kinds of cards."""
    with here().house.database.reading() as session:
        found = edition_of(game_row(session, game)).kinds
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


@blueprint.get("/cards")
@organiser
@blueprint.output(CardsModel)
@blueprint.doc(
    summary="The cards that were entered by hand",
    description=ORGANISER,
    operation_id="list_entered_cards",
    responses=responses({404: "There is no such game"}),
)
def show_all(game: str) -> CardsModel:
    """List what was entered by hand."""
    with here().house.database.reading() as session:
        row = game_row(session, game)
        views = views_of(session, row)
        found = assembled(session, row).items
        return CardsModel(entered=[views.item(item) for item in found if item.kind is Kind.BY_HAND])


@blueprint.post("/cards")
@creates
@organiser
@blueprint.input(CardBody, arg_name="body")
@blueprint.output(RuledModel, status_code=201)
@blueprint.doc(
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
    house, who = here().house, actor()

    def work(session: Session) -> dict[str, Any]:
        row = game_row(session, game)
        card = card_typed(session, row, body.code)
        item = enter_card(session, row, (card, body.envelope, body.do), body.reason, who, house.clock())
        return ruled_model(session, row, item).model_dump(mode="json")

    return once(f"organiser {who.name}", work)


@blueprint.get("/cards/<string:code>")
@organiser
@blueprint.output(CardFactsModel)
@blueprint.doc(
    summary="Which card a short code names, and where it lies",
    description=f"Its name, such as red-007, is taken too. {ORGANISER}",
    operation_id="get_card",
    responses=responses({404: "There is no such game", 422: "The code is wrong"}),
)
def show(game: str, code: str) -> CardFactsModel:
    """Look a card up."""
    with here().house.database.reading() as session:
        row = game_row(session, game)
        card = card_typed(session, row, code)
        world = world_of(session, row)
        whole = assembly_of(world)
        views = views_of(session, row)
        hand = next((hand for hand in whole.hands.values() if card in hand.cards), None)
        return CardFactsModel(
            **views.card(card).model_dump(),
            dealt=world.dealt[card],
            envelope=hand.envelope if hand else None,
            places=views.places(hand.places[card]) if hand else [],
            items=[views.item(item) for item in whole.items if card in item.cards],
        )
