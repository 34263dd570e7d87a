"""`haggle bench real-decks`: turns photographs of a printed game into a set for `haggle bench scan --folder`.

The truth comes from the deal and from typed corrections, never from what a reader read. What our scanner reads is only
compared with it, so that mistakes are noticed.
"""

from __future__ import annotations

import json
import shutil
import tempfile
import tomllib
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import click
from pydantic import BaseModel, TypeAdapter, ValidationError

from benchmarks.scan.pictures import SUFFIXES
from cardgen.cards import CardId
from cardgen.deal import deal
from cardgen.payload import (
    LABEL,
    card_of,
    card_of_short_code,
    card_text,
    label_text,
    parse,
    short_code,
)
from scanner import PhotoError
from server.db.models import Card, Game
from server.editions import load_edition
from server.games.errors import DomainError
from server.games.lifecycle.repository import printed_game_of
from server.games.photos.image import ImageError, strip
from server.games.photos.scan_pool import read_and_convert
from server.games.transfer.game_archive import read_archive
from server.printing.contents import category_deals
from server.printing.game_file import GameFileError, read_game_file
from server.scoring import EditionError

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from cardgen.cards import PrintedGame
    from scanner.result import ScannedCode

CORRECTIONS = "corrections.toml"
_CODES = 2
"""Codes on a card."""
_ZIP = b"PK"
_ENDINGS = {b"\xff\xd8": ".jpg", b"\x89P": ".png", b"RI": ".webp"}


class _Correction(BaseModel, extra="forbid", strict=True):
    """Differences between a photograph and the deal. Cards are named by their printed short codes."""

    envelope: int | None = None
    missing: list[str] = []
    added: list[str] = []
    one_code: list[str] = []
    label: bool = True
    join_code: bool = True


_Corrections = TypeAdapter(dict[str, _Correction])


class _TruthError(Exception):
    """A photograph without a certain truth. Each argument is a line for the user."""


@dataclass(frozen=True)
class _Deal:
    """A printed game and the cards that were dealt into each envelope."""

    game: PrintedGame
    hands: Mapping[int, Sequence[CardId]]

    def named(self, card: CardId) -> str:
        """Return a card for people: its short code and its name."""
        return f"{short_code(self.game, card)} ({card.name})"

    def card(self, typed: str) -> CardId:
        """Return the card of a short code. Raises _TruthError if it is none of the game's."""
        card = card_of_short_code(self.game, typed)
        if card is None or not any(card in hand for hand in self.hands.values()):
            raise _TruthError(
                f"{typed!r} is no card of game {self.game.game}; type the short code that is printed on it"
            )
        return card


@dataclass(frozen=True)
class _Photo:
    """A photograph: its path below the folder, its copy without metadata, and the codes that our scanner read."""

    name: str
    copy: Path
    codes: tuple[ScannedCode, ...]

    @property
    def texts(self) -> Counter[str]:
        """The texts of the codes. Those of join codes lack their token."""
        return Counter(code.text for code in self.codes)


@dataclass(frozen=True)
class _Truth:
    """The codes of a photograph."""

    envelope: int
    cards: int
    codes: Counter[str]


_PATH = click.Path(exists=True, path_type=Path)


@click.command(name="real-decks")
@click.argument("photos", type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.option(
    "--game",
    "source",
    type=_PATH,
    required=True,
    metavar="FILE",
    help="The game: game.json of haggle print, or what haggle games export wrote.",
)
@click.option(
    "--out", type=click.Path(path_type=Path), required=True, metavar="DIR", help="A new folder for the benchmark set."
)
@click.option(
    "--corrections",
    type=_PATH,
    metavar="FILE",
    help=f"What differs from the deal. Default: {CORRECTIONS} beside the photographs, if there is one.",
)
def command(photos: Path, source: Path, out: Path, corrections: Path | None) -> None:
    """Turn photographs of a printed game into a set for haggle bench scan --folder.

    Each photograph shows the cards of one envelope as they were dealt, with its label. Folders in PHOTOS are conditions
    and become sets of their own. Metadata and file names are removed. benchmarks/real_decks/README.md has the protocol.
    """
    if out.exists():
        raise click.ClickException(f"{out} exists already; name a new folder")
    files = sorted(path for path in photos.rglob("*") if path.is_file() and path.suffix.lower() in SUFFIXES)
    if not files:
        raise click.ClickException(f"{photos}: no photographs in it; {', '.join(sorted(SUFFIXES))} are taken")
    dealt = _dealt(source)
    names = [path.relative_to(photos).as_posix() for path in files]
    typed = _corrections(corrections or photos / CORRECTIONS, names, needed=corrections is not None)
    try:
        out.parent.mkdir(parents=True, exist_ok=True)
        partial = Path(tempfile.mkdtemp(prefix=f".{out.name}-", suffix=".partial", dir=out.parent))
        try:
            _write(dealt, dict(zip(names, files, strict=True)), typed, partial)
            partial.chmod(0o755)
            partial.rename(out)
        finally:
            shutil.rmtree(partial, ignore_errors=True)
    except OSError as error:
        raise click.ClickException(f"{error.filename or out}: {error.strerror}") from None
    click.echo(f"{out}: {len(files)} photographs. Look at each line above, then run: haggle bench scan --folder {out}")


def _dealt(source: Path) -> _Deal:
    """Read a game and its deal from a game file or an archive. Raises ClickException."""
    try:
        if source.is_file() and source.read_bytes()[:2] == _ZIP:
            with source.open("rb") as stream:
                archive = read_archive(stream)
                cards = [row for row in archive.rows[Card] if row["lost"] is None]
                game = printed_game_of(Game(**archive.rows[Game][0]))
            hands: dict[int, list[CardId]] = {}
            for row in cards:
                hands.setdefault(row["envelope"], []).append(CardId(row["kind"], row["copy"]))
            return _Deal(game, hands)
        game = read_game_file(source)
        hands_in_order = deal(category_deals(load_edition(game.edition), game.players), game.players, game.seed)
        return _Deal(game, dict(enumerate(hands_in_order, start=1)))
    except (GameFileError, EditionError) as error:
        raise click.ClickException(str(error)) from None
    except DomainError as error:
        raise click.ClickException(f"{source}: {error}") from None
    except OSError as error:
        raise click.ClickException(f"{source}: {error.strerror}") from None


def _corrections(file: Path, photos: Sequence[str], *, needed: bool) -> dict[str, _Correction]:
    """Read the corrections of photographs. Raises ClickException."""
    if not needed and not file.exists():
        return {}
    try:
        typed = _Corrections.validate_python(tomllib.loads(file.read_text(encoding="utf-8")))
    except OSError as error:
        raise click.ClickException(f"{file}: {error.strerror}") from None
    except (UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise click.ClickException(f"{file}: {error}") from None
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        where = "".join(f"[{json.dumps(part)}]" for part in first["loc"])
        raise click.ClickException(f"{file}: {where}: {first['msg']}") from None
    for name in typed:
        if name not in photos:
            raise click.ClickException(f'{file}: ["{name}"]: there is no such photograph')
    return typed


def _write(dealt: _Deal, files: Mapping[str, Path], typed: Mapping[str, _Correction], folder: Path) -> None:
    """Write all photographs with their truths. Raises ClickException, after a line for everything that is wrong."""
    photos, problems = [], []
    for number, (name, path) in enumerate(files.items()):
        try:
            photos.append(_read(name, path.read_bytes(), dealt.game, folder / f"{number}"))
        except (PhotoError, ImageError) as error:
            problems.append(f"{name}: {error}")
    links = (code.text for photo in photos for code in photo.codes if code.status == "label" and not parse(code.text))
    link = next(links, None)
    truths = []
    for photo in photos:
        try:
            truth = _truth(dealt, photo, typed.get(photo.name, _Correction()), link)
            _check(dealt, photo, truth)
            truths.append((photo, truth))
        except _TruthError as error:
            problems += [f"{photo.name}: {line}" for line in error.args]
    if problems:
        for line in problems:
            click.echo(f"haggle: {line}", err=True)
        raise click.ClickException("the set was not written; correct what is wrong, or leave out these photographs")
    taken: Counter[tuple[str, int]] = Counter()
    for photo, truth in truths:
        condition = Path(photo.name).parent.as_posix()
        taken[condition, truth.envelope] += 1
        stem = f"{dealt.game.game}-{truth.envelope:03d}-{taken[condition, truth.envelope]}"
        place = folder / condition
        place.mkdir(parents=True, exist_ok=True)
        photo.copy.rename(place / f"{stem}{photo.copy.suffix}")
        texts = ",\n".join(f" {json.dumps(text)}" for text in truth.codes.elements())
        (place / f"{stem}.json").write_text(f"[\n{texts}\n]\n", encoding="utf-8")
        _tell(dealt.game, photo, truth, (Path(condition) / stem).as_posix())


def _read(name: str, data: bytes, game: PrintedGame, stem: Path) -> _Photo:
    """Write a photograph without its metadata and scan it. Raises PhotoError or ImageError."""
    stored = strip(data)
    page = read_and_convert(stored, game)
    stored = page.image or stored
    copy = stem.with_suffix(_ENDINGS[stored[:2]])
    copy.write_bytes(stored)
    return _Photo(name, copy, page.result.codes)


def _truth(dealt: _Deal, photo: _Photo, typed: _Correction, link: str | None) -> _Truth:
    """Return the codes in a photograph, by the deal and the corrections. Raises _TruthError.

    `link` is the join links' address without a token, which is the same on all labels; None if they have none.
    """
    game = dealt.game
    envelope = typed.envelope or _labelled(photo.codes, game)
    if envelope not in dealt.hands:
        raise _TruthError(f"game {game.game} has no envelope {envelope}")
    missing, added, one_code = (
        {dealt.card(code) for code in some} for some in (typed.missing, typed.added, typed.one_code)
    )
    hand = set(dealt.hands[envelope])
    for cards, where in (
        (missing - hand, f"is not missing: envelope {envelope} was not dealt it"),
        (added & hand, f"is not added: envelope {envelope} was dealt it"),
        (one_code - ((hand - missing) | added), "has one code, but is not in the photograph"),
    ):
        if cards:
            raise _TruthError(f"{dealt.named(min(cards))} {where}")
    shown = sorted((hand - missing) | added, key=lambda card: (game.kind_number(card.kind), card.copy))
    codes = Counter({card_text(game, card): 1 if card in one_code else _CODES for card in shown})
    if typed.label:
        codes[label_text(game, envelope)] = 1
        if link is not None and typed.join_code:
            codes[link] = 1
    return _Truth(envelope, len(shown), codes)


def _labelled(codes: Iterable[ScannedCode], game: PrintedGame) -> int:
    """Return the envelope of the one label among codes. Raises _TruthError."""
    labels = [code for code in codes if code.text[:1] == LABEL or code.status == "label"]
    own = sorted({code.envelope for code in labels if code.envelope is not None})
    if len(own) == 1:
        return own[0]
    if own:
        raise _TruthError(f"labels of envelopes {', '.join(map(str, own))}: one envelope belongs in a photograph")
    if any(code.status in {"other-game", "forged"} for code in labels):
        raise _TruthError(f"the label is of another game, or forged; --game names game {game.game}")
    raise _TruthError(f"no label was read; type `envelope = NUMBER` for it into {CORRECTIONS}")


def _check(dealt: _Deal, photo: _Photo, truth: _Truth) -> None:
    """Raise _TruthError with a line for each code that was read but is not in the truth."""
    read, expected = photo.texts, truth.codes
    cards = {code.text: code.card for code in photo.codes}
    lines = []
    for text in sorted(read - expected):
        card = cards[text]
        if card is None:
            lines.append(f"it shows another code, {text!r}: cover it, or leave out the photograph")
        elif text in expected:
            lines.append(f"it shows {read[text]} codes of {dealt.named(card)}, not {expected[text]}")
        else:
            lines.append(f"it shows {dealt.named(card)}, which belongs to another envelope or is said to be missing")
    if lines:
        raise _TruthError(*lines)


def _tell(game: PrintedGame, photo: _Photo, truth: _Truth, name: str) -> None:
    """Print a line about a photograph, so that people can look at whatever the scanner did not read."""
    line = f"{photo.name}: {name}, envelope {truth.envelope}, {truth.cards} cards, {truth.codes.total()} codes"
    unread = truth.codes - photo.texts
    if unread:
        codes = ", ".join(
            _short(game, text) + (" twice" if times > 1 else "") for text, times in sorted(unread.items())
        )
        line += f"; look whether these {unread.total()}, which were not read, are in it: {codes}"
    click.echo(line)


def _short(game: PrintedGame, text: str) -> str:
    code = parse(text)
    card = card_of(game, code) if code is not None else None
    return short_code(game, card) if card else "label" if code else "join code"
