"""What the environment says of where games are kept: nothing for a data folder, or the engines that machines share."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from server.app.house import HouseConfig

if TYPE_CHECKING:
    from pathlib import Path

DATABASE_URL, QUEUE_URL, PHOTOS_URL = "HAGGLE_DATABASE_URL", "HAGGLE_QUEUE_URL", "HAGGLE_PHOTOS_URL"
"""Names of the variables: a PostgreSQL, a Redis, and a place that speaks S3."""


def house_config(folder: Path, **options: Any) -> HouseConfig:  # noqa: ANN401 - any of a config
    """Return the configuration of a server on a data folder, with the engines that the environment names."""
    engines = {"database": DATABASE_URL, "queue": QUEUE_URL, "photos": PHOTOS_URL}
    named = {field: os.environ.get(variable, "") for field, variable in engines.items()}
    return HouseConfig(folder, **{**named, **options})
