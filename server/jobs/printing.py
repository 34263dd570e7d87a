"""Prints a new game of an edition into a folder: everything, or nothing."""

from __future__ import annotations

import secrets
import shutil
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from cardgen.cards import Game
from cardgen.deal import DealError, Portion
from cardgen.faces import Face
from cardgen.payload import new_game_id, new_key
from cardgen.printing import CARDS, FACES, LABELS, SHEETS, Printed, PrintRun, write_run
from cardgen.sheets import PAPERS, PaperError
from cardgen.texts import TextError
from server.editions import load_edition
from server.store.games import GAME_FILE, save_game

if TYPE_CHECKING:
    from collections.abc import Mapping

    from server.editions import Edition

MOST_PLAYERS = 600
"""Above this, a colour would have more copies than a code can count."""
_STYLE = {"rule": ("#20263a", "seal"), "special": ("#0f6b62", "gem")}
"""Ink and symbol of the cards that bear words; those of the colours come from the edition."""


class PrintError(Exception):
    """A game cannot be printed as asked; the message says why in one line."""


@dataclass(frozen=True)
class PrintedGame:
    """A game that has been printed, and what people should be told of it."""

    game: Game
    edition: Edition
    printed: Printed
    notes: tuple[str, ...]


def print_game(
    slug: str,
    players: int,
    out: Path,
    *,
    paper: str = "a4",
    faces: bool = False,
    seed: str | None = None,
    settings: Mapping[str, int] | None = None,
    join: str | None = None,
) -> PrintedGame:
    """Make a new game with a fresh id and key, and write its files into the folder `out`.

    `seed` decides the deal (default: a fresh one); `join` is the address for the labels' links. Raises PrintError,
    or EditionError for an unknown edition, with the folder as it was.
    """
    edition = load_edition(slug)
    game = Game(
        game=new_game_id(),
        edition=edition.slug,
        key=new_key(),
        kinds=tuple(kind.slug for kind in edition.kinds),
        players=players,
        seed=seed or secrets.token_hex(8),
        settings={setting.name: setting.default for setting in edition.settings} | dict(settings or {}),
    )
    if not 1 <= players <= MOST_PLAYERS:
        raise PrintError(f"{players} players: print for 1 to {MOST_PLAYERS}")
    run = PrintRun(game, edition.title, edition_faces(edition), portions(edition), PAPERS[paper], join)
    taken = [name for name in (GAME_FILE, SHEETS, LABELS, CARDS, FACES) if (out / name).exists()]
    if taken:
        raise PrintError(f"{out} already holds {taken[0]}: name a new folder, so that no printed game loses its key")
    try:
        printed = _write(run, out, faces=faces)
    except (DealError, PaperError, TextError) as error:
        raise PrintError(str(error)) from error
    except OSError as error:
        raise PrintError(f"{error.filename or out}: {error.strerror}; nothing was printed") from error
    return PrintedGame(game, edition, printed, _notes(edition, players))


def edition_faces(edition: Edition) -> dict[str, Face]:
    """Return the face of every kind of card of an edition."""
    category = {deal.category: deal.name for deal in edition.deal}
    faces = {}
    for kind in edition.kinds:
        ink, symbol = _STYLE.get(kind.category, (kind.ink, kind.symbol))
        digits = kind.slug.rsplit("-", 1)[-1]
        rule = f"Rule {digits}" if digits.isdigit() else "Rule"
        label = {"rule": rule, "special": f"Extra special {digits}"}.get(kind.category, kind.name)
        if kind.category not in category:
            raise PrintError(f"{edition.slug}: no player gets cards of the category {kind.category}")
        faces[kind.slug] = Face(
            kind.slug, kind.category, kind.name, label, kind.text, ink, symbol, edition.title.upper()
        )
    return faces


def portions(edition: Edition) -> list[Portion]:
    """Return what each player of an edition starts with; PrintError for a deal that the printer does not know."""
    for deal in edition.deal:
        if deal.supply or deal.each_kind:
            raise PrintError(
                f"{edition.slug} cannot be printed yet: its {deal.category} cards are shared out in whole sets"
            )
    return [
        Portion(tuple(k.slug for k in edition.kinds if k.category == deal.category), deal.each, deal.different)
        for deal in edition.deal
    ]


def _write(run: PrintRun, out: Path, *, faces: bool) -> Printed:
    """Write all files beside their place first, so that a failure leaves nothing half written."""
    out.parent.mkdir(parents=True, exist_ok=True)
    partial = Path(tempfile.mkdtemp(prefix=f".{out.name}-", suffix=".partial", dir=out.parent))
    try:
        printed = write_run(run, partial, faces=faces)
        save_game(run.game, partial)
        out.mkdir(exist_ok=True)
        # The key first: whatever happens now, no printed card is left without it.
        for name in (GAME_FILE, SHEETS, LABELS, CARDS, FACES):
            if (partial / name).exists():
                (partial / name).replace(out / name)
    finally:
        shutil.rmtree(partial, ignore_errors=True)
    return printed


def _notes(edition: Edition, players: int) -> tuple[str, ...]:
    """Return what the organiser should know about a game of this size."""
    if edition.players_min <= players <= edition.players_max:
        return ()
    size = f"{edition.players_min} to {edition.players_max} players"
    return (f"{edition.title} is made for {size}; with {players}, some rules may have few cards, or very many.",)
