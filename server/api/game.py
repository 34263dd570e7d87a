"""What a client needs to know of the game: its cards by name and symbol, never a rule's wording."""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING

from flask import url_for

from server.api.models import (
    CategoryModel,
    DownloadModel,
    EditionModel,
    GameModel,
    KindModel,
    LimitsModel,
    SampleModel,
    SettingModel,
)
from server.api.service import Service, service

if TYPE_CHECKING:
    from collections.abc import Iterator

FILES = "demo.file"
THUMBNAILS = "demo.small"
"""Endpoints of the demo's blueprint, which lies above this module."""


def game_of() -> GameModel:
    """Return the game that is served."""
    here = service()
    edition = here.edition
    return GameModel(
        game=here.game.game,
        edition=EditionModel(slug=edition.slug, title=edition.title, summary=edition.summary),
        players=here.game.players,
        categories=[CategoryModel(slug=deal.category, name=deal.name) for deal in edition.deal],
        kinds=[
            KindModel(
                slug=kind.slug,
                category=kind.category,
                name=kind.name,
                ink=kind.ink,
                symbol=kind.symbol,
                number=kind.number,
            )
            for kind in edition.kinds
        ],
        settings=settings_of(here),
        limits=LimitsModel(photo_bytes=here.max_photo_bytes),
        demo=here.demo,
        samples=[
            SampleModel(
                title=sample.title,
                note=sample.note,
                url=url_for(FILES, name=sample.file.name),
                thumbnail=url_for(THUMBNAILS, name=sample.file.name),
                width=sample.width,
                height=sample.height,
            )
            for sample in here.samples
            if sample.file.is_file()
        ],
        downloads=list(_downloads(here)),
    )


def _downloads(here: Service) -> Iterator[DownloadModel]:
    """Yield the files to print that are still there."""
    for file, title in here.downloads.items():
        with contextlib.suppress(OSError):
            yield DownloadModel(title=title, url=url_for(FILES, name=file.name), bytes=file.stat().st_size)


def game_settings(here: Service) -> dict[str, int]:
    """Return the game's value of each of the edition's settings."""
    given = here.game.settings
    return {setting.name: int(given.get(setting.name, setting.default)) for setting in here.edition.settings}


def settings_of(here: Service) -> list[SettingModel]:
    """Return the game's settings, each marked as the organiser's."""
    values = game_settings(here)
    return [
        SettingModel(name=setting.name, label=setting.label, value=values[setting.name])
        for setting in here.edition.settings
    ]
