"""What the environment says of where games are kept: nothing for a data folder, or the engines that machines share."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Any

from server.web_app.factory import AppConfig

DATABASE_URL, REDIS_URL, PHOTOS_URL = "HAGGLE_DATABASE_URL", "HAGGLE_REDIS_URL", "HAGGLE_PHOTOS_URL"
"""Names of the variables: a PostgreSQL, a Redis, and a place that speaks S3.

With `_FILE` behind it each names a file that holds the address: addresses hold passwords, and a file is not shown by
every list of processes and containers.
"""
_REMOVED = {
    "HAGGLE_QUEUE_URL": f"remove it, or rename it to {REDIS_URL}, which only counts calls",
    "HAGGLE_METRICS_TOKEN": "remove it, and let the network keep the port of HAGGLE_METRICS to Prometheus",
}
"""Variables of earlier versions, with what to do about them."""
_REDIS = re.compile(r"rediss?://([^@/\s]*@)?(\[[0-9a-f:]+\]|[^@/\s:\[\]]+)(:\d{1,5})?(/\d{0,3})?")

SCAN_WORKERS = "HAGGLE_SCANNERS"
"""Name of the variable that says how many processes scan pictures. Without it: one a core."""
MOST_WORKERS = 256


class SettingError(Exception):
    """A variable of the environment cannot be followed; the message names it."""


def app_config(folder: Path, **options: Any) -> AppConfig:  # noqa: ANN401 - any of a config
    """Return the configuration of a server on a data folder, with the engines that the environment names."""
    for variable, remedy in _REMOVED.items():
        if os.environ.get(variable) or os.environ.get(f"{variable}_FILE"):
            raise SettingError(f"{variable} is no more: {remedy}")
    engines = {"database": DATABASE_URL, "redis": REDIS_URL, "photos": PHOTOS_URL}
    named: dict[str, Any] = {field: _said(variable) for field, variable in engines.items()}
    if named["redis"] and not _REDIS.fullmatch(named["redis"]):
        # Not a word of it: it may hold a password.
        raise SettingError(f"{REDIS_URL} is no address of a Redis: write redis://:password@host:6379/0, / as %2F")
    if workers := _said(SCAN_WORKERS):
        if not (workers.isdecimal() and workers.isascii() and int(workers[:9]) <= MOST_WORKERS):
            raise SettingError(f"{SCAN_WORKERS} is {workers!a}: say a number from 0 to {MOST_WORKERS}")
        named["scan_workers"] = int(workers)
    return AppConfig(folder, **{**named, **options})


def _said(variable: str) -> str:
    """Return what a variable says, or the file that the variable with `_FILE` names; SettingError."""
    file = os.environ.get(f"{variable}_FILE", "")
    if not file or os.environ.get(variable):
        return os.environ.get(variable, "")
    try:
        said = Path(file).read_text(encoding="utf-8").strip()
    except (OSError, UnicodeError):
        raise SettingError(f"{variable}_FILE names {file}, which cannot be read") from None
    if not said:
        raise SettingError(f"{variable}_FILE names {file}, which is empty: write the address into it")
    return said
