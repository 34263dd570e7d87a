"""Entry points: read any QR codes in an array of pixels, or the cards of a game in the bytes of an image file."""

from __future__ import annotations

import time
from functools import wraps
from typing import TYPE_CHECKING, ParamSpec, TypeVar, cast

import cv2
import numpy as np
from threadpoolctl import ThreadpoolController

from cardgen.cards import PrintedGame
from scanner.cards.doubts import find_doubts
from scanner.cards.groups import find_decks
from scanner.cards.hints import advise, brightness, moire
from scanner.decode import pipeline
from scanner.decode.known_codes import Codebook
from scanner.decode.passes import has_too_many_finders
from scanner.geometry import card_corners, code_on_card, twin_on_card
from scanner.image import load
from scanner.image.load import DEFAULT_LIMITS, MAX_SIDE, Limits, PhotoError
from scanner.result import Code, ScanResult
from scanner.time_budget import DECODES, SECONDS, TimeBudget

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    import numpy.typing as npt

    from scanner.result import Grey


P = ParamSpec("P")
R = TypeVar("R")


def single_threaded(scan: Callable[P, R]) -> Callable[P, R]:
    """Run the decorated function with a single thread of BLAS and of OpenCV.

    Further threads are not counted by the time budget, and slow down the scans of other processes.
    """
    limited = cast("Callable[P, R]", ThreadpoolController().wrap(limits=1, user_api="blas")(scan))

    @wraps(scan)
    def run(*args: P.args, **kwargs: P.kwargs) -> R:
        threads = cv2.getNumThreads()
        cv2.setNumThreads(1)
        try:
            return limited(*args, **kwargs)
        finally:
            cv2.setNumThreads(threads)

    return run


@single_threaded
def read_codes(image: npt.NDArray[np.uint8], seconds: float = SECONDS, decodes: float = DECODES) -> list[Code]:
    """Read every QR code in an image: shape (h, w) for grey or (h, w, 3) for BGR, dtype uint8.

    The same text at two clearly different places gives two codes, at the same place one. Raises ValueError for an
    array of another shape or type. The search ends after `seconds` of CPU time, after `decodes` times the CPU time of
    decoding a JPEG of that size, or after three times the seconds on the clock, and returns the codes found by then.
    """
    grey = _as_grey(image)
    search, _ = pipeline.run(grey, TimeBudget.of(grey.size, seconds, decodes))
    return [Code(one.text, one.quad) for one in search.codes if one.text is not None]


@single_threaded
def scan_photo(
    data: bytes,
    game: PrintedGame | None = None,
    *,
    page: int = 0,
    limits: Limits = DEFAULT_LIMITS,
    label_wanted: bool = False,
) -> ScanResult:
    """Read the cards in an image file: JPEG, PNG, WebP, HEIC, TIFF or PDF.

    Without a game the codes are read but not checked. `page` (from 0) selects a page of a PDF or multi-page TIFF;
    `scan_pages` yields all of them. With `label_wanted`, a hint reports that no envelope label was read. Raises
    PhotoError with a sentence for the user.
    """
    began = time.perf_counter()
    grey = load.load(data, page, limits)
    decoding = time.perf_counter() - began
    height, width = grey.shape
    if game:
        if has_too_many_finders(grey):
            raise PhotoError(
                "too-many-codes",
                "The picture is full of patterns like those of QR codes. Photograph nothing but the cards.",
            )
        # Built once per game and process, so it must not count as work on this photo.
        Codebook.of(game)
    budget = TimeBudget.of(grey.size, limits.seconds, limits.decodes, known=game is not None)
    search, timings = pipeline.run(grey, budget, game)
    began = time.perf_counter()
    layout, doubts = find_doubts(search, game)
    decks = find_decks(layout, doubts, game.geometry) if game else ()
    timings["doubts"] = (time.perf_counter() - began) * 1000
    # With a game, the doubts list all suspected cards if there was time to look for them.
    ended = search.overlooked or (search.cut_short and not (layout.seen and not doubts and search.budget.allows()))
    advice = advise(
        (width, height),
        layout,
        doubts,
        decks,
        search.module,
        complete=not ended,
        label_wanted=label_wanted,
        noun="card" if game else "code",
        white=brightness(grey),
        moire=moire(grey) if doubts or not (layout.seen if game else layout.codes) else 0.0,
    )
    return ScanResult(
        width=width,
        height=height,
        codes=layout.codes,
        seen=layout.seen,
        labels=tuple(sorted({code.envelope for code in layout.codes if code.envelope is not None})),
        decks=decks,
        doubts=doubts,
        advice=advice,
        timings={"decode": decoding * 1000, **timings},
        complete=not ended and bool(layout.codes or not doubts),
    )


def scan_pages(
    data: bytes, game: PrintedGame | None = None, *, limits: Limits = DEFAULT_LIMITS
) -> Iterator[ScanResult]:
    """Scan every page of a PDF or TIFF, or the single picture of any other file. Raises PhotoError."""
    for page in range(load.page_count(data, limits)):
        yield scan_photo(data, game, page=page, limits=limits)


def _as_grey(image: object) -> Grey:
    """Validate an array of pixels and return it in grey, contiguous in memory."""
    if not isinstance(image, np.ndarray) or image.dtype != np.uint8:
        raise ValueError("read_codes takes a numpy array of dtype uint8")
    if max(image.shape, default=0) > MAX_SIDE:
        raise ValueError(f"read_codes takes an image of at most {MAX_SIDE} pixels a side")
    if image.ndim == 3 and image.shape[2] == 3 and image.size:  # noqa: PLR2004 - height, width, colour; three colours
        return np.asarray(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), dtype=np.uint8)
    if image.ndim != 2 or not image.size:  # noqa: PLR2004 - height and width
        raise ValueError(f"read_codes takes an image of shape (h, w) or (h, w, 3), not {image.shape}")
    return np.ascontiguousarray(image)


# Warm-up photo: cards across and down, pixels per millimetre, and millimetres around each card.
_CARDS, _MILLIMETRE, _GAP = (4, 3), 2.4, 3.5

# Brightness of its table, cards and codes.
_TABLE, _PAPER, _CODE = 40, 220, 130


def warm_up(game: PrintedGame | None) -> None:
    """Scan a drawn photo of a blurred deck, so that every step has run once before the first real photo.

    Nothing can be read in it, so no step is skipped. Without a game a made-up one is used.
    """
    game = game or PrintedGame(game="0000", edition="", key=bytes(32), kinds=("any",), players=1, seed="")
    geometry = game.geometry
    size = _MILLIMETRE * (card_corners(geometry)[2] + 2 * _GAP)
    card = np.full(size.astype(int)[::-1], _TABLE, dtype=np.uint8)
    shapes = (card_corners(geometry), _PAPER), (code_on_card(geometry), _CODE), (twin_on_card(geometry), _CODE)
    for corners, shade in shapes:
        cv2.fillConvexPoly(card, np.round(_MILLIMETRE * (corners + _GAP)).astype(np.int32), shade)
    deck = cv2.GaussianBlur(np.tile(card, _CARDS[::-1]), (0, 0), _MILLIMETRE)
    scan_photo(cv2.imencode(".jpg", deck)[1].tobytes(), game)
