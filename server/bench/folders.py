"""Sets of real photographs: folders of pictures with the texts of their codes beside them.

Beside `name.jpg` lies `name.txt` with the text of its code, or with one text a line, or `name.json` with a list of
texts or of `{"text": …, "quad": [[x, y], …]}`, where the quad may be missing. One `truth.json` may hold such lists for
all pictures of its folder, by their names.
"""

from __future__ import annotations

import json
from functools import partial
from typing import TYPE_CHECKING, TypeVar

import numpy as np
from pydantic import BaseModel, TypeAdapter, ValidationError

from server.bench.pictures import Picture, PictureSet, TrueCode

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from pathlib import Path

T = TypeVar("T")

SUFFIXES = frozenset({".jpg", ".jpeg", ".png", ".webp", ".heic", ".heif", ".tif", ".tiff"})
TOGETHER = "truth.json"


class FolderError(Exception):
    """A folder that cannot be measured with. The message is one line for the user."""


class _Code(BaseModel, extra="forbid"):
    text: str
    quad: tuple[tuple[float, float], tuple[float, float], tuple[float, float], tuple[float, float]] | None = None


_LIST = TypeAdapter(list[str | _Code])
_LISTS = TypeAdapter(dict[str, list[str | _Code]])


def folder_sets(folder: Path, tell: Callable[[str], None]) -> list[PictureSet]:
    """Return a set for each folder below this one, itself included, that holds pictures. Raises FolderError.

    Pictures of which nothing says what is in them are left out, and `tell` is given a line about them.
    """
    if not folder.is_dir():
        raise FolderError(f"{folder}: {'not a folder' if folder.exists() else 'no such folder'}")
    try:
        files = sorted(_walked(folder))
    except OSError as error:
        raise FolderError(f"{error.filename or folder}: {error.strerror}; make it readable, or leave it out") from None
    if not files:
        raise FolderError(f"{folder}: no photographs in it; {', '.join(sorted(SUFFIXES))} are taken")
    sets, missing = [], []
    for inner in sorted({path.parent for path in files}):
        own = [path for path in files if path.parent == inner]
        # Read now, so that a mistake is told before anything is measured.
        truths = _truths(inner, own)
        missing += [path for path in own if path not in truths]
        if truths:
            name = "/".join((folder.resolve().name, *inner.relative_to(folder).parts))
            sets.append(PictureSet(name, "folder", str(inner), partial(_pictures, truths), len(truths)))
    if missing:
        others = f" and {len(missing) - 1} more" if len(missing) > 1 else ""
        line = (
            f"{missing[0]}{others}: nothing says which codes are in it; write {missing[0].stem}.txt with its text, "
            f"{missing[0].stem}.json or {TOGETHER} beside it"
        )
        if not sets:
            raise FolderError(line)
        tell(f"left out: {line}")
    return sets


def _walked(folder: Path) -> Iterator[Path]:
    for path in folder.iterdir():
        if path.is_dir() and not path.is_symlink():
            yield from _walked(path)
        elif path.suffix.lower() in SUFFIXES:
            yield path


def _pictures(truths: Mapping[Path, tuple[tuple[TrueCode, ...], tuple[str, ...]]]) -> Iterator[Picture]:
    for path, (codes, lines) in truths.items():
        try:
            data = path.read_bytes()
        except OSError as error:
            raise FolderError(f"{path}: {error.strerror}") from None
        yield Picture(path.name, data, codes, frozenset(code.text for code in codes), lines=lines)


def _truths(folder: Path, files: list[Path]) -> dict[Path, tuple[tuple[TrueCode, ...], tuple[str, ...]]]:
    together = folder / TOGETHER
    lists = _parsed(together, _LISTS) if together.is_file() else {}
    truths: dict[Path, tuple[tuple[TrueCode, ...], tuple[str, ...]]] = {}
    for path in files:
        apart, text = path.with_suffix(".json"), path.with_suffix(".txt")
        if path.name in lists:
            truths[path] = _codes(lists[path.name]), ()
        elif apart.is_file() and apart != together:
            truths[path] = _codes(_parsed(apart, _LIST)), ()
        elif text.is_file():
            said = _text(text)
            lines = tuple(line.strip() for line in said.splitlines() if line.strip())
            truths[path] = ((TrueCode(said.strip()),) if said.strip() else ()), lines if len(lines) > 1 else ()
    return truths


def _codes(given: list[str | _Code]) -> tuple[TrueCode, ...]:
    return tuple(
        TrueCode(one) if isinstance(one, str) else TrueCode(one.text, None if one.quad is None else np.array(one.quad))
        for one in given
    )


def _parsed(path: Path, form: TypeAdapter[T]) -> T:
    try:
        return form.validate_json(_text(path))
    except ValidationError as error:
        errors = error.errors(include_url=False)
        # Of an object the first error is that it is no text: what is wrong inside it says more.
        first = next((one for one in errors if "_Code" in one["loc"][:-1]), errors[0])
        where = "".join(f"[{json.dumps(part)}]" for part in first["loc"] if part not in ("str", "_Code"))
        raise FolderError(f"{path}: {where}{': ' if where else ''}{first['msg']}") from None


def _text(path: Path) -> str:
    try:
        data = path.read_bytes()
    except OSError as error:
        raise FolderError(f"{path}: {error.strerror}") from None
    for encoding in ("utf-8-sig", "shift_jis"):
        try:
            return data.decode(encoding)
        except UnicodeDecodeError:
            continue
    return data.decode("latin-1")
