"""Writes pictures of a run to look at: the made-up photographs with their truth, and cut-outs of what was missed."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import cv2
import numpy as np

from scanner import photo

if TYPE_CHECKING:
    from pathlib import Path

    from server.bench.measuring import Missed
    from server.bench.pictures import Picture

_MARGIN = 0.15
# Of the picture around a card, as a share of the card.
_SIDE = 480
# Pixels of the longer side of a cut-out; smaller ones are enlarged by whole numbers, so that pixels are to be seen.


def keep(picture: Picture, folder: Path) -> None:
    """Write a photograph with its truth, in the form of a set of real ones, into a folder, which is made if needed."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / picture.name).write_bytes(picture.data)
    codes = [
        {"text": code.text} | ({} if code.quad is None else {"quad": np.round(code.quad, 2).tolist()})
        for code in picture.codes
    ]
    stem = picture.name.rpartition(".")[0]
    (folder / f"{stem}.json").write_text(json.dumps(codes), encoding="utf-8")


def cut_out(missed: Missed, folder: Path) -> list[Path]:
    """Write a PNG of each card that was missed into a folder, which is made if needed, and return the files."""
    if not missed.cards:
        return []
    folder.mkdir(parents=True, exist_ok=True)
    grey, files = photo.load(missed.picture.data), []
    for card in missed.picture.cards:
        if card.name not in missed.cards:
            continue
        low, high = card.outline.min(axis=0), card.outline.max(axis=0)
        margin = _MARGIN * (high - low)
        left, top = np.maximum(low - margin, 0).astype(int)
        right, bottom = np.ceil(high + margin).astype(int)
        part = grey[top:bottom, left:right]
        larger = max(_SIDE // max(part.shape), 1)
        path = folder / f"{missed.picture.name.rpartition('.')[0]}-{card.name}.png"
        shown = cv2.resize(part, None, fx=larger, fy=larger, interpolation=cv2.INTER_NEAREST)
        path.write_bytes(cv2.imencode(".png", shown)[1].tobytes())
        files.append(path)
    return files
