"""The bare reading library over the same pictures, in as many processes: what there is to gain, and what is lost."""

from __future__ import annotations

import time
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

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
