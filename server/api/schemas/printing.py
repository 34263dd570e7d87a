"""Options of prints."""

from __future__ import annotations

from typing import Annotated

from pydantic import BaseModel, Field

from cardgen.pages.layout import (
    MAX_BLEED,
    MAX_GUTTER,
    MAX_SCALE,
    MAX_SHIFT,
    MIN_SCALE,
    Backs,
    Marks,
    Order,
)
from server.api.schemas.common import PaperName  # noqa: TC001 - pydantic reads it
from server.printing.options import DEFAULT_OPTIONS, MAX_SKIPPED, OWNED, PrintOptions

Shift = Annotated[float, Field(ge=-MAX_SHIFT, le=MAX_SHIFT)]
Percent = Annotated[float, Field(ge=round(100 * MIN_SCALE), le=round(100 * MAX_SCALE))]
Skipped = Annotated[int, Field(ge=0, le=MAX_SKIPPED)]
Format = Annotated[str, Field(min_length=1, max_length=60)]
ServerUrl = Annotated[str, Field(max_length=200)]


class PrintOptionsQuery(BaseModel):
    """The layout of cards on paper. Lengths are in millimetres."""

    paper: PaperName = "a4"
    order: Order = Field(
        default="envelope",
        description="By envelope, sheet by sheet or through the stacks of a pile that is cut at once; or by kind",
    )
    marks: Marks = Field(default="crop", description="Crop marks, lines across the whole sheet, or nothing")
    backs: Backs = Field(
        default="none",
        description="A page of backs after each page, for paper turned over its long or short edge; or backs to fold",
    )
    gutter: Annotated[float, Field(ge=0, le=MAX_GUTTER)] = Field(default=0.0, description="Space between cards")
    bleed: Annotated[float, Field(ge=0, le=MAX_BLEED)] = Field(
        default=0.0, description="The extent of faces beyond the cut"
    )
    shift_x: Shift = Field(default=0.0, description="Shift of all fronts to the right")
    shift_y: Shift = Field(default=0.0, description="Shift of all fronts upwards")
    back_x: Shift = Field(default=0.0, description="Shift of the backs to the right")
    back_y: Shift = Field(default=0.0, description="Shift of the backs upwards")
    scale_x: Percent = Field(default=100.0, description="Horizontal scale in percent")
    scale_y: Percent = Field(default=100.0, description="Vertical scale in percent")
    skip: Skipped = Field(default=0, description="Places of the first sheet that are used up")
    second: Annotated[str, Field(pattern="^([a-z]{2})?$")] = Field(
        default="", description="A second language on the cards; empty: none"
    )
    labels: Format = Field(default=DEFAULT_OPTIONS.labels, description="Number of the label format")
    labels_skip: Skipped = Field(default=0, description="Labels of the first sheet that are used up")
    stickers: Format = Field(default=DEFAULT_OPTIONS.stickers, description="Number of the label format of stickers")
    stickers_skip: Skipped = Field(default=0, description="Stickers of the first sheet that are used up")
    stick: Annotated[str, Field(max_length=200)] = Field(
        default="",
        description=f"Categories of cards to print as stickers, separated by commas; `{OWNED}`: all cards without text",
    )

    def options(self) -> PrintOptions:
        """Return the options of the printing package."""
        given = {name: value for name, value in self if name in PrintOptions.__dataclass_fields__}
        given["shift"] = self.shift_x, self.shift_y
        given["back_shift"] = self.back_x, self.back_y
        given["scale"] = self.scale_x, self.scale_y
        given["stick"] = tuple(part.strip() for part in self.stick.split(",") if part.strip())
        return PrintOptions(**given)
