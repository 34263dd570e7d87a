"""Limits of requests: by authenticated caller or else by address.

Limits by address are high, since a whole conference may share one address.
"""

from __future__ import annotations

import logging
import math
import time
from http import HTTPStatus
from typing import TYPE_CHECKING

from flask import request
from flask_limiter import Limiter, RateLimitExceeded
from flask_limiter.util import get_remote_address
from redis.backoff import NoBackoff
from redis.retry import Retry

from server.api.auth import caller_id, known_browser
from server.api.problems import Problem

if TYPE_CHECKING:
    from flask import Flask, Response


def caller() -> str:
    """Return the authenticated player, organiser or projector, else the address."""
    return caller_id() or f"address {get_remote_address()}"


def _sign_in_caller() -> str:
    """Return the browser if somebody has signed in there before, else the address."""
    return known_browser() or f"address {get_remote_address()}"


def _sign_in_group() -> str:
    """Return the group that shares a limit: other people's guesses must not lock out those who know the password."""
    return "known browsers" if known_browser() else "others"


# A page loads about eighty files: this allows seven hundred people behind one address to open it within a minute.
_ADDRESS_LIMIT = "60000/minute"


def _total_limit() -> str:
    return "12000/minute" if caller_id() else _ADDRESS_LIMIT


# Requests never wait long for a Redis that hangs.
_STORAGE_OPTIONS = {
    "key_prefix": "haggle:limits",
    "socket_timeout": 0.25,
    "socket_connect_timeout": 0.25,
    "retry": Retry(NoBackoff(), 0),
}

_log = logging.getLogger(__name__)

limiter = Limiter(
    caller,
    default_limits=["600/minute"],
    application_limits=[_total_limit],
    storage_options=_STORAGE_OPTIONS,  # type: ignore[arg-type]  # passed on to the Redis client
    strategy="sliding-window-counter",
    # The first request that fails turns on the fallback; others that are waiting for Redis then are not counted. Only
    # errors of the storage occur here, since `_identify_caller` queries the database before.
    swallow_errors=True,
)
"""`default_limits` apply to each caller and endpoint, `application_limits` to each caller and all endpoints."""

limit_sign_in = limiter.limit("10/minute; 60/hour", key_func=_sign_in_caller)
"""Attempts to sign in, for each address or known browser."""
limit_sign_in_total = limiter.shared_limit("60/minute", scope="sign-in", key_func=_sign_in_group)
"""Attempts to sign in by everybody: each takes a tenth of a second and 32 MB."""


def _is_wrong(response: Response) -> bool:
    return response.status_code != HTTPStatus.OK


limit_join_codes = limiter.limit("20/minute; 100/hour", key_func=get_remote_address, deduct_when=_is_wrong)
"""Wrong join codes of each address. Right ones do not count, since a whole conference may share the address."""
limit_join_codes_total = limiter.shared_limit(
    "600/hour", scope="join codes", key_func=lambda: "all", deduct_when=_is_wrong
)
"""Wrong join codes of everybody, since anybody may have any number of addresses. Links work all the time."""
limit_uploads = limiter.limit("60/minute")
"""Photos of each player."""
limit_bulk_uploads = limiter.limit("1200/minute")
"""Photos of each organiser."""
limit_expensive = limiter.limit("30/minute")
"""Requests of each player, or of all big screens of a game, that write, compute a score or draw a photo."""
limit_pages = limiter.limit(_ADDRESS_LIMIT, key_func=get_remote_address)
"""Pages and their files, for each address."""


def limit_calls(app: Flask, redis: str = "") -> None:
    """Apply the rate limits to an application, counted together with all that use the same Redis.

    While Redis is unavailable, each process counts separately.
    """
    app.config["RATELIMIT_STORAGE_URI"] = redis or "memory://"
    app.config["RATELIMIT_IN_MEMORY_FALLBACK_ENABLED"] = bool(redis)
    app.before_request(_identify_caller)
    limiter.init_app(app)
    if not limiter.storage.check():
        _log.warning(
            "Redis (HAGGLE_REDIS_URL) is unavailable or refuses access: each server counts requests separately"
        )

    def too_many(_error: RateLimitExceeded) -> Response:
        breached = limiter.current_limit
        seconds = max(1, math.ceil(breached.reset_at - time.time())) if breached else 60
        return Problem(
            429,
            "too-many",
            "Too many requests",
            f"Too many requests at once. Try again in {seconds} seconds.",
            retry_after=seconds,
        ).response()

    app.register_error_handler(RateLimitExceeded, too_many)


def _identify_caller() -> None:
    """Query who calls, so that an error of the database is not taken for one of the limiter's storage."""
    if request.endpoint:
        caller_id()
