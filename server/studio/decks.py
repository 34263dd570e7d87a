"""Decks to photograph: cards of a practice game, as they are printed."""

from __future__ import annotations

import hashlib
from itertools import chain
from typing import TYPE_CHECKING

import numpy as np

from cardgen.cards import Game
from cardgen.deal import deal
from cardgen.payload import GAME_LENGTH, card_text, encode, short_code
from cardgen.raster import face_images
from server.editions import load_edition
from server.jobs.printing import edition_faces, portions
from server.studio.photograph import Face

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cardgen.cards import CardId

FACE_DPI = 300


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


def dealt_cards(game: Game) -> list[CardId]:
    """Return all cards of a game, one envelope after the other."""
    return list(chain.from_iterable(deal(portions(load_edition(game.edition)), game.players, game.seed)))


def printed_faces(game: Game, cards: Sequence[CardId], dpi: float = FACE_DPI) -> list[Face]:
    """Return the cards as they are printed, named by `CardId.name`."""
    drawn = edition_faces(load_edition(game.edition))
    wanted = ((drawn[card.kind], card_text(game, card), short_code(game, card)) for card in cards)
    images = face_images(wanted, game.geometry, dpi)
    return [
        Face(card.name, np.ascontiguousarray(np.asarray(image)[..., ::-1]))
        for card, image in zip(cards, images, strict=True)
    ]
