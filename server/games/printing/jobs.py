"""Print jobs that run in the background."""

from __future__ import annotations

import hashlib
from dataclasses import asdict
from datetime import timedelta
from typing import TYPE_CHECKING, Any

from cardgen.pages.paper import PaperError
from cardgen.print_run import DOCUMENT, PARTS, SHEETS, write_bundle, write_document, write_part
from cardgen.print_service import Product, write_archive
from server.db.models import PrintJob
from server.games.errors import DomainError, not_found
from server.games.lifecycle.repository import load_game
from server.games.printing.files import FILES_WITHOUT_CARDS, print_error, run_plan
from server.games.printing.runs import run_row
from server.printing.job_runner import PrintQueueFullError, PrintState
from server.printing.options import DEFAULT_OPTIONS, PrintOptions
from server.workers.process_pool import WorkerProcessError

if TYPE_CHECKING:
    from collections.abc import Callable

    from cardgen.print_run import PrintPlan
    from server.games.context import AppContext
    from server.printing.job_runner import Work
    from server.storage.base import OpenedFile

SERVICE_ARCHIVE = "cards.zip"
"""Archive of a run's cards for a print shop."""
ARCHIVE = "all.zip"
"""Archive of all files of a run."""
JOB_FILES = (*(name for name in PARTS if name not in FILES_WITHOUT_CARDS), DOCUMENT, ARCHIVE, SERVICE_ARCHIVE)
"""Files that a job can make."""
ORPHAN_AGE = timedelta(hours=1)
"""Age at which a file without a job is deleted."""
_ZIP = "application/zip"
_ARCHIVES = (ARCHIVE, SERVICE_ARCHIVE)
_SEVERAL = (DOCUMENT, *_ARCHIVES)
"""Files that contain several of a run's files."""


def start_print(
    context: AppContext,
    game: str,
    run_number: int,
    name: str,
    *,
    product: Product,
    options: PrintOptions = DEFAULT_OPTIONS,
    server_url: str | None = None,
) -> PrintJob:
    """Start a job for a file of a run, one of JOB_FILES; `product` is the format of cards for a print shop.

    If the same file is already being made, or still kept, returns that job. Raises DomainError `not-found`,
    `cannot-print`, `wrong-address` or `busy`.
    """
    if name not in JOB_FILES:
        raise not_found("file of a print run")
    part = SHEETS if name in _SEVERAL else name
    with context.database.reading() as session:
        row = load_game(session, game)
        found = run_plan(session, row, run_row(session, row, run_number), part, options=options, server_url=server_url)
    try:
        _, wanted = _work(found, name, product)
        media = _ZIP if name in _ARCHIVES else PARTS[SHEETS if name == DOCUMENT else name].media
        digest = hashlib.sha256(repr((run_number, wanted)).encode()).hexdigest()
        request = {
            "run": run_number,
            "name": name,
            "product": asdict(product),
            # The name in stored requests.
            "choices": asdict(options),
            "join": server_url,
        }
        job = PrintJob(
            game=row.id,
            name=f"{row.id}-{run_number}-{name}",
            media=media,
            digest=digest,
            request=request,
            created=context.clock(),
        )
        return context.print_runner.start(job, _planner(context))
    except PaperError as error:
        raise print_error(error) from None
    except PrintQueueFullError as error:
        raise DomainError("busy", str(error), retry=30) from None


def print_jobs_of_game(context: AppContext, game: str) -> list[PrintJob]:
    """Return a game's print jobs, newest first. Raises DomainError `not-found`."""
    return context.print_runner.of_game(_game_id(context, game))


def print_job(context: AppContext, game: str, job: str) -> PrintJob:
    """Return a print job of a game. Raises DomainError `not-found`, also for an expired one."""
    found = context.print_runner.find(_game_id(context, game), job)
    if found is None:
        raise DomainError("not-found", "This print no longer exists: prints are kept for half an hour.")
    return found


def printed_file(context: AppContext, game: str, job: str) -> tuple[PrintJob, OpenedFile]:
    """Return a finished print job and its file. Raises DomainError `not-found` or `not-done`."""
    found = print_job(context, game, job)
    if found.state != PrintState.DONE:
        raise DomainError("not-done", found.problem or "This print is not finished yet. Try again in a moment.")
    file = context.print_runner.open(found)
    if file is None:
        raise not_found("print")
    return found, file


def cancel_print(context: AppContext, game: str, job: str) -> None:
    """Cancel a print job, or delete its file. Raises DomainError `not-found`."""
    context.print_runner.cancel(print_job(context, game, job))


def resume_print_jobs(context: AppContext) -> None:
    """Resume unclaimed jobs and delete expired files."""
    context.print_runner.resume(_planner(context))


def sweep_prints(context: AppContext) -> int:
    """Delete files without a job; return their number."""
    return context.print_runner.sweep(context.clock() - ORPHAN_AGE)


def _planner(context: AppContext) -> Callable[[PrintJob], Work]:
    """Return a function that returns the work of a job from its request."""

    def plan(job: PrintJob) -> Work:
        request = job.request
        part = SHEETS if request["name"] in _SEVERAL else request["name"]
        chosen: dict[str, Any] = {
            name: tuple(value) if isinstance(value, list) else value for name, value in request["choices"].items()
        }
        try:
            with context.database.reading() as session:
                row = load_game(session, job.game)
                run = run_row(session, row, request["run"])
                found = run_plan(session, row, run, part, options=PrintOptions(**chosen), server_url=request["join"])
        except DomainError as error:
            # The game has changed since the request.
            raise WorkerProcessError(str(error)) from None
        return _work(found, request["name"], Product(**request["product"]))

    return plan


def _work(found: PrintPlan, name: str, product: Product) -> Work:
    if name == ARCHIVE:
        return write_bundle, (found,)
    if name == DOCUMENT:
        return write_document, (found,)
    if name != SERVICE_ARCHIVE:
        return write_part, (found, name)
    product.check()
    return write_archive, (found, product)


def _game_id(context: AppContext, game: str) -> str:
    with context.database.reading() as session:
        return load_game(session, game).id
