"""Settings from environment variables: PostgreSQL, Redis and S3 in place of the data folder."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Any

from server.web_app.factory import AppConfig

DATABASE_URL, REDIS_URL, PHOTOS_URL = "HAGGLE_DATABASE_URL", "HAGGLE_REDIS_URL", "HAGGLE_PHOTOS_URL"
"""Variables with the addresses of PostgreSQL, Redis and S3.

With the suffix `_FILE`, each names a file that contains the address. Addresses contain passwords, which should not be
visible in lists of processes and containers.
"""
_REMOVED = {
    "HAGGLE_QUEUE_URL": f"remove it, or rename it to {REDIS_URL}, which only counts calls",
    "HAGGLE_METRICS_TOKEN": "remove it, and let the network keep the port of HAGGLE_METRICS to Prometheus",
}
"""Variables of earlier versions, and what to do about each."""
_REDIS = re.compile(r"rediss?://([^@/\s]*@)?(\[[0-9a-f:]+\]|[^@/\s:\[\]]+)(:\d{1,5})?(/\d{0,3})?")

SCAN_WORKERS = "HAGGLE_SCANNERS"
"""Variable with the number of scanning processes; default: one per core."""
MAX_SCAN_WORKERS = 256


class SettingError(Exception):
    """An environment variable is invalid; the message names it."""


def app_config(folder: Path, **options: Any) -> AppConfig:  # noqa: ANN401 - any of a config
    """Return the configuration of a server from the environment; `options` override it."""
    for variable, remedy in _REMOVED.items():
        if os.environ.get(variable) or os.environ.get(f"{variable}_FILE"):
            raise SettingError(f"{variable} was removed: {remedy}")
    engines = {"database": DATABASE_URL, "redis": REDIS_URL, "photos": PHOTOS_URL}
    named: dict[str, Any] = {field: _read(variable) for field, variable in engines.items()}
    if named["redis"] and not _REDIS.fullmatch(named["redis"]):
        # The value may contain a password.
        raise SettingError(f"{REDIS_URL} is not the address of a Redis: write redis://:password@host:6379/0, / as %2F")
    if workers := _read(SCAN_WORKERS):
        if not (workers.isdecimal() and workers.isascii() and int(workers[:9]) <= MAX_SCAN_WORKERS):
            raise SettingError(f"{SCAN_WORKERS} is {workers!a}: set it to a number from 0 to {MAX_SCAN_WORKERS}")
        named["scan_workers"] = int(workers)
    return AppConfig(folder, **{**named, **options})


def _read(variable: str) -> str:
    """Return the value of a variable, or of the file that its `_FILE` variable names; SettingError."""
    file = os.environ.get(f"{variable}_FILE", "")
    if not file or os.environ.get(variable):
        return os.environ.get(variable, "")
    try:
        value = Path(file).read_text(encoding="utf-8").strip()
    except (OSError, UnicodeError):
        raise SettingError(f"{variable}_FILE names {file}, which cannot be read") from None
    if not value:
        raise SettingError(f"{variable}_FILE names {file}, which is empty: write the address into it")
    return value
