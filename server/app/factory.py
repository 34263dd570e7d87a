"""Puts the application together."""

from __future__ import annotations

from typing import TYPE_CHECKING

from server.api import blueprint
from server.api.description import describe
from server.api.service import Service
from server.app.assets import Assets
from server.app.bare import bare_app
from server.app.compression import compress_answers
from server.app.demo import demo
from server.app.errors import handle_errors
from server.app.front import open_front
from server.app.headers import secure
from server.app.pages import pages
from server.app.samples import find_downloads, find_samples
from server.editions import load_edition
from server.jobs.scanning import ScanPool
from server.scoring import EditionError, Scorer, ScoringError
from server.scoring.wire_checks import check_edition

if TYPE_CHECKING:
    from apiflask import APIFlask

    from cardgen.cards import Game
    from server.app.config import AppConfig
    from server.editions import Edition


def create_app(config: AppConfig) -> APIFlask:
    """Return the application that serves one printed game.

    EditionError if the game's edition, cards or settings are not known here; AssetError if files are missing.
    Its scan workers start with the first photograph; `server.app.serving` starts them before.
    """
    app = bare_app()
    edition = load_edition(config.game.edition)
    _check(config.game, edition)
    service = Service(
        game=config.game,
        edition=edition,
        scans=ScanPool(
            config.game,
            workers=config.scan_workers,
            places=config.scan_places,
            memory=config.scan_memory,
            patience=config.scan_patience,
            seconds=config.scan_seconds,
        ),
        max_photo_bytes=config.max_photo_bytes,
        demo=config.demo,
        home=config.home,
        samples=find_samples(config.folder) if config.demo else (),
        downloads=find_downloads(config.folder) if config.demo else {},
    )
    with app.app_context():
        service.join()
    app.register_blueprint(blueprint)
    app.register_blueprint(demo)
    open_front(app, Assets.load())
    app.register_blueprint(pages)
    describe(app)
    handle_errors(app)
    secure(app)
    compress_answers(app)
    return app


def _check(game: Game, edition: Edition) -> None:
    """Refuse a game that this version's edition does not fit, before anybody photographs a deck of it."""
    for kind in game.kinds:
        if kind not in edition.kind_of:
            raise EditionError(
                f"the game has a card '{kind}' that {edition.slug} does not have: use the Haggle it is from"
            )
    values = {name: value for name, value in game.settings.items() if isinstance(value, int)}
    if wrong := sorted(set(game.settings) - set(values)):
        raise EditionError(f"the game's setting {wrong[0]} must be a whole number")
    for mistake in check_edition(edition, values, None):
        raise EditionError(f"the game's {mistake.place}: {mistake.message}")
    try:
        Scorer(edition, values)
    except ScoringError as error:
        raise EditionError(f"the game's settings: {error}") from error
