"""The wheel: installed alone, without the checkout."""

from __future__ import annotations

import io
import os
import secrets
import subprocess
import sys
import time
import zipfile
from itertools import chain
from pathlib import Path
from typing import Any

import httpx
import pytest

from cardgen.pages.raster import page_images
from server import VERSION
from tests.demo_process import DemoProcess
from tools.install import OLDEST_UV
from tools.paths import Paths
from tools.runner import Runner

ROOT = Path(__file__).parents[2]
DPI = 150
LIMIT = 60.0
"""Seconds within which a photo is read on a busy machine."""


def built(folder: Path) -> Path:
    """Build the wheel into a folder as `uv build` does; return its path."""
    command = [sys.executable, "-m", "hatchling", "build", "--target", "wheel", "--directory", folder]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True)
    (wheel,) = folder.glob("*.whl")
    return wheel


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a wheel."""
    return built(tmp_path_factory.mktemp("wheel"))


@pytest.fixture(scope="module")
def program(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the haggle command of an environment that contains the wheel and what it depends on."""
    folder = tmp_path_factory.mktemp("installed") / "venv"
    paths = Paths(ROOT)
    uv = "uv" if Runner(paths).version("uv") >= OLDEST_UV else paths.home / "uv" / "bin" / "uv"
    subprocess.run([uv, "venv", "--quiet", "--python", sys.executable, folder], check=True)
    # The lock file's releases are in uv's cache since the set-up.
    install = [uv, "pip", "install", "--quiet", "--python", folder / "bin" / "python"]
    subprocess.run([*install, "--constraint", ROOT / "locks" / "runtime.txt", wheel], check=True)
    return folder / "bin" / "haggle"


def test_two_builds_are_identical(wheel: Path, tmp_path: Path) -> None:
    assert built(tmp_path).read_bytes() == wheel.read_bytes()


def test_it_contains_the_pages_all_licences_and_nothing_of_the_checkout_alone(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        names = set(archive.namelist())
        licences = archive.read("server/web_app/web/dist/assets/licences.txt").decode()
        metadata = archive.read(f"haggle_game-{VERSION}.dist-info/METADATA").decode()
    assert all(words in licences for words in ("SIL OPEN FONT LICENSE", "Apache License", "ISC License", "Preact"))
    assert "Provides-Extra: tracing\n" in metadata
    assert "Provides-Extra: prove\n" in metadata
    assert wheel.name == f"haggle_game-{VERSION}-py3-none-any.whl"
    assert f"haggle_game-{VERSION}.dist-info/licenses/LICENSE" in names
    assert {"server/web_app/web/dist/player.html", "server/web_app/web/pages/error.html"} <= names
    assert "server/db/migrations/env.py" in names
    assert {name.split("/")[0] for name in names} == {
        "cardgen",
        "scanner",
        "server",
        f"haggle_game-{VERSION}.dist-info",
    }
    assert not [name for name in names if "__pycache__" in name or ".haggle-stamp" in name]


def test_a_game_is_played_with_the_installed_wheel(program: Path, tmp_path: Path) -> None:
    """A player photographs a printed sheet, sees a score and hands in."""
    # In a folder that hides our packages from those who import from it, without the variables of ./haggle: these would
    # let the checkout hide the wheel.
    (tmp_path / "server").mkdir()
    unset = (("-u", name) for name in os.environ if name.startswith(("PYTHON", "HAGGLE")))
    alone = ["env", *chain.from_iterable(unset)]
    where = [*alone, program.with_name("python"), "-c", "import server; print(server.__file__)"]
    found = subprocess.run(where, cwd=tmp_path, check=True, capture_output=True, text=True).stdout
    assert Path(found).is_relative_to(program.parents[1])
    data = tmp_path / "data"
    demo = DemoProcess(tmp_path / "log", "--data", data, program=[*alone, program], checkout=tmp_path)
    with demo.wait(), httpx.Client(base_url=demo.url, headers={"Origin": demo.url}, timeout=60) as client:
        assert client.get("/demo").text.startswith("<!doctype html>")
        client.headers["Authorization"] = f"Bearer {client.get('/demo/player').headers['Location'].partition('#')[2]}"

        def call(method: str, path: str, **more: Any) -> dict[str, Any]:  # noqa: ANN401 - as the client takes it
            reply = client.request(method, path, headers={"Idempotency-Key": secrets.token_hex(8)}, **more)
            assert reply.is_success, reply.text
            return dict(reply.json())

        deck = f"/api/v1/me/decks/{call('POST', '/api/v1/me/decks')['id']}"
        sheet, photo = next(page_images(client.get("/demo/print/sheets.pdf").content, DPI)), io.BytesIO()
        sheet.save(photo, "JPEG")
        call("POST", f"{deck}/photos", files={"photo": ("photo.jpg", photo.getvalue(), "image/jpeg")})
        end = time.monotonic() + LIMIT
        while not (seen := call("GET", deck))["cards"]:
            assert time.monotonic() < end, seen
            time.sleep(0.1)
        call("POST", f"{deck}/confirm", json={"digest": seen["digest"]})
        assert call("POST", f"{deck}/check")["lines"]
        assert call("POST", f"{deck}/hand-in")["cards"] == len(seen["cards"]) > 3
    assert (data / "haggle.db").is_file()
