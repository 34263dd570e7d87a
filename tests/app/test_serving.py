"""The real server: how it starts and ends, and what only a real connection shows."""

from __future__ import annotations

import http.client
import json
import re
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

import click
import pytest

from server.app.house import HouseConfig, open_house
from server.app.serving import ServeError, serve_house
from server.cli.address import terminal_code
from server.jobs.network import network_address
from server.play.intake import Where, accept
from server.store.tables import Photo
from tests.house import ORGANISER, new_game
from tests.house_process import HouseProcess
from tests.jobs.scan_jobs import png
from tests.processes import descendants, left_at
from tests.server_process import STOP_LIMIT, await_answer, free_port, kill_group

if TYPE_CHECKING:
    from collections.abc import Iterator

    from server.play.house import House

DEPLOY = Path(__file__).parents[2] / "deploy"
LATE = 5.0
"""Seconds after which a scanning process that should have been ended does so itself."""


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[HouseProcess]:
    """Start a real server for the tests of this module."""
    with HouseProcess(tmp_path_factory.mktemp("serving") / "data") as running:
        yield running


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_the_server_ends_cleanly(tmp_path: Path, number: signal.Signals) -> None:
    """Ctrl-C and SIGTERM end the server quickly and without error, and its workers with it."""
    with HouseProcess(tmp_path / "data") as running:
        assert running.process
        family = descendants(running.process.pid)
        began = time.monotonic()
        assert running.stop(number) == 0
        assert time.monotonic() - began < 8
        assert len(family) >= 2
        assert left_at(began + STOP_LIMIT, family) == []


def test_the_limit_of_an_end_is_below_those_of_others() -> None:
    """What tests of an end allow is less than containers and units do, or a scanning process that nobody ends takes."""
    told = (DEPLOY / "compose.yaml").read_text(encoding="utf-8")
    told += "".join(unit.read_text(encoding="utf-8") for unit in (DEPLOY / "systemd").glob("*.service"))
    graces = re.findall(r"^(?: *stop_grace_period: (\d+)s|TimeoutStopSec=(\d+))$", told, re.MULTILINE)
    assert len(graces) >= 4
    assert min(int(container or unit) for container, unit in graces) > STOP_LIMIT
    assert HouseConfig.scan_seconds + LATE > STOP_LIMIT


@pytest.mark.parametrize("method", ["spawn", "forkserver"])
def test_it_does_not_matter_how_processes_start(tmp_path: Path, method: str) -> None:
    """The server works with each of Python's ways to start processes, which differ by system and version."""
    before = f"import multiprocessing; multiprocessing.set_start_method('{method}')"
    with HouseProcess(tmp_path / "data", before=before) as running:
        assert get(running, "/healthz")[0] == 200


def test_a_port_in_use_is_told(tmp_path: Path) -> None:
    """A port that another program holds is an error of one line."""
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = other.getsockname()[1]
        with pytest.raises(ServeError, match=f"port {port}.*--port"):
            serve_house(HouseConfig(tmp_path), "127.0.0.1", port)


def test_a_second_server_does_not_share_the_port(server: HouseProcess, tmp_path: Path) -> None:
    """A second server at the same port is refused, instead of taking half of the requests."""
    with pytest.raises(ServeError, match="in use"):
        serve_house(HouseConfig(tmp_path), "127.0.0.1", server.port)


@pytest.mark.parametrize(("host", "port"), [("127.0.0.1", 99999), ("no.such.host.invalid", 8000), ("127.0.0.1", -1)])
def test_an_impossible_address_is_told(tmp_path: Path, host: str, port: int) -> None:
    """A port or host that cannot be is an error of one line."""
    with pytest.raises(ServeError, match="choose"):
        serve_house(HouseConfig(tmp_path), host, port)


def haggle_serve(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    """Run `haggle serve` to its end."""
    return subprocess.run(
        [sys.executable, "-m", "server", "serve", *arguments], capture_output=True, text=True, timeout=60, check=False
    )


@pytest.mark.parametrize(("name", "words"), [("letter.txt", "haggle.db"), ("game.json", "haggle games add")])
def test_a_folder_of_other_things_is_refused(tmp_path: Path, name: str, words: str) -> None:
    """Exit code 2 and one line, and the folder stays as it was; a printed game can be added to a server's."""
    (tmp_path / name).write_text("Dear Ada")
    done = haggle_serve("--data", tmp_path)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.count("\n") == 1
    assert words in done.stderr
    assert [file.name for file in tmp_path.iterdir()] == [name]


def served(folder: Path, port: int, *arguments: str) -> str:
    """Run `haggle serve` until the page answers, end it by Ctrl-C, and return what it has printed."""
    command = [sys.executable, "-m", "server", "serve", "--data", folder, "--port", str(port), *arguments]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True
    ) as running:
        try:
            await_answer(port)
            running.send_signal(signal.SIGINT)
            said, errors = running.communicate(timeout=60)
        finally:
            kill_group(running.pid)
    assert (running.returncode, errors) == (0, "")
    return said


def test_the_command_shows_phones_the_way(tmp_path: Path) -> None:
    """A server for the network prints the address on this machine, the one for phones, and the latter's code."""
    port = free_port()
    said = served(tmp_path / "data", port, "--host", "0.0.0.0")  # noqa: S104 - what is tested
    assert f"http://localhost:{port}/" in said
    network = network_address()
    if network is None:
        assert "no address in a network" in said
    else:
        assert f"On a phone in the same network: http://{network}:{port}/" in said
        assert click.unstyle(terminal_code(f"http://{network}:{port}/")) in said
    assert "--host" not in said


def test_a_new_folder_begins_a_server(tmp_path: Path) -> None:
    """A folder that is not there is made, and the first organiser gets a code; with a password there is none."""
    folder, port = tmp_path / "data", free_port()
    said = served(folder, port)
    assert f"http://127.0.0.1:{port}/" in said
    assert "--host 0.0.0.0" in said
    assert re.search(r"^    [0-9A-Z]{20}$", said, re.MULTILINE)
    assert {"haggle.db", "photos"} <= {file.name for file in folder.iterdir()}
    assert folder.stat().st_mode & 0o077 == 0
    assert (folder / "haggle.db").stat().st_mode & 0o077 == 0
    subprocess.run(
        [sys.executable, "-m", "server", "password", "--data", folder],
        input="three quiet words\n",
        text=True,
        check=True,
        stdout=subprocess.DEVNULL,
    )
    assert not re.search("[0-9A-Z]{20}", served(folder, port))


def test_a_server_of_games_ends_cleanly_in_mid_scan(tmp_path: Path) -> None:
    """SIGTERM ends a server quickly and without error while it scans; nothing of it stays, and no scan is lost."""
    house = open_house(HouseConfig(tmp_path / "data"))
    game = new_game(house)
    # A scan may take longer than this waits: a process that is left behind is still there then.
    with HouseProcess(tmp_path / "data", job="slow", scan_seconds=4 * STOP_LIMIT) as running:
        photos = [accept(house, Where(game), png(number), ORGANISER).id for number in range(3)]
        # Two are scanned, and the third waits.
        deadline = time.monotonic() + 60
        while sorted(states(house, photos)) != ["scanning", "scanning", "waiting"]:
            assert time.monotonic() < deadline
            time.sleep(0.05)
        assert running.process
        family = descendants(running.process.pid)
        assert len(family) >= 3
        deadline = time.monotonic() + STOP_LIMIT
        assert running.stop() == 0
        assert left_at(deadline, family) == []
    assert states(house, photos) == ["waiting"] * 3
    with HouseProcess(tmp_path / "data"):
        deadline = time.monotonic() + 60
        while states(house, photos) != ["done"] * 3:
            assert time.monotonic() < deadline
            time.sleep(0.05)
    house.database.close()


def test_a_server_whose_leader_is_killed_ends(tmp_path: Path) -> None:
    """If only the process that was started is killed, all others end too, and the port is free for a new server."""
    with HouseProcess(tmp_path / "data") as running:
        assert running.process
        family = descendants(running.process.pid)
        assert family
        deadline = time.monotonic() + STOP_LIMIT
        running.process.kill()
        running.process.wait()
        assert left_at(deadline, family) == []
        running.stop()
        running.start()


def test_a_page_says_what_runs_here(tmp_path: Path) -> None:
    """The plain page, health and the description answer; anything else is a problem in JSON."""
    with HouseProcess(tmp_path / "data") as running:
        found = {path: get(running, path) for path in ("/", "/healthz", "/api/v1/openapi.json", "/nothing")}
    assert {path: status for path, (status, _) in found.items()} == {
        "/": 200,
        "/healthz": 200,
        "/api/v1/openapi.json": 200,
        "/nothing": 404,
    }
    assert "<h1>Haggle</h1>" in found["/"][1]
    assert json.loads(found["/healthz"][1])["status"] == "ok"


def get(server: HouseProcess, path: str) -> tuple[int, str]:
    """Return the status and the text at an address."""
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=60)
    connection.request("GET", path)
    with connection.getresponse() as answer:
        found = answer.status, answer.read().decode()
    connection.close()
    return found


def states(house: House, photos: list[str]) -> list[str]:
    """Return the states of photographs, sorted."""
    with house.database.reading() as session:
        return sorted(session.get_one(Photo, photo).state for photo in photos)
