"""Puts together the application of a server that keeps games in a data folder."""

from __future__ import annotations

import errno
import hashlib
import logging
from dataclasses import dataclass
from typing import TYPE_CHECKING

from apiflask import APIFlask
from sqlalchemy import select
from werkzeug.middleware.proxy_fix import ProxyFix

from server.api.house import blueprints
from server.api.house.description import describe
from server.api.house.here import Here, problem_of
from server.api.house.limits import limit_calls
from server.api.house.uploads import FormRequest, admits
from server.api.problems import raise_early
from server.app.assets import WEB, Assets
from server.app.compression import compress_answers
from server.app.errors import handle_errors
from server.app.front import open_front
from server.app.headers import secure
from server.app.house_pages import house_pages
from server.app.installing import installing
from server.app.json_bodies import BoundedJSON
from server.app.observed import observe
from server.app.releases import Releases
from server.app.troubles import answer_troubles
from server.jobs.queue import LEASE
from server.play.house import House, now
from server.play.installation import installation, installation_of
from server.play.intake import no_place
from server.play.refusals import Refusal
from server.scoring.strict_json import MAX_BYTES as MAX_JSON_BYTES
from server.store.database import DATABASE, Database, take_turn
from server.store.files import PlaceError
from server.store.photos import FOLDER, RESERVE, PhotoStore
from server.store.tables import Installation

if TYPE_CHECKING:
    from pathlib import Path

    from flask import Response

VERSION = "1"
"""Version of the HTTP interface."""
BEGUN = "owner"
"""The file that says that an installation has begun to keep its files in a place."""
MOST_APART = 5
"""Seconds by which this machine's clock may differ from the database's."""
_log = logging.getLogger(__name__)


@dataclass(frozen=True)
class HouseConfig:
    """Where a server keeps its games, the limits of an upload, and what stands before it.

    `database`, `redis` and `photos` are the addresses of a PostgreSQL, a Redis and an S3 that several machines share;
    empty ones mean this machine's data folder, and that each server counts calls for itself (`server.app.settings`).

    `proxies` is the number of reverse proxies whose word on a caller's address and on https is taken: 0 for none, since
    anybody could claim to be one. `reserve` is how many bytes photographs leave free on the disk, `scan_workers` the
    number of scanning processes (None: one a core; 0: other processes scan), `scan_seconds` how long one scan may take,
    and `lease` after how many seconds a photograph is scanned by others if the process that had it in hand was killed.
    """

    folder: Path
    max_photo_bytes: int = 40_000_000
    proxies: int = 0
    reserve: int = RESERVE
    scan_workers: int | None = None
    scan_seconds: float = 25.0
    lease: float = LEASE
    database: str = ""
    redis: str = ""
    photos: str = ""


def open_house(config: HouseConfig) -> House:
    """Return the games of a data folder, made if it is not there, or of the engines that the configuration names.

    Raises DatabaseError, and PlaceError for an address of photographs that is none. A place for photographs that is
    away is no error: `house.photos.check` asks for that.
    """
    database = Database.at(config.database) if config.database else Database.in_folder(config.folder)
    # In a laptop's folder files lie beside their database. Elsewhere others may keep theirs too.
    own = installation_of(database, now()).folder if config.database or config.photos else ""
    if config.photos:
        photos = PhotoStore.at(config.photos, own)
    else:
        photos = PhotoStore.in_folder(config.folder, config.reserve, own)
    house = House(database, photos)
    _compare_clocks(house)
    return house


def _compare_clocks(house: House) -> None:
    """Log if this machine's clock differs from the database's, by which deadlines go."""
    apart = (now() - house.time()).total_seconds()
    if abs(apart) > MOST_APART:
        how = "ahead of" if apart > 0 else "behind"
        _log.warning("this machine's clock is %.0f s %s the database's: set it by NTP", abs(apart), how)


def open_checked(config: HouseConfig, *, begins: bool = True) -> House:
    """Return the games as `open_house` does, once it is sure that photographs can be kept and are ours; PlaceError.

    `begins`: a server may begin in a folder, where its database is elsewhere.
    """
    house = open_house(config)
    try:
        house.photos.check()
        if config.database or config.photos:
            _see_place(house, config, begins=begins or bool(config.photos))
    except BaseException:
        house.close()
        raise
    return house


def _see_place(house: House, config: HouseConfig, *, begins: bool) -> None:
    """See that the installation has begun to keep its files there; with `begins` it may begin, once. PlaceError."""
    files = house.photos.files
    place = config.photos or str(config.folder / FOLDER)

    def begun() -> bool:
        if config.photos:
            mark = files.get(BEGUN)
        else:
            # Not by the library beneath: this process may be forked later, and the library's threads would be gone.
            file = files.at_hand(BEGUN)
            mark = file.read_bytes() if file else None
        # An installation of an earlier version has no folder of its own, and its mark names it.
        here = installation(house)
        if mark and not here.folder and mark != hashlib.sha256(b"photographs of " + here.secret).hexdigest().encode():
            raise PlaceError(
                errno.EINVAL,
                f"{place} has the pictures of another server, whose database is another one: name another place with "
                f"--data or HAGGLE_PHOTOS_URL, or empty the file {BEGUN} there if all of it belongs to this one",
            )
        return mark is not None

    if begun():
        return
    if not config.photos and (config.folder / DATABASE).exists():
        raise PlaceError(
            errno.EINVAL,
            f"{config.folder} has games of its own in {DATABASE}: haggle backup them without HAGGLE_DATABASE_URL, and "
            "haggle restore them with it into a new folder, or name a new folder with --data",
        )
    with house.database.writing() as session:
        # Of servers that start at once, one after the other.
        take_turn(session, "place")
        row = session.scalars(select(Installation)).one()
        if begun():
            return
        if row.placed is not None or not begins:
            raise PlaceError(
                errno.EINVAL,
                f"{place} is not where the server of this database keeps its pictures: start haggle serve first, which "
                f"begins there, or name the right place with --data or HAGGLE_PHOTOS_URL. If its pictures are gone for "
                f"good, make an empty file {'/'.join(filter(None, (row.folder, BEGUN)))} there",
            )
        files.put(BEGUN, b"")
        row.placed = now()


def create_house_app(config: HouseConfig, house: House | None = None) -> APIFlask:
    """Return the application that serves a data folder's games."""
    house = house or open_house(config)
    app = APIFlask(
        __name__,
        title="Haggle",
        version=VERSION,
        spec_path="/api/v1/openapi.json",
        docs_path=None,
        json_errors=False,
        static_folder=None,  # type: ignore[arg-type]  # Flask takes None: our files are served by their hashes
        template_folder=str(WEB),
    )
    app.config.update(
        MAX_CONTENT_LENGTH=MAX_JSON_BYTES,
        AUTO_SERVERS=False,
        AUTO_VALIDATION_ERROR_RESPONSE=False,
        AUTO_404_RESPONSE=False,
    )
    app.request_class = FormRequest
    app.wsgi_app = admits(app)  # type: ignore[assignment,method-assign]  # as Flask says to do
    app.before_request(raise_early)
    app.json = BoundedJSON(app)
    if config.proxies:
        hops = config.proxies
        app.wsgi_app = ProxyFix(app.wsgi_app, x_for=hops, x_proto=hops, x_host=hops)  # type: ignore[method-assign]  # as Flask says to do
    with app.app_context():
        Here(house, installation(house).secret, config.max_photo_bytes).move_in()
    for blueprint in blueprints:
        app.register_blueprint(blueprint)
    open_front(app, Assets.load(), Releases(house.database, house.clock))
    app.register_blueprint(house_pages)
    app.register_blueprint(installing)
    describe(app)
    handle_errors(app)
    limit_calls(app, config.redis)
    app.register_error_handler(Refusal, _refused)
    app.register_error_handler(PlaceError, lambda error: _refused(no_place(error)))
    answer_troubles(app)
    secure(app)
    compress_answers(app)
    observe(app)
    return app


def _refused(refusal: Refusal) -> Response:
    return problem_of(refusal).response()
