"""`haggle bench scan --ablate`: what each part of the scanner adds in reads, and what it costs in time.

Every part is switched off by itself and the pictures in which it ran are scanned again. The difference is its gain.
"""

from __future__ import annotations

import time
from collections import defaultdict
from contextlib import ExitStack, contextmanager
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any, cast
from unittest.mock import patch

import cv2

from benchmarks.scan.measure import Tally, judge
from benchmarks.scan.readers import OURS, readers, warm_up
from benchmarks.tables import printed
from scanner import PhotoError
from scanner.cards import doubts, missing_cards
from scanner.decode import curved_sampling, passes, pipeline
from scanner.image import load
from scanner.scan import warm_up as warm_up_scanner

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from benchmarks.scan.pictures import Picture, PictureSet
    from benchmarks.scan.readers import Reader

    Function = Callable[..., Any]

_RAN = 0.0005
"""CPU seconds of a call from which on a part counts as having run; checking that it is not needed takes less."""


@dataclass(frozen=True)
class Part:
    """A function of the scanner, the attributes (or tuples) that refer to it, and what replaces it if switched off."""

    name: str
    function: Function
    places: tuple[tuple[object, str], ...]
    off: Function

    @contextmanager
    def replaced(self, stand_in: Function) -> Iterator[None]:
        """Let another function run in place of this one."""
        with ExitStack() as stack:
            for owner, attribute in self.places:
                old = getattr(owner, attribute)
                new: object = stand_in
                if isinstance(old, tuple):
                    new = tuple(stand_in if one is self.function else one for one in old)
                stack.enter_context(patch.object(owner, attribute, new))
            yield

    def recorder(self, ran: set[str]) -> Function:
        """Return the function itself, which adds the name of this part to `ran` when it takes any time."""

        def run(*args: Any, **kwargs: Any) -> Any:  # noqa: ANN401 - any part
            began = time.thread_time()
            try:
                return self.function(*args, **kwargs)
            finally:
                if time.thread_time() - began > _RAN:
                    ran.add(self.name)

        run.__name__ = self.name
        return run


def parts() -> list[Part]:
    """Return all parts that can be switched off."""
    found: dict[str, Part] = {}
    for one in (*pipeline.PASSES[1:], *pipeline.KNOWN_PASSES[1:]):
        name = pipeline.name_of(one)

        def off(_search: object) -> None:
            """Do nothing."""

        off.__name__ = name
        tuples = ("PASSES", "KNOWN_PASSES")
        found[name] = Part(name, cast("Function", one), tuple((pipeline, tuple_) for tuple_ in tuples), off)
    for name, owner, attribute, result in (
        ("tiles of crowded pictures", passes, "read_tiles", lambda *_: None),
        ("erasures", curved_sampling, "decode_with_erasures", lambda *_: None),
        ("all sizes", passes, "_search_all_sizes", lambda *_: None),
        ("codes of outlined cards", doubts, "read_missing_cards", lambda *_: None),
        ("texture of codes", missing_cards, "textured_cards", lambda *_: []),
        ("cards where none was read", doubts, "on_unknown_table", lambda *_: []),
        ("patches on a known table", missing_cards, "cards_on_table", lambda *_: ([], [])),
        ("cards as single objects", doubts, "as_objects", lambda *_: []),
        ("blind: pairs of patches", missing_cards, "cards_of_unknown_size", lambda *_: []),
        ("blind: rectangles", missing_cards, "rectangles", lambda *_: []),
        ("blind: dense region", missing_cards, "dense_region", lambda _: None),
    ):
        found[name] = Part(name, getattr(owner, attribute), ((owner, attribute),), cast("Function", result))
    return list(found.values())


@dataclass
class Gain:
    """The gain of a part: reads and reports with it minus those without it, over the `photos` in which it ran."""

    name: str
    photos: int = 0
    with_: Tally = field(default_factory=Tally)
    without: Tally = field(default_factory=Tally)
    seconds: float = 0.0
    sets: dict[str, int] = field(default_factory=lambda: defaultdict(int))

    def add(self, of: str, with_: _Scan, without: _Scan) -> None:
        """Add a picture that was scanned with the part and without it."""
        self.photos += 1
        self.with_ += with_.tally
        self.without += without.tally
        self.seconds += with_.seconds - without.seconds
        self.sets[of] += _good(with_.tally) - _good(without.tally)


def _good(tally: Tally) -> int:
    return tally.codes_read + tally.cards_read + tally.named


@dataclass(frozen=True)
class _Scan:
    """The result of scanning a picture, and the parts that ran."""

    tally: Tally
    seconds: float
    ran: frozenset[str] = frozenset()


def ablate(
    sets: Sequence[PictureSet], chosen: Sequence[Part], decodes: float, tell: Callable[[str], None]
) -> list[Gain]:
    """Return the gain of each part; the first is that of nothing, and so the noise of the measurement."""
    reader = readers([OURS], decodes)[0][OURS]
    threads = cv2.getNumThreads()
    cv2.setNumThreads(1)
    gains = {name: Gain(name) for name in ("nothing", *(part.name for part in chosen))}
    try:
        warm_up({OURS: reader})
        for one in sets:
            if one.game is not None:
                warm_up_scanner(one.game)
            for picture in one.pictures():
                _ablate_one(picture, one, reader, chosen, gains)
            tell(f"measured: {one.name}")
    finally:
        cv2.setNumThreads(threads)
    return list(gains.values())


def _ablate_one(
    picture: Picture, of: PictureSet, reader: Reader, chosen: Sequence[Part], gains: dict[str, Gain]
) -> None:
    try:
        load.load(picture.data)
    except PhotoError:
        return
    ran: set[str] = set()
    with ExitStack() as stack:
        for part in chosen:
            stack.enter_context(part.replaced(part.recorder(ran)))
        before = _scan(picture, of, reader, ran)
    gains["nothing"].add(of.name, before, _scan(picture, of, reader))
    for part in chosen:
        if part.name in before.ran:
            with part.replaced(part.off):
                gains[part.name].add(of.name, before, _scan(picture, of, reader))


def _scan(picture: Picture, of: PictureSet, reader: Reader, ran: set[str] | None = None) -> _Scan:
    outcome = reader(picture.data, cast("Any", None), of.game)
    tally = judge(picture, outcome.reads, of.least, outcome.result if of.game else None).tally
    return _Scan(tally, outcome.seconds, frozenset(ran or ()))


def show(gains: Sequence[Gain]) -> None:
    """Print a table of the gains."""
    rows = []
    for gain in gains:
        one, other = gain.with_, gain.without
        rows.append(
            (
                gain.name,
                gain.photos,
                f"{one.codes_read - other.codes_read:+d}",
                f"{one.cards_read - other.cards_read:+d}",
                f"{one.false - other.false:+d}",
                f"{one.named - other.named:+d}",
                f"{one.false_doubts - other.false_doubts:+d}",
                f"{1000 * gain.seconds / max(gain.photos, 1):+.1f}",
            )
        )
    heads = ("Part", "Photos", "Codes", "Cards", "Wrong", "Named", "False", "ms a photo")
    printed("Gain of each part over the pictures in which it ran", heads, rows)


def document(gains: Sequence[Gain]) -> list[dict[str, Any]]:
    """Return the gains as plain data."""
    return [
        {
            "part": gain.name,
            "photos": gain.photos,
            "with": asdict(gain.with_),
            "without": asdict(gain.without),
            "milliseconds": round(1000 * gain.seconds / max(gain.photos, 1), 2),
            "gain_by_set": {name: value for name, value in gain.sets.items() if value},
        }
        for gain in gains
    ]
