"""Measures what stalled uploads and open event streams cost others: threads, and the time of other requests."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import secrets
import socket
import ssl
import statistics
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path
from typing import NamedTuple

import click

from server.app.house import HouseConfig, open_house
from server.play.games import Draft, create_game, move
from server.play.house import SERVER
from server.play.runs import add_run
from server.play.states import Act
from server.play.tokens import join_token
from server.store.tables import Envelope

CADDYFILE = Path(__file__).parents[1] / "deploy" / "Caddyfile"
PLAYERS = 100
EACH = 4
"""Streams, and uploads, of each player."""
LOOKS = 200
"""Requests of which the median is taken."""
LATEST = 40.0
"""Seconds in which a stalled upload has to be ended; the server waits 30 for a piece of it."""
BODY = 2_000_000
MOST_THREADS = 64
_HEAD = b'--end\r\nContent-Disposition: form-data; name="photo"; filename="p.jpg"\r\n\r\n' + bytes(100_000)


class Site(NamedTuple):
    """Where the server is reached."""

    port: int
    tls: ssl.SSLContext | None

    async def send(
        self, method: str, path: str, token: str, body: bytes = b"", length: int = 0
    ) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        """Send a request whose body may be shorter than its head says."""
        reader, writer = await asyncio.open_connection("localhost", self.port, ssl=self.tls)
        lines = [f"{method} {path} HTTP/1.1", f"Host: localhost:{self.port}", f"Authorization: Bearer {token}"]
        if method == "POST":
            lines += [f"Idempotency-Key: {secrets.token_hex(8)}", f"Content-Length: {length}"]
            lines += ["Content-Type: multipart/form-data; boundary=end"]
        writer.write("\r\n".join([*lines, "", ""]).encode() + body)
        await writer.drain()
        return reader, writer

    async def ask(self, method: str, path: str, token: str) -> tuple[int, bytes]:
        """Return status and body of an answer with a known length."""
        reader, writer = await self.send(method, path, token)
        try:
            return await answer_of(reader)
        finally:
            writer.close()


class Figures(NamedTuple):
    """What came out."""

    idle_ms: float
    meanwhile_ms: float
    threads: int
    memory_mb: int
    streams: int
    streams_that_went_on: int
    uploads: int
    uploads_meanwhile: int
    last_upload_ended_after: float
    answers: dict[str, int]

    @property
    def good(self) -> bool:
        """Whether others were hardly held up."""
        return (
            self.threads <= MOST_THREADS
            and self.meanwhile_ms <= 2 * self.idle_ms
            and self.streams_that_went_on == self.streams
            and self.uploads_meanwhile == self.uploads
            and self.last_upload_ended_after <= LATEST
        )


async def answer_of(reader: asyncio.StreamReader) -> tuple[int, bytes]:
    """Read an answer."""
    head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").lower()
    length = next((int(line[15:]) for line in head.split("\r\n") if line.startswith("content-length:")), 0)
    return int(head.split(" ", 2)[1]), await reader.readexactly(length)


async def median(site: Site, token: str) -> float:
    """Return the median time in milliseconds of one request after the other."""
    times = []
    for _ in range(LOOKS):
        began = time.perf_counter()
        status, _ = await site.ask("GET", "/api/v1/me", token)
        times.append(time.perf_counter() - began)
        if status != 200:  # noqa: PLR2004 - OK
            raise SystemExit(f"a request was answered with {status}")
        await asyncio.sleep(0.02)
    return statistics.median(times) * 1000


async def measure(site: Site, tokens: list[str], serving: int) -> Figures:
    """Return the figures."""
    decks = [json.loads((await site.ask("POST", "/api/v1/me/decks", token))[1])["id"] for token in tokens]
    idle = await median(site, tokens[0])
    streams = []
    for token in tokens:
        for _ in range(EACH):
            reader, writer = await site.send("GET", "/api/v1/me/events", token)
            await reader.readuntil(b'"start"')
            streams.append((reader, writer))
    paths = [f"/api/v1/me/decks/{deck}/photos" for deck in decks]
    each = [pair for pair in zip(tokens, paths, strict=True) for _ in range(EACH)]
    stalled = [await site.send("POST", path, token, _HEAD, BODY) for token, path in each]
    began = time.monotonic()
    busy = await median(site, tokens[0])
    threads = threads_of(serving)
    meanwhile = spooled(serving)
    while spooled(serving) and time.monotonic() < began + 2 * LATEST:  # noqa: ASYNC110 - another process changes it
        await asyncio.sleep(0.2)
    ended = time.monotonic() - began
    answers = Counter(await asyncio.gather(*(answered(reader) for reader, _ in stalled)))
    # All streams still tell what happens: each player hears of the own deck.
    for token in tokens:
        await site.ask("POST", "/api/v1/me/decks", token)
    told = await asyncio.gather(*(hear(reader) for reader, _ in streams))
    for _, writer in [*streams, *stalled]:
        writer.close()
    return Figures(
        idle_ms=round(idle, 2),
        meanwhile_ms=round(busy, 2),
        threads=threads,
        memory_mb=memory(serving),
        streams=len(streams),
        streams_that_went_on=sum(told),
        uploads=len(stalled),
        uploads_meanwhile=meanwhile,
        last_upload_ended_after=round(ended, 1),
        answers=dict(answers),
    )


def threads_of(process: int) -> int:
    """Return how many threads a process has."""
    return len(list(Path(f"/proc/{process}/task").iterdir()))


def spooled(process: int) -> int:
    """Return how many uploads a server has in its spool."""
    found = 0
    for file in Path(f"/proc/{process}/fd").iterdir():
        with contextlib.suppress(OSError):
            found += "/spool/" in str(file.readlink())
    return found


async def answered(reader: asyncio.StreamReader) -> str:
    """Return the status of the answer to an upload. Caddy keeps it until the client goes on sending, or goes."""
    try:
        status, _ = await asyncio.wait_for(answer_of(reader), 5)
    except (ConnectionError, TimeoutError, asyncio.IncompleteReadError) as error:
        return type(error).__name__
    return str(status)


async def hear(reader: asyncio.StreamReader) -> bool:
    """Return whether a stream tells of an event."""
    with contextlib.suppress(TimeoutError, asyncio.IncompleteReadError):
        await asyncio.wait_for(reader.readuntil(b'"topic"'), 10)
        return True
    return False


def memory(process: int) -> int:
    """Return how much memory a process has taken at most."""
    lines = Path(f"/proc/{process}/status").read_text().splitlines()
    return next(int(line.split()[1]) // 1000 for line in lines if line.startswith("VmHWM"))


def prepare(folder: Path) -> list[str]:
    """Make a game that is open; return its players' tokens."""
    house = open_house(HouseConfig(folder))
    with house.database.writing() as session:
        draft = Draft(name="Stalls", edition="eurocg-2026", players=PLAYERS)
        game = create_game(session, draft, SERVER, house.clock())
        add_run(session, game, PLAYERS, SERVER, house.clock(), join="https://localhost")
        move(session, game, Act.OPEN, SERVER, house.clock())
        seats = [session.get_one(Envelope, (game.id, number)) for number in range(1, PLAYERS + 1)]
        for seat in seats:
            seat.opened = house.clock()
        tokens = [join_token(game.id, game.key, seat.number, seat.token) for seat in seats]
    house.close()
    return tokens


def free_port() -> int:
    """Return a port that nobody listens at."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


async def reached(site: Site) -> None:
    """Wait until the server answers."""
    for _ in range(300):
        with contextlib.suppress(OSError, asyncio.IncompleteReadError):
            if (await site.ask("GET", "/healthz", ""))[0] == 200:  # noqa: PLR2004 - OK
                return
        await asyncio.sleep(0.1)
    raise SystemExit("the server does not answer")


def run(caddy: str | None) -> Figures:
    """Start the server and measure."""
    with contextlib.ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        tokens = prepare(folder / "data")
        site = Site(free_port(), None)
        options = ["--scanners", "0", "--proxy", "1" if caddy else "0"]
        command = [sys.executable, "-m", "server", "serve", "--data", str(folder / "data"), "--port", str(site.port)]
        server = subprocess.Popen([*command, *options], stdout=subprocess.DEVNULL)  # noqa: S603 - our own command
        stack.callback(end, server)
        if caddy:
            front = Site(free_port(), ssl._create_unverified_context())  # noqa: SLF001, S323 - Caddy's own certificate
            stack.callback(end, start_caddy(caddy, folder, front.port, site.port))
            site = front
        asyncio.run(reached(site))
        return asyncio.run(measure(site, tokens, worker_of(server.pid)))


def start_caddy(program: str, folder: Path, port: int, upstream: int) -> subprocess.Popen[bytes]:
    """Start Caddy as it is deployed, on other ports and with its files in a folder."""
    ours = f"{{\n\tskip_install_trust\n\thttp_port {free_port()}\n\tadmin off\n\tservers"
    config = folder / "Caddyfile"
    config.write_text(CADDYFILE.read_text(encoding="utf-8").replace("{\n\tservers", ours, 1), encoding="utf-8")
    environment = {"HAGGLE_DOMAIN": f"localhost:{port}", "HAGGLE_UPSTREAM": f"127.0.0.1:{upstream}"}
    kept = {"HOME": str(folder), "XDG_DATA_HOME": str(folder), "XDG_CONFIG_HOME": str(folder)}
    return subprocess.Popen(  # noqa: S603 - as named on the command line
        [program, "run", "--config", str(config), "--adapter", "caddyfile"],
        env={**os.environ, **environment, **kept},
        stderr=subprocess.DEVNULL,
    )


def worker_of(server: int) -> int:
    """Return the process that serves; the one that was started watches over it."""
    children = Path(f"/proc/{server}/task/{server}/children").read_text().split()
    return next(int(one) for one in children if b"resource_tracker" not in Path(f"/proc/{one}/cmdline").read_bytes())


def end(process: subprocess.Popen[bytes]) -> None:
    """End a process."""
    process.terminate()
    process.wait(30)


@click.command()
@click.option("--caddy", help="The program of Caddy, which then stands before the server.")
def command(caddy: str | None) -> None:
    """Stall 400 uploads and open 400 event streams, and time other requests meanwhile.

    Exits with 1 if the server took more than 64 threads, others took more than twice the time, an upload was kept too
    long, or a stream broke off.
    """
    figures = run(caddy)
    click.echo(json.dumps(figures._asdict(), indent=2))
    sys.exit(not figures.good)
