"""The image: what its Containerfile says, and, where asked for, what comes out of it.

HAGGLE_IMAGE=1 builds it in a clean Debian and tries it, as root, which takes minutes and fetches packages.
"""

from __future__ import annotations

import importlib.util
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from types import ModuleType

ROOT = Path(__file__).parents[2]
DEPLOY = ROOT / "deploy"


def _module(name: str) -> ModuleType:
    """Return a script of the folder as a module."""
    spec = importlib.util.spec_from_file_location(name, DEPLOY / f"{name}.py")
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


CONTAINERFILE = _module("containerfile")
STAGES = CONTAINERFILE.read(DEPLOY / "Containerfile")
FINAL = STAGES[-1]


def test_everything_that_is_installed_is_locked() -> None:
    """Packages come by hash and ready-made; the base is one Debian throughout."""
    text = (DEPLOY / "Containerfile").read_text(encoding="utf-8")
    assert {stage.base for stage in STAGES} == {"docker.io/library/debian:bookworm-slim"}
    installs = [step.rest for stage in STAGES for step in stage.steps if "pip" in step.rest and "install" in step.rest]
    assert sum("--require-hashes" in rest for rest in installs) == 2
    assert text.count(" install --require-hashes") + text.count("--require-hashes --only-binary :all:") >= 2
    assert "npm-cli.js ci" in text
    assert "--ignore-scripts" in text
    assert not re.search(r"\b(curl|wget)\b|ADD ", text)


def test_the_image_runs_as_nobody_special() -> None:
    """What runs is a user with a fixed number, with a health check of ours, and can be stopped."""
    assert FINAL.last("USER").rest == "10001:10001"
    assert FINAL.last("HEALTHCHECK").words() == ["haggle", "health"]
    assert (FINAL.last("ENTRYPOINT").words(), FINAL.last("CMD").words()) == (["haggle"], ["serve"])
    assert FINAL.last("VOLUME").rest == "/data"
    assert FINAL.last("STOPSIGNAL").rest == "SIGTERM"
    kept = {step.word: step.pairs() for step in FINAL.steps if step.word in {"ENV", "LABEL"}}
    assert kept["LABEL"]["org.opencontainers.image.licenses"] == "MIT"
    assert kept["ENV"]["HAGGLE_DATA"] == "/data/games"
    assert not any(re.search("PASSWORD|TOKEN|SECRET|KEY", name) for name in kept["ENV"])


def test_nothing_to_build_with_is_left() -> None:
    """The stage that runs installs no tools, and takes from the other one finished things alone."""
    installed = " ".join(step.rest for step in FINAL.steps if step.word == "RUN")
    assert not re.search(r"pip|gcc|build-essential|nodejs|npm|-dev\b", installed)
    copied = [step.rest for step in FINAL.steps if step.word == "COPY"]
    assert copied == ["--from=made /opt/haggle /opt/haggle", "deploy/haggle.sh /usr/local/bin/haggle"]


def test_what_is_copied_is_there_and_seen() -> None:
    """Each file that the Containerfile copies from here exists, and .containerignore lets it through."""
    check = _module("check_image")
    for stage in STAGES:
        for step in stage.steps:
            if step.word == "COPY" and "--from" not in step.rest:
                for source in step.rest.split()[:-1]:
                    assert (ROOT / source).exists()
                    assert not check.hidden(source), source


@pytest.mark.parametrize(
    "path",
    [
        *(".git", ".haggle", "docs/api.md", "tests/house.py", "deploy/secrets/database_url", "deploy/.env"),
        *("web/node_modules/preact/package.json", "server/__pycache__/x.pyc", "server/app/__pycache__"),
    ],
)
def test_what_is_not_copied_is_not_seen(path: str) -> None:
    """Secrets, history, and what is made on this machine never reach an engine."""
    assert _module("check_image").hidden(path)


def test_an_instruction_that_is_not_known_is_told(tmp_path: Path) -> None:
    """A Containerfile that uses more than can be checked fails here, before anybody believes that it was checked."""
    file = tmp_path / "Containerfile"
    file.write_text("FROM debian\nADD https://example.org/x /x\n", encoding="utf-8")
    with pytest.raises(ValueError, match="ADD"):
        CONTAINERFILE.read(file)


def test_the_image_builds_and_works() -> None:
    """Its steps run in a clean Debian, and what comes out serves, on a file system that it cannot write."""
    if not os.environ.get("HAGGLE_IMAGE"):
        pytest.skip("THE IMAGE WAS NOT BUILT: set HAGGLE_IMAGE=1, as root, with debootstrap, to build and try it")
    trust = os.environ.get("SSL_CERT_FILE")
    command = [sys.executable, DEPLOY / "check_image.py", *(["--trust", trust] if trust else [])]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "the image works" in done.stdout
