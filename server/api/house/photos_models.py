"""What organisers send and get about pictures."""

from __future__ import annotations

from datetime import datetime  # noqa: TC003 - pydantic reads it
from typing import Annotated, Literal

from pydantic import BaseModel, Field

from server.api.house.hand_in_models import Body, CardNameModel, Envelope, ItemModel, Offset, Reason
from server.api.models import Corners, HintModel  # noqa: TC001 - pydantic reads them

PhotoState = Literal["waiting", "scanning", "done", "failed"]


class PhotoModel(BaseModel):
    """An organiser's picture."""

    id: str
    name: str
    batch: str | None
    place: int
    state: PhotoState
    reason: str | None = Field(description="Why the scan failed")
    created: datetime
    scanned: datetime | None
    erased: datetime | None = Field(description="When the picture itself was deleted; what was read in it stays")
    labels: list[int]
    cards: int
    doubts: int
    same_as: str | None = Field(description="Another picture of which this is the same file: it counts once")
    envelopes: list[int] = Field(description="Whose it is")
    decided: Literal["assign", "split", "ignore", "empty"] | None = Field(
        description="What an organiser decided of whose it is; null: nobody had to"
    )
    digest: str = Field(description="SHA-256 of the file as it came, in hexadecimal")
    open: int = Field(description="Open items about it")


class PhotosModel(BaseModel):
    """Pictures, and how far all of them are."""

    photos: list[PhotoModel]
    total: int = Field(description="How many pictures the filters let through")
    states: dict[str, int] = Field(description="All of the game's pictures by state")
    of_players: int = Field(description="Pictures of players' own that are not read yet; they are not listed here")
    readers: int = Field(description="Pictures that are read side by side at most, by all processes; 0: nobody reads")


class PhotosQuery(BaseModel):
    """Which pictures are wanted."""

    state: PhotoState | None = None
    batch: Annotated[str, Field(max_length=64)] | None = None
    envelope: Envelope | None = None
    doubtful: bool | None = Field(default=None, description="Only those with open items, or only those without")
    limit: Annotated[int, Field(ge=0, le=1000, description="How many at most; 0: only how many there are")] = 200
    offset: Offset = 0

    @property
    def only_counts(self) -> bool:
        """Whether no picture is wanted, but how far all of them are."""
        return not self.limit and (self.state, self.batch, self.envelope, self.doubtful) == (None,) * 4


class SeenCardModel(CardNameModel):
    """A card in a picture."""

    outline: Corners


class DoubtPlaceModel(BaseModel):
    """A place that was not read."""

    quad: Corners
    reason: str


class PileModel(BaseModel):
    """Cards that lie together in a picture."""

    label: int | None = Field(description="The envelope whose label lies there")
    cards: list[int] = Field(description="Places in `seen`, from 0")


class PhotoDetailModel(PhotoModel):
    """A picture and all that was read in it."""

    width: int | None
    height: int | None
    seen: list[SeenCardModel]
    piles: list[PileModel] = Field(description="The piles that `split` gives to envelopes, from the left")
    doubt_places: list[DoubtPlaceModel]
    hints: list[HintModel]
    items: list[ItemModel]
    key: str | None = Field(description="The item under which it is decided whose the picture is")
    revision: str | None = Field(description="Send it as If-Match when you say whose the picture is")


class UploadQuery(BaseModel):
    """Where a picture belongs in its batch, and its file's name, so that people find it."""

    batch: Annotated[str, Field(min_length=1, max_length=64, pattern=r"^[\w.:-]+$")] | None = None
    place: Annotated[int, Field(ge=0, le=1_000_000)] | None = None
    name: Annotated[str, Field(max_length=200)] = ""


class ImageQuery(BaseModel):
    """Which part of a picture, and how large. Without both: the picture as it is kept."""

    crop: Annotated[str, Field(pattern=r"^-?\d{1,6}(\.\d{1,3})?(,-?\d{1,6}(\.\d{1,3})?){3}$", max_length=60)] | None = (
        Field(default=None, description="x0,y0,x1,y1 in pixels of the upright picture")
    )
    width: Annotated[int, Field(ge=16, le=2000)] | None = Field(
        default=None, description="Pixels along the longer side, at most"
    )


class AssignBody(Body):
    """Whose a picture is: one envelope's, or each pile's from the left, or nobody's."""

    do: Literal["assign", "split", "ignore", "empty"] = "assign"
    envelope: Envelope | None = None
    envelopes: Annotated[list[Envelope | None], Field(max_length=200)] | None = None
    reason: Reason
