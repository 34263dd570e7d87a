"""Idempotency keys: a request that creates something is executed once for each, and repetitions get its response."""

from __future__ import annotations

import hashlib
from datetime import timedelta
from typing import TYPE_CHECKING, Any, ParamSpec, TypeVar

from flask import request
from sqlalchemy import bindparam, insert, select

from server.api.application import current_context
from server.api.auth import idempotency_caller
from server.db.models import IdempotentResponse, table_of
from server.db.session import advisory_lock
from server.games.errors import DomainError

if TYPE_CHECKING:
    from collections.abc import Callable

    from sqlalchemy.orm import Session


P = ParamSpec("P")
R = TypeVar("R")

HEADER = "Idempotency-Key"
RESPONSE_AGE = timedelta(days=2)
"""Age at which stored responses are deleted."""
_MAX_KEY_LENGTH = 100
_CREATED = 201
_FIND = select(IdempotentResponse.request, IdempotentResponse.body, IdempotentResponse.status).where(
    IdempotentResponse.caller == bindparam("caller"), IdempotentResponse.key == bindparam("key")
)
_STORE = insert(table_of(IdempotentResponse))


def describe_idempotency_key(view: Callable[P, R]) -> Callable[P, R]:
    """Describe the Idempotency-Key header in a view's API description; the view calls `run_once`."""
    view.__dict__["requires_idempotency_key"] = True
    return view


def run_once(work: Callable[[Session], dict[str, Any]], *, body: bytes | None = None) -> tuple[dict[str, Any], int]:
    """Do the work and store its response in one transaction, or return the response stored for the request's key.

    Keys are separate for each caller. `body` identifies the request instead of its own body. Raises DomainError
    `no-key`, or `other-request` if the key came with a different request before.
    """
    caller, key, digest = idempotency_caller(), _request_key(), _digest(body)

    def transaction(session: Session) -> tuple[dict[str, Any], int]:
        # Concurrent requests with the same key wait here for the first one.
        advisory_lock(session, "answer", caller, key)
        stored = _stored(session, digest)
        if stored is not None:
            return stored
        response = work(session)
        row = {"caller": caller, "key": key, "request": digest, "status": _CREATED, "body": response}
        session.execute(_STORE, {**row, "at": current_context().clock()})
        return response, _CREATED

    return current_context().database.run(transaction)


def stored_response(*, body: bytes | None = None) -> tuple[dict[str, Any], int] | None:
    """Return the response stored for the request's key, None for a new request.

    For work that is more than the transaction of `run_once`, which still has to follow; raises the same errors.
    """
    digest = _digest(body)
    with current_context().database.reading() as session:
        return _stored(session, digest)


def run_or_stored(
    work: Callable[[], tuple[dict[str, Any], int]], *, body: bytes | None = None
) -> tuple[dict[str, Any], int]:
    """Do work that ends with `run_once`; if it fails because a concurrent request has done it, return that response."""
    try:
        return work()
    except DomainError:
        if (stored := stored_response(body=body)) is not None:
            return stored
        raise


def key_was_used(session: Session) -> bool:
    """Return whether the request's key was used before; DomainError `no-key`.

    Lets a view refuse new requests before it reads their bodies. `stored_response` has to follow if it was used,
    and `run_once` in any case.
    """
    return session.execute(_FIND, {"caller": idempotency_caller(), "key": _request_key()}).first() is not None


def _request_key() -> str:
    key = request.headers.get(HEADER, "").strip()
    if not key or len(key) > _MAX_KEY_LENGTH or not key.isascii() or not key.isprintable():
        raise DomainError("no-key", f"Send a header {HEADER} with a new random text, the same one when you try again.")
    return key


def _digest(body: bytes | None) -> str:
    content = request.get_data(cache=True) if body is None else body
    return hashlib.sha256(f"{request.method} {request.full_path}\n".encode() + content).hexdigest()


def _stored(session: Session, digest: str) -> tuple[dict[str, Any], int] | None:
    row = session.execute(_FIND, {"caller": idempotency_caller(), "key": _request_key()}).first()
    if row is None:
        return None
    if row.request != digest:
        raise DomainError("other-request", f"This {HEADER} came with another request before. Use a new one.")
    return row.body, row.status
