"""Makes the demo's two games: one that is being played, and one whose results are published."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING

from cardgen.cards import Game as PrintedGame
from cardgen.payload import new_game_id, new_key, new_seed
from server.editions import load_edition
from server.play.adoption import adopt
from server.play.games import move
from server.play.house import SERVER, Actor, game_row
from server.play.joining import change_me
from server.play.states import Act
from server.play.tokens import Seat
from server.play.versions import Wish, freeze, publish
from server.store.games import GAME_FILE, GameFileError, load_game, save_game
from server.store.tables import Envelope, Ruling
from server.studio.demo.decks import EDITION, NAMES, PLAYERS, decks_of

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime
    from pathlib import Path

    from sqlalchemy.orm import Session

    from server.play.house import House
    from server.store.tables import Game

NAMED = 8
"""Envelopes of the game that is played whose players have joined. The others are for whoever tries the demo."""
TIME_LEFT = timedelta(hours=3)
"""Until the game that is played closes by itself."""
TITLES: Mapping[str, tuple[str, str]] = {
    "en": ("The Friday night trade", "Last Friday"),
    "de": ("Tauschabend am Freitag", "Letzten Freitag"),
    "fr": ("Le troc du vendredi", "Vendredi dernier"),
}
"""By language: the names of the game that is played and of the one that was."""
PLAYING, PLAYED = "playing", "played"
_BEFORE = timedelta(days=7)
_DEMO = Actor("organiser", "Demo")


@dataclass(frozen=True)
class Pair:
    """The demo's games, as printer and scanner know them. They hold the keys."""

    playing: PrintedGame
    played: PrintedGame


def printed_pair(folder: Path) -> Pair:
    """Return the demo's games as they are kept in a folder; those that are not there are begun."""
    return Pair(_printed(folder / PLAYING), _printed(folder / PLAYED))


def make_games(house: House, folder: Path, language: str, join: str) -> None:
    """Make both games from what `printed_pair` keeps; `join` is the server's address for the labels."""
    at = house.clock()
    titles = TITLES[language]
    played = printed_pair(folder).played
    with house.database.writing() as session:
        now = _opened(session, folder / PLAYING, titles[0], language, at - timedelta(hours=1), join)
        now.deadline = (at + TIME_LEFT).replace(minute=0, second=0, microsecond=0)
        for number, name in enumerate(NAMES[:NAMED], start=1):
            change_me(session, Seat(now.id, number), _player(number), at - timedelta(minutes=50), name=name)
        then = at - _BEFORE
        before = _opened(session, folder / PLAYED, titles[1], language, then, join)
        _hand_in(session, before, played, then)
        move(session, before, Act.CLOSE, _DEMO, then + timedelta(hours=3))
    freeze(house, played.game, _DEMO, Wish())
    with house.database.writing() as session:
        publish(session, game_row(session, played.game), None, _DEMO, house.clock())


def _printed(folder: Path) -> PrintedGame:
    """Return the game that a folder keeps, or one of a fresh id, key and seed that it keeps from now on."""
    edition = load_edition(EDITION)
    kinds = tuple(kind.slug for kind in edition.kinds)
    try:
        game = load_game(folder / GAME_FILE)
        if (game.edition, game.kinds, game.players) == (EDITION, kinds, PLAYERS):
            return game
    except GameFileError:
        # Not there, or damaged: the next one takes its place.
        pass
    game = PrintedGame(
        game=new_game_id(),
        edition=EDITION,
        key=new_key(),
        kinds=kinds,
        players=PLAYERS,
        seed=new_seed(),
        settings={setting.name: setting.default for setting in edition.settings},
    )
    folder.mkdir(parents=True, exist_ok=True)
    save_game(game, folder)
    return game


def _opened(session: Session, folder: Path, name: str, language: str, at: datetime, join: str) -> Game:
    """Take in a printed game and open it, with every line of the provisional score for its players."""
    game = adopt(session, folder, SERVER, at, name=name, join=join)
    game.language, game.mode = language, "full"
    game.confirmed = list(game.settings)
    move(session, game, Act.OPEN, _DEMO, at)
    return game


def _hand_in(session: Session, game: Game, printed: PrintedGame, at: datetime) -> None:
    """Let all players hand in their decks by phone, and nobody take pictures of the envelopes: the lists stand."""
    for number, (name, deck) in enumerate(zip(NAMES, decks_of(printed), strict=True), start=1):
        change_me(session, Seat(game.id, number), _player(number), at, name=name)
        seat = session.get_one(Envelope, (game.id, number))
        seat.claimed = at + timedelta(hours=2, minutes=5 * number)
        seat.claim = sorted(card.name for card in deck)
        _rule(session, game, f"unseen:{number}", "trust", at)
    _rule(session, game, f"missing:{PLAYERS}", "absent", at)


def _rule(session: Session, game: Game, item: str, decision: str, at: datetime) -> None:
    session.add(Ruling(game=game.id, item=item, decision={"do": decision}, reason="Demo", who=_DEMO.name, at=at))


def _player(number: int) -> Actor:
    return Actor("player", f"envelope {number}")
