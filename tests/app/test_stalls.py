"""Slow and hostile callers hold up nobody: over real connections to the real server, and by counts of bytes alone."""

from __future__ import annotations

import contextlib
import http.client
import json
import resource
import socket
import struct
import sys
import threading
import time
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from server.api.bodies import Bounds
from server.api.house import uploads
from server.app import connections as connections_module
from server.app import serving
from server.app.connections import Connection, connections
from server.app.draining import PLACES
from server.app.house import HouseConfig, open_house
from server.app.stalls import Pace, Stalls
from server.play import events
from server.play.house import game_row
from server.play.tokens import join_token
from server.store.tables import Envelope
from tests.house import new_game
from tests.house_process import HouseProcess
from tests.jobs.scan_jobs import png

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

PLAYERS = 12
HEAD = b'--end\r\nContent-Disposition: form-data; name="photo"; filename="p.png"\r\n\r\n'
TAIL = b"\r\n--end--\r\n"
BEFORE = """
from functools import partial
from server.api.bodies import Bounds
from server.api.house import events
from server.app.draining import Draining
from server.app.stalls import Pace
serving.THREADS, serving.HEAD_SECONDS, events.HEARTBEAT = 24, 2, 0.5
serving.Bodies = partial(serving.Bodies, bounds=Bounds(places=6, each=2, strange=2, each_strange=2, patience=0.3))
# As many fewer places as there are fewer threads.
Draining.__init__.__defaults__ = (*Draining.__init__.__defaults__[:2], 4, 3)
pace = Pace(window=3.0, rate=1000.0, window_out=3.0, rate_out=500.0, silence=3.0, step=0.25, near=1.5, lost=6.0)
serving.Stalls = partial(serving.Stalls, pace=pace)
"""
LIMIT = 90.0
"""Seconds after which something that should have happened within a few has not."""
linux = pytest.mark.skipif(sys.platform != "linux", reason="other systems do not tell how much has come")


class Hall:
    """A real server with few threads and short times, and its players."""

    def __init__(self, folder: Path) -> None:
        house = open_house(HouseConfig(folder))
        game = new_game(house, players=PLAYERS)
        with house.database.reading() as session:
            row = game_row(session, game)
            versions = [session.get_one(Envelope, (game, number)).token for number in range(1, PLAYERS + 1)]
            self.tokens = [join_token(game, row.key, number + 1, one) for number, one in enumerate(versions)]
        house.database.close()
        self.server = HouseProcess(folder, scan_workers=0, before=BEFORE)

    def connect(self, said: bytes = b"") -> socket.socket:
        """Return a connection on which this has been said."""
        one = socket.create_connection(("127.0.0.1", self.server.port), timeout=LIMIT)
        one.sendall(said)
        return one

    def head(self, player: int, path: str, length: int, kind: str = "application/json") -> bytes:
        """Return the head of a player's request with a body."""
        lines = [f"POST {path} HTTP/1.1", "Host: localhost", f"Authorization: Bearer {self.tokens[player]}"]
        lines += [f"Idempotency-Key: {time.monotonic_ns()}", f"Content-Type: {kind}", f"Content-Length: {length}"]
        return "\r\n".join([*lines, "", ""]).encode()

    def ask(self, path: str, player: int | None = None, method: str = "GET") -> tuple[int, dict[str, str], bytes]:
        """Ask for something, without a body; return the status, headers and what came."""
        connection = http.client.HTTPConnection("127.0.0.1", self.server.port, timeout=LIMIT)
        headers = {} if player is None else {"Authorization": f"Bearer {self.tokens[player]}"}
        connection.request(method, path, headers=headers | {"Idempotency-Key": str(time.monotonic_ns())})
        with connection.getresponse() as answer:
            found = answer.status, dict(answer.getheaders()), answer.read()
        connection.close()
        return found

    def begin(self, player: int) -> str:
        """Begin a deck, coming back as often as that is asked for."""
        deadline = time.monotonic() + LIMIT
        while True:
            status, headers, said = self.ask("/api/v1/me/decks", player, "POST")
            if status == 201:
                return str(json.loads(said)["id"])
            assert status == 503, said
            assert int(headers["retry-after"]) >= 1
            assert time.monotonic() < deadline
            time.sleep(0.5)


@pytest.fixture(scope="module")
def hall(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Hall]:
    """Give a server and its players."""
    one = Hall(tmp_path_factory.mktemp("slow") / "data")
    with one.server:
        yield one


def ended(one: socket.socket) -> bytes:
    """Return what still came on a connection that the server ends."""
    said = b""
    with contextlib.suppress(ConnectionResetError, BrokenPipeError):
        while data := one.recv(65_536):
            said += data
    one.close()
    return said


def test_there_are_threads_for_all_that_waits() -> None:
    """Uploads, watchers, refused and other bodies may all be there at once, and somebody else is still answered."""
    bounds = Bounds()
    waiting = uploads.PLACES + events.MOST + PLACES + bounds.places + bounds.strange
    assert waiting + 40 < serving.THREADS


@linux
def test_bodies_that_stop_leave_the_server_to_others(hall: Hall) -> None:
    """More bodies than there are threads stop coming, of many players: all others are served, these too later."""
    stalled = [hall.connect(hall.head(number % PLAYERS, "/api/v1/me/decks", 1000) + b"{") for number in range(60)]
    try:
        assert hall.ask("/healthz")[0] == 200
        assert hall.ask("/api/v1/me", 0)[0] == 200
        assert hall.begin(3)
        assert hall.begin(0)
    finally:
        for one in stalled:
            one.close()


@linux
@pytest.mark.parametrize("trickles", [False, True])
def test_a_picture_that_stops_gives_its_place_back(hall: Hall, *, trickles: bool) -> None:
    """A player whose phone went away in mid-upload, as often as may be, can send again soon; so with single bytes."""
    deck = hall.begin(5)
    path = f"/api/v1/me/decks/{deck}/photos"
    head = hall.head(5, path, 500_000, "multipart/form-data; boundary=end") + HEAD
    stalled = [hall.connect(head) for _ in range(uploads.EACH)]
    deadline = time.monotonic() + LIMIT
    body = HEAD + png(5 + trickles) + TAIL
    while True:
        with hall.connect(hall.head(5, path, len(body), "multipart/form-data; boundary=end") + body) as one:
            status = int(one.recv(100).split()[1])
        if status == 201:
            break
        assert status == 503
        assert time.monotonic() < deadline
        time.sleep(0.2)
        for one in stalled if trickles else ():
            with contextlib.suppress(OSError):
                one.send(b"x")
    for one in stalled:
        one.close()


@linux
def test_a_slow_phone_beside_one_that_stalls_is_served(hall: Hall) -> None:
    """Of one address, whoever stalls is cut off; a slow picture comes in whole, and a live stream goes on."""
    deck = hall.begin(7)
    path = f"/api/v1/me/decks/{deck}/photos"
    said = f"GET /api/v1/me/events HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {hall.tokens[8]}\r\n\r\n"
    watcher = hall.connect(said.encode())
    stalled = hall.connect(hall.head(9, "/api/v1/me/decks", 1000) + b"{")
    body = HEAD + png(99) + bytes(200_000) + TAIL
    slow = hall.connect(hall.head(7, path, len(body), "multipart/form-data; boundary=end"))
    # So much at once that a pause of this process is not taken for a slow phone.
    for start in range(0, len(body), 16_000):
        slow.sendall(body[start : start + 16_000])
        time.sleep(0.5)
    assert slow.recv(100).split()[1] in {b"201", b"422"}, "it was read to its end"
    slow.close()
    ended(stalled)
    watcher.setblocking(False)
    with contextlib.suppress(BlockingIOError):
        while data := watcher.recv(65_536):
            heard = data
        pytest.fail("the stream was ended")
    watcher.setblocking(True)
    heard = watcher.recv(1000)
    assert b"alive" in heard
    watcher.close()


@pytest.mark.parametrize("said", [b"", b"GET / HTTP/1.1\r\nHost: localhost\r\nX-Endless: ", b"GE"])
def test_who_does_not_say_what_for_is_ended(hall: Hall, said: bytes) -> None:
    """A connection without a request, or with a head that does not end, is ended."""
    assert b"200 OK" not in ended(hall.connect(said))


@linux
def test_who_does_not_take_the_answer_is_ended(hall: Hall) -> None:
    """A caller who asks for much and takes nothing holds it only for a while."""
    page = hall.ask("/")[2].decode()
    asset = next(part for part in page.split('"') if part.startswith("/assets/") and part.endswith(".js"))
    size = len(hall.ask(asset)[2])
    times = 60_000_000 // size
    with socket.socket() as one:
        one.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        one.settimeout(LIMIT)
        one.connect(("127.0.0.1", hall.server.port))
        one.setblocking(False)
        asks = f"GET {asset} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode() * times
        with contextlib.suppress(BlockingIOError):
            while asks:
                asks = asks[one.send(asks) :]
        time.sleep(8)
        one.settimeout(LIMIT)
        assert len(ended(one)) < size * times


def test_many_connections_keep_nobody_out(hall: Hall) -> None:
    """More connections that say nothing than a crowded hall has, and others still get in."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if hard < 4000:
        pytest.skip("this machine lets nobody have so many files")
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, 2000), hard))
    with contextlib.ExitStack() as stack:
        stack.callback(resource.setrlimit, resource.RLIMIT_NOFILE, (soft, hard))
        for _ in range(1300):
            stack.enter_context(hall.connect())
        assert hall.ask("/healthz")[0] == 200


PACE = Pace(window=30, rate=1000, window_out=60, rate_out=500, silence=20, step=5, near=10, lost=120, idle=600)
ONE = Connection(7, ("192.0.2.1", 4711), 500, 1, due=False)


def look(changes: list[dict[str, object]], slow: str, *, since: float = 0.0, greets: bool = False) -> list[int]:
    """Look at a connection every five seconds, changed in these ways; return at which looks it was to be ended."""
    now = [ONE]
    stalls = Stalls(lambda _: [(slow, since, since)], 80, PACE, greets=greets, found=lambda _: now)
    out = []
    for number, change in enumerate(changes):
        now[0] = replace(now[0], **change)  # type: ignore[arg-type]  # of the table
        if stalls.look(5.0 * number):
            out.append(number)
    return out


STILL: list[dict[str, object]] = [{}] * 20
HERE, ELSEWHERE = "192.0.2.1", "192.0.2.2"


def test_a_body_that_stands_still_is_ended_where_it_is_waited_for() -> None:
    """Without anything in half a minute it is; not where nobody waits for a body of that address."""
    assert look(STILL, HERE)[0] == 6
    assert look(STILL, ELSEWHERE) == []


def looks(
    ports: dict[int, list[float]], slow: list[tuple[float, float]], until: float, size: int = 500
) -> list[tuple[float, int]]:
    """Look every five seconds at connections of one address, to which so many bytes come at these moments each.

    `slow`: when bodies were there last, and since when they are waited for. Return when which are first to be ended.
    """
    now = 0.0

    def found(_port: int) -> list[Connection]:
        came = {port: [moment for moment in moments if moment <= now] for port, moments in ports.items()}
        return [
            Connection(port, (HERE, port), size * len(moments), 1, due=False, still=now - moments[-1])
            for port, moments in came.items()
            if moments
        ]

    stalls = Stalls(lambda seconds: [(HERE, *one) for one in slow if one[1] <= now - seconds], 80, PACE, found=found)
    out: dict[int, float] = {}
    while now <= until:
        for one in stalls.look(now):
            out.setdefault(one.number, now)
        now += PACE.step
    return sorted((moment, port) for port, moment in out.items())


def test_who_waits_for_an_answer_outlasts_a_body_that_stalls_later() -> None:
    """Of connections of an address that say nothing, that is ended whose last byte came as its body was waited for."""
    answered_late = {1: [0.0], 3: [63.0]}
    assert [port for _, port in looks(answered_late | {2: [60.0]}, [(60.1, 60.1)], 175)] == [2]
    assert [port for _, port in looks(answered_late | {2: [60.0], 4: [70.0]}, [(60.1, 60.1), (70.1, 70.1)], 175)] == [
        2,
        4,
    ]


def test_no_other_is_ended_for_a_body_that_is_slow_but_alive() -> None:
    """A body that comes as slowly as it may, and one that waits for its answer: nobody is ended for the other."""
    brings = [0.5 * number for number in range(400)]
    assert looks({1: brings, 2: [20.0]}, [(0.0, 0.0)], 115) == []
    assert looks({1: brings, 2: [100.0]}, [(40.0, 40.0)], 155) == []


def test_a_body_that_brings_a_byte_now_and_then_is_ended() -> None:
    """Its last byte came late, but it does not stand still as who waits for an answer does."""
    drips = [float(number) for number in range(1, 200)]
    assert [port for _, port in looks({1: drips, 2: [0.0]}, [(15.0, 15.0)], 60, size=1)] == [1]
    # Nor is one that came at the same moment taken for it.
    assert [port for _, port in looks({1: drips, 2: [15.2]}, [(15.0, 15.0)], 60, size=1)] == [1]


def test_one_wait_ends_one_connection() -> None:
    """Also where it goes on for a moment after that: no other is ended in its place."""
    assert looks({1: [10.0], 2: [10.1]}, [(10.0, 10.0)], 65) == [(40.0, 1)]


def test_a_body_that_was_waited_for_late_is_ended_in_the_end() -> None:
    """Where all threads were busy for long, no last byte fits: the wait is ended all the same, after two minutes."""
    assert looks({1: [0.0]}, [(100.0, 100.0)], 300) == [(220.0, 1)]


def test_a_body_that_waited_for_a_place_is_ended_before_who_came_after() -> None:
    """Its bytes were there before anybody waited for them; who came meanwhile and waits for an answer stays."""
    assert [port for _, port in looks({1: [10.0], 2: [11.9]}, [(10.1, 12.1)], 130)] == [1]


def test_nothing_stays_that_moves_in_no_direction() -> None:
    """Whatever a connection says it is, ten minutes without a byte end it."""
    assert look([{}] * 140, ELSEWHERE)[0] == 120
    assert look([{"taken": 1 + 10 * (number > 99)} for number in range(250)], ELSEWHERE)[0] == 220


def test_looking_goes_on_after_a_mistake(caplog: pytest.LogCaptureFixture) -> None:
    """A look that fails is told in the log, and the next one is made."""
    looked = threading.Event()

    def slow(_seconds: float) -> list[tuple[str, float, float]]:
        if "ZeroDivisionError" not in caplog.text:
            raise ZeroDivisionError
        looked.set()
        threading.Event().wait()
        return []

    Stalls(slow, 80, replace(PACE, step=0.01), found=lambda _: []).start()
    assert looked.wait(LIMIT)
    assert "stand still" in caplog.text


@pytest.mark.parametrize(("a_second", "is_ended"), [(20_000, False), (137, False), (136, True), (1, True)])
def test_a_body_has_a_least_rate(a_second: int, *, is_ended: bool) -> None:
    """A connection that brings less than a piece in half a minute is ended, and no faster one."""
    came: list[dict[str, object]] = [{"received": 500 + 5 * a_second * number} for number in range(20)]
    assert bool(look(came, HERE)) == is_ended


def test_who_gets_signs_of_life_is_not_ended() -> None:
    """A stream says nothing and is told something every quarter of a minute: it stays."""
    told: list[dict[str, object]] = [{"taken": 1 + 10 * (number // 3)} for number in range(40)]
    assert look(told, HERE) == []


@pytest.mark.parametrize(("a_second", "is_ended"), [(0, True), (300, True), (600, False)])
def test_an_answer_that_is_not_taken_ends(a_second: int, *, is_ended: bool) -> None:
    """Whoever takes less than the least of what is there for a minute is ended, whatever else happens."""
    taken: list[dict[str, object]] = [{"taken": 1 + 5 * a_second * number, "due": True} for number in range(30)]
    assert bool(look(taken, ELSEWHERE)) == is_ended


def test_an_answer_that_was_taken_begins_a_new_minute() -> None:
    """What is small and late now and then is no stall."""
    turns: list[dict[str, object]] = [{"due": number % 3 > 0} for number in range(60)]
    assert look(turns, ELSEWHERE) == []


def test_silence_at_the_beginning_is_ended() -> None:
    """Who connects and says nothing is ended after a while; over https, who says nothing that can be answered."""
    nothing: list[dict[str, object]] = [{"received": 0}, *STILL]
    assert look(nothing, ELSEWHERE)[0] == 4
    assert look(STILL, ELSEWHERE) == []
    assert look(STILL, ELSEWHERE, greets=True)[0] == 4
    assert look([{"taken": 900}, *STILL], ELSEWHERE, greets=True) == []


@linux
def test_the_system_tells_of_each_connection() -> None:
    """Of a real connection it is known what came, and whether what went was taken; to cut it ends it on both sides."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
        with socket.create_connection(("127.0.0.1", port)) as caller, listener.accept()[0] as called:
            caller.sendall(bytes(1234))
            deadline = time.monotonic() + LIMIT
            while not (found := [one for one in connections(port) if one.received == 1234]):
                assert time.monotonic() < deadline
            assert [one.address for one in found] == ["127.0.0.1"]
            assert not found[0].due
            replace(found[0], peer=("127.0.0.1", 1)).cut()
            called.sendall(b"still open")
            assert caller.recv(10) == b"still open"
            found[0].cut()
            assert caller.recv(10) == b""
    assert list(connections(port)) == []


@linux
def test_a_system_that_tells_less_tells_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is shorter than asked for is not taken for a connection that stands still: none is found."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
        with socket.create_connection(("127.0.0.1", port)), listener.accept()[0]:
            assert len(list(connections(port))) == 1
            monkeypatch.setattr(connections_module, "_FACTS", struct.Struct(f"{connections_module._FACTS.format}9000x"))
            assert list(connections(port)) == []
