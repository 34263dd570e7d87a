"""What the demo's page is told, in the form of its JSON."""

from __future__ import annotations

from pydantic import BaseModel, Field


class GameShort(BaseModel):
    """A game of the demo in a few words."""

    name: str
    state: str
    envelopes: int = Field(description="Envelopes in play")
    handed_in: int = Field(description="Envelopes that were handed in, by phone or on the table")


class PicturesModel(BaseModel):
    """How far the demo's photographs are. They are made once, in the background."""

    made: int
    all: int


class SampleLink(BaseModel):
    """A photograph of a deck that nobody has handed in, to try a phone's job with."""

    name: str = Field(description="What the page calls it by, in its own words")
    url: str
    thumbnail: str
    width: int
    height: int
    cards: int


class DemoModel(BaseModel):
    """What the demo offers to the caller. A game is null once an organiser has deleted it."""

    desk: bool = Field(description="Whether the caller may open the organisers' desk without a password")
    here: str = Field(description="The demo's page on the machine that runs it")
    phone: str | None = Field(description="The demo's page for phones of the same network; null where none is let in")
    playing: GameShort | None
    played: GameShort | None
    pictures: PicturesModel
    samples: list[SampleLink] = Field(description="Those that are made already")


class DeskLink(BaseModel):
    """A link that opens the organisers' desk once."""

    link: str
