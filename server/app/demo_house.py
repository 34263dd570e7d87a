"""Puts the demo together: an ordinary server of games on a folder of its own, its doors, and the practice page."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import partial
from multiprocessing.util import Finalize
from typing import TYPE_CHECKING, Any

from server.api.service import service
from server.app.config import AppConfig
from server.app.demo_doors import LANDING, doors, lead_home
from server.app.demo_passes import Passes
from server.app.demo_rooms import Doors
from server.app.factory import create_app
from server.app.house import HouseConfig, create_house_app, open_house
from server.app.serving import end_with_parent, pack, run, work_beside
from server.studio.demo.folder import DemoFolder, check_folder, make_demo
from server.studio.demo.painter import Painter
from server.studio.demo.pictures import jobs, list_samples
from server.studio.demo.story import Story

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from wsgiref.types import StartResponse, WSGIApplication

    from apiflask import APIFlask

    from server.play.house import House

PRACTICE = "/practice"
_PRACTICE = re.compile(r"/api/v1/(?:game|scans|scores)|/demo/[^/]+\.jpg(?:/thumbnail)?")
# What the practice page asks for. None of it is an address of a server that keeps games.


@dataclass(frozen=True)
class DemoConfig:
    """A demo: its folders, its addresses, the language of its games, and the first code that opens the desk once.

    `here` is its address on this machine, `phone` the one for phones, None where none is let in; each with a slash at
    its end.
    """

    folder: DemoFolder
    here: str
    phone: str | None
    language: str
    code: str

    @property
    def house(self) -> HouseConfig:
        """How its games are kept."""
        return HouseConfig(self.folder.data)


class DemoApp:
    """The demo's application: the house, and beside it the practice page."""

    def __init__(self, house: APIFlask, practice: APIFlask) -> None:
        self.house = house
        self.practice = practice

    def __call__(self, environ: dict[str, Any], start_response: StartResponse) -> Iterable[bytes]:
        """Answer a request by the one whose address it is."""
        path = environ["PATH_INFO"]
        if path == PRACTICE:
            return self.practice({**environ, "PATH_INFO": "/"}, start_response)
        return (self.practice if _PRACTICE.fullmatch(path) else self.house)(environ, start_response)


def serve_demo(config: DemoConfig, host: str, port: int, *, announce: Callable[[int], None] | None = None) -> None:
    """Make a demo in its folder, unless it is there, and serve it until Ctrl-C or SIGTERM.

    Arguments and errors as `serving.serve`, and DemoError.
    """
    check_folder(config.folder.data)
    house = open_house(config.house)
    try:
        make_demo(house, config.folder, config.language, config.phone or config.here)
        # As in `serving.serve`: a mistake shows before anything starts.
        create_demo_app(config, house)
    finally:
        house.database.close()
    run(partial(load_demo, config), host, port, config.folder.data, announce=announce)


def create_demo_app(config: DemoConfig, house: House) -> DemoApp:
    """Return the application that serves a demo."""
    games = config.folder.games
    all_jobs = jobs(games.playing, games.played, config.folder.studio)
    list_samples(all_jobs, config.folder.studio)
    app = create_house_app(config.house, house)
    phone = None if config.phone is None else f"{config.phone.rstrip('/')}{LANDING}"
    Doors(games, all_jobs, Passes(config.code), f"{config.here.rstrip('/')}{LANDING}", phone).move_in(app)
    lead_home(app)
    app.register_blueprint(doors)
    practice = create_app(AppConfig(games.playing, config.folder.studio, demo=True, home=LANDING, scan_workers=1))
    return DemoApp(app, practice)


def load_demo(config: DemoConfig) -> WSGIApplication:
    """Return the application in the serving process, with what it does beside answering."""
    house = open_house(config.house)
    app = create_demo_app(config, house)
    work_beside(house, config.house)
    games = config.folder.games
    all_jobs = jobs(games.playing, games.played, config.folder.studio)
    painter = Painter(all_jobs)
    story = Story(house, all_jobs, painter, config.folder.told(), config.folder.note)
    painter.start()
    story.start()
    with app.practice.app_context():
        scans = service().scans

    def close() -> None:
        painter.close()
        story.close()
        scans.close()

    # Before the house itself, which the story needs.
    Finalize(None, close, exitpriority=20)
    pack(app.house)
    end_with_parent()
    return app
