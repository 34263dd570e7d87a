"""What organisers send and get about a game's kinds of cards, and about cards entered by hand."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, Field

from server.api.house.hand_in_models import Body, CardNameModel, Envelope, ItemModel, PlaceModel, Reason


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
    envelope: Envelope
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
