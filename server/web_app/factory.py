"""Puts together the application of a server that keeps games in a data folder."""

from __future__ import annotations

import errno
import hashlib
import logging
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from apiflask import APIFlask
from flask.json.provider import DefaultJSONProvider
from sqlalchemy import select
from werkzeug.middleware.proxy_fix import ProxyFix

from server.api.blueprint import blueprints
from server.api.context import ApiContext, problem_for
from server.api.openapi import describe
from server.api.problems import raise_early
from server.api.rate_limit import limit_calls
from server.api.uploads import FormRequest, admits
from server.db.models import ServerConfig
from server.db.session import DATABASE, Database, advisory_lock
from server.games.context import AppContext, now
from server.games.errors import DomainError
from server.games.photos.upload import no_place
from server.games.server_config import installation, installation_of
from server.scoring.request_schema import MAX_BYTES as MAX_JSON_BYTES
from server.storage.base import StorageError
from server.storage.photo_store import FOLDER, RESERVE, PhotoStore
from server.web_app.errors import answer_troubles, handle_errors, zero_in_it
from server.web_app.headers import compress_answers, secure
from server.web_app.instrumentation import observe
from server.web_app.pages import house_pages, open_front
from server.web_app.pwa import installing
from server.web_app.releases import Releases
from server.web_app.static import WEB, Assets
from server.workers.lease_queue import LEASE

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from flask import Response


DEEPEST = 50
"""Objects and lists within each other. No request needs more than a few."""


class BoundedJSON(DefaultJSONProvider):
    """JSON as Flask reads and writes it, but for what is nested deeper than `DEEPEST`, and texts with a U+0000."""

    def loads(self, s: str | bytes, **kwargs: Any) -> Any:  # noqa: ANN401 - as Flask has it
        """Return what a JSON text says; ValueError, which Flask answers with status 400, where it is too deep.

        Problem for a text in it that the database may not keep.
        """
        try:
            document = super().loads(s, **kwargs)
        except RecursionError:
            raise _too_deep() from None
        level: list[Any] = [document]
        for _ in range(DEEPEST + 1):
            if any(isinstance(value, str) and "\0" in value for value in level):
                raise zero_in_it()
            level = [part for value in level for part in _parts(value)]
            if not level:
                return document
        raise _too_deep()


def _parts(value: object) -> Iterable[Any]:
    if isinstance(value, dict):
        return [*value, *value.values()]
    return value if isinstance(value, list) else ()


def _too_deep() -> ValueError:
    return ValueError(f"nested deeper than {DEEPEST}")


VERSION = "1"
"""Version of the HTTP interface."""
BEGUN = "owner"
"""The file that says that an installation has begun to keep its files in a place."""
MOST_APART = 5
"""Seconds by which this machine's clock may differ from the database's."""
_log = logging.getLogger(__name__)


@dataclass(frozen=True)
class AppConfig:
    """Where a server keeps its games, the limits of an upload, and what stands before it.

    `database`, `redis` and `photos` are the addresses of a PostgreSQL, a Redis and an S3 that several machines share;
    empty ones mean this machine's data folder, and that each server counts calls for itself
    (`server.web_app.settings`).

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


def open_context(config: AppConfig) -> AppContext:
    """Return the games of a data folder, made if it is not there, or of the engines that the configuration names.

    Raises DatabaseError, and PlaceError for an address of photographs that is none. A place for photographs that is
    away is no error: `context.photos.check` asks for that.
    """
    database = Database.at(config.database) if config.database else Database.in_folder(config.folder)
    # In a laptop's folder files lie beside their database. Elsewhere others may keep theirs too.
    own = installation_of(database, now()).folder if config.database or config.photos else ""
    if config.photos:
        photos = PhotoStore.at(config.photos, own)
    else:
        photos = PhotoStore.in_folder(config.folder, config.reserve, own)
    context = AppContext(database, photos)
    _compare_clocks(context)
    return context


def _compare_clocks(context: AppContext) -> None:
    """Log if this machine's clock differs from the database's, by which deadlines go."""
    apart = (now() - context.time()).total_seconds()
    if abs(apart) > MOST_APART:
        how = "ahead of" if apart > 0 else "behind"
        _log.warning("this machine's clock is %.0f s %s the database's: set it by NTP", abs(apart), how)


def open_checked(config: AppConfig, *, begins: bool = True) -> AppContext:
    """Return the games as `open_context` does, once it is sure that photographs can be kept and are ours; PlaceError.

    `begins`: a server may begin in a folder, where its database is elsewhere.
    """
    context = open_context(config)
    try:
        context.photos.check()
        if config.database or config.photos:
            _see_place(context, config, begins=begins or bool(config.photos))
    except BaseException:
        context.close()
        raise
    return context


def _see_place(context: AppContext, config: AppConfig, *, begins: bool) -> None:
    """See that the installation has begun to keep its files there; with `begins` it may begin, once. PlaceError."""
    files = context.photos.files
    place = config.photos or str(config.folder / FOLDER)

    def begun() -> bool:
        if config.photos:
            mark = files.get(BEGUN)
        else:
            # Not by the library beneath: this process may be forked later, and the library's threads would be gone.
            file = files.local_path(BEGUN)
            mark = file.read_bytes() if file else None
        # An installation of an earlier version has no folder of its own, and its mark names it.
        here = installation(context)
        if mark and not here.folder and mark != hashlib.sha256(b"photographs of " + here.secret).hexdigest().encode():
            raise StorageError(
                errno.EINVAL,
                f"{place} has the pictures of another server, whose database is another one: name another place with "
                f"--data or HAGGLE_PHOTOS_URL, or empty the file {BEGUN} there if all of it belongs to this one",
            )
        return mark is not None

    if begun():
        return
    if not config.photos and (config.folder / DATABASE).exists():
        raise StorageError(
            errno.EINVAL,
            f"{config.folder} has games of its own in {DATABASE}: haggle backup them without HAGGLE_DATABASE_URL, and "
            "haggle restore them with it into a new folder, or name a new folder with --data",
        )
    with context.database.writing() as session:
        # Of servers that start at once, one after the other.
        advisory_lock(session, "place")
        row = session.scalars(select(ServerConfig)).one()
        if begun():
            return
        if row.storage_claimed_at is not None or not begins:
            raise StorageError(
                errno.EINVAL,
                f"{place} is not where the server of this database keeps its pictures: start haggle serve first, which "
                f"begins there, or name the right place with --data or HAGGLE_PHOTOS_URL. If its pictures are gone for "
                f"good, make an empty file {'/'.join(filter(None, (row.folder, BEGUN)))} there",
            )
        files.put(BEGUN, b"")
        row.storage_claimed_at = now()


def create_app(config: AppConfig, context: AppContext | None = None) -> APIFlask:
    """Return the application that serves a data folder's games."""
    context = context or open_context(config)
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
        ApiContext(context, installation(context).secret, config.max_photo_bytes).move_in()
    for blueprint in blueprints:
        app.register_blueprint(blueprint)
    open_front(app, Assets.load(), Releases(context.database, context.clock))
    app.register_blueprint(house_pages)
    app.register_blueprint(installing)
    describe(app)
    handle_errors(app)
    limit_calls(app, config.redis)
    app.register_error_handler(DomainError, _refused)
    app.register_error_handler(StorageError, lambda error: _refused(no_place(error)))
    answer_troubles(app)
    secure(app)
    compress_answers(app)
    observe(app)
    return app


def _refused(refusal: DomainError) -> Response:
    return problem_for(refusal).response()
