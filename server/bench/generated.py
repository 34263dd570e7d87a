"""Sets of made-up photographs: by profile, and along curves on which one condition gets worse bit by bit."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache, partial
from typing import TYPE_CHECKING

import numpy as np

from cardgen.payload import card_text
from server.bench.pictures import Picture, PictureSet, TrueCard, TrueCode
from server.studio import (
    CURVES,
    HARD,
    HOPELESS,
    ORDINARY,
    SCENES,
    dealt_cards,
    photograph,
    practice_game,
    printed_faces,
)
from server.studio.generic import generic_faces
from server.studio.profiles import SENSORS

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from cardgen.cards import Game
    from server.studio import Face, Photograph, Scene

EDITION = "eurocg-2026"
LEAST_MODULE = 2.0
"""Pixels a module from which on cards are to be read; profiles that ask for less count all."""

GROUPS: Mapping[str, tuple[str, ...]] = {
    "ordinary": tuple(ORDINARY),
    "hard": tuple(HARD),
    "other": tuple(name for name in SCENES if name not in {*ORDINARY, *HARD, *HOPELESS}),
    "hopeless": tuple(HOPELESS),
    "all": tuple(SCENES),
}
"""Names that stand for several profiles."""

USUAL_DECK = 20
DECKS: Mapping[str, tuple[int, ...]] = {"nominal": (5, 20, 40), "crowded": (60,), "piles": (15,), "soft_piles": (15,)}
"""Cards in a photograph of a profile, where not `USUAL_DECK` are usual."""

_HAND = 13
# Cards of a player at the start: that many players are dealt for a deck of any size.


def profile_set(profile: str, deck: int, photos: int, seed: str, megapixels: int | None = None) -> PictureSet:
    """Return photographs of different decks in a profile, taken by a sensor of so many megapixels.

    By default by that of the profile, as always where the profile has no camera.
    """
    scene = SCENES[profile]
    if megapixels is None or scene.profile.medium != "camera":
        return _set(f"{profile} {deck}", scene, profile, deck, photos, seed)
    width, height = SENSORS[megapixels]
    return _set(
        f"{profile} {deck} {megapixels}MP", replace(scene, width=width, height=height), profile, deck, photos, seed
    )


def any_set(profile: str, number: int, photos: int, seed: str, damage: float = 0.0) -> PictureSet:
    """Return photographs of QR codes of other things, versions 1 to 20, in a profile.

    `damage` is the share of what error correction can repair that is scratched or stained.
    """
    name = f"{profile} {'damaged' if damage else 'any'} {number}"
    scene = SCENES[profile]
    return PictureSet(
        name=name,
        kind="any",
        group=profile,
        pictures=partial(_other_pictures, name, scene, number, photos, seed, damage),
        photos=photos,
        deck=number,
    )


def curve_sets(curve: str, deck: int, photos: int, seed: str) -> list[PictureSet]:
    """Return a set for each value of a curve, all of the same decks."""
    return [
        _set(f"{curve} {value:g}", scene, curve, deck, photos, seed, value)
        for value, scene in sorted(CURVES[curve].items())
    ]


def known_picture(name: str, photo: Photograph, texts: Mapping[str, str]) -> Picture:
    """Return a photograph of the studio with its truth. `texts` says for each card's name what its codes say."""
    cards = []
    for card in photo.truth:
        if card.name not in texts:
            continue
        modules = [code.module for code in card.codes if code.whole]
        cards.append(
            TrueCard(card.name, texts[card.name], np.array(card.outline), card.visible, max(modules, default=None))
        )
    lying = [*photo.truth, *photo.labels]
    codes = [TrueCode(code.text, np.array(code.quad), code.module) for one in lying for code in one.codes if code.whole]
    said = frozenset(code.text for one in lying for code in one.codes)
    return Picture(name, photo.jpeg, tuple(codes), said, tuple(cards))


def _set(
    name: str, scene: Scene, group: str, deck: int, photos: int, seed: str, value: float | None = None
) -> PictureSet:
    game = _game(deck * photos, seed)
    asked = scene.profile.module
    return PictureSet(
        name=name,
        kind="profile" if value is None else "curve",
        group=group,
        pictures=partial(_pictures, name, scene, deck, photos, seed),
        photos=photos,
        game=game,
        value=value,
        deck=deck,
        least=0.0 if asked and min(asked) < LEAST_MODULE else LEAST_MODULE,
    )


def _pictures(name: str, scene: Scene, deck: int, photos: int, seed: str) -> Iterator[Picture]:
    game = _game(deck * photos, seed)
    faces = _faces(deck * photos, seed)
    texts = {card.name: card_text(game, card) for card in dealt_cards(game)}
    for number in range(photos):
        shot = photograph(faces[number * deck : (number + 1) * deck], scene, f"{seed}/{name}/{number}")
        yield known_picture(f"{name.replace(' ', '-')}-{number + 1}.jpg", shot, texts)


def _other_pictures(name: str, scene: Scene, number: int, photos: int, seed: str, damage: float) -> Iterator[Picture]:
    for shot in range(photos):
        faces = generic_faces(number, f"{seed}/{shot}", damage=damage, geometry=scene.geometry)
        yield known_picture(
            f"{name.replace(' ', '-')}-{shot + 1}.jpg", photograph(faces, scene, f"{seed}/{name}/{shot}"), {}
        )


@lru_cache(maxsize=8)
def _game(cards: int, seed: str) -> Game:
    return practice_game(EDITION, max(-(-cards // _HAND), 1), seed)


@lru_cache(maxsize=2)
def _faces(cards: int, seed: str) -> tuple[Face, ...]:
    game = _game(cards, seed)
    return tuple(printed_faces(game, dealt_cards(game)[:cards]))
