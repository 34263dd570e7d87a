"""What anybody would write to take pictures in: a few lines of Flask on the same server beneath, each file flushed.

It asks nobody who he is, strips nothing, finds no picture again and writes no row.
"""

from __future__ import annotations

import os
import secrets
import sys
from pathlib import Path

from flask import Flask, request

FOLDER = "HAGGLE_BENCH_FOLDER"
"""The variable that names the folder of the files."""

app = Flask(__name__)


def command(port: int) -> list[str]:
    """Return the command that serves it."""
    options = ["--interface", "wsgi", "--port", str(port), "--blocking-threads", "16", "--log-level", "error"]
    return [sys.executable, "-m", "granian", *options, f"{__name__}:app"]


@app.get("/healthz")
def healthz() -> dict[str, bool]:
    """Say that it answers; for whoever started it."""
    return {"ok": True}


@app.post("/api/v1/games/<game>/photos")
def take(game: str) -> tuple[dict[str, str], int]:
    """Keep a picture; for whoever reaches the address, which is of this machine alone."""
    name = secrets.token_hex(16)
    with (Path(os.environ[FOLDER]) / name).open("xb") as file:
        request.files["photo"].save(file)
        file.flush()
        os.fsync(file.fileno())
    return {"id": name, "game": game}, 201
