"""A request that creates something creates it once, however often it is sent: its first answer is kept."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Any, ParamSpec, TypeVar

from flask import request
from sqlalchemy import bindparam, insert, select

from server.api.context import current_context
from server.db.models import IdempotentResponse, table_of
from server.db.session import advisory_lock
from server.games.errors import DomainError

if TYPE_CHECKING:
    from collections.abc import Callable

    from sqlalchemy.orm import Session


P = ParamSpec("P")
R = TypeVar("R")

HEADER = "Idempotency-Key"
_LONGEST = 100
_ANSWER = select(IdempotentResponse.request, IdempotentResponse.body, IdempotentResponse.status).where(
    IdempotentResponse.caller == bindparam("caller"), IdempotentResponse.key == bindparam("key")
)
_KEEP = insert(table_of(IdempotentResponse))


def creates(view: Callable[P, R]) -> Callable[P, R]:
    """Say in the API's description that a view creates something and needs an idempotency key."""
    view.__dict__["creates"] = True
    return view


def request_key() -> str:
    """Return the request's idempotency key; Refusal `no-key` if it has none."""
    key = request.headers.get(HEADER, "").strip()
    if not key or len(key) > _LONGEST or not key.isascii() or not key.isprintable():
        raise DomainError("no-key", f"Send a header {HEADER} with a fresh random text, the same when you try again.")
    return key


def answered(caller: str, *, body: bytes | None = None) -> tuple[dict[str, Any], int] | None:
    """Return the answer that this request got before, None if it is new; for work that is more than a transaction.

    Refusals and `body` as `once`, which still has to follow.
    """
    key, what = request_key(), _digest(body)
    with current_context().context.database.reading() as session:
        return _before(session, caller, key, what)


def answered_meanwhile(
    caller: str, work: Callable[[], tuple[dict[str, Any], int]], *, body: bytes | None = None
) -> tuple[dict[str, Any], int]:
    """Do work that ends with `once`. If it is refused since the same was done meanwhile, return the answer of then."""
    try:
        return work()
    except DomainError:
        if (before := answered(caller, body=body)) is not None:
            return before
        raise


def asked_before(session: Session, caller: str) -> bool:
    """Tell whether a request came before under this one's key; Refusal `no-key`.

    For what is refused early, before a body is read: only new requests are, whatever has changed since. One that came
    before goes on to `answered`. `once` still has to follow.
    """
    return session.execute(_ANSWER, {"caller": caller, "key": request_key()}).first() is not None


def once(
    caller: str, work: Callable[[Session], dict[str, Any]], *, status: int = 201, body: bytes | None = None
) -> tuple[dict[str, Any], int]:
    """Do the work and keep its answer in one transaction; a request that was done before gets the answer of then.

    `caller` is who sends it, since keys of different callers are different keys. `body` are the bytes that make the
    request what it is (None: its whole body); Refusal `other-request` if the key came with another request before.
    """
    key, what = request_key(), _digest(body)

    def all_of_it(session: Session) -> tuple[dict[str, Any], int]:
        # The same sent twice at the same moment: the second waits, and gets the answer of the first.
        advisory_lock(session, "answer", caller, key)
        before = _before(session, caller, key, what)
        if before is not None:
            return before
        answer = work(session)
        kept = {"caller": caller, "key": key, "request": what, "status": status, "body": answer}
        session.execute(_KEEP, {**kept, "at": current_context().context.clock()})
        return answer, status

    return current_context().context.database.run(all_of_it)


def _digest(body: bytes | None) -> str:
    content = request.get_data(cache=True) if body is None else body
    return hashlib.sha256(f"{request.method} {request.full_path}\n".encode() + content).hexdigest()


def _before(session: Session, caller: str, key: str, what: str) -> tuple[dict[str, Any], int] | None:
    before = session.execute(_ANSWER, {"caller": caller, "key": key}).first()
    if before is None:
        return None
    if before.request != what:
        raise DomainError("other-request", f"This {HEADER} came with another request before. Take a fresh one.")
    return before.body, before.status


PARAMETER: dict[str, Any] = {
    "name": "If-Match",
    "in": "header",
    "required": True,
    "description": "The revision of what is decided, as the organiser saw it",
    "schema": {"type": "string", "minLength": 1, "maxLength": 40, "pattern": "^[0-9a-f]+$"},
}


def revised(view: Callable[P, R]) -> Callable[P, R]:
    """Say in the API's description that a view needs a revision in If-Match."""
    view.__dict__["revised"] = True
    return view


def if_match() -> str:
    """Return the revision that a change is based on; Refusal `no-revision` if the request names none."""
    said = named_revision()
    if not said:
        raise DomainError(
            "no-revision",
            "Send the item's revision in a header If-Match, so that nobody overwrites what others decided.",
        )
    return said


def named_revision() -> str:
    """Return the revision that a request names; "" for none."""
    return request.headers.get("If-Match", "").strip().removeprefix("W/").strip('"')
