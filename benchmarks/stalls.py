"""`haggle bench stalls`: the cost of stalled uploads and open event streams, in threads and in other requests' time."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import secrets
import ssl
import statistics
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import click
import psutil

from benchmarks.load.servers import START, Servers, ServersError, free_port, open_bench_game
from benchmarks.photos import bench_game
from server.web_app.settings import AppConfig
from server.web_app.stores import open_context

if TYPE_CHECKING:
    from collections.abc import Iterator

CADDYFILE = Path(__file__).parents[1] / "deploy" / "Caddyfile"
EACH = 4
"""Streams of each player, and also uploads."""
LOOKS = 200
"""Requests for the median time."""
LATEST = 40.0
"""Seconds within which a stalled upload has to be cancelled; the server's limit for a chunk is 30."""
BODY = 2_000_000
MAX_THREADS = 64
_HEAD = b'--end\r\nContent-Disposition: form-data; name="photo"; filename="p.jpg"\r\n\r\n' + bytes(300_000)
_OK = 200


class Site(NamedTuple):
    """The address of a server on this machine."""

    port: int
    tls: ssl.SSLContext | None = None

    async def send(
        self, method: str, path: str, token: str, body: bytes = b"", length: int = 0
    ) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        """Send a request whose body may be shorter than its Content-Length."""
        reader, writer = await asyncio.open_connection("localhost", self.port, ssl=self.tls)
        lines = [f"{method} {path} HTTP/1.1", f"Host: localhost:{self.port}", f"Authorization: Bearer {token}"]
        if method == "POST":
            lines += [f"Idempotency-Key: {secrets.token_hex(8)}", f"Content-Length: {length}"]
            lines += ["Content-Type: multipart/form-data; boundary=end"]
        writer.write("\r\n".join([*lines, "", ""]).encode() + body)
        await writer.drain()
        return reader, writer

    async def ask(self, method: str, path: str, token: str = "") -> tuple[int, bytes]:
        """Send a request; return status and body of the response."""
        reader, writer = await self.send(method, path, token)
        try:
            return await answer_of(reader)
        finally:
            writer.close()


class Figures(NamedTuple):
    """The results."""

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
        """True if others were hardly delayed."""
        return (
            self.threads <= MAX_THREADS
            and self.meanwhile_ms <= 2 * self.idle_ms
            and self.streams_that_went_on == self.streams
            and self.uploads_meanwhile == self.uploads
            and self.last_upload_ended_after <= LATEST
        )


async def answer_of(reader: asyncio.StreamReader) -> tuple[int, bytes]:
    """Read the status and body of a response."""
    head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").lower()
    length = next((int(line[15:]) for line in head.split("\r\n") if line.startswith("content-length:")), 0)
    return int(head.split(" ", 2)[1]), await reader.readexactly(length)


async def median(site: Site, token: str) -> float:
    """Return the median time of consecutive requests in milliseconds."""
    times = []
    for _ in range(LOOKS):
        began = time.perf_counter()
        status, _ = await site.ask("GET", "/api/v1/me", token)
        times.append(time.perf_counter() - began)
        if status != _OK:
            raise ServersError(f"a request was answered with {status}")
        await asyncio.sleep(0.02)
    return statistics.median(times) * 1000


async def measure(site: Site, tokens: list[str], serving: psutil.Process) -> Figures:
    """Open streams, stall uploads, and measure other requests before and meanwhile."""
    decks = [json.loads((await site.ask("POST", "/api/v1/me/decks", token))[1])["id"] for token in tokens]
    idle = await median(site, tokens[0])
    streams = []
    for token in tokens * EACH:
        reader, writer = await site.send("GET", "/api/v1/me/events", token)
        await reader.readuntil(b'"start"')
        streams.append((reader, writer))
    stalled = [
        await site.send("POST", f"/api/v1/me/decks/{deck}/photos", token, _HEAD, BODY)
        for token, deck in list(zip(tokens, decks, strict=True)) * EACH
    ]
    began = time.monotonic()
    busy = await median(site, tokens[0])
    threads, meanwhile, memory = serving.num_threads(), spooled(serving), serving.memory_info().rss
    while spooled(serving) and time.monotonic() < began + 2 * LATEST:  # noqa: ASYNC110 - another process changes it
        await asyncio.sleep(0.2)
    ended = time.monotonic() - began
    answers = Counter(await asyncio.gather(*(answered(reader) for reader, _ in stalled)))
    # Check that all streams still send events of the player's own deck.
    for token in tokens:
        await site.ask("POST", "/api/v1/me/decks", token)
    received = await asyncio.gather(*(hears(reader) for reader, _ in streams))
    for _, writer in [*streams, *stalled]:
        writer.close()
    return Figures(
        idle_ms=round(idle, 2),
        meanwhile_ms=round(busy, 2),
        threads=threads,
        memory_mb=memory // 1_000_000,
        streams=len(streams),
        streams_that_went_on=sum(received),
        uploads=len(stalled),
        uploads_meanwhile=meanwhile,
        last_upload_ended_after=round(ended, 1),
        answers=dict(answers),
    )


def spooled(process: psutil.Process) -> int:
    """Return the number of uploads in a server's spool."""
    found = 0
    for file in Path(f"/proc/{process.pid}/fd").iterdir():
        # psutil omits unlinked files, which these are.
        with contextlib.suppress(OSError):
            found += "/spool/" in str(file.readlink())
    return found


async def answered(reader: asyncio.StreamReader) -> str:
    """Return the status of the response to an upload. Caddy delays it until the client sends more or disconnects."""
    try:
        status, _ = await asyncio.wait_for(answer_of(reader), 5)
    except (ConnectionError, TimeoutError, asyncio.IncompleteReadError) as error:
        return type(error).__name__
    return str(status)


async def hears(reader: asyncio.StreamReader) -> bool:
    """Return whether a stream sends an event."""
    with contextlib.suppress(TimeoutError, asyncio.IncompleteReadError):
        await asyncio.wait_for(reader.readuntil(b'"topic"'), 10)
        return True
    return False


async def reached(site: Site) -> None:
    """Wait until a proxy forwards requests."""
    until = time.monotonic() + START
    while time.monotonic() < until:
        with contextlib.suppress(OSError, asyncio.IncompleteReadError):
            if (await site.ask("GET", "/healthz"))[0] == _OK:
                return
        await asyncio.sleep(0.1)
    raise ServersError("Caddy does not answer")


@contextlib.contextmanager
def run_caddy(program: str, folder: Path, site: Site, upstream: str) -> Iterator[None]:
    """Run Caddy with the deployed configuration, on other ports and with its files in a folder."""
    ours = f"{{\n\tskip_install_trust\n\thttp_port {free_port()}\n\tadmin off\n\tservers"
    config = folder / "Caddyfile"
    config.write_text(CADDYFILE.read_text(encoding="utf-8").replace("{\n\tservers", ours, 1), encoding="utf-8")
    kept = dict.fromkeys(("HOME", "XDG_DATA_HOME", "XDG_CONFIG_HOME"), str(folder))
    caddy = subprocess.Popen(  # noqa: S603 - as named on the command line
        [program, "run", "--config", str(config), "--adapter", "caddyfile"],
        env={**os.environ, **kept, "HAGGLE_DOMAIN": f"localhost:{site.port}", "HAGGLE_UPSTREAM": upstream},
        stderr=subprocess.DEVNULL,
    )
    try:
        yield
    finally:
        caddy.terminate()
        caddy.wait(30)


def run(players: int, caddy: str | None) -> Figures:
    """Start the server and measure. ServersError."""
    with contextlib.ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        context = open_context(AppConfig(folder / "data"))
        stage = open_bench_game(context, bench_game(players, "stalls"))
        context.close()
        options = ["--scanners", "0", "--proxy", "1" if caddy else "0"]
        servers = stack.enter_context(Servers(folder / "data", 1, folder / "log", options))
        site = Site(int(servers.urls[0].rpartition(":")[2]))
        if caddy:
            upstream = f"127.0.0.1:{site.port}"
            site = Site(free_port(), ssl._create_unverified_context())  # noqa: SLF001, S323 - Caddy's own certificate
            stack.enter_context(run_caddy(caddy, folder, site, upstream))
            asyncio.run(reached(site))
        # The first process supervises the one that serves.
        serving = max(psutil.Process(servers.pids[0]).children(), key=lambda one: one.num_threads())
        return asyncio.run(measure(site, list(stage.tokens.values()), serving))


@click.command()
@click.option("--players", type=click.IntRange(1, 600), default=100, show_default=True)
@click.option("--caddy", help="Path of a Caddy to run in front of the server.")
def command(players: int, caddy: str | None) -> None:
    """Stall uploads and open event streams, four of each for a player, and measure other requests meanwhile.

    Exits with 1 if the server used more than 64 threads, other requests took more than twice the time, an upload was
    not cancelled in time, or a stream was interrupted.
    """
    try:
        figures = run(players, caddy)
    except (OSError, ServersError) as error:
        raise click.ClickException(str(error)) from None
    click.echo(json.dumps(figures._asdict(), indent=2))
    sys.exit(not figures.good)
