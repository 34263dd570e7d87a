"""Forms with a picture: what comes out is what went in, however it comes in pieces."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING

import pytest
from flask import Flask
from hypothesis import given
from hypothesis import strategies as st
from werkzeug.sansio.multipart import MultipartDecoder
from werkzeug.test import create_environ

from server.api import forms
from server.api.forms import _Decoder, read_file
from server.api.problems import Problem

if TYPE_CHECKING:
    from collections.abc import Callable

_APP = Flask(__name__)
_BOUNDARY = b"edge"
_HEAD = b'--edge\r\nContent-Disposition: form-data; name="photo"; filename="a.jpg"\r\n\r\n'
_TAIL = b"\r\n--edge--\r\n"
_FIELD = b'\r\n--edge\r\nContent-Disposition: form-data; name="place"\r\n\r\n12'
_SECOND = b'\r\n--edge\r\nContent-Disposition: form-data; name="photo"; filename="b.jpg"\r\n\r\nanother picture'
_NOISE = [b"\r\n--edg", b"\n--edge", b"--edge", b"--edge--", b"\r", b"\n", b"-", b"\r\n--edgeX", b"e", bytes(200)]


class _InPieces(io.RawIOBase):
    """A body that comes in pieces of these lengths, one after the other and again."""

    def __init__(self, data: bytes, lengths: list[int]) -> None:
        self._left, self._lengths, self._turn = data, lengths, 0

    def readable(self) -> bool:
        """Say that it can be read."""
        return True

    def readinto(self, buffer: bytearray) -> int:  # type: ignore[override]  # what the stream before it gives
        """Give the next piece."""
        length = min(self._lengths[self._turn % len(self._lengths)], len(buffer), len(self._left))
        self._turn += 1
        buffer[:length], self._left = self._left[:length], self._left[length:]
        return length


def _read(body: bytes, lengths: list[int], take: Callable[[int], None] = lambda _: None) -> bytes:
    environ = create_environ("/", method="POST")
    kind = f"multipart/form-data; boundary={_BOUNDARY.decode()}"
    environ |= {"wsgi.input": _InPieces(body, lengths), "CONTENT_TYPE": kind, "CONTENT_LENGTH": str(len(body))}
    with _APP.request_context(environ):
        return read_file("photo", 10_000_000, take)


def _plainly(decoder: _Decoder, data: bytes) -> bytes:
    """Leave all to the reader of forms beneath."""
    decoder.receive_data(data)
    return b""


def _outcome(body: bytes, lengths: list[int]) -> bytes | str:
    try:
        return _read(body, lengths)
    except Problem as problem:
        return problem.slug


@given(st.lists(st.sampled_from(_NOISE), max_size=12), st.lists(st.integers(1, 90), min_size=1, max_size=5))
def test_a_file_comes_out_as_it_went_in(noise: list[bytes], lengths: list[int]) -> None:
    """Whatever is in a picture, and wherever its pieces end: the same as the reader of forms beneath finds."""
    body = _HEAD + b"".join(noise) + _TAIL
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(_Decoder, "passed", _plainly)
        wanted = _outcome(body, lengths)
    assert _outcome(body, lengths) == wanted


@pytest.mark.parametrize(
    ("after_head", "wanted"),
    [
        (b"a picture" + _TAIL, b"a picture"),
        (
            b"a picture that is longer than what is held back\r" + _TAIL,
            b"a picture that is longer than what is held back\r",
        ),
        (b"a picture" + _FIELD + _TAIL, b"a picture"),
        (b"a picture" + _SECOND + _TAIL, b"a picture"),
        (b"a picture that does not end", "no-photo"),
    ],
    ids=["plain", "return at the end", "a field after it", "a second file", "no end"],
)
def test_it_may_be_cut_anywhere(after_head: bytes, wanted: bytes | str) -> None:
    """A file is the same wherever its form is cut, before it or in it, and one that lacks its end is none."""
    body = _HEAD + after_head
    for cut in range(1, len(body)):
        assert _outcome(body, [cut, 10_000]) == wanted, cut
    # Only once its head has come may bytes go past the reader beneath.
    for cut in range(1, len(after_head)):
        assert _outcome(body, [len(_HEAD), cut, 10_000]) == wanted, cut


def test_a_photograph_is_not_carried_about(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of a large picture little more than its ends goes through the reader of forms, and all of it is counted."""
    seen: list[int] = []
    receive = MultipartDecoder.receive_data

    def noted(self: MultipartDecoder, data: bytes | None) -> None:
        seen.append(len(data or b""))
        receive(self, data)

    monkeypatch.setattr(MultipartDecoder, "receive_data", noted)
    picture, taken = bytes(range(256)) * 10_000, list[int]()
    body = _HEAD + picture + _TAIL
    assert _read(body, [100_000], taken.append) == picture
    assert sum(taken) == len(body)
    assert sum(seen) < 4 * forms._STEP
