"""Import of games that `haggle print` has printed without a server. Their cards and links then work here."""

from __future__ import annotations

import csv
from dataclasses import asdict
from typing import TYPE_CHECKING

from cardgen.cards import CardId
from cardgen.deal import DealError, deal
from cardgen.payload import card_text
from cardgen.print_run import CARDS
from server.editions import load_edition
from server.games.audit import audit
from server.games.errors import DomainError
from server.games.events import publish_event
from server.games.lifecycle.commands import GameDraft, game_row
from server.games.lifecycle.repository import game_exists
from server.games.lifecycle.settings import check_settings
from server.games.lifecycle.states import State
from server.games.printing.runs import insert_hands, new_run
from server.printing.contents import category_deals
from server.printing.game_file import GameFileError, read_game_file
from server.scoring.errors import EditionError

if TYPE_CHECKING:
    from datetime import datetime
    from pathlib import Path

    from sqlalchemy.orm import Session

    from cardgen.cards import PrintedGame
    from server.db.models import Game
    from server.games.audit import Actor
    from server.scoring.edition import Edition

# The list of a thousand players' cards has less than two million bytes.
_MAX_BYTES = 20_000_000


def import_printed_game(
    session: Session,
    folder: Path,
    actor: Actor,
    at: datetime,
    *,
    name: str | None = None,
    server_url: str | None = None,
) -> Game:
    """Import the game in a folder that `haggle print` wrote, with its id, key and cards, all in run 1.

    The cards are those of cards.csv, or dealt again in the same way if the list is missing. The game's state is
    `printed`. Raises DomainError `wrong-file`, `taken` if the game exists already, or as `create_game`.
    """
    try:
        printed = read_game_file(folder)
        edition = load_edition(printed.edition)
        folder = folder if folder.is_dir() else folder.parent
        hands = _listed(folder / CARDS, printed) if (folder / CARDS).exists() else _dealt(printed, edition)
    except (GameFileError, EditionError, DealError) as error:
        raise DomainError("wrong-file", f"{error}.") from None
    if printed.kinds != tuple(kind.slug for kind in edition.kinds):
        raise DomainError("wrong-file", f"The game was printed with other kinds of cards than {edition.slug} has now.")
    if game_exists(session, printed.game):
        raise DomainError("taken", f"Game {printed.game} is here already.")
    title = name or f"{edition.title}, game {printed.game}"
    game = game_row(GameDraft(name=title, edition=edition.slug, players=printed.players), edition, at)
    game.id, game.key, game.seed, game.state = printed.game, printed.key, printed.seed, State.PRINTED.value
    game.settings, game.geometry = dict(printed.settings), asdict(printed.geometry)
    check_settings(game, at)
    session.add(game)
    session.flush()
    run = new_run(session, game, at, server_url=server_url, number=1, first=1, envelopes=len(hands))
    run.seed, run.tries = printed.seed, 1
    insert_hands(session, game, run, hands)
    audit(session, actor, "adopt", game=game.id, at=at, after={"edition": game.edition, "players": game.players})
    publish_event(session, game.id, at, "game")
    return game


def _dealt(printed: PrintedGame, edition: Edition) -> list[list[CardId]]:
    return deal(category_deals(edition, printed.players), printed.players, printed.seed)


def _listed(file: Path, printed: PrintedGame) -> list[list[CardId]]:
    """Return the cards of each envelope in a card list. Raises DomainError `wrong-file`, with the line if known."""
    hands: list[list[CardId]] = [[] for _ in range(printed.players)]
    seen: set[CardId] = set()
    try:
        text = file.read_bytes()[: _MAX_BYTES + 1].decode()
        for line, row in enumerate(csv.DictReader(text.splitlines()), start=2):
            card, envelope = CardId(row["kind"], int(row["copy"])), int(row["envelope"])
            if row["payload"] != card_text(printed, card) or not 1 <= envelope <= printed.players or card in seen:
                raise DomainError("wrong-file", f"{file}, line {line}: this is not a card of game {printed.game}.")
            seen.add(card)
            hands[envelope - 1].append(card)
    except OSError as error:
        raise DomainError("wrong-file", f"{file}: {error.strerror}.") from None
    except (ValueError, KeyError, TypeError, csv.Error):
        raise DomainError("wrong-file", f"{file}: this is not a card list that haggle print wrote.") from None
    if not all(hands):
        raise DomainError("wrong-file", f"{file}: envelope {hands.index([]) + 1} has no cards.")
    return hands
