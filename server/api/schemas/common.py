"""Models that several modules use. Coordinates are (x, y) in pixels of the upright photo, with y downwards."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from cardgen.cards import SIZES
from cardgen.pages.paper import PAPERS
from server.games.lifecycle import states
from server.games.lifecycle.settings import MODES
from server.games.photos import scan_queue
from server.games.players import decks
from server.games.players.provisional_score import LEAVES_OUT
from server.games.review import issues, photo_ownership
from server.printing import job_runner

if TYPE_CHECKING:
    from server.scoring.edition import Kind

    CardSize = str
    DeckState = str
    GameState = str
    IssueKind = str
    IssueStatus = str
    LeftOut = str
    PaperName = str
    PhotoDecision = str
    PhotoState = str
    PrintState = str
    ScoreMode = str
    StateChange = str
else:
    # The API's description lists the values of enumerations, which are defined elsewhere.
    CardSize = Literal[*SIZES]
    DeckState = Literal[*(str(state) for state in decks.DeckState if state is not decks.DeckState.DROPPED)]
    GameState = Literal[*map(str, states.State)]
    IssueKind = Literal[*map(str, issues.IssueKind)]
    IssueStatus = Literal[*map(str, issues.IssueStatus)]
    LeftOut = Literal[*dict.fromkeys(name for names in LEAVES_OUT.values() for name in names)]
    PaperName = Literal[*PAPERS]
    PhotoDecision = Literal[*photo_ownership.DECISIONS]
    PhotoState = Literal[*map(str, scan_queue.PhotoState)]
    PrintState = Literal[*map(str, job_runner.PrintState)]
    ScoreMode = Literal[*MODES]
    StateChange = Literal[*(act.name.lower() for act in states.NEXT)]

Point = tuple[float, float]
Corners = Annotated[list[Point], Field(min_length=4, max_length=4)]
Decimal = Annotated[str, Field(description="An exact decimal, such as 27.5", examples=["42", "-3", "27.5"])]
Language = Annotated[str, Field(pattern="^[a-z]{2}$")]
Rank = Annotated[int, Field(description="Tied hands share a rank: 1, 2, 2, 4")]
DecidedBy = Annotated[
    str | None, Field(description="The tie-break that separated this hand from others with the same score")
]


class RequestBody(BaseModel):
    """A JSON body: unknown fields are refused, and types are not converted."""

    model_config = ConfigDict(extra="forbid", strict=True)


class RequestQuery(BaseModel):
    """Query parameters: unknown ones are refused."""

    model_config = ConfigDict(extra="forbid")


class LanguageQuery(RequestQuery):
    """The language of texts in the response."""

    language: Annotated[Language, Field(description="en, de or fr; default: the game's")] | None = None


OptionalReason = Annotated[str, Field(max_length=1000)]


class ProblemModel(BaseModel):
    """A problem document (RFC 9457). `detail` says what to do."""

    type: str = Field(examples=["/problems/no-codes"])
    title: str
    status: int
    detail: str


class DoubtModel(BaseModel):
    """A card that was not read, or a place that looks like a code."""

    quad: Corners
    reason: str = Field(description="small, dim, blur, motion, glare, pale, hidden, edge or unread")


class HintModel(BaseModel):
    """Advice for the next photo."""

    slug: str
    text: str


class LineModel(BaseModel):
    """A line of a breakdown. The points of lines that are not void add up to the score."""

    rule: str | None = Field(
        description="Key of the rule; ± for points of the organisers, null for the base value of a kind of card"
    )
    points: Decimal
    text: str
    void: bool
    voided_by: str | None


SYMBOL = "Name of the drawing on the card, or its path data in a square from -50 to 50 with y downwards, or empty"
"""The description of the symbol of a card."""
_OUTLINE_RADIUS = 48
"""The radius of a symbol in this square; symbols of editions fill a circle of radius 1, with y upwards."""


def symbol_of(kind: Kind) -> str:
    """Return the symbol of a kind: its name, or the path data of one that the edition brings."""
    return kind.symbol or path_data(kind.outline)


def path_data(outline: str) -> str:
    """Return the outline of an edition's symbol as path data for pages."""

    def point(found: re.Match[str]) -> str:
        x, y = (float(number) * _OUTLINE_RADIUS for number in found.groups())
        return f"{x:.1f} {-y:.1f}"

    return re.sub(r"(-?[\d.]+),(-?[\d.]+)", point, outline)
