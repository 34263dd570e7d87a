"""Application factory."""

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

from server.api import events, health, session
from server.api.context import ApiContext, problem_for
from server.api.openapi import complete_openapi
from server.api.organiser import (
    archives,
    audit,
    editions,
    envelopes,
    games,
    photos,
    previews,
    print_jobs,
    print_runs,
    projector,
    questions,
    results,
    review,
    scores,
)
from server.api.player import decks, profile
from server.api.player import results as player_results
from server.api.problems import raise_early
from server.api.rate_limit import limit_calls
from server.api.uploads import FormRequest, admission_middleware
from server.db.models import ServerConfig
from server.db.session import DATABASE, Database, advisory_lock
from server.db.types import now
from server.games.context import AppContext
from server.games.errors import DomainError
from server.games.photos.upload import storage_problem
from server.games.server_config import load_server_config, server_config_of
from server.scoring.request_schema import MAX_BYTES as MAX_JSON_BYTES
from server.storage.base import StorageError
from server.storage.photo_store import FOLDER, RESERVE, PhotoStore
from server.web_app import pwa
from server.web_app.assets import WEB, Assets
from server.web_app.errors import handle_database_errors, handle_errors, null_character_problem
from server.web_app.headers import add_security_headers, compress_responses
from server.web_app.instrumentation import observe
from server.web_app.pages import init_pages
from server.web_app.releases import Releases
from server.workers.lease_queue import LEASE

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from flask import Response


API_BLUEPRINTS = (
    health.blueprint,
    session.blueprint,
    events.blueprint,
    editions.blueprint,
    games.blueprint,
    print_runs.blueprint,
    previews.blueprint,
    print_jobs.blueprint,
    envelopes.blueprint,
    profile.blueprint,
    decks.blueprint,
    results.blueprint,
    scores.blueprint,
    projector.blueprint,
    archives.blueprint,
    player_results.blueprint,
    photos.blueprint,
    review.blueprint,
    review.cards_blueprint,
    questions.blueprint,
    audit.blueprint,
)
MAX_JSON_DEPTH = 50
"""Nesting depth of objects and lists in a request; real requests need only a few levels."""


class BoundedJSON(DefaultJSONProvider):
    """Flask's JSON provider, which refuses deep nesting and texts with null characters."""

    def loads(self, s: str | bytes, **kwargs: Any) -> Any:  # noqa: ANN401 - as Flask has it
        """Parse JSON; ValueError (status 400) if it is nested too deeply, Problem for texts that cannot be stored."""
        try:
            document = super().loads(s, **kwargs)
        except RecursionError:
            raise _too_deep() from None
        level: list[Any] = [document]
        for _ in range(MAX_JSON_DEPTH + 1):
            if any(isinstance(value, str) and "\0" in value for value in level):
                raise null_character_problem()
            level = [child for value in level for child in _children(value)]
            if not level:
                return document
        raise _too_deep()


def _children(value: object) -> Iterable[Any]:
    if isinstance(value, dict):
        return [*value, *value.values()]
    return value if isinstance(value, list) else ()


def _too_deep() -> ValueError:
    return ValueError(f"nested deeper than {MAX_JSON_DEPTH}")


VERSION = "1"
"""Version of the HTTP interface."""
MARKER = "owner"
"""The file that marks a photo store as used by a server."""
MAX_CLOCK_DIFFERENCE = 5
"""Seconds between the clocks of this machine and the database above which a warning is logged."""
_log = logging.getLogger(__name__)


@dataclass(frozen=True)
class AppConfig:
    """Configuration of a server.

    `database`, `redis` and `photos` are addresses of PostgreSQL, Redis and S3 that several machines share (see
    `server.web_app.settings`). Without them, games and photos are stored in `folder`, and each server counts requests
    separately.

    `proxies` is the number of reverse proxies whose X-Forwarded headers are trusted. `reserve` is the number of bytes
    that photos leave free on the disk, `scan_workers` the number of scanning processes (None: one per core; 0: other
    servers scan), `scan_seconds` the time limit of a scan, and `lease` the number of seconds after which a photo is
    scanned by another process if its own was killed.
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
    """Open the database and the photo store; a missing data folder is created.

    Raises DatabaseError, or StorageError for an invalid address of photos. Whether the photo store can be reached is
    not checked; `context.photos.check` does that.
    """
    database = Database.at(config.database) if config.database else Database.in_folder(config.folder)
    # Beside their own database, files need no folder; elsewhere, other servers may store theirs too.
    subfolder = server_config_of(database, now()).folder if config.database or config.photos else ""
    if config.photos:
        photos = PhotoStore.at(config.photos, subfolder)
    else:
        photos = PhotoStore.in_folder(config.folder, config.reserve, subfolder)
    context = AppContext(database, photos)
    _compare_clocks(context)
    return context


def _compare_clocks(context: AppContext) -> None:
    """Log a warning if this machine's clock differs from the database's, which decides on deadlines."""
    difference = (now() - context.time()).total_seconds()
    if abs(difference) > MAX_CLOCK_DIFFERENCE:
        direction = "ahead of" if difference > 0 else "behind"
        _log.warning(
            "this machine's clock is %.0f s %s the database's: synchronise it by NTP", abs(difference), direction
        )


def open_checked(config: AppConfig, *, may_claim: bool = True) -> AppContext:
    """Open the games as `open_context` does, and check that the photo store works and is ours; StorageError.

    With `may_claim`, an unused folder is claimed for a database that is elsewhere.
    """
    context = open_context(config)
    try:
        context.photos.check()
        if config.database or config.photos:
            _claim_photo_store(context, config, may_claim=may_claim or bool(config.photos))
    except BaseException:
        context.close()
        raise
    return context


def _claim_photo_store(context: AppContext, config: AppConfig, *, may_claim: bool) -> None:
    """Check that the photo store belongs to this server, or claim it if that is allowed; StorageError."""
    files = context.photos.files
    place = config.photos or str(config.folder / FOLDER)

    def is_claimed() -> bool:
        if config.photos:
            marker = files.get(MARKER)
        else:
            # Read directly, since obstore starts threads, which a later fork of this process would lose.
            file = files.local_path(MARKER)
            marker = file.read_bytes() if file else None
        # Servers set up by earlier versions have no subfolder; their markers identify them instead.
        here = load_server_config(context)
        if (
            marker
            and not here.folder
            and marker != hashlib.sha256(b"photographs of " + here.secret).hexdigest().encode()
        ):
            raise StorageError(
                errno.EINVAL,
                f"{place} has the pictures of another server, whose database is another one: name another place with "
                f"--data or HAGGLE_PHOTOS_URL, or empty the file {MARKER} there if all of it belongs to this one",
            )
        return marker is not None

    if is_claimed():
        return
    if not config.photos and (config.folder / DATABASE).exists():
        raise StorageError(
            errno.EINVAL,
            f"{config.folder} has games of its own in {DATABASE}: haggle backup them without HAGGLE_DATABASE_URL, and "
            "haggle restore them with it into a new folder, or name a new folder with --data",
        )
    with context.database.writing() as session:
        # Servers that start at the same time do this one after another.
        advisory_lock(session, "place")
        row = session.scalars(select(ServerConfig)).one()
        if is_claimed():
            return
        if row.storage_claimed_at is not None or not may_claim:
            raise StorageError(
                errno.EINVAL,
                f"{place} is not where the server of this database keeps its pictures: start haggle serve first, which "
                f"begins there, or name the right place with --data or HAGGLE_PHOTOS_URL. If its pictures are gone for "
                f"good, make an empty file {'/'.join(filter(None, (row.folder, MARKER)))} there",
            )
        files.put(MARKER, b"")
        row.storage_claimed_at = now()


def create_app(config: AppConfig, context: AppContext | None = None) -> APIFlask:
    """Return the application that serves the games of a data folder."""
    context = context or open_context(config)
    app = APIFlask(
        __name__,
        title="Haggle",
        version=VERSION,
        spec_path="/api/v1/openapi.json",
        docs_path=None,
        json_errors=False,
        static_folder=None,  # type: ignore[arg-type]  # Flask accepts None; files are served by pages.asset
        template_folder=str(WEB),
    )
    app.config.update(
        MAX_CONTENT_LENGTH=MAX_JSON_BYTES,
        AUTO_SERVERS=False,
        AUTO_VALIDATION_ERROR_RESPONSE=False,
        AUTO_404_RESPONSE=False,
    )
    app.request_class = FormRequest
    app.wsgi_app = admission_middleware(app)  # type: ignore[assignment,method-assign]  # as Flask says to do
    app.before_request(raise_early)
    app.json = BoundedJSON(app)
    if config.proxies:
        hops = config.proxies
        app.wsgi_app = ProxyFix(app.wsgi_app, x_for=hops, x_proto=hops, x_host=hops)  # type: ignore[method-assign]  # as Flask says to do
    ApiContext(context, load_server_config(context).secret, config.max_photo_bytes).init_app(app)
    for blueprint in API_BLUEPRINTS:
        app.register_blueprint(blueprint)
    app.register_blueprint(pwa.blueprint)
    init_pages(app, Assets.load(), Releases(context.database, context.clock))
    complete_openapi(app)
    handle_errors(app)
    limit_calls(app, config.redis)
    app.register_error_handler(DomainError, _handle_domain_error)
    app.register_error_handler(StorageError, lambda error: _handle_domain_error(storage_problem(error)))
    handle_database_errors(app)
    add_security_headers(app)
    compress_responses(app)
    observe(app)
    return app


def _handle_domain_error(error: DomainError) -> Response:
    return problem_for(error).response()
