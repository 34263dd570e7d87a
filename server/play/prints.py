"""Prints that take long: made beside the server, looked after, fetched, and gone with their game."""

from __future__ import annotations

import hashlib
from dataclasses import asdict
from datetime import timedelta
from typing import TYPE_CHECKING, Any

from cardgen.ondemand import Product
from cardgen.paper import PaperError
from cardgen.printing import PARTS, SHEETS
from server.jobs.apart import ApartError
from server.jobs.choices import USUAL, Choices
from server.jobs.drawing import bundle_into, draw_into, pack_into
from server.jobs.press import PressError, new_job
from server.play.house import game_row
from server.play.refusals import Refusal, not_found
from server.play.run_files import OF_GAME, cannot_print, plan_of
from server.play.runs import run_row

if TYPE_CHECKING:
    from collections.abc import Callable

    from cardgen.printing import PrintRun
    from server.jobs.press import Work
    from server.play.house import House
    from server.store.files import Opened
    from server.store.tables import PrintJob

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
    house: House,
    game: str,
    number: int,
    name: str,
    *,
    product: Product,
    choices: Choices = USUAL,
    join: str | None = None,
) -> PrintJob:
    """Have a file of a run made, one of MADE; `product` is how a print service wants its cards.

    What is being made so already, or still kept, is not made again. Refusals as for the files of a run.
    """
    if name not in MADE:
        raise not_found("file of a print run")
    part = SHEETS if name in _ZIPS else name
    with house.database.reading() as session:
        row = game_row(session, game)
        found = plan_of(session, row, run_row(session, row, number), part, choices=choices, join=join)
    try:
        _, wanted = _work(found, name, product)
        media = _ZIP if name in _ZIPS else PARTS[name].media
        what = hashlib.sha256(repr((number, wanted)).encode()).hexdigest()
        asked = {"run": number, "name": name, "product": asdict(product), "choices": asdict(choices), "join": join}
        job = new_job(row.id, f"{row.id}-{number}-{name}", media, what, asked, house.clock())
        return house.press.start(job, _planner(house))
    except PaperError as error:
        raise cannot_print(error) from None
    except PressError as error:
        raise Refusal("busy", str(error), retry=30) from None


def prints(house: House, game: str) -> list[PrintJob]:
    """Return a game's prints, the newest first; Refusal `not-found`."""
    return house.press.of_game(_known(house, game))


def print_job(house: House, game: str, job: str) -> PrintJob:
    """Return one of a game's prints; Refusal `not-found`, also for one that is kept no longer."""
    found = house.press.find(_known(house, game), job)
    if found is None:
        raise Refusal("not-found", "This print is not here any more: it is kept for half an hour.")
    return found


def printed_file(house: House, game: str, job: str) -> tuple[PrintJob, Opened]:
    """Return a print that is done, and its file; Refusal `not-found` or `not-done`."""
    found = print_job(house, game, job)
    if found.state != "done":
        raise Refusal("not-done", found.problem or "This print is not done yet: ask for it again in a moment.")
    file = house.press.opened(found)
    if file is None:
        raise not_found("print")
    return found, file


def cancel_print(house: House, game: str, job: str) -> None:
    """End a print, or drop its file; Refusal `not-found`."""
    house.press.cancel(print_job(house, game, job))


def look_after_prints(house: House) -> None:
    """Make what waits and is made by nobody, and drop what was kept long enough."""
    house.press.take_up(_planner(house))


def sweep_prints(house: House) -> int:
    """Delete files of prints that belong to nothing; return how many."""
    return house.press.sweep(house.clock() - ORPHANS)


def _planner(house: House) -> Callable[[PrintJob], Work]:
    """Return what says how a job is made, from what was asked for."""

    def plan(job: PrintJob) -> Work:
        asked = job.asked
        part = SHEETS if asked["name"] in _ZIPS else asked["name"]
        chosen: dict[str, Any] = {
            name: tuple(value) if isinstance(value, list) else value for name, value in asked["choices"].items()
        }
        try:
            with house.database.reading() as session:
                row = game_row(session, job.game)
                run = run_row(session, row, asked["run"])
                found = plan_of(session, row, run, part, choices=Choices(**chosen), join=asked["join"])
        except Refusal as refusal:
            # What it rests on has changed since it was asked for.
            raise ApartError(str(refusal)) from None
        return _work(found, asked["name"], Product(**asked["product"]))

    return plan


def _work(found: PrintRun, name: str, product: Product) -> Work:
    if name == ALL:
        return bundle_into, (found,)
    if name != SERVICE:
        return draw_into, (found, name)
    product.check()
    return pack_into, (found, product)


def _known(house: House, game: str) -> str:
    with house.database.reading() as session:
        return game_row(session, game).id
