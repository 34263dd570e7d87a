"""The page and the printed cards look alike."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING

from reportlab.pdfgen.canvas import Canvas

from cardgen.cards import Geometry
from cardgen.faces.draw import draw_face
from server.editions import load_edition
from server.printing.card_faces import edition_faces
from tests.web.steps import with_page_modules

if TYPE_CHECKING:
    from playwright.sync_api import Page

    from cardgen.faces.face import Face

ON_INKS = with_page_modules("""async (kinds) => {
  const { kindsBySlug } = await import("/web/app/shared/cards");
  return Object.fromEntries([...kindsBySlug({ kinds })].map(([slug, kind]) => [slug, kind.on]));
}""")


class Sheet(Canvas):  # type: ignore[misc]  # reportlab has no types
    """A canvas that notes the colour of each text that is drawn on it, as "#rrggbb"."""

    colours: dict[str, str]

    def drawCentredString(self, x: float, y: float, text: str, **settings: float) -> None:  # noqa: N802 - reportlab's name
        """Draw a text, and note its colour."""
        self.colours[text] = f"#{self._fillColorObj.hexval()[2:]}"
        super().drawCentredString(x, y, text, **settings)


def printed_on(face: Face) -> str:
    """Return the colour in which a colour card's name is printed on its ink."""
    sheet = Sheet(io.BytesIO())
    sheet.colours = {}
    draw_face(sheet, face, Geometry())
    return sheet.colours[face.name]


def test_names_have_the_same_contrast_colour_as_on_printed_cards(page: Page) -> None:
    """For every ink the page writes in white or dark, as the printed card does; both occur."""
    edition = load_edition("eurocg-2026")
    faces = edition_faces(edition)
    printed = {kind.slug: printed_on(faces[kind.slug]) for kind in edition.kinds if kind.category == "colour"}
    shown = page.evaluate(ON_INKS, [{"slug": kind.slug, "ink": kind.ink, "name": kind.name} for kind in edition.kinds])
    assert len(printed) == 6
    assert {slug: shown[slug] for slug in printed} == printed
    assert set(printed.values()) == {"#ffffff", "#20263a"}
