"""Reads the one file of a form as it comes in. Nothing is written to disk, and only that file is kept."""

from __future__ import annotations

from typing import TYPE_CHECKING

from flask import request
from werkzeug.exceptions import RequestEntityTooLarge
from werkzeug.sansio.multipart import Data, Epilogue, Field, File, MultipartDecoder, NeedData, State

from server.api.problems import Problem

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from werkzeug.datastructures import Headers
    from werkzeug.sansio.multipart import Event

MAX_PARTS = 8
"""A photograph is one part; a form of many parts is something else."""

_MAX_HEAD = 500_000
# Bytes before the first part, or of a part's headers.
_STEP = 65_536


class _Decoder(MultipartDecoder):
    """Takes headers that are not UTF-8, such as file names of old systems; nobody looks at the names."""

    def _parse_headers(self, data: bytes | bytearray) -> Headers:
        return super()._parse_headers(data.decode("utf-8", "replace").encode())

    def _last_partial_boundary_index(self, data: bytes | bytearray) -> int:
        index = super()._last_partial_boundary_index(data)
        # Of an end that has come but for its last byte, the reader beneath would take the first for the picture's.
        return index - 1 if data[max(0, index - 1) : index + 1] == b"\r\n" else index

    def passed(self, data: bytes) -> bytes:
        """Take bytes in and return those that surely belong to the part in hand; the rest is told by the next events.

        What may be the start of the part's end is held back. The events alone would tell the same, and copy each byte
        of a photograph five times.
        """
        end = b"--" + self.boundary
        held = len(end) + len(b"\r\n")
        if self.state != State.DATA or len(data) < held or end in data or end in bytes(self.buffer) + data[:held]:
            self.receive_data(data)
            return b""
        found = bytes(self.buffer) + data[:-held]
        self.buffer[:] = data[-held:]
        return found


def read_file(field: str, limit: int, take: Callable[[int], None]) -> bytes:
    """Return the first file in a field of the current request's form.

    `take` is told how many bytes came in, each time some did. Raises Problem for another form, and
    RequestEntityTooLarge for a file, or a request of untold length, of more than `limit` bytes.
    """
    content: list[bytes] | None = None
    inside, size = False, 0
    for event in _events(take):
        if isinstance(event, Field) and event.name == field:
            raise _no_file(f"The field {field} came as text. Send the picture as a file, with a file name.")
        if isinstance(event, File):
            inside = event.name == field and content is None
            if inside:
                content = []
        elif isinstance(event, Field):
            inside = False
        elif isinstance(event, Data) and inside and content is not None:
            content.append(event.data)
            size += len(event.data)
            if size > limit:
                raise RequestEntityTooLarge
    if content is None:
        raise _no_file(f"Choose a picture, and send it as a file in the field {field}.")
    return b"".join(content)


def _events(take: Callable[[int], None]) -> Iterator[Event]:
    """Yield what is in the form as it comes in. Raises Problem for a broken one, and one that ends too soon."""
    boundary = request.mimetype_params.get("boundary", "").encode("ascii", "replace")
    if not boundary:
        raise _broken()
    decoder = _Decoder(boundary, _MAX_HEAD, max_parts=MAX_PARTS)
    data: bytes | None = b""
    while data is not None:
        data = request.stream.read(_STEP) or None
        if data:
            take(len(data))
        yield from _decoded(decoder, data)


def _decoded(decoder: _Decoder, data: bytes | None) -> Iterator[Event]:
    """Yield what a decoder finds once it has these bytes too; None is the end of the form."""
    try:
        if data is None:
            decoder.receive_data(data)
        elif passed := decoder.passed(data):
            yield Data(data=passed, more_data=True)
            return
        while not isinstance(event := decoder.next_event(), (Epilogue, NeedData)):
            yield event
    except RequestEntityTooLarge:
        raise Problem(
            422,
            "wrong-form",
            "The form is not as expected",
            f"The form has more than {MAX_PARTS} parts, or one with a very long head. Send the picture alone.",
        ) from None
    except ValueError:
        raise _broken() from None


def _broken() -> Problem:
    return _no_file("The form is broken or incomplete. Choose a picture and send it again.")


def _no_file(detail: str) -> Problem:
    return Problem(422, "no-photo", "No picture was sent", detail)
