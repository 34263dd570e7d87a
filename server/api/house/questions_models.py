"""What organisers send and get about questions to a hand."""

from __future__ import annotations

from typing import Annotated

from pydantic import BaseModel, Field

from server.api.house.hand_in_models import Body

Count = Annotated[int, Field(ge=0, le=9_999)]


class FactModel(BaseModel):
    """A fact that the edition asks for, and what was entered."""

    name: str
    label: str
    yes_no: bool
    minimum: int
    maximum: int
    value: bool | int | None


class RuleNameModel(BaseModel):
    """A rule card."""

    rule: str
    name: str
    text: str


class PartModel(BaseModel):
    """A labelled part of a deck."""

    part: str
    name: str


class QuestionModel(BaseModel):
    """What is asked about a hand."""

    envelope: int
    player: str | None
    open: bool
    revision: str = Field(description="Send it as If-Match with the answers")
    facts: list[FactModel]
    cards: list[RuleNameModel] = Field(description="The player's cards that cancel a rule")
    may_cancel: list[RuleNameModel] = Field(description="The rules to choose from")
    most: int = Field(description="How many of them may be chosen")
    cancelled: list[str] | None = Field(description="The choice; null while nobody has said")
    parts: list[PartModel] = Field(description="The labelled parts of a deck, where the edition has any")
    kinds: dict[str, int] = Field(description="The cards of the hand, to be laid into parts")
    laid: dict[str, dict[str, int]] | None = Field(description="What lies in each part; null while nobody has said")
    mistakes: list[str] = Field(description="Why an earlier answer does not fit any more")


class QuestionsModel(BaseModel):
    """What is asked before the final count."""

    questions: list[QuestionModel]
    open: int


class AnswerBody(Body):
    """Answers about a hand. What is left out stays as it is."""

    facts: Annotated[dict[str, bool | int | None], Field(max_length=200)] | None = Field(
        default=None, description="Values by name; null: not known any more"
    )
    cancels: Annotated[list[Annotated[str, Field(max_length=100)]], Field(max_length=200)] | None = Field(
        default=None, description="Keys of the rules that the player cancels; [] for none"
    )
    parts: Annotated[dict[str, Annotated[dict[str, Count], Field(max_length=2000)]], Field(max_length=200)] | None = (
        Field(default=None, description="How many cards of each kind lie in each part; {} for none in any")
    )
    reason: Annotated[str, Field(max_length=1000)] = Field(
        default="", description="Why; needed once the game has been counted"
    )
