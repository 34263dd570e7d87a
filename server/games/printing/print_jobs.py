"""Prints that take long: made beside the server, looked after, fetched, and gone with their game."""

from __future__ import annotations

import hashlib
from dataclasses import asdict
from datetime import timedelta
from typing import TYPE_CHECKING, Any

from cardgen.pages.paper import PaperError
from cardgen.print_run import PARTS, SHEETS
from cardgen.print_service import Product
from server.games.errors import DomainError, not_found
from server.games.lifecycle.repository import load_game
from server.games.printing.print_files import OF_GAME, cannot_print, plan_of
from server.games.printing.print_runs import run_row
from server.printing.options import DEFAULT_OPTIONS, PrintOptions
from server.printing.print_runner import PrintQueueFullError, new_job
from server.printing.render import bundle_into, draw_into, pack_into
from server.workers.process_pool import WorkerProcessError

if TYPE_CHECKING:
    from collections.abc import Callable

    from cardgen.print_run import PrintPlan
    from server.db.models import PrintJob
    from server.games.context import AppContext
    from server.printing.print_runner import Work
    from server.storage.base import Opened

SERVICE = "cards.zip"
"""The cards of a run for a print service."""
ALL = "all.zip"
"""All that is printed of a run."""
MADE = (*(name for name in PARTS if name not in OF_GAME), ALL, SERVICE)
"""What can be made of a run."""
ORPHANS = timedelta(hours=1)
"""Age from which on a file that no print knows is deleted."""
_ZIP = "application/zip"
_ZIPS = (ALL, SERVICE)


def start_print(
    context: AppContext,
    game: str,
    number: int,
    name: str,
    *,
    product: Product,
    choices: PrintOptions = DEFAULT_OPTIONS,
    join: str | None = None,
) -> PrintJob:
    """Have a file of a run made, one of MADE; `product` is how a print service wants its cards.

    What is being made so already, or still kept, is not made again. Refusals as for the files of a run.
    """
    if name not in MADE:
        raise not_found("file of a print run")
    part = SHEETS if name in _ZIPS else name
    with context.database.reading() as session:
        row = load_game(session, game)
        found = plan_of(session, row, run_row(session, row, number), part, choices=choices, join=join)
    try:
        _, wanted = _work(found, name, product)
        media = _ZIP if name in _ZIPS else PARTS[name].media
        what = hashlib.sha256(repr((number, wanted)).encode()).hexdigest()
        asked = {"run": number, "name": name, "product": asdict(product), "choices": asdict(choices), "join": join}
        job = new_job(row.id, f"{row.id}-{number}-{name}", media, what, asked, context.clock())
        return context.print_runner.start(job, _planner(context))
    except PaperError as error:
        raise cannot_print(error) from None
    except PrintQueueFullError as error:
        raise DomainError("busy", str(error), retry=30) from None


def prints(context: AppContext, game: str) -> list[PrintJob]:
    """Return a game's prints, the newest first; Refusal `not-found`."""
    return context.print_runner.of_game(_known(context, game))


def print_job(context: AppContext, game: str, job: str) -> PrintJob:
    """Return one of a game's prints; Refusal `not-found`, also for one that is kept no longer."""
    found = context.print_runner.find(_known(context, game), job)
    if found is None:
        raise DomainError("not-found", "This print is not here any more: it is kept for half an hour.")
    return found


def printed_file(context: AppContext, game: str, job: str) -> tuple[PrintJob, Opened]:
    """Return a print that is done, and its file; Refusal `not-found` or `not-done`."""
    found = print_job(context, game, job)
    if found.state != "done":
        raise DomainError("not-done", found.problem or "This print is not done yet: ask for it again in a moment.")
    file = context.print_runner.opened(found)
    if file is None:
        raise not_found("print")
    return found, file


def cancel_print(context: AppContext, game: str, job: str) -> None:
    """End a print, or drop its file; Refusal `not-found`."""
    context.print_runner.cancel(print_job(context, game, job))


def look_after_prints(context: AppContext) -> None:
    """Make what waits and is made by nobody, and drop what was kept long enough."""
    context.print_runner.resume(_planner(context))


def sweep_prints(context: AppContext) -> int:
    """Delete files of prints that belong to nothing; return how many."""
    return context.print_runner.sweep(context.clock() - ORPHANS)


def _planner(context: AppContext) -> Callable[[PrintJob], Work]:
    """Return what says how a job is made, from what was asked for."""

    def plan(job: PrintJob) -> Work:
        asked = job.request
        part = SHEETS if asked["name"] in _ZIPS else asked["name"]
        chosen: dict[str, Any] = {
            name: tuple(value) if isinstance(value, list) else value for name, value in asked["choices"].items()
        }
        try:
            with context.database.reading() as session:
                row = load_game(session, job.game)
                run = run_row(session, row, asked["run"])
                found = plan_of(session, row, run, part, choices=PrintOptions(**chosen), join=asked["join"])
        except DomainError as refusal:
            # What it rests on has changed since it was asked for.
            raise WorkerProcessError(str(refusal)) from None
        return _work(found, asked["name"], Product(**asked["product"]))

    return plan


def _work(found: PrintPlan, name: str, product: Product) -> Work:
    if name == ALL:
        return bundle_into, (found,)
    if name != SERVICE:
        return draw_into, (found, name)
    product.check()
    return pack_into, (found, product)


def _known(context: AppContext, game: str) -> str:
    with context.database.reading() as session:
        return load_game(session, game).id
