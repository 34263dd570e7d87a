"""Figures of a house for Prometheus, read from its rows: the same whichever process is asked."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sqlalchemy import func, select

from server.jobs.queue import PhotoState
from server.observe.metrics import Figures, Gauge, build, by
from server.play.scanners import scanning_places
from server.play.states import State
from server.store.tables import Game, Photo

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from sqlalchemy import Engine

    from server.jobs.scanning import ScanPool
    from server.play.house import House


def figures_of(house: House, pool: ScanPool | None = None) -> Figures:
    """Return the figures of a process that has a house open, and scans with a pool of processes if it has one."""
    figures = Figures()
    engine = house.database.engine
    figures.ask(lambda: build(engine.dialect.name))
    figures.ask(lambda: _connections(engine))
    figures.ask(lambda: _rows(house))
    if pool:
        figures.ask(lambda: _scanners(pool))
    return figures


def _rows(house: House) -> Iterator[Gauge]:
    """Yield what the rows tell: three counts, each by an index, and two short looks."""
    with house.database.reading() as session:
        photos = _counted(session.execute(select(Photo.state, func.count()).group_by(Photo.state)))
        games = _counted(session.execute(select(Game.state, func.count()).group_by(Game.state)))
        places = scanning_places(session, house.time(session))
        oldest = session.scalar(select(func.min(Photo.created)).where(Photo.state == PhotoState.WAITING))
    age = max(0.0, (house.clock() - oldest).total_seconds()) if oldest else 0.0
    yield Gauge("haggle_photos", "Pictures, by state.", **by("state", dict.fromkeys(PhotoState, 0.0) | photos))
    yield Gauge("haggle_games", "Games, by state.", **by("state", dict.fromkeys(State, 0.0) | games))
    yield Gauge(
        "haggle_scanners_everywhere", "Pictures that all processes together read side by side.", {(): float(places)}
    )
    yield Gauge("haggle_oldest_waiting_seconds", "How long the picture that came first has waited.", {(): age})


def _counted(rows: Any) -> dict[str, float]:  # noqa: ANN401 - rows of a word and a number
    return {str(word): float(number) for word, number in rows}


def _connections(engine: Engine) -> Iterator[Gauge]:
    """Yield how many connections to the database this process has."""
    # Not every kind of pool counts.
    counters: dict[str, Callable[[], int] | None] = {
        "in-use": getattr(engine.pool, "checkedout", None),
        "idle": getattr(engine.pool, "checkedin", None),
    }
    values = {state: float(count()) for state, count in counters.items() if count}
    yield Gauge("haggle_database_connections", "Connections to the database, by state.", **by("state", values))


def _scanners(pool: ScanPool) -> Iterator[Gauge]:
    yield Gauge("haggle_scanners", "Photographs that are scanned side by side.", {(): float(pool.size)})
