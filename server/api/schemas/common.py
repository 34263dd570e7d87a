"""The forms of the API's answers. Coordinates are (x, y) in pixels of the upright photograph, y downwards."""

from __future__ import annotations

from typing import Annotated

from pydantic import BaseModel, Field

Point = tuple[float, float]
Corners = Annotated[list[Point], Field(min_length=4, max_length=4)]
Decimal = Annotated[str, Field(description="An exact decimal, such as 27.5", examples=["42", "-3", "27.5"])]


class ProblemModel(BaseModel):
    """A problem after RFC 9457. `detail` says in words what to do."""

    type: str = Field(examples=["/problems/no-codes"])
    title: str
    status: int
    detail: str


class DoubtModel(BaseModel):
    """A card that was not read, or a place that looks like a code."""

    quad: Corners
    reason: str = Field(description="small, dim, blur, motion, glare, pale, hidden, edge or unread")


class HintModel(BaseModel):
    """Advice for the next photograph."""

    slug: str
    text: str


class LineModel(BaseModel):
    """A line of a breakdown. The points of lines that are not void add up to the score."""

    rule: str | None = Field(description="Key of the rule; null for the plain worth of a kind of card")
    points: Decimal
    text: str
    void: bool
    voided_by: str | None


class HandModel(BaseModel):
    """A scored hand."""

    player: str
    score: Decimal | None = Field(description="null when eliminated")
    rank: int
    eliminated: bool
    decided_by: str | None = Field(description="The tie-break that set it apart from hands of equal score")
    lines: list[LineModel]


class ScoresModel(BaseModel):
    """All hands in rank order."""

    edition: str
    hands: list[HandModel]
