"""Carries rings between processes, over Redis. It only makes things quicker: without it everybody looks again soon.

Nothing is kept in Redis and nobody waits for it. While it is away, what is rung is rung in this process alone; when it
is back, all bells ring once, since something may have been missed.
"""

from __future__ import annotations

import contextlib
import logging
import secrets
import threading
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote, urlsplit

from redis import Redis
from redis.backoff import NoBackoff
from redis.exceptions import (
    AuthenticationError,
    AuthenticationWrongNumberOfArgsError,
    NoPermissionError,
    RedisError,
    ResponseError,
)
from redis.exceptions import TimeoutError as SilenceError
from redis.retry import Retry

from server.jobs.bell import Bell

if TYPE_CHECKING:
    from collections.abc import Callable

    from redis.client import PubSub

SECONDS = 1.0
"""How long Redis may take to answer, in the threads of a wire."""
QUIET = 10
"""Seconds without a word after which Redis is asked whether it is there."""

_TICK = 0.5
_FIRST_PAUSE, _LONGEST_PAUSE = 0.5, 10.0
# Seconds between two tries to reach it.
_LINGER = 0.3
# Seconds that what was rung last may take to go out when the process ends.
_log = logging.getLogger(__name__)


class WireError(Exception):
    """No wire can be had from an address; the message says why in one line."""


def why_silent(error: Exception) -> str:
    """Return what may be told of a Redis of which we got nothing but an error; never what it said itself."""
    name = type(error).__name__
    if isinstance(error, AuthenticationError | AuthenticationWrongNumberOfArgsError | NoPermissionError):
        return f"Redis refuses us ({name}): it wants another user or password in HAGGLE_QUEUE_URL"
    if isinstance(error, ResponseError):
        # A number that it does not have comes as one of no further kind, as a disk that is full does.
        number = ", or HAGGLE_QUEUE_URL names a number that it does not have" if type(error) is ResponseError else ""
        return f"Redis refuses what it is asked for ({name}): its own log says why{number}"
    return f"Redis does not answer ({type(error).__name__})"


class Wire:
    """A wire by a Redis's address, such as `redis://host:6379/0`. WireError for what is no such address.

    Whoever uses the same Redis and number of database hears each other. Its threads begin when they are first needed.
    """

    def __init__(self, url: str) -> None:
        try:
            _see_number(url)
            self._redis: Redis = Redis.from_url(
                url,
                # An older form of the protocol, in which an answer to a ping is a message as any other.
                protocol=2,
                decode_responses=True,
                # Whatever others send over the same channel, it is no reason to stop listening.
                encoding_errors="replace",
                socket_timeout=SECONDS,
                socket_connect_timeout=SECONDS,
                socket_keepalive=True,
                retry=Retry(NoBackoff(), 0),
            )
        except ValueError:
            raise WireError("HAGGLE_QUEUE_URL is no address of a Redis: write redis://:password@host:6379/0") from None
        # Messages reach all databases of a Redis.
        self._channel = f"haggle:{self._redis.connection_pool.connection_kwargs.get('db') or 0}"
        self._me = secrets.token_hex(8)
        self._rings: dict[str, Callable[[], None]] = {}
        self._outgoing: set[str] = set()
        self._news = threading.Condition()
        self._closing = threading.Event()
        self._threads: dict[str, threading.Thread] = {}
        self._away = False
        self._heard = threading.Event()

    def bell(self, name: str) -> Bell:
        """Return a bell that rings in all processes that have one of that name."""
        return Bell(name, self)

    @property
    def hears(self) -> bool:
        """Whether other processes are heard just now."""
        return self._heard.is_set()

    def send(self, name: str) -> None:
        """Ring the other processes' bells of that name, soon; never waits and never fails."""
        with self._news:
            self._outgoing.add(name)
            self._news.notify_all()
            self._begin("haggle-wire-out", self._send_all)

    def listen(self, name: str, ring: Callable[[], None]) -> None:
        """Call `ring` from now on whenever another process has rung."""
        with self._news:
            self._rings[name] = ring
            self._begin("haggle-wire-in", self._listen)

    def close(self) -> None:
        """Stop listening, and send what was rung last if that is quick."""
        with self._news:
            self._closing.set()
            self._news.notify_all()
            threads = dict(self._threads)
        for name, thread in threads.items():
            thread.join(_LINGER if name == "haggle-wire-out" else 2 * _TICK)
        with contextlib.suppress(RedisError, OSError):
            self._redis.close()

    def _begin(self, name: str, work: Callable[[], None]) -> None:
        """Start a thread if it does not run; the lock is held."""
        if name not in self._threads and not self._closing.is_set():
            self._threads[name] = threading.Thread(target=work, name=name, daemon=True)
            self._threads[name].start()

    def _send_all(self) -> None:
        pause = _FIRST_PAUSE
        while True:
            with self._news:
                self._news.wait_for(lambda: self._outgoing or self._closing.is_set())
                names, self._outgoing = self._outgoing, set()
            if not names:
                return
            try:
                for name in names:
                    self._redis.publish(self._channel, f"{name} {self._me}")
            except (RedisError, OSError) as error:
                self._note_away(error)
                # Whoever is not told now looks by itself, and rings its own bells when it hears again.
                if self._closing.wait(pause):
                    return
                pause = min(2 * pause, _LONGEST_PAUSE)
            else:
                pause = _FIRST_PAUSE
                self._note_back()

    def _listen(self) -> None:
        pause = _FIRST_PAUSE
        while not self._closing.is_set():
            try:
                with self._redis.pubsub() as ear:  # type: ignore[no-untyped-call]  # the library's own gap
                    ear.subscribe(self._channel)
                    self._attend(ear)
            except (RedisError, OSError, ValueError) as error:
                self._note_away(error)
            finally:
                heard = self._heard.is_set()
                self._heard.clear()
            if heard:
                pause = _FIRST_PAUSE
            if self._closing.wait(pause):
                return
            pause = min(2 * pause, _LONGEST_PAUSE)

    def _attend(self, ear: PubSub) -> None:
        """Listen until the process ends, or Redis does: RedisError."""
        silent = 0.0
        while not self._closing.is_set():
            said = ear.get_message(timeout=_TICK)
            if said is not None:
                silent = 0.0
                self._take(said)
                continue
            silent += _TICK
            if silent >= QUIET + SECONDS + _TICK:
                raise SilenceError("it says nothing any more")
            if silent == QUIET:
                ear.ping()

    def _take(self, said: dict[str, Any]) -> None:
        if said["type"] == "subscribe":
            self._heard.set()
            self._note_back()
            for ring in tuple(self._rings.values()):
                ring()
        elif said["type"] == "message":
            name, _, whose = str(said["data"]).partition(" ")
            if whose != self._me and name in self._rings:
                self._rings[name]()

    def _note_away(self, error: Exception) -> None:
        if not self._away:
            self._away = True
            _log.warning("%s; meanwhile other processes are heard of later", why_silent(error))

    def _note_back(self) -> None:
        if self._away:
            self._away = False
            _log.warning("Redis answers again")


def _see_number(url: str) -> None:
    """Raise WireError for an address whose end names no database: Redis numbers them, and 0 would be taken for it."""
    found = urlsplit(url)
    said = unquote(found.path).strip("/")
    # Of a socket's address that is the way to it.
    if found.scheme != "unix" and said and not (said.isascii() and said.isdecimal()):
        # Not a word of it: an unquoted / in a password leads here too.
        raise WireError(
            "HAGGLE_QUEUE_URL names a database that is no number: write redis://:password@host:6379/0,"
            " and / in a password as %2F"
        )
