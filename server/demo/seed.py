"""Seeds a demo: a game that is being played, a published one, and organisers' photographs of envelopes.

The photographs in `photos` are made by `devtools.demo_photos`.
"""

from __future__ import annotations

import hashlib
import secrets
import shutil
import tempfile
from collections import defaultdict
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING

from sqlalchemy import delete

from cardgen.cards import PrintedGame
from cardgen.deal import shuffled
from server.db.models import Envelope, Photo, ReviewDecision
from server.editions import load_edition
from server.games.audit import SERVER, Actor
from server.games.lifecycle.commands import change_state
from server.games.lifecycle.envelopes import change_player
from server.games.lifecycle.repository import PlayerIdentity, load_game
from server.games.lifecycle.settings import FULL
from server.games.lifecycle.states import Act
from server.games.photos.scan_queue import PhotoSource
from server.games.photos.upload import PhotoTarget, accept, store_file
from server.games.printing.import_printed import import_printed_game
from server.games.results.versions import CountRequest, freeze, publish
from server.games.server_config import reset_password
from server.printing.contents import dealt_cards
from server.printing.game_file import save_game

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

    from sqlalchemy.orm import Session

    from cardgen.cards import CardId
    from server.db.models import Game
    from server.games.context import AppContext

EDITION, PLAYERS = "eurocg-2026", 12
PLAYING, PLAYED = "DEM1", "DEM2"
"""The ids of the game that is being played and of the published one."""
ORGANISER = "Demo"
"""The organiser's name in the audit log."""
NAMED = 8
"""Envelopes of the game that is being played whose players have joined. The others are free for visitors."""
TITLES: Mapping[str, tuple[str, str]] = {
    "en": ("The Friday night trade", "Last Friday"),
    "de": ("Tauschabend am Freitag", "Letzten Freitag"),
    "fr": ("Le troc du vendredi", "Vendredi dernier"),
}
"""The names of both games, by language."""
MARK = "demo.json"
"""The file that marks a data folder as a demo's. No other folder is ever used as one."""
SPECIAL = "special"
"""Stands in a recipe for any extra special: which of them are dealt is random."""
NAMES = (
    "Ada Lovelace",
    "Blaise Pascal",
    "Émilie du Châtelet",
    "Carl Friedrich Gauß",
    "Hypatia",
    "Leonhard Euler",
    "Sofja Kowalewskaja",
    "Pierre de Fermat",
    "Emmy Noether",
    "Srinivasa Ramanujan",
    "Maria Agnesi",
)
"""The players, from envelope 1 on. The last envelope is nobody's."""
RECIPES: tuple[Mapping[str, int], ...] = (
    {"red": 4, "blue": 1, "rule-7": 1},
    {"red": 5, "green": 7, "blue": 2, "rule-2": 1, "rule-11": 1, "rule-23": 1, SPECIAL: 1},
    {"red": 3, "blue": 3, "pink": 2, **{f"rule-{n}": 1 for n in (4, 5, 6, 8, 9, 10)}, SPECIAL: 2},
    {"orange": 7, "green": 6, "blue": 4, "rule-3": 1, "rule-20": 1, SPECIAL: 1},
    {"red": 3, "blue": 2, "green": 3, "orange": 1, "yellow": 4, "pink": 1, "rule-12": 1, "rule-18": 1},
    {"yellow": 4, "pink": 3, "green": 3, "rule-1": 1, SPECIAL: 1},
    {"blue": 4, "yellow": 5, "pink": 2, "rule-13": 1, "rule-15": 1},
    {"orange": 5, "yellow": 4, "pink": 3, "rule-16": 1, "rule-21": 1, SPECIAL: 1},
    {"red": 4, "pink": 5, "orange": 2, "rule-17": 1},
    {"blue": 3, "orange": 4, "yellow": 3, "rule-14": 1, "rule-22": 1, SPECIAL: 1},
    {"pink": 3, "orange": 1, "red": 1, "green": 1, "rule-19": 1},
)
"""The cards of each kind in the players' hands. Their sum must not exceed the cards dealt to twelve players."""
HANDED_IN = (1, 2, 3, 4, 6)
"""Envelopes of the game that is being played whose players have handed in."""

# Until the game that is being played closes by itself.
_TIME_LEFT = timedelta(hours=3)
_MARKED = b'{"format": 2}'

# The mark while a demo is being made. One that was interrupted is made again from the beginning.
_UNFINISHED = b'{"format": 2, "finished": false}'

_DEMO = Actor("organiser", ORGANISER)
_PHOTOS = Path(__file__).with_name("photos")


class DemoError(Exception):
    """The demo cannot be made, or its folder cannot be used; the message says why in one line."""


@dataclass(frozen=True)
class DemoPhoto:
    """A photograph of a deck in a `game` of the demo: its `name`, and whose `deck` it shows.

    `label` is the envelope whose label lies beside the cards. `without` counts cards of the deck that are left out,
    `guest` is a player of whose deck one card is added, and with `stray` one card of the other game is.
    """

    name: str
    deck: int
    label: int | None = None
    without: int = 0
    guest: int | None = None
    stray: bool = False
    game: str = PLAYING

    @property
    def file(self) -> Path:
        """The photograph's file."""
        return _PHOTOS / f"{self.name}.webp"

    @property
    def preview(self) -> Path:
        """The file of a smaller copy, which only SAMPLES have."""
        return _PHOTOS / f"{self.name}-small.webp"

    def cards(self) -> list[CardId]:
        """Return the cards of the game that the photograph shows."""
        decks = decks_of(game_of(self.game))
        deck = decks[self.deck - 1]
        guests = [] if self.guest is None else decks[self.guest - 1][:1]
        return [*deck[: len(deck) - self.without], *guests]


SAMPLES = (
    DemoPhoto("many-colours", 8),
    DemoPhoto("pink-and-red", 9),
    DemoPhoto("dropped", 10),
    DemoPhoto("a-bit-dark", 7),
)
"""Decks that nobody has handed in, without a label: for visitors to have scored."""
ORGANISERS = (
    DemoPhoto("envelope-1", 1, label=1),
    DemoPhoto("envelope-2", 2, label=2, without=1),
    DemoPhoto("envelope-3", 3),
    DemoPhoto("envelope-4", 4, label=4, guest=1),
    DemoPhoto("envelope-5", 5, label=5, stray=True),
)
"""The photographs that organisers have taken: one card fewer than was claimed, no label, a card that is in another
envelope too, and a card of another game."""
PODIUM = tuple(DemoPhoto(f"published-{number}", number, label=number, game=PLAYED) for number in (8, 10, 2))
"""The photographs of the best three decks of the published game, of the winner's first."""
PHOTOS = (*SAMPLES, *ORGANISERS, *PODIUM)


def game_of(name: str) -> PrintedGame:
    """Return one of the demo's games as printer and scanner know it.

    Key and deal are fixed, as the cards in the photographs are. Nothing in a demo is secret.
    """
    edition = load_edition(EDITION)
    return PrintedGame(
        game=name,
        edition=EDITION,
        key=hashlib.sha256(f"haggle demo {name}".encode()).digest(),
        kinds=tuple(kind.slug for kind in edition.kinds),
        players=PLAYERS,
        seed=f"demo {name}",
        settings={setting.name: setting.default for setting in edition.settings},
    )


def decks_of(game: PrintedGame) -> list[list[CardId]]:
    """Return each player's deck, in random order: cards that the game has, none of them in two decks.

    Where fewer of a kind were dealt than a recipe says, the deck has those.
    """
    left: dict[str, list[CardId]] = defaultdict(list)
    for card in dealt_cards(game):
        left[SPECIAL if card.kind.startswith(f"{SPECIAL}-") else card.kind].append(card)
    decks = []
    for number, recipe in enumerate(RECIPES, start=1):
        deck = [left[kind].pop() for kind, count in recipe.items() for _ in range(min(count, len(left[kind])))]
        decks.append(shuffled(deck, game.seed, f"deck {number}", lambda card: card.name))
    return decks


def check_folder(data: Path) -> None:
    """Raise DemoError for a folder that holds other things than a demo."""
    mark = data / MARK
    try:
        others = data.is_file() or (data.is_dir() and not mark.exists() and any(data.iterdir()))
        found = mark.read_bytes().strip() if mark.exists() else _MARKED
    except OSError as error:
        raise DemoError(f"{data}: {error.strerror}") from None
    if others:
        raise DemoError(f"{data} holds other files than a demo: name a new or empty folder for it")
    if found not in {_MARKED, _UNFINISHED}:
        raise DemoError(f"{mark} is damaged or of another version: name a new or empty folder")


def begin_folder(data: Path) -> None:
    """Mark a folder that `check_folder` lets pass as a demo's, before anything else is written there.

    What an interrupted start has left is deleted; a finished demo stays as it is.
    """
    mark = data / MARK
    if _finished(mark):
        return
    data.mkdir(mode=0o700, parents=True, exist_ok=True)
    for entry in data.iterdir():
        if entry == mark:
            continue
        if entry.is_dir() and not entry.is_symlink():
            shutil.rmtree(entry)
        else:
            entry.unlink()
    mark.write_bytes(_UNFINISHED)


def make_demo(context: AppContext, data: Path, language: str, server_url: str) -> None:
    """Make the games in a demo's data folder, unless they are there. The labels have links to `server_url`.

    The password is random, and nobody knows it.
    """
    if _finished(data / MARK):
        return
    reset_password(context, secrets.token_urlsafe(32), SERVER)
    at = context.clock()
    titles = TITLES[language]
    with context.database.writing() as session:
        now = _opened(session, PLAYING, titles[0], language, at - timedelta(hours=1), server_url)
        now.deadline = (at + _TIME_LEFT).replace(minute=0, second=0, microsecond=0)
        for number in range(1, NAMED + 1):
            _join(session, now, number, at - timedelta(minutes=50))
        for number in HANDED_IN:
            _hand_in(session, now, number, at - timedelta(minutes=3 * number))
        then = at - timedelta(days=7)
        before = _opened(session, PLAYED, titles[1], language, then, server_url)
        for number in range(1, PLAYERS):
            _join(session, before, number, then)
            _hand_in(session, before, number, then + timedelta(hours=2, minutes=5 * number))
            _rule(session, before, f"unseen:{number}", "trust", then)
        _rule(session, before, f"missing:{PLAYERS}", "absent", then)
        change_state(session, before, Act.CLOSE, _DEMO, then + timedelta(hours=3))
    freeze(context, PLAYED, _DEMO, CountRequest())
    with context.database.writing() as session:
        publish(session, load_game(session, PLAYED), None, _DEMO, context.clock())
    _upload_photos(context)
    (data / MARK).write_bytes(_MARKED)


def _upload_photos(context: AppContext) -> None:
    """Upload the organisers' photographs of both games."""
    for place, photo in enumerate(ORGANISERS, start=1):
        target = PhotoTarget(PLAYING, batch="demo", place=place, name=photo.file.name)
        accept(context, target, photo.file.read_bytes(), _DEMO)
    for place, photo in enumerate(PODIUM, start=1):
        _upload_counted(context, photo, place)


def _upload_counted(context: AppContext, photo: DemoPhoto, place: int) -> None:
    """Upload a photograph of the published game as if it had been scanned before the count. The deck is the same."""
    with store_file(context, PLAYED, photo.file.read_bytes()) as stored, context.database.writing() as session:
        at = (load_game(session, PLAYED).closed or context.clock()) - timedelta(minutes=1)
        session.add(
            Photo(
                id=stored.id,
                game=PLAYED,
                source=PhotoSource.ORGANISER,
                batch="demo",
                place=place,
                name=photo.file.name,
                digest=stored.digest,
                size=stored.size,
                created=at,
            )
        )
        session.execute(
            delete(ReviewDecision).where(ReviewDecision.game == PLAYED, ReviewDecision.item == f"unseen:{photo.deck}")
        )
        stored.inserted = True


def _finished(mark: Path) -> bool:
    return mark.exists() and mark.read_bytes().strip() == _MARKED


def _opened(session: Session, name: str, title: str, language: str, at: datetime, server_url: str) -> Game:
    """Import a printed game and open it, with every line of the provisional score for its players."""
    with tempfile.TemporaryDirectory() as folder:
        save_game(game_of(name), Path(folder))
        game = import_printed_game(session, Path(folder), SERVER, at, name=title, server_url=server_url)
    game.language, game.mode = language, FULL
    game.confirmed = list(game.settings)
    change_state(session, game, Act.OPEN, _DEMO, at)
    return game


def _join(session: Session, game: Game, number: int, at: datetime) -> None:
    player = Actor("player", f"envelope {number}")
    change_player(session, PlayerIdentity(game.id, number), player, at, name=NAMES[number - 1])


def _hand_in(session: Session, game: Game, number: int, at: datetime) -> None:
    """Let a player hand in the own deck by phone."""
    seat = session.get_one(Envelope, (game.id, number))
    seat.submitted_at = at
    seat.submitted_cards = sorted(card.name for card in decks_of(game_of(game.id))[number - 1])


def _rule(session: Session, game: Game, item: str, decision: str, at: datetime) -> None:
    session.add(
        ReviewDecision(game=game.id, item=item, decision={"do": decision}, reason="Demo", who=_DEMO.name, at=at)
    )
