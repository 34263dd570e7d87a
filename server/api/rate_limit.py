"""How often one may call: by address for those who are nobody yet, by player or organiser for the others.

A whole conference may come from one address, so limits by address are wide where many people are expected.
"""

from __future__ import annotations

import logging
import math
import time
from typing import TYPE_CHECKING

from flask_limiter import Limiter, RateLimitExceeded
from flask_limiter.util import get_remote_address
from redis.backoff import NoBackoff
from redis.retry import Retry

from server.api.auth import known, trusted
from server.api.problems import Problem

if TYPE_CHECKING:
    from flask import Flask, Response


def caller() -> str:
    """Return who is calling: the player, organiser or game that a valid token or session names, else an address."""
    return known() or f"address {get_remote_address()}"


def _guesser() -> str:
    """Return who tries a password: a browser in which somebody knew it before, else an address."""
    return trusted() or f"address {get_remote_address()}"


def _guessers() -> str:
    """Return with whom a guess is counted: those who knew the password are not kept out by the rest of the world."""
    return "trusted" if trusted() else "everybody"


def _in_all() -> str:
    """Return how often a caller may call in all. Behind one address there may be many who are nobody yet."""
    return "12000/minute" if known() else _WHOLE_HALL


# A page is some eighty files, if the browser keeps it for times without network: seven hundred people in a minute.
_WHOLE_HALL = "60000/minute"

_PATIENCE = {
    "key_prefix": "haggle:limits",
    "socket_timeout": 0.25,
    "socket_connect_timeout": 0.25,
    "retry": Retry(NoBackoff(), 0),
}

# Of a Redis. A call never waits long for one that hangs.
_log = logging.getLogger(__name__)

limiter = Limiter(
    caller,
    default_limits=["600/minute"],
    application_limits=[_in_all],
    storage_options=_PATIENCE,  # type: ignore[arg-type]  # the library passes them on as they are
    strategy="sliding-window-counter",
)
"""`default_limits` hold for each caller and endpoint, `application_limits` for each caller and all endpoints."""

sign_in = limiter.limit("10/minute; 60/hour", key_func=_guesser)
"""For each address, and each browser that signed in before: guesses of a password or a setup code."""
sign_in_in_all = limiter.shared_limit("60/minute", scope="sign-in", key_func=_guessers)
"""For all addresses together, and for all such browsers together: each guess costs a tenth of a second and 32 MB."""
uploads = limiter.limit("60/minute")
"""For each player: pictures."""
bulk = limiter.limit("1200/minute")
"""For each organiser: pictures."""
checks = limiter.limit("30/minute")
"""For each player: what costs a count."""
pages = limiter.limit(_WHOLE_HALL, key_func=get_remote_address)
"""For each address: pages and files that hold no secret. A whole conference opens them within a minute."""


def limit_calls(app: Flask, redis: str = "") -> None:
    """Count the calls of an application's endpoints from now on, together with all that use the same Redis.

    While Redis is away each process counts for itself.
    """
    app.config["RATELIMIT_STORAGE_URI"] = redis or "memory://"
    app.config["RATELIMIT_IN_MEMORY_FALLBACK_ENABLED"] = bool(redis)
    limiter.init_app(app)
    if not limiter.storage.check():
        _log.warning("the Redis at HAGGLE_REDIS_URL does not answer, or refuses us: each server counts calls alone")

    def too_many(_error: RateLimitExceeded) -> Response:
        breached = limiter.current_limit
        seconds = max(1, math.ceil(breached.reset_at - time.time())) if breached else 60
        return Problem(
            429,
            "too-many",
            "Too many requests",
            f"That was a bit much at once. Try again in {seconds} seconds.",
            retry_after=seconds,
        ).response()

    app.register_error_handler(RateLimitExceeded, too_many)
