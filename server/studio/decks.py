"""Decks to photograph: cards of a practice game, as they are printed."""

from __future__ import annotations

import hashlib
from io import BytesIO
from typing import TYPE_CHECKING

import numpy as np

from cardgen.cards import Game
from cardgen.formats import CUT
from cardgen.labels import Label, write_labels
from cardgen.payload import GAME_LENGTH, card_text, encode, join_link, label_text, short_code
from cardgen.raster import face_images, page_images
from cardgen.setup import PLAIN
from cardgen.symbols import matrix
from server.editions import load_edition
from server.jobs.faces import edition_faces
from server.studio.face import Face, PrintedCode

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cardgen.cards import CardId

FACE_DPI = 300
_ADDRESS = "https://haggle.example"
_LABEL_SIDE, _CODE_AT, _LINK_AT = 28.0, (59.0, 2.0), (3.0, 2.0)
# The squares of a label's codes: side and lower left corners in millimetres, as `cardgen.labels` draws them.


def practice_game(edition: str, players: int, seed: str) -> Game:
    """Return a game whose id and key come from the seed: good for practice and tests, worth nothing as a secret."""
    digest = hashlib.sha256(f"practice/{seed}".encode()).digest()
    return Game(
        game=encode(int.from_bytes(digest[:4], "big") % 32**GAME_LENGTH, GAME_LENGTH),
        edition=edition,
        key=digest,
        kinds=tuple(kind.slug for kind in load_edition(edition).kinds),
        players=players,
        seed=seed,
    )


def printed_faces(game: Game, cards: Sequence[CardId], dpi: float = FACE_DPI) -> list[Face]:
    """Return the cards as they are printed, named by `CardId.name`."""
    drawn = edition_faces(load_edition(game.edition))
    wanted = ((drawn[card.kind], card_text(game, card), short_code(game, card)) for card in cards)
    images = face_images(wanted, game.geometry, dpi)
    return [
        Face(card.name, np.ascontiguousarray(np.asarray(image)[..., ::-1]), card_text(game, card))
        for card, image in zip(cards, images, strict=True)
    ]


def printed_label(game: Game, envelope: int, link: str | None = None, dpi: float = FACE_DPI) -> Face:
    """Return the label of an envelope with its two codes; `link` replaces the join link."""
    payload, link = label_text(game, envelope), link or join_link(_ADDRESS, game.game, game.key, envelope)
    paper, pdf = PLAIN.paper, BytesIO()
    write_labels(pdf, [Label(envelope, payload, link)], PLAIN, load_edition(game.edition).title, game.game)
    (page,) = page_images(pdf.getvalue(), dpi)
    left, top = (paper.width - CUT.columns * CUT.width) / 2, (paper.height - CUT.rows * CUT.height) / 2
    box = [round(side / 25.4 * dpi) for side in (left, top, left + CUT.width, top + CUT.height)]
    pixels = np.ascontiguousarray(np.asarray(page.crop((box[0], box[1], box[2], box[3])))[..., ::-1])
    codes = (_label_code(payload, _CODE_AT, alphanumeric=True), _label_code(link, _LINK_AT, alphanumeric=False))
    return Face(f"label-{envelope:03d}", pixels, size=(CUT.width, CUT.height), codes=codes)


def _label_code(text: str, at: tuple[float, float], *, alphanumeric: bool) -> PrintedCode:
    """Return the place of a code on a label; `at` is the lower left corner of its square, from the label's."""
    modules = len(matrix(text, alphanumeric=alphanumeric))
    module = _LABEL_SIDE / (modules + 4)
    near, far = 2 * module, _LABEL_SIDE - 2 * module
    quad = np.array([(near, near), (far, near), (far, far), (near, far)])
    quad += at[0], CUT.height - at[1] - _LABEL_SIDE
    return PrintedCode(text, quad, modules)
