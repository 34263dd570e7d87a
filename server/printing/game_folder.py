"""Printing a game into a folder, completely or not at all."""

from __future__ import annotations

import os
import shutil
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, TypedDict, Unpack

from cardgen.cards import SIZES, PrintedGame
from cardgen.deal import DealError, deal
from cardgen.fonts import TextError
from cardgen.pages.paper import PaperError
from cardgen.payload import join_link, new_game_id, new_key, new_seed
from cardgen.print_run import FACES, STANDARD, PrintOutcome, write_run
from cardgen.print_service import write_cards
from server.editions import load_edition
from server.operating_system import replace_file
from server.printing.card_faces import FaceError
from server.printing.contents import MAX_PLAYERS, category_deals
from server.printing.game_file import GAME_FILE, GameFileError, check_game, save_game
from server.printing.links import AddressError, address_of
from server.printing.options import DEFAULT_OPTIONS
from server.printing.plan import plan
from server.scoring import Scorer, ScoringError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from cardgen.cards import CardId
    from cardgen.print_run import PrintPlan
    from cardgen.print_service import Product
    from server.printing.options import PrintOptions
    from server.scoring.edition import Edition

SERVICE_FOLDER = "single-cards"
"""The folder of cards for a print shop."""


class PrintError(Exception):
    """A game cannot be printed; the message is one line."""


@dataclass(frozen=True)
class PrintedGameFiles:
    """A printed game, with notes for the organiser."""

    game: PrintedGame
    edition: Edition
    printed: PrintOutcome
    notes: tuple[str, ...]


class FolderContents(TypedDict, total=False):
    """The contents of a printed folder: the arguments of `print_again` besides the game and the folder."""

    options: PrintOptions
    parts: Sequence[str]
    product: Product | None
    faces: bool
    server_url: str | None
    language: str | None


def print_game(
    slug: str,
    players: int,
    out: Path,
    *,
    size: str = "poker",
    seed: str | None = None,
    settings: Mapping[str, int] | None = None,
    **contents: Unpack[FolderContents],
) -> PrintedGameFiles:
    """Create a game with a new id and key, and write its files into the folder `out` as `print_again`.

    `seed` determines the deal (default: a new one). `settings` override the edition's defaults. `size` is the card
    size, one of SIZES. Raises PrintError, or EditionError for an unknown edition, without changes to the folder.
    """
    edition = load_edition(slug)
    if not 1 <= players <= MAX_PLAYERS:
        raise PrintError(f"{players} players: print for 1 to {MAX_PLAYERS}")
    try:
        chosen = Scorer(edition, settings).settings
    except ScoringError as error:
        raise PrintError(str(error)) from error
    game = PrintedGame(
        game=new_game_id(),
        edition=edition.slug,
        key=new_key(),
        kinds=tuple(kind.slug for kind in edition.kinds),
        players=players,
        seed=seed or new_seed(),
        settings=chosen,
        geometry=SIZES[size],
    )
    return print_again(game, out, **contents)


def print_again(
    game: PrintedGame,
    out: Path,
    *,
    options: PrintOptions = DEFAULT_OPTIONS,
    parts: Sequence[str] = STANDARD,
    product: Product | None = None,
    faces: bool = False,
    server_url: str | None = None,
    language: str | None = None,
) -> PrintedGameFiles:
    """Write the files of a game into the folder `out`, with the same cards in the same envelopes each time.

    So a game can be printed again on other paper, with faces, or with links on its labels. `parts` are the files to
    write, `faces` adds an image of each card. The labels have links to `server_url`. `language` is that of the cards
    (default: the edition's). Errors as `print_game`.
    """
    edition = load_edition(game.edition, language)
    try:
        address = None if server_url is None else address_of(server_url)
    except AddressError as error:
        raise PrintError(str(error)) from error
    if game.kinds != tuple(kind.slug for kind in edition.kinds):
        raise PrintError(f"game {game.game} was printed with other kinds of cards than {edition.slug} has now")
    envelopes = range(1, game.players + 1)
    links = {} if address is None else {n: join_link(address, game.game, game.key, n) for n in envelopes}
    try:
        check_game(game)
        hands = dict(zip(envelopes, deal(category_deals(edition, game.players), game.players, game.seed), strict=True))
        run = plan(game, edition, hands, options=options, labels=envelopes, links=links)
    except (DealError, FaceError, GameFileError, PaperError) as error:
        raise PrintError(str(error)) from error
    if out.exists() and not out.is_dir():
        raise PrintError(f"{out} is a file: name a folder for the cards; nothing was printed")
    taken = [name for name in (GAME_FILE, *parts, FACES, SERVICE_FOLDER) if (out / name).exists()]
    if taken:
        raise PrintError(f"{out} already holds {taken[0]}: name a new folder, so that no printed game loses its key")
    try:
        printed = _write(run, out, parts, product, faces=faces)
    except (PaperError, TextError) as error:
        raise PrintError(str(error)) from error
    except OSError as error:
        raise PrintError(f"{out}: {error.strerror}; nothing was printed") from error
    return PrintedGameFiles(game, edition, printed, _notes(edition, game, hands))


def _write(run: PrintPlan, out: Path, parts: Sequence[str], product: Product | None, *, faces: bool) -> PrintOutcome:
    """Write all files into a temporary folder first, so that a failure leaves no partial files."""
    out.parent.mkdir(parents=True, exist_ok=True)
    partial = Path(tempfile.mkdtemp(prefix=f".{out.name}-", suffix=".partial", dir=out.parent))
    try:
        printed = write_run(run, partial, names=parts, faces=faces)
        if product is not None:
            write_cards(run, partial / SERVICE_FOLDER, product)
        save_game(run.game, partial)
        keep_private(partial)
        out.mkdir(mode=0o700, exist_ok=True)
        # The key comes first, so that no printed card is ever without it. If two runs use the same folder at the same
        # time, only the one that creates this file continues.
        write_private(out / GAME_FILE, (partial / GAME_FILE).read_bytes())
        for name in (*parts, FACES, SERVICE_FOLDER):
            if (partial / name).exists():
                replace_file(partial / name, out / name)
    finally:
        shutil.rmtree(partial, ignore_errors=True)
    return printed


def write_private(file: Path, content: bytes) -> None:
    """Write a new file that only its owner may read, such as one with codes or links."""
    with os.fdopen(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as out:
        out.write(content)


def keep_private(folder: Path) -> None:
    """Make all files in a folder readable only by their owner."""
    for path in folder.rglob("*"):
        path.chmod(0o700 if path.is_dir() else 0o600)


def _notes(edition: Edition, game: PrintedGame, hands: Mapping[int, Sequence[CardId]]) -> tuple[str, ...]:
    """Return notes for the organiser; `hands` are the cards of each envelope."""
    notes = [
        f"{setting.label}: {game.settings[setting.name]}. {setting.text}"
        f" To change it: --set {setting.name}=NUMBER when printing, or the settings in {GAME_FILE}."
        for setting in edition.settings
        if setting.confirm
    ]
    if not edition.players_min <= game.players <= edition.players_max:
        size = f"{edition.players_min} to {edition.players_max} players"
        notes.append(f"{edition.title} is made for {size}, not for {game.players}.")
    there = {card.kind for hand in hands.values() for card in hand}
    rules = [kind.slug for kind in edition.kinds if kind.category == "rule" and kind.slug not in there]
    if rules:
        notes.append(f"These rules have no card, but apply anyway: {', '.join(rules)}.")
    return tuple(notes)
