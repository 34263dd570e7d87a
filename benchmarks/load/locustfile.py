"""Players and an organiser as Locust users. `haggle bench rush` starts this file with a plan; see `rush.py`.

The plan is a JSON file named by an environment variable. After loading, this prints "ready" and reads the start time
from its standard input. In the end it writes the record to another file.
"""

from __future__ import annotations

import contextlib
import hashlib
import http.client
import io
import itertools
import json
import os
import re
import socket
import sys
import threading
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from locust import FastHttpUser, events, task
from locust.exception import StopUser

from benchmarks.load.plan import REFUSALS, Call, Promise, Record, between, chance

if TYPE_CHECKING:
    from collections.abc import Mapping

    from locust.contrib.fasthttp import FastResponse
    from locust.env import Environment

PLAN, RECORD = "HAGGLE_RUSH_PLAN", "HAGGLE_RUSH_RECORD"
"""Environment variables with the paths of plan and record."""
PATIENCE = 120.0
"""Timeout of a request in seconds."""
FIRST_PAUSE, LONGEST_PAUSE = 2.0, 60.0
"""Seconds before a request without a response is repeated, doubled each time."""
OWN_PAUSE = 30.0
"""Seconds before a request is repeated after an error of the server."""
GATHER, WITHOUT = 0.15, 10.0
"""Seconds for which a page collects events before it fetches, and between fetches without a stream."""
LOOK_PAUSE = 0.7
"""Seconds between two rounds of the organiser's requests."""
UPLOADS = 3
"""Concurrent uploads of the organiser."""
AGE, SILENCE = 1700.0, 45.0
"""Seconds after which the server may end a stream, and without a heartbeat after which a stream counts as dead."""
ENDING = 30.0
"""Seconds that users have to finish after the run."""

ME = "/api/v1/me"
DECKS = f"{ME}/decks"
_FILE = re.compile(rb'(?:src|href)="(/assets/[^"]+)"')
# The service worker lists these files. It caches those of the live view on first use, and all others at once.
_CACHED = re.compile(rb'"(assets/(?!live-)[^"]+)"')
_BROWSER = {"Accept-Encoding": "br, gzip", "Accept-Language": "en"}
_JSON = {"Content-Type": "application/json"}
_BOUNDARY = "haggle-rush-boundary"
_OK, _CREATED, _CHANGED, _SERVER = 200, 201, 412, 500
_PASSING = frozenset({0, 408})

plan: dict[str, Any] = json.loads(Path(os.environ[PLAN]).read_text(encoding="utf-8"))
record = Record()
over = threading.Event()
people: list[HaggleUser] = []
begun = 0.0


class GivenUpError(Exception):
    """The run ended before a request was answered."""


class Paced(io.BytesIO):
    """A request body that is sent at the speed of a phone's network."""

    def __init__(self, body: bytes, megabits: float) -> None:
        super().__init__(body)
        self._size, self._megabits, self._begun = len(body), megabits, time.monotonic()

    def __len__(self) -> int:
        return self._size

    def read(self, size: int | None = -1) -> bytes:
        """Return the next bytes after the time that their transfer takes."""
        piece = super().read(size)
        ahead = self.tell() * 8 / (self._megabits * 1e6) - (time.monotonic() - self._begun)
        if ahead > 0:
            time.sleep(ahead)
        return piece


class HaggleUser(FastHttpUser):
    """A user of a page, with the pauses and retries of our outbox."""

    abstract = True
    network_timeout = connection_timeout = PATIENCE
    headers: Mapping[str, str]
    seed: str
    done = False

    def __init__(self, environment: Environment) -> None:
        super().__init__(environment)
        self._tries = itertools.count(1)
        people.append(self)

    def on_start(self) -> None:
        """Wait for the start of the run."""
        time.sleep(max(0.0, begun - time.time()))

    def send_until_accepted(
        self,
        what: str,
        method: str,
        path: str,
        *,
        body: bytes | None = None,
        headers: Mapping[str, str] | None = None,
        megabits: float | None = None,
    ) -> FastResponse:
        """Repeat a request until it is not refused.

        Refusals must have Retry-After, and the next attempt must be accepted. Raises GivenUpError at the end of the
        run.
        """
        pause, refused = FIRST_PAUSE, False
        sent = {**self.headers, **(headers or {})}
        while True:
            data = Paced(body, megabits) if body and megabits else body
            # Locust declares a str, but accepts bytes and files.
            answer: FastResponse = self.client.request(method, path, name=what, data=data, headers=sent)  # type: ignore[arg-type]
            status, slug, wait = answer.status_code, slug_of(answer), wait_of(answer)
            if refused:
                record.retried["refused" if status in REFUSALS else "worked"] += 1
            # The limits of attempts are answers, not temporary refusals.
            refused = status in REFUSALS and slug not in {"no-tries", "too-soon"}
            if refused and not wait:
                record.retried["unnamed"] += 1
                record.wrong.append(f"{what}: {status} {slug} without a time to come back")
            if not refused and status not in _PASSING and status < _SERVER:
                return answer
            if status not in REFUSALS:
                record.wrong.append(f"{what}: {status or 'no answer'} {slug}".rstrip())
            due = OWN_PAUSE if status == _SERVER else pause * between(0.75, 1.25, self.seed, next(self._tries))
            pause = min(LONGEST_PAUSE, pause * 2)
            self.sleep(max(due, wait), what)

    def upload(
        self, what: str, path: str, file: str, headers: Mapping[str, str], megabits: float | None = None
    ) -> FastResponse:
        """Upload a photo as a form, by `send_until_accepted`."""
        head = f'--{_BOUNDARY}\r\nContent-Disposition: form-data; name="photo"; filename="photo.jpg"\r\n'
        start = f"{head}Content-Type: image/jpeg\r\n\r\n".encode()
        form = start + Path(file).read_bytes() + f"\r\n--{_BOUNDARY}--\r\n".encode()
        kind = {"Content-Type": f"multipart/form-data; boundary={_BOUNDARY}"}
        return self.send_until_accepted(what, "POST", path, body=form, headers={**headers, **kind}, megabits=megabits)

    def expect(self, what: str, answer: FastResponse, *statuses: int) -> dict[str, Any]:
        """Return the JSON of a response; with an unexpected status, record an error and give up."""
        if answer.status_code not in (statuses or (_OK,)):
            record.wrong.append(f"{what}: {answer.status_code} {slug_of(answer)}")
            raise GivenUpError(what)
        return body_of(answer)

    def sleep(self, seconds: float, what: str) -> None:
        """Wait. Raises GivenUpError at the end of the run."""
        if over.wait(max(0.0, seconds)):
            raise GivenUpError(what)


class Player(HaggleUser):
    """A player who opens the page, uploads photos, confirms, asks for the score, hands in, and leaves the page open."""

    fixed_count = len(plan["players"])
    _seats = iter(plan["players"])

    def __init__(self, environment: Environment) -> None:
        seat = next(self._seats)
        self._visit, self._photos = seat["visit"], seat["photos"]
        self.promise = Promise(self._visit["envelope"])
        record.promises.append(self.promise)
        number = self.promise.envelope
        self.seed = f"{plan['seed']}/{number}"
        self.headers = {"Authorization": f"Bearer {seat['token']}", **_BROWSER}
        # With several servers the stream uses another one, to check that each sends the other's changes.
        self.host, there = (plan["urls"][(number + step) % len(plan["urls"])] for step in range(2))
        super().__init__(environment)
        self._stream = Stream(there, f"{ME}/events", self.headers, self.seed)
        self._pulse = 0
        self._looked = 0.0
        self._game = "open"
        self._megabits = between(*plan["megabits"], self.seed, "way")
        self._thoughts = itertools.count()

    @task
    def play(self) -> None:
        """Run all steps of the player."""
        try:
            if self._visit["watches"]:
                self._stream.start()
            self._wait_until(self._visit["arrives"])
            self._open_page()
            if not self._visit["watches"]:
                self._stream.start()
            self._hand_in(self._read())
            self.done = True
            self._wait_until(float("inf"))
        except GivenUpError as late:
            if not self.done:
                self._wrong(f"not done in time, still at: {late}")
        finally:
            self._stream.close()
        raise StopUser

    def _open_page(self) -> None:
        """Fetch what a browser without a cache fetches: the page, its files, and those cached for offline use."""
        page = self.send_until_accepted("open the page", "GET", "/j")
        worker = self.send_until_accepted("open the page", "GET", "/sw.js")
        cached = [b"/" + file for file in _CACHED.findall(worker.content or b"")]
        if not cached:
            self._wrong("the service worker lists no files")
        files = {*_FILE.findall(page.content or b""), *cached}
        for file in sorted(files):
            self.expect("a file of the page", self.send_until_accepted("a file of the page", "GET", file.decode()))

    def _read(self) -> dict[str, Any]:
        """Upload photos of the deck and wait for its list; return the deck."""
        begin = self.send_until_accepted("begin a deck", "POST", DECKS, body=b"", headers=self._key("deck"))
        self.promise.deck = str(self.expect("begin a deck", begin, _CREATED)["id"])
        path = f"{DECKS}/{self.promise.deck}/photos"
        for number, file in enumerate(self._photos):
            if number:
                self._think()
            key = self._key(f"picture {number}")
            sent = self.upload("send a picture", path, file, key, self._megabits)
            name = str(self.expect("send a picture", sent, _CREATED)["id"])
            self.promise.photos.append(name)
            if self._visit["again"]:
                # As if the response had been lost.
                again = self.upload("send a picture again", path, file, key, self._megabits)
                if body_of(again).get("id") != name:
                    self._wrong("the same upload is two pictures")
        return self._list()

    def _list(self) -> dict[str, Any]:
        """Wait until all photos are scanned, by the event stream or by polling."""
        uploaded = time.monotonic()
        while True:
            deck = self._look()
            if not deck["pending"]:
                self.promise.seconds.append(time.monotonic() - uploaded)
                return deck
            self._await_events()

    def _hand_in(self, deck: dict[str, Any]) -> None:
        """Confirm the list, ask for the score if the game is open, and hand in."""
        path = f"{DECKS}/{self.promise.deck}"
        while True:
            self._think()
            self.promise.confirmed, self.promise.cards = str(deck["digest"]), int(deck["total"])
            body = json.dumps({"digest": self.promise.confirmed}).encode()
            confirmed = self.send_until_accepted("confirm", "POST", f"{path}/confirm", body=body, headers=_JSON)
            if slug_of(confirmed) not in {"list-changed", "still-reading"}:
                break
            deck = self._list()
        self.expect("confirm", confirmed)
        self._think()
        if self._game == "open":
            checked = self.send_until_accepted("check", "POST", f"{path}/check?language=en&mode=known", body=b"")
            # The deadline may have passed in the meantime.
            if slug_of(checked) != "wrong-state":
                self.expect("check", checked)
                self.promise.checks += 1
            self._think()
        receipt = self.expect("hand in", self.send_until_accepted("hand in", "POST", f"{path}/hand-in", body=b""))
        self.promise.receipt = receipt
        if (
            self._visit["twice"]
            and body_of(self.send_until_accepted("hand in again", "POST", f"{path}/hand-in", body=b"")) != receipt
        ):
            self._wrong("two hand-ins have two receipts")
        if body_of(self.send_until_accepted("look at me", "GET", ME)).get("receipt") != receipt:
            self._wrong("the page shows another receipt than the one that was given")

    def _look(self) -> dict[str, Any]:
        """Fetch /me, and the deck if there is one, as the page does after every change."""
        self._looked = time.monotonic()
        found = self.expect("look at me", self.send_until_accepted("look at me", "GET", ME))
        self._game = str(found.get("game", {}).get("state", self._game))
        if not self.promise.deck:
            return found
        return self.expect(
            "look at the deck", self.send_until_accepted("look at the deck", "GET", f"{DECKS}/{self.promise.deck}")
        )

    def _await_events(self) -> None:
        """Wait until the next event; if the stream is not open, for a while."""
        pulse = self._pulse
        while pulse == self._pulse and not over.is_set():
            pulse = self._stream.wait(self._pulse, 1.0)
            if not self._stream.is_open.is_set() and time.monotonic() > self._looked + WITHOUT:
                break
        self.sleep(GATHER, "waiting for news")
        self._pulse = self._stream.pulse

    def _wait_until(self, seconds: float) -> None:
        """Wait until a number of seconds after the start; an open page fetches after each event."""
        while (left := begun + seconds - time.time()) > 0:
            if over.is_set():
                raise GivenUpError("waiting")
            if self._stream.wait(self._pulse, min(left, 1.0)) != self._pulse:
                self._await_events()
                self._look()

    def _think(self) -> None:
        self.sleep(between(*plan["think"], self.seed, "thought", next(self._thoughts)), "thinking")

    def _key(self, what: str) -> dict[str, str]:
        return {"Idempotency-Key": hashlib.sha256(f"{self.seed}/{what}".encode()).hexdigest()[:32]}

    def _wrong(self, words: str) -> None:
        record.wrong.append(f"player {self.promise.envelope}: {words}")


class Organiser(HaggleUser):
    """An organiser who uploads photos of envelopes, fetches everything after each change, and decides."""

    fixed_count = 1

    def __init__(self, environment: Environment) -> None:
        self._work = plan["organiser"]
        self.host = plan["urls"][0]
        self.seed = plan["seed"]
        self.headers = {"Origin": self.host, **_BROWSER}
        self._path = f"/api/v1/games/{self._work['game']}"
        self._left = list(enumerate(self._work["photos"]))
        super().__init__(environment)

    @task
    def work(self) -> None:
        """Run all activities concurrently until the end of the run."""
        try:
            body = json.dumps({"name": "Bench", "password": self._work["password"]}).encode()
            self.expect(
                "sign in",
                self.send_until_accepted("sign in", "POST", "/api/v1/session", body=body, headers=_JSON),
                _CREATED,
            )
        except GivenUpError:
            raise StopUser from None
        # The client stores the cookie; the stream has a separate connection.
        cookies = "; ".join(f"{cookie.name}={cookie.value}" for cookie in self.client.cookiejar)
        stream = Stream(str(self.host), f"{self._path}/events", {**self.headers, "Cookie": cookies}, self.seed)
        stream.start()
        senders = [threading.Thread(target=self._send, daemon=True) for _ in range(UPLOADS)]
        for thread in senders:
            thread.start()
        pulse = -1
        try:
            while not over.is_set():
                if pulse != stream.pulse:
                    pulse = stream.pulse
                    self._look()
                self.done = not any(thread.is_alive() for thread in senders)
                over.wait(LOOK_PAUSE)
        except GivenUpError as late:
            record.wrong.append(f"the organiser was not done in time, still at: {late}")
        stream.close()
        raise StopUser

    def _look(self) -> None:
        parts = {"game": "", "queue": "/queue?limit=1", "photos": "/photos?limit=0", "envelopes": "/envelopes"}
        for name, path in parts.items():
            self.expect(f"desk: {name}", self.send_until_accepted(f"desk: {name}", "GET", f"{self._path}{path}"))
            record.desk[f"looks at {name}"] += 1
        self._decide()

    def _decide(self) -> None:
        """Assign one undecided photo to the envelope of its label."""
        photos = self.send_until_accepted("desk: photos", "GET", f"{self._path}/photos?state=done&limit=1000")
        waiting = [
            one
            for one in self.expect("desk: photos", photos)["photos"]
            if not one["decided"] and len(one["envelopes"]) == 1
        ]
        if not waiting:
            return
        path = f"{self._path}/photos/{waiting[0]['id']}"
        seen = self.expect("desk: a picture", self.send_until_accepted("desk: a picture", "GET", path))
        body = {"do": "assign", "envelope": waiting[0]["envelopes"][0], "reason": "The label says so."}
        headers = {"If-Match": str(seen["revision"]), **_JSON}
        said = self.send_until_accepted("desk: decide", "PATCH", path, body=json.dumps(body).encode(), headers=headers)
        self.expect("desk: decide", said, _OK, _CHANGED)
        if said.status_code == _OK:
            record.rulings.append(str(seen["key"]))
            record.desk["decisions"] += 1

    def _send(self) -> None:
        """Upload photos of envelopes, spread over the time of the run."""
        try:
            while self._left:
                place, (envelope, file) = self._left.pop(0)
                share = (place + chance(self.seed, place)) / len(self._work["photos"])
                self.sleep(begun + plan["seconds"] * share - time.time(), "sending pictures")
                path = f"{self._path}/photos?batch=rush&place={place}&name=envelope-{envelope}.jpg"
                key = {"Idempotency-Key": f"desk-{self.seed}-{place}"}
                answer = self.upload("desk: send a picture", path, file, key)
                record.received.append(str(self.expect("desk: send a picture", answer, _CREATED)["id"]))
                record.desk["pictures"] += 1
        except GivenUpError as late:
            record.wrong.append(f"the organiser was not done in time, still at: {late}")


class Stream(threading.Thread):
    """An event stream that is reopened whenever it ends. `pulse` counts its events."""

    def __init__(self, url: str, path: str, headers: Mapping[str, str], seed: str) -> None:
        super().__init__(daemon=True)
        parts = urlsplit(url)
        self._address = (parts.hostname or "127.0.0.1", parts.port or 80)
        self._path, self._headers, self._seed = path, dict(headers), seed
        self._ended = threading.Event()
        self._news = threading.Condition()
        self._socket: socket.socket | None = None
        self.pulse = 0
        self.is_open = threading.Event()

    def run(self) -> None:
        """Read events until it is closed."""
        pause, tries = 1.0, 0
        while not self._ended.is_set():
            wait = pause
            try:
                wait = max(pause, self._listen())
                pause = 1.0 if self.is_open.is_set() else min(30.0, pause * 2)
            except (OSError, http.client.HTTPException, ValueError, AttributeError):
                # Closing the connection from another thread causes any of these.
                pause = min(30.0, pause * 2)
                if not self._ended.is_set():
                    record.streams["broke"] += 1
            self.is_open.clear()
            tries += 1
            self._ended.wait(wait * between(0.5, 1.5, self._seed, tries))

    def wait(self, pulse: int, seconds: float) -> int:
        """Wait until there are more than `pulse` events, or a time has passed; return their number."""
        with self._news:
            self._news.wait_for(lambda: self.pulse != pulse, seconds)
            return self.pulse

    def close(self) -> None:
        """Close the connection."""
        self._ended.set()
        if self._socket:
            with contextlib.suppress(OSError):
                self._socket.shutdown(socket.SHUT_RDWR)

    def _listen(self) -> float:
        """Read one stream until it ends; return the seconds to wait if it was refused."""
        started = time.monotonic()
        connection = http.client.HTTPConnection(*self._address, timeout=SILENCE)
        with contextlib.closing(connection):
            connection.request("GET", self._path, headers=self._headers)
            self._socket = connection.sock
            answer = connection.getresponse()
            if answer.status != _OK:
                record.streams["refused"] += 1
                if not (wait := answer.headers.get("Retry-After", "")).isdigit():
                    record.wrong.append(f"stream: {answer.status} without a time to come back")
                return float(wait or 0)
            record.streams["opened"] += 1
            self.is_open.set()
            while line := answer.readline().decode():
                if line.startswith("data:"):
                    record.streams["events"] += 1
                    with self._news:
                        self.pulse += 1
                        self._news.notify_all()
        if not self._ended.is_set():
            record.streams["ended" if time.monotonic() - started >= AGE else "cut"] += 1
        return 0.0


def body_of(answer: FastResponse) -> dict[str, Any]:
    """Return the JSON of a response; an empty dict without any."""
    try:
        document = json.loads(answer.content or b"")
    except ValueError:
        return {}
    return document if isinstance(document, dict) else {}


def slug_of(answer: FastResponse) -> str:
    """Return the slug of a response's problem; "" for none."""
    return str(body_of(answer).get("type", "")).rpartition("/")[2] if answer.status_code >= 400 else ""  # noqa: PLR2004


def wait_of(answer: FastResponse) -> float:
    """Return the seconds of Retry-After; 0 without any."""
    text = str(answer.headers.get("retry-after", "")) if answer.headers else ""
    return float(text) if text.isascii() and text.isdigit() else 0.0


def start(**_: object) -> None:
    """Report that loading has finished, and read the start time."""
    global begun  # noqa: PLW0603 - known only now
    print("ready", flush=True)  # noqa: T201 - the parent process waits for it
    begun = float(sys.stdin.readline())


def note(name: str, response_time: float, response: FastResponse, start_time: float, **_: object) -> None:
    """Record a call."""
    record.calls.append(Call(name, response.status_code, response_time / 1000, start_time - begun))


def watch(environment: Environment, **_: object) -> None:
    """Start the thread that ends the run."""
    threading.Thread(target=finish, args=(environment,), daemon=True).start()


def finish(environment: Environment) -> None:
    """Wait until all users are done or the time is over, write the record, and quit."""
    number, last = Player.fixed_count + Organiser.fixed_count, begun + plan["seconds"] + plan["grace"]
    runner = environment.runner
    if runner is None:
        raise RuntimeError("Locust has no runner")
    try:
        while time.time() < last and not (len(people) == number and all(person.done for person in people)):
            time.sleep(0.2)
        over.set()
        until = time.monotonic() + ENDING
        while runner.user_count and time.monotonic() < until:
            time.sleep(0.1)
        record.processor = time.process_time()
        Path(os.environ[RECORD]).write_text(record.to_json(), encoding="utf-8")
    finally:
        runner.quit()


events.init.add_listener(start)
events.request.add_listener(note)
events.test_start.add_listener(watch)
