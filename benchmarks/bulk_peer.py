"""The peers of `haggle bench bulk`: a few lines of Flask that only keep what is sent, and the bare reading library."""

from __future__ import annotations

import os
import secrets
import sys
import time
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import TYPE_CHECKING

from flask import Flask, request

if TYPE_CHECKING:
    from collections.abc import Sequence

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


NAME = "zxing-cpp"


def bare(files: Sequence[Path], workers: int) -> tuple[float, int]:
    """Return the seconds that zxing-cpp takes for these files in so many processes, and how many texts it reads."""
    with ProcessPoolExecutor(workers, mp_context=get_context("spawn")) as pool:
        # The processes load their libraries before the clock starts.
        list(pool.map(_texts, [files[0]] * workers))
        begun = time.perf_counter()
        texts = sum(pool.map(_texts, files))
        return time.perf_counter() - begun, texts


def _texts(file: Path) -> int:
    import cv2  # noqa: PLC0415 - only in the processes that read
    import numpy as np  # noqa: PLC0415 - as above
    import zxingcpp  # noqa: PLC0415 - as above

    cv2.setNumThreads(1)
    pixels = cv2.imdecode(np.frombuffer(file.read_bytes(), np.uint8), cv2.IMREAD_GRAYSCALE)
    if pixels is None:
        return 0
    return len(
        {
            found.text
            for found in zxingcpp.read_barcodes(pixels, formats=zxingcpp.BarcodeFormats(zxingcpp.BarcodeFormat.QRCode))
        }
    )
