"""Reading and writing `game.json`, the file that is needed to read a game's cards. It contains the secret key."""

from __future__ import annotations

import json
import os
from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError

from cardgen.cards import Geometry, PrintedGame
from cardgen.payload import ALPHABET, GAME_LENGTH, MAX_NUMBER
from server.operating_system import replace_file

if TYPE_CHECKING:
    from pathlib import Path

GAME_FILE = "game.json"
MAX_BYTES = 1_000_000
"""Maximum size. Game files have a few kilobytes."""

MAX_LABEL = (MAX_NUMBER + 1) ** 2 - 1
"""The highest envelope number that a label's code can carry."""

Length = Annotated[float, Field(gt=0, le=1000)]


class GameFileError(Exception):
    """A game file cannot be used; the message contains its name and the reason."""


def _all_different(kinds: list[str]) -> list[str]:
    # The position of a kind is its number in the codes.
    if len(set(kinds)) < len(kinds):
        raise ValueError("a kind is listed twice")
    return kinds


class _Card(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)

    width: Length
    height: Length
    inset: Annotated[float, Field(ge=0, le=1000)]
    module: Length
    modules: Literal[21]
    quiet: Annotated[int, Field(ge=0, le=10)]


class _GameFile(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)

    format: Literal[1]
    game: Annotated[str, Field(pattern=f"^[{ALPHABET}]{{{GAME_LENGTH}}}$")]
    edition: Annotated[str, Field(min_length=1, max_length=100)]
    settings: dict[str, int | str]
    key: Annotated[str, Field(pattern="^[0-9a-f]{64}$")]
    players: Annotated[int, Field(ge=1, le=MAX_LABEL)]
    seed: Annotated[str, Field(min_length=1, max_length=200)]
    kinds: Annotated[list[str], Field(min_length=1, max_length=MAX_NUMBER + 1), AfterValidator(_all_different)]
    card: _Card


def read_game_file(path: Path) -> PrintedGame:
    """Read a game from its `game.json`, or from the folder that holds one; GameFileError if that fails."""
    file = path / GAME_FILE if path.is_dir() else path
    try:
        with file.open("rb") as stream:
            # Limited, since devices and growing files do not report their size.
            content = stream.read(MAX_BYTES + 1)
        if len(content) > MAX_BYTES:
            raise GameFileError(f"{file}: this is not a game file; name the {GAME_FILE} that haggle print wrote")
        data = _GameFile.model_validate_json(content)
    except OSError as error:
        raise GameFileError(f"{file}: {error.strerror}; name the {GAME_FILE} that haggle print wrote") from error
    except ValidationError as error:
        raise GameFileError(f"{file}: this is not a game file that haggle print wrote: {_first(error)}") from error
    return PrintedGame(
        game=data.game,
        edition=data.edition,
        key=bytes.fromhex(data.key),
        kinds=tuple(data.kinds),
        players=data.players,
        seed=data.seed,
        settings=data.settings,
        geometry=Geometry(**data.card.model_dump()),
    )


def check_game(game: PrintedGame) -> None:
    """Raise GameFileError, with the field, for a game that could be saved but not loaded again."""
    try:
        _GameFile.model_validate(_form(game))
    except ValidationError as error:
        raise GameFileError(_first(error)) from error


def save_game(game: PrintedGame, folder: Path) -> Path:
    """Write a game's `game.json` into a folder atomically, readable only by its owner.

    Raises GameFileError for a game that could not be loaded again.
    """
    check_game(game)
    file = folder / GAME_FILE
    partial = folder / f"{GAME_FILE}.partial"
    # Created with these permissions, so that others can never read the key.
    descriptor = os.open(partial, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(descriptor, "w", encoding="utf-8") as out:
        json.dump(_form(game), out, indent=2, ensure_ascii=False)
        out.write("\n")
    replace_file(partial, file)
    return file


def _form(game: PrintedGame) -> dict[str, object]:
    """Return a game as the content of its file."""
    return {
        "format": 1,
        "game": game.game,
        "edition": game.edition,
        "settings": dict(game.settings),
        "key": game.key.hex(),
        "players": game.players,
        "seed": game.seed,
        "kinds": list(game.kinds),
        "card": asdict(game.geometry),
    }


def _first(error: ValidationError) -> str:
    """Return the place and the message of the first error."""
    first = error.errors()[0]
    place = ".".join(str(part) for part in first["loc"]) or "the file"
    return f"{place}: {first['msg']}"
