"""The configuration of a server, and its settings from environment variables."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from server.storage.photo_store import RESERVE
from server.workers.lease_queue import LEASE

DATABASE_URL, REDIS_URL, PHOTOS_URL = "HAGGLE_DATABASE_URL", "HAGGLE_REDIS_URL", "HAGGLE_PHOTOS_URL"
"""Variables with the addresses of PostgreSQL, Redis and S3.

With the suffix `_FILE`, each names a file that contains the address. Addresses contain passwords, which should not be
visible in lists of processes and containers.
"""
_REDIS = re.compile(r"rediss?://([^@/\s]*@)?(\[[0-9a-f:]+\]|[^@/\s:\[\]]+)(:\d{1,5})?(/\d{0,3})?")

SCAN_WORKERS = "HAGGLE_SCANNERS"
"""Variable with the number of scanning processes; default: one per core."""
MAX_SCAN_WORKERS = 256


@dataclass(frozen=True)
class AppConfig:
    """Configuration of a server.

    `database`, `redis` and `photos` are addresses of PostgreSQL, Redis and S3 that several machines share.
    Without them, games and photos are stored in `folder`, and each server counts requests
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


class SettingError(Exception):
    """An environment variable is invalid; the message names it."""


def app_config(folder: Path, **options: Any) -> AppConfig:  # noqa: ANN401 - any of a config
    """Return the configuration of a server from the environment; `options` override it."""
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
