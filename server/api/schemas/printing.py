"""How prints are asked for, and what is told of them."""

from __future__ import annotations

from datetime import datetime  # noqa: TC003 - pydantic reads it
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from cardgen.pages.layout import (
    FARTHEST_SHIFT,
    LARGEST_SCALE,
    SMALLEST_SCALE,
    WIDEST_BLEED,
    WIDEST_GUTTER,
    Backs,
    Marks,
    Order,
)
from cardgen.print_service import LEAST_DPI, MOST_DPI, Form, Product
from server.games.printing.previews import NARROWEST, WIDEST
from server.printing.options import DEFAULT_OPTIONS, MOST_SKIPPED, OWNED, PrintOptions

_SERVICE = Product()
Shift = Annotated[float, Field(ge=-FARTHEST_SHIFT, le=FARTHEST_SHIFT)]
Percent = Annotated[float, Field(ge=round(100 * SMALLEST_SCALE), le=round(100 * LARGEST_SCALE))]
Skipped = Annotated[int, Field(ge=0, le=MOST_SKIPPED)]
Format = Annotated[str, Field(min_length=1, max_length=60)]
Language = Annotated[str, Field(max_length=10)]
Join = Annotated[str, Field(max_length=200)]


class ChoicesModel(BaseModel):
    """How cards come onto paper. What is left out is as usual; lengths are in millimetres."""

    paper: Literal["a4", "letter"] = "a4"
    order: Order = Field(
        default="envelope",
        description="By envelope, sheet after sheet or through the stacks of a pile that is cut at once; or by kind",
    )
    marks: Marks = Field(default="crop", description="Crop marks, lines across the whole sheet, or nothing")
    backs: Backs = Field(
        default="none",
        description="A page of backs after each page, for paper turned about its long or short edge; or to be folded",
    )
    gutter: Annotated[float, Field(ge=0, le=WIDEST_GUTTER)] = Field(default=0.0, description="Room between cards")
    bleed: Annotated[float, Field(ge=0, le=WIDEST_BLEED)] = Field(
        default=0.0, description="How far faces go on beyond the cut"
    )
    shift_x: Shift = Field(default=0.0, description="All fronts, to the right")
    shift_y: Shift = Field(default=0.0, description="All fronts, up")
    back_x: Shift = Field(default=0.0, description="The backs, to the right")
    back_y: Shift = Field(default=0.0, description="The backs, up")
    scale_x: Percent = Field(default=100.0, description="In percent, across")
    scale_y: Percent = Field(default=100.0, description="In percent, up")
    skip: Skipped = Field(default=0, description="Places of the first sheet that are used")
    second: Language = Field(default="", description="A second language on the cards; empty: none")
    labels: Format = Field(
        default=DEFAULT_OPTIONS.labels, description="What labels are printed on: a format by its number"
    )
    labels_skip: Skipped = Field(default=0, description="Labels of the first sheet that are used")
    stickers: Format = Field(
        default=DEFAULT_OPTIONS.stickers, description="What stickers are printed on, as for labels"
    )
    stickers_skip: Skipped = Field(default=0, description="Stickers of the first sheet that are used")
    stick: Annotated[str, Field(max_length=200)] = Field(
        default="",
        description=f"Categories of cards, with commas, that come as stickers; `{OWNED}`: all that bear no words",
    )

    def choices(self) -> PrintOptions:
        """Return what is chosen, as the printing takes it."""
        return PrintOptions(
            paper=self.paper,
            order=self.order,
            marks=self.marks,
            backs=self.backs,
            gutter=self.gutter,
            bleed=self.bleed,
            shift=(self.shift_x, self.shift_y),
            back_shift=(self.back_x, self.back_y),
            scale=(self.scale_x, self.scale_y),
            skip=self.skip,
            second=self.second,
            labels=self.labels,
            labels_skip=self.labels_skip,
            stickers=self.stickers,
            stickers_skip=self.stickers_skip,
            stick=tuple(part.strip() for part in self.stick.split(",") if part.strip()),
        )


class FileQuery(ChoicesModel):
    """How a file of a run is wanted."""

    model_config = ConfigDict(extra="forbid")

    envelope: Annotated[int, Field(ge=1, le=1_000_000)] | None = Field(
        default=None, description="For labels: this envelope's alone"
    )
    join: Join | None = Field(default=None, description="For labels: another address of this server than the run's")


class GameFileQuery(ChoicesModel):
    """How a file of a game is wanted."""

    model_config = ConfigDict(extra="forbid")

    language: Annotated[str, Field(min_length=2, max_length=10)] | None = Field(
        default=None, description="null: the game's"
    )


class PictureQuery(ChoicesModel):
    """How a page is wanted, and how large its picture."""

    model_config = ConfigDict(extra="forbid")

    width: Annotated[int, Field(ge=NARROWEST, le=WIDEST)] = Field(default=800, description="In pixels")


class LabelQuery(PictureQuery):
    """How a label is wanted."""

    join: Join | None = Field(default=None, description="Address of this server, for the link; null: the print run's")


class SheetQuery(PictureQuery):
    """How a sample of a sheet is wanted."""

    page: Annotated[int, Field(ge=1, le=2)] = Field(default=1, description="2: the backs, where they have a page")


class GamePageQuery(PictureQuery):
    """How a page of a game's file is wanted."""

    language: Annotated[str, Field(min_length=2, max_length=10)] | None = Field(
        default=None, description="null: the game's"
    )


class PartModel(BaseModel):
    """A file of a print run, as it would come out."""

    name: str
    pages: int
    width: float = Field(description="Of a page, in millimetres")
    height: float
    problem: str | None = Field(description="Why it cannot be printed as asked; null: it can")
    cause: dict[str, Any] | None = Field(description="The same for programs, as `why` and numbers of a refusal")


class PartsModel(BaseModel):
    """The files of a print run."""

    parts: list[PartModel]


class NewPrint(ChoicesModel):
    """A file that is to be made beside the server, and how it is wanted."""

    model_config = ConfigDict(extra="forbid", strict=True)

    name: Annotated[str, Field(min_length=1, max_length=40)] = Field(description="Of a file of the run")
    join: Join | None = Field(default=None, description="For labels: another address of this server than the run's")
    form: Form = Field(default=_SERVICE.form, description="For a print service: a file of this kind for each card")
    dpi: Annotated[int, Field(ge=LEAST_DPI, le=MOST_DPI)] = Field(
        default=_SERVICE.dpi, description="For a print service: dots an inch"
    )
    edge: Annotated[float, Field(ge=0, le=WIDEST_BLEED)] = Field(
        default=_SERVICE.bleed, description="For a print service: millimetres beyond the cut"
    )


class PrintModel(BaseModel):
    """A file that is being made, or was."""

    model_config = ConfigDict(from_attributes=True)

    id: str
    name: str = Field(description="What the file is called")
    state: Literal["waiting", "working", "done", "failed"]
    done: int = Field(description="Pages or cards that are done")
    of: int = Field(description="All of them; 0 while nobody knows")
    bytes: int | None = Field(description="Size of the file; null: not there yet")
    problem: str | None = Field(description="Why it failed, in words")
    cause: dict[str, Any] | None = Field(
        description="The same for programs, as `why` and numbers of a refusal; null: nobody could have known"
    )
    created: datetime
    until: datetime | None = Field(description="It is kept until then")


class PrintsModel(BaseModel):
    """The files of a game that are being made or were, the newest first."""

    prints: list[PrintModel]


def described(media: str, extra: dict[int | str, Any]) -> dict[int | str, Any]:
    """Return the description of an operation that answers with a file."""
    schema = {"type": "string"} if media.startswith("text/") else {"type": "string", "format": "binary"}
    return {200: {"description": "The file", "content": {media: {"schema": schema}}}, **extra}
