"""Pictures to measure with, and the truth about them: made-up photographs and folders of real ones."""

from __future__ import annotations

import contextlib
import json
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from typing import TYPE_CHECKING, Literal, NamedTuple

import cv2
import numpy as np
from pydantic import BaseModel, TypeAdapter, ValidationError

from cardgen.payload import card_text
from devtools.photo_simulator import photograph
from devtools.photo_simulator.cards import generic_faces, practice_game, printed_faces
from devtools.photo_simulator.profiles import CURVES, HARD, HOPELESS, ORDINARY, SCENES, SENSORS
from server.printing.contents import dealt_cards

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from pathlib import Path

    from cardgen.cards import PrintedGame
    from devtools.photo_simulator.cards import PrintedFace
    from devtools.photo_simulator.photograph import Photograph
    from devtools.photo_simulator.profiles import Scene
    from scanner.result import Quad

Kind = Literal["profile", "curve", "any", "folder"]


@dataclass(frozen=True, eq=False)
class TrueCode:
    """A code that lies whole in a picture. `quad` and `module` (its size in pixels) are None where nobody knows."""

    text: str
    quad: Quad | None = None
    module: float | None = None


@dataclass(frozen=True, eq=False)
class TrueCard:
    """A card in a picture: what its codes say, where it lies, the share of it that can be seen.

    `module` is the size in pixels of a module of its largest whole code, None if neither is whole.
    """

    name: str
    text: str
    outline: Quad
    visible: float
    module: float | None


@dataclass(frozen=True, eq=False)
class Picture:
    """A file's bytes and the truth about it. `texts` are all that may be read without being false.

    `lines` are the lines of the one text in `codes`, where it may as well be that many codes with a line each.
    """

    name: str
    data: bytes
    codes: tuple[TrueCode, ...]
    texts: frozenset[str]
    cards: tuple[TrueCard, ...] = ()
    lines: tuple[str, ...] = ()

    def by_lines(self) -> Picture:
        """Return the picture with a code for each of its lines."""
        return replace(self, codes=tuple(map(TrueCode, self.lines)), texts=frozenset(self.lines))


@dataclass(frozen=True)
class PictureSet:
    """Pictures that are measured together. `pictures` yields them one by one, so that few are held at once.

    `group` is the profile, the curve or the folder, `value` the place on the curve. Cards count from
    `least` pixels a module on; 0 means that all with a whole code do.
    """

    name: str
    kind: Kind
    group: str
    pictures: Callable[[], Iterator[Picture]]
    photos: int
    game: PrintedGame | None = None
    value: float | None = None
    deck: int | None = None
    least: float = 0.0


SUFFIXES = frozenset({".jpg", ".jpeg", ".png", ".webp", ".heic", ".heif", ".tif", ".tiff"})
TOGETHER = "truth.json"


class FolderError(Exception):
    """A folder that cannot be measured with. The message is one line for the user."""


class _Code(BaseModel, extra="forbid"):
    text: str
    quad: tuple[tuple[float, float], tuple[float, float], tuple[float, float], tuple[float, float]] | None = None


_LISTS = TypeAdapter(dict[str, list[str | _Code]])


class _Truth(NamedTuple):
    """The codes of a picture, and the lines of its text where each may as well be a code."""

    codes: tuple[TrueCode, ...]
    lines: tuple[str, ...] = ()


def folder_sets(folder: Path, tell: Callable[[str], None]) -> list[PictureSet]:
    """Return a set for each folder below this one, itself included, that holds pictures. Raises FolderError.

    Pictures without a truth beside them are left out, and `tell` is given a line about them.
    """
    try:
        files = sorted(path for path in folder.rglob("*") if path.suffix.lower() in SUFFIXES)
        if not files:
            raise FolderError(f"{folder}: no photographs in it; {', '.join(sorted(SUFFIXES))} are taken")
        truths: dict[Path, _Truth] = {}
        for inner in {path.parent for path in files}:
            # Read now, so that a mistake is reported before anything is measured.
            truths |= _truths(inner, [path for path in files if path.parent == inner])
    except OSError as error:
        raise FolderError(f"{error.filename or folder}: {error.strerror}") from None
    missing = [path for path in files if path not in truths]
    if missing:
        line = (
            f"{missing[0]}: nothing says which codes are in it; write {missing[0].stem}.txt with its text, "
            f"{missing[0].stem}.json or {TOGETHER} beside it ({len(missing)} such pictures)"
        )
        if not truths:
            raise FolderError(line)
        tell(f"left out: {line}")
    sets = []
    for inner in sorted({path.parent for path in truths}):
        own = {path: truth for path, truth in sorted(truths.items()) if path.parent == inner}
        name = "/".join((folder.resolve().name, *inner.relative_to(folder).parts))
        sets.append(PictureSet(name, "folder", str(inner), partial(_photographs, own), len(own)))
    return sets


def _photographs(truths: Mapping[Path, _Truth]) -> Iterator[Picture]:
    for path, (codes, lines) in truths.items():
        yield Picture(path.name, path.read_bytes(), codes, frozenset(code.text for code in codes), lines=lines)


def _truths(folder: Path, files: list[Path]) -> dict[Path, _Truth]:
    together = folder / TOGETHER
    lists = _parsed(together, together.read_bytes()) if together.is_file() else {}
    truths = {}
    for path in files:
        apart, text = path.with_suffix(".json"), path.with_suffix(".txt")
        if apart != together and apart.is_file():
            lists |= _parsed(apart, b'{"%s": %s}' % (path.name.encode(), apart.read_bytes()))
        if path.name in lists:
            truths[path] = _Truth(
                tuple(
                    TrueCode(one)
                    if isinstance(one, str)
                    else TrueCode(one.text, None if one.quad is None else np.array(one.quad))
                    for one in lists[path.name]
                )
            )
        elif text.is_file():
            said = _text(text).strip()
            lines = tuple(line.strip() for line in said.splitlines() if line.strip())
            truths[path] = _Truth((TrueCode(said),) if said else (), lines if len(lines) > 1 else ())
    return truths


def _text(path: Path) -> str:
    """Return a text in the character sets that collections of photographs have."""
    data = path.read_bytes()
    for encoding in ("utf-8-sig", "shift_jis"):
        with contextlib.suppress(UnicodeDecodeError):
            return data.decode(encoding)
    return data.decode("latin-1")


def _parsed(path: Path, data: bytes) -> dict[str, list[str | _Code]]:
    try:
        return _LISTS.validate_json(data)
    except ValidationError as error:
        # Of an object the first error is that it is no text: the last one is of what is wrong inside it.
        last = error.errors(include_url=False)[-1]
        where = "".join(f"[{json.dumps(part)}]" for part in last["loc"] if part not in ("str", "_Code"))
        raise FolderError(f"{path}: {where}{': ' if where else ''}{last['msg']}") from None


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

# Cards of a player at the start: that many players are dealt for a deck of any size.
_HAND = 13


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
    """Return a simulated photograph with its truth. `texts` says for each card's name what its codes say."""
    cards = []
    for card in photo.truth:
        if card.name not in texts:
            continue
        modules = [code.module for code in card.codes if code.whole]
        # The codes of a bent card may lie beyond the lines between its corners.
        points = np.array([*card.outline, *(corner for code in card.codes for corner in code.quad)])
        outline = cv2.convexHull(points.astype(np.float32))[:, 0].astype(np.float64)
        cards.append(TrueCard(card.name, texts[card.name], outline, card.visible, max(modules, default=None)))
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
def _game(cards: int, seed: str) -> PrintedGame:
    return practice_game(EDITION, max(-(-cards // _HAND), 1), seed)


@lru_cache(maxsize=2)
def _faces(cards: int, seed: str) -> tuple[PrintedFace, ...]:
    game = _game(cards, seed)
    return tuple(printed_faces(game, dealt_cards(game)[:cards]))
