"""Puts together the application of a server that keeps games in a data folder."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from apiflask import APIFlask
from werkzeug.middleware.proxy_fix import ProxyFix

from server.api.house import blueprints
from server.api.house.description import describe
from server.api.house.here import Here, problem_of
from server.api.house.limits import limit_calls
from server.app.assets import WEB
from server.app.errors import handle_errors
from server.app.headers import secure
from server.play.house import House
from server.play.installation import installation
from server.play.refusals import Refusal
from server.scoring.strict_json import MAX_BYTES as MAX_JSON_BYTES
from server.store.database import Database
from server.store.photos import PhotoStore

if TYPE_CHECKING:
    from pathlib import Path

    from flask import Response

VERSION = "1"


@dataclass(frozen=True)
class HouseConfig:
    """Where a server keeps its games, the limits of an upload, and what stands before it.

    `proxies` is the number of reverse proxies whose word on a caller's address and on https is taken: 0 for none, since
    anybody could claim to be one.
    """

    folder: Path
    max_photo_bytes: int = 40_000_000
    proxies: int = 0


def open_house(config: HouseConfig) -> House:
    """Return the games of a data folder; it is made if it is not there."""
    return House(Database.in_folder(config.folder), PhotoStore.in_folder(config.folder))


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
    if config.proxies:
        hops = config.proxies
        app.wsgi_app = ProxyFix(app.wsgi_app, x_for=hops, x_proto=hops, x_host=hops)  # type: ignore[method-assign]  # as Flask says to do
    with app.app_context():
        Here(house, installation(house).secret, config.max_photo_bytes).move_in()
    for blueprint in blueprints:
        app.register_blueprint(blueprint)
    describe(app)
    handle_errors(app)
    limit_calls(app)
    app.register_error_handler(Refusal, _refused)
    secure(app)
    return app


def _refused(refusal: Refusal) -> Response:
    return problem_of(refusal).response()
