"""The application factory."""

from __future__ import annotations

from typing import TYPE_CHECKING

from flask_compress import Compress
from werkzeug.middleware.proxy_fix import ProxyFix

from server.api import events, health, session
from server.api.application import Application
from server.api.auth import check_access
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
from server.api.player import deck_photos, decks, profile
from server.api.player import results as player_results
from server.api.rate_limit import limit_calls
from server.api.uploads import FormRequest, admission_middleware
from server.games.server_config import load_server_config
from server.scoring.request_schema import MAX_BYTES as MAX_JSON_BYTES
from server.web_app import pwa
from server.web_app.assets import CODINGS, WEB, Assets
from server.web_app.errors import handle_errors
from server.web_app.pages import init_pages
from server.web_app.releases import Releases
from server.web_app.stores import open_context

if TYPE_CHECKING:
    from server.games.context import AppContext
    from server.web_app.settings import AppConfig

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
    deck_photos.blueprint,
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
COMPRESSED_TYPES = ("text/html", "text/csv", "text/javascript", "application/json", "application/manifest+json")
"""Media types of responses that are compressed, unless they are small enough for one packet."""


def create_app(config: AppConfig, context: AppContext | None = None) -> Application:
    """Return the application that serves the games of a data folder."""
    context = context or open_context(config)
    app = Application(
        context, load_server_config(context.database).secret, config.max_photo_bytes, template_folder=str(WEB)
    )
    app.config.update(
        MAX_CONTENT_LENGTH=MAX_JSON_BYTES,
        AUTO_SERVERS=False,
        AUTO_VALIDATION_ERROR_RESPONSE=False,
        AUTO_404_RESPONSE=False,
        COMPRESS_ALGORITHM=list(CODINGS),
        COMPRESS_MIMETYPES=list(COMPRESSED_TYPES),
        COMPRESS_MIN_SIZE=1000,
        COMPRESS_STREAMS=False,
    )
    app.request_class = FormRequest
    app.wsgi_app = admission_middleware(app)  # type: ignore[assignment,method-assign]  # as Flask says to do
    if config.proxies:
        hops = config.proxies
        app.wsgi_app = ProxyFix(app.wsgi_app, x_for=hops, x_proto=hops, x_host=hops)  # type: ignore[method-assign]  # as Flask says to do
    for blueprint in API_BLUEPRINTS:
        app.register_blueprint(blueprint)
    app.register_blueprint(pwa.blueprint)
    init_pages(app, Assets.load(), Releases(context.database, context.clock))
    check_access(app)
    complete_openapi(app)
    handle_errors(app)
    limit_calls(app, config.redis)
    Compress(app)
    return app
