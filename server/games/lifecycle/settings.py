"""The settings of a game: their valid values, and the acts that change them. Every change is audited."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any
from zoneinfo import ZoneInfo

from cardgen.cards import SIZES
from cardgen.deal import DealError, copies
from server.editions import load_edition
from server.games.audit import audit
from server.games.errors import DomainError
from server.games.events import publish_event
from server.games.lifecycle.repository import check_allowed, lock_game
from server.games.lifecycle.states import ALLOWED, Act, State
from server.games.uploaded_editions import resolved_edition
from server.printing.contents import MAX_PLAYERS, category_deals
from server.scoring import Scorer, ScoringError
from server.scoring.errors import EditionError
from server.scoring.request_validation import check_edition, check_names

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from sqlalchemy.orm import Session

    from server.db.models import Game
    from server.games.audit import Actor
    from server.scoring.edition import Edition, Setting

OFF, INVENTORY, KNOWN, TOTAL, FULL = MODES = ("off", "inventory", "known", "total", "full")
"""The modes of the provisional score."""
MAX_NAME_LENGTH = 200
BOUNDS = {"tries": (0, 100), "pause": (0, 7 * 24 * 3600), "keep_days": (0, 3650), "keep_hours": (0, 8760)}
"""Lowest and highest value of each number."""
MAX_TIME_TO_DEADLINE = timedelta(days=3660)
"""Longest time until a deadline."""

ACTS = {
    "edition": Act.EDIT_GAME,
    "players": Act.EDIT_GAME,
    "size": Act.EDIT_GAME,
    "active_rules": Act.EDIT_RULES,
    "settings": Act.EDIT_SETTINGS,
    "confirmed": Act.EDIT_SETTINGS,
    "deadline": Act.EDIT_PLAY,
    "timezone": Act.EDIT_PLAY,
    "mode": Act.EDIT_PLAY,
    "tries": Act.EDIT_PLAY,
    "pause": Act.EDIT_PLAY,
    "expect_dealt": Act.EDIT_PLAY,
    "name": Act.EDIT_NAMES,
    "language": Act.EDIT_NAMES,
    "keep_days": Act.EDIT_NAMES,
    "keep_hours": Act.EDIT_NAMES,
}
"""The act that changes each setting of a game."""

# Acts that are corrections once the game is counted.
_COUNTED = frozenset({Act.EDIT_RULES, Act.EDIT_SETTINGS})


def change_game(
    session: Session, game: Game, changes: Mapping[str, Any], actor: Actor, at: datetime, reason: str = ""
) -> list[str]:
    """Change settings of a game by name; return the names of those that have changed.

    Values that stay the same need no permission. `settings` has only those of the edition's settings that change; each
    has to be confirmed again. In a counted game, rules and settings may be corrected with a reason, for the next count.
    Raises DomainError `wrong-setting`, `wrong-state` or `no-reason`.
    """
    lock_game(session, game)
    files = game.edition_files
    if changes.get("edition", game.edition) != game.edition:
        name, files = resolved_edition(session, changes["edition"])
        changes = {**changes, "edition": name}
    wanted = _new_values(game, changes)
    before = {name: getattr(game, name) for name in wanted}
    different = [name for name in ACTS if name in wanted and wanted[name] != before[name]]
    for act in dict.fromkeys(ACTS[name] for name in different):
        if act in _COUNTED and State(game.state) in ALLOWED[Act.CORRECT]:
            if not reason.strip():
                raise DomainError("no-reason", "The game has been counted: say why this is being corrected.")
        else:
            check_allowed(game, act)
    if not different:
        return []
    for name in different:
        setattr(game, name, wanted[name])
    try:
        check_settings(game, at, deadline="deadline" in different)
    except DomainError:
        for name in different:
            setattr(game, name, before[name])
        raise
    if "edition" in different:
        game.kinds = [kind.slug for kind in _edition(game.edition).kinds]
        game.edition_files = files
    old, new = ({name: _plain(values[name]) for name in different} for values in (before, wanted))
    audit(session, actor, "change", game=game.id, at=at, reason=reason, before=old, after=new)
    publish_event(session, game.id, at, "game")
    return different


def check_settings(game: Game, at: datetime, *, deadline: bool = True) -> None:
    """Check and normalize a game's settings, optionally the `deadline`. Raises DomainError `wrong-setting`."""
    game.name = checked_name(game.name, "game's name", MAX_NAME_LENGTH)
    try:
        edition = load_edition(game.edition, game.language)
        for mistake in check_edition(edition, game.settings, None):
            raise _wrong("edition", f"{mistake.place}: {mistake.message}.")
        scorer = Scorer(edition, game.settings, game.active_rules)
    except (EditionError, ScoringError) as error:
        raise _wrong("edition", f"{error}.") from None
    game.settings = dict(scorer.settings)
    if game.active_rules is not None:
        if not game.active_rules:
            raise _wrong("no-rules", "Without any rule there is nothing to score: name the rules that count.")
        game.active_rules = [rule.key for rule in scorer.active]
    unknown = sorted(set(game.confirmed) - {setting.name for setting in edition.settings if setting.confirm})
    if unknown:
        raise _wrong("edition", f"{edition.slug} has no setting {unknown[0]!a:.60} to confirm.")
    game.confirmed = sorted(set(game.confirmed))
    _check_players(edition, game.players)
    if game.mode not in MODES:
        raise _wrong("mode", f"The mode must be one of {', '.join(MODES)}.")
    for name, (least, most) in BOUNDS.items():
        if not least <= getattr(game, name) <= most:
            raise _wrong("bounds", f"{name} is {least} to {most}.", name=name, least=least, most=most)
    zone_of(game.timezone)
    if deadline and game.deadline is not None:
        _check_deadline(game.deadline, at)


def check_size(name: str) -> str:
    """Return the name of a card size. Raises DomainError `wrong-setting` if it is unknown."""
    if name not in SIZES:
        raise _wrong("size", f"The card size must be one of {', '.join(SIZES)}.")
    return name


def unconfirmed(game: Game) -> list[Setting]:
    """Return the edition's settings that the organiser still has to confirm."""
    edition = load_edition(game.edition, game.language)
    return [setting for setting in edition.settings if setting.confirm and setting.name not in game.confirmed]


def notes_on(game: Game) -> list[str]:
    """Return notes on a game's settings for organisers; none of them is an error."""
    edition = load_edition(game.edition, game.language)
    notes = [
        f"{setting.label}: {game.settings[setting.name]}. {setting.text} Not confirmed yet."
        for setting in unconfirmed(game)
    ]
    if not edition.players_min <= game.players <= edition.players_max:
        size = f"{edition.players_min} to {edition.players_max} players"
        notes.append(f"{edition.title} is made for {size}, not for {game.players}.")
    return notes


def zone_of(name: str) -> ZoneInfo:
    """Return a time zone by its name. Raises DomainError `wrong-setting`."""
    try:
        return ZoneInfo(name)
    except (KeyError, ValueError, OSError):
        raise _wrong("timezone", "Give the time zone as Europe/Berlin or UTC.") from None


def local_time(text: str, timezone: str) -> datetime:
    """Parse a local time, with its own offset or else in `timezone`. Raises DomainError `wrong-setting`.

    A time that the clocks skip or show twice is ambiguous, and refused.
    """
    try:
        written = datetime.fromisoformat(text.strip())
    except ValueError:
        message = "Write the deadline as 2026-03-27 12:00, or with its zone as 2026-03-27T12:00+01:00."
        raise _wrong("deadline", message) from None
    if written.tzinfo is not None:
        return written
    zone = zone_of(timezone)
    early, late = written.replace(tzinfo=zone, fold=0), written.replace(tzinfo=zone, fold=1)
    if early.utcoffset() != late.utcoffset():
        message = f"In {timezone} the clocks change at {text}: write it with its zone, as 2026-03-27T12:00+01:00."
        raise _wrong("deadline", message)
    return early


def checked_name(name: str, what: str, longest: int) -> str:
    """Return a name without superfluous spaces. Raises DomainError `wrong-setting` for one that cannot be shown."""
    name = " ".join(name.split())
    for mistake in check_names([name]):
        raise _wrong("name", f"The {what} {mistake.message}.")
    if len(name) > longest:
        raise _wrong("long-name", f"The {what} has at most {longest} characters.", most=longest)
    return name


def _new_values(game: Game, changes: Mapping[str, Any]) -> dict[str, Any]:
    """Return the new values of all settings that the changes affect."""
    wanted = dict(changes)
    if "size" in wanted and wanted["size"] != game.size:
        check_size(wanted["size"])
    if "edition" in wanted and wanted["edition"] != game.edition:
        edition = _edition(wanted["edition"])
        # Settings and rules of the other edition do not apply.
        wanted = {"settings": {}, "active_rules": None, "confirmed": []} | wanted
        if wanted.get("language", game.language) not in edition.languages:
            wanted["language"] = edition.language
        wanted["settings"] = {setting.name: setting.default for setting in edition.settings} | wanted["settings"]
    elif "settings" in wanted:
        wanted["settings"] = dict(game.settings) | dict(wanted["settings"])
        moved = {name for name, value in wanted["settings"].items() if value != game.settings.get(name)}
        wanted.setdefault("confirmed", [name for name in game.confirmed if name not in moved])
    if wanted.get("active_rules") is not None:
        wanted["active_rules"] = _ordered(game, wanted)
    if wanted.get("confirmed") is not None:
        wanted["confirmed"] = sorted(set(wanted["confirmed"]))
    if isinstance(wanted.get("deadline"), datetime):
        wanted["deadline"] = _utc(wanted["deadline"])
    return wanted


def _ordered(game: Game, wanted: Mapping[str, Any]) -> list[str]:
    """Return rules in the order of the edition; unknown ones stay, and are refused later."""
    edition = _edition(wanted.get("edition", game.edition))
    given: Sequence[str] = list(dict.fromkeys(str(key) for key in wanted["active_rules"]))
    return sorted(given, key=lambda key: edition.rule_of[key].position if key in edition.rule_of else -1)


def _edition(slug: str) -> Edition:
    try:
        return load_edition(slug)
    except EditionError as error:
        raise _wrong("edition", f"{error}.") from None


def _check_players(edition: Edition, players: int) -> None:
    """Refuse more players than there can be cards for."""
    if not 1 <= players <= MAX_PLAYERS:
        raise _wrong("players", f"A game is for 1 to {MAX_PLAYERS} players.", most=MAX_PLAYERS)
    try:
        for category in category_deals(edition, players):
            copies(category, players, "")
            if category.different and category.each > len(category.kinds):
                raise _wrong("deal", f"{edition.slug} has too few kinds of cards for its own deal.")
    except DealError as error:
        raise _wrong("deal", f"{edition.slug}: {error}.") from None


def _check_deadline(deadline: datetime, at: datetime) -> None:
    if deadline.tzinfo is None:
        raise _wrong("deadline", "The deadline needs a time zone, as in 2026-03-27T12:00:00+01:00.")
    if deadline <= at:
        raise _wrong("passed", "The deadline has already passed: set a later one.")
    if deadline - at > MAX_TIME_TO_DEADLINE:
        raise _too_far_ahead()


def _utc(moment: datetime) -> datetime:
    if moment.tzinfo is None:
        return moment
    try:
        return moment.astimezone(UTC)
    except OverflowError:
        raise _too_far_ahead() from None


def _plain(value: Any) -> Any:  # noqa: ANN401 - any setting
    return value.isoformat() if isinstance(value, datetime) else value


def _too_far_ahead() -> DomainError:
    return _wrong(
        "far", f"The deadline can be at most {MAX_TIME_TO_DEADLINE.days} days ahead.", days=MAX_TIME_TO_DEADLINE.days
    )


def _wrong(why: str, message: str, **numbers: str | int) -> DomainError:
    """Return the error for a setting; pages translate `why` with its numbers."""
    return DomainError("wrong-setting", message, {"why": why, **numbers})
