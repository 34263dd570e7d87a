"""What is left of a body is read before the answer goes, within bounds."""

from __future__ import annotations

import http.client
import io
import threading
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from server.api.bodies import Bodies, Bounds
from server.api.house import uploads
from server.app.draining import EACH, MOST, PLACES, Draining
from tests.house_process import HouseProcess

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path
    from wsgiref.types import StartResponse, WSGIEnvironment

FORM = {"Content-Type": "multipart/form-data; boundary=end"}


class Body(io.BytesIO):
    """A body that comes in, and notes how often it was asked for more."""

    asked = 0

    def read(self, size: int | None = -1) -> bytes:
        """Give the next bytes."""
        self.asked += 1
        return super().read(size)


def after(body: io.BytesIO, draining: dict[str, float], reads: int = 0, **environ: str) -> int:
    """Return how many bytes of a body have been read when a view is answered that read some itself."""

    def view(environ: WSGIEnvironment, _start: StartResponse) -> list[bytes]:
        environ["wsgi.input"].read(reads)
        return [b"no"]

    app = Draining(view, **draining)  # type: ignore[arg-type]  # the numbers of the test
    assert list(app({"wsgi.input": body, **environ}, lambda *_: bytes.write)) == [b"no"]  # type: ignore[arg-type,return-value]  # nobody starts
    return body.tell()


@given(size=st.integers(1, 300_000), share=st.floats(0, 1))
def test_whatever_a_view_leaves_is_read(size: int, share: float) -> None:
    """A body has come in whole when its request is answered, whether the view read all of it, some or nothing."""
    assert after(Body(bytes(size)), {}, int(size * share), CONTENT_LENGTH=str(size)) == size


@pytest.mark.parametrize(("size", "read"), [(99_999, 99_999), (100_000, 100_000), (100_001, 0)])
def test_a_body_that_says_that_it_is_larger_is_left(size: int, read: int) -> None:
    """Up to its bound a body is read; one that is announced to be larger is not begun."""
    assert after(Body(bytes(size)), {"most": 100_000}, CONTENT_LENGTH=str(size)) == read


def test_a_body_of_untold_length_is_read_up_to_the_bound() -> None:
    """A body in chunks is read to its end, or until it is too much."""
    assert after(Body(bytes(50_000)), {"most": 100_000}, HTTP_TRANSFER_ENCODING="chunked") == 50_000
    endless = Body(bytes(10_000_000))
    assert 100_000 <= after(endless, {"most": 100_000}, HTTP_TRANSFER_ENCODING="chunked") < 200_000


@pytest.mark.parametrize(
    "environ",
    [
        {},
        {"CONTENT_LENGTH": ""},
        {"CONTENT_LENGTH": "0"},
        {"CONTENT_LENGTH": "x"},
        {"CONTENT_LENGTH": "1000", "HTTP_EXPECT": "100-continue"},
    ],
)
def test_nothing_is_waited_for_that_does_not_come(environ: dict[str, str]) -> None:
    """Without a body, or where the caller waits to be told that it is wanted, nothing is read."""
    body = Body(bytes(1000))
    assert after(body, {}, **environ) == 0
    assert body.asked == 1, "the view's own"


def test_a_slow_body_is_given_up() -> None:
    """A body that takes longer than may be is left where it is."""
    assert after(Body(bytes(1_000_000)), {"seconds": 0.0}, CONTENT_LENGTH="1000000") == 0


class Stalled(io.BytesIO):
    """A body that does not come until it is told to."""

    def __init__(self) -> None:
        super().__init__()
        self.held, self.go = threading.Event(), threading.Event()

    def read(self, _size: int | None = -1) -> bytes:
        """Wait."""
        self.held.set()
        self.go.wait(60)
        return b""


@pytest.mark.parametrize(
    ("draining", "address", "read"),
    [
        ({"places": 1}, "192.0.2.1", 0),
        ({"places": 1}, "192.0.2.2", 0),
        ({"places": 2}, "192.0.2.1", 5),
        ({"places": 2, "each": 1}, "192.0.2.1", 0),
        ({"places": 2, "each": 1}, "192.0.2.2", 5),
    ],
)
def test_stalled_bodies_leave_room_for_answers(draining: dict[str, int], address: str, read: int) -> None:
    """As long as all places, or those of an address, are taken by bodies that do not come, others are left unread."""
    app = Draining(lambda *_: [b"no"], **draining)  # type: ignore[arg-type]  # the numbers of the test
    stalled = Stalled()
    first = {"wsgi.input": stalled, "CONTENT_LENGTH": "5", "REMOTE_ADDR": "192.0.2.1"}
    thread = threading.Thread(target=app, args=(first, None))
    thread.start()
    second = Body(bytes(5))
    request = {"wsgi.input": second, "CONTENT_LENGTH": "5", "REMOTE_ADDR": address}
    try:
        assert stalled.held.wait(60)
        assert app(request, None) == [b"no"]  # type: ignore[arg-type]  # nobody starts
        assert second.tell() == read
    finally:
        stalled.go.set()
        thread.join()
    assert app(request, None) == [b"no"]  # type: ignore[arg-type]  # as above
    assert second.tell() == 5, "its place is free again"


def test_a_hall_that_is_asked_to_come_back_hears_it() -> None:
    """All phones of a full hall upload at once from one address; those without a place hear the answer."""
    assert 150 - uploads.PLACES <= EACH <= PLACES


def test_a_body_that_breaks_off_changes_no_answer() -> None:
    """Who goes in mid-body is answered as the view said."""

    class Broken(io.BytesIO):
        def read(self, _size: int | None = -1) -> bytes:
            raise ConnectionResetError

    app = Draining(lambda *_: [b"no"])
    assert app({"wsgi.input": Broken(), "CONTENT_LENGTH": "5"}, None) == [b"no"]  # type: ignore[arg-type]  # nobody starts


def test_a_body_that_is_given_up_changes_no_answer() -> None:
    """Where the body's own time has passed, or no place is free for it, the answer goes all the same."""
    app = Bodies(Draining(lambda *_: [b"no"]), lambda: None, Bounds(seconds=0.0, rate=1e12))
    body = Body(bytes(500_000))
    assert app({"wsgi.input": body, "CONTENT_LENGTH": "500000"}, None) == [b"no"]  # type: ignore[arg-type]  # nobody starts
    assert body.tell() < 500_000
    nowhere = Bodies(Draining(lambda *_: [b"no"]), lambda: ("one", True), Bounds(places=0, patience=0.0))
    assert nowhere({"wsgi.input": body, "CONTENT_LENGTH": "500000"}, None) == [b"no"]  # type: ignore[arg-type]  # as above


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[HouseProcess]:
    """Give a server of an empty house."""
    folder: Path = tmp_path_factory.mktemp("refused")
    with HouseProcess(folder, scan_workers=0) as one:
        yield one


@pytest.mark.parametrize("size", [1_000, 5_000_000, 40_000_000, MOST])
@pytest.mark.parametrize("chunked", [False, True])
def test_who_is_refused_an_upload_hears_it(server: HouseProcess, size: int, chunked: bool) -> None:  # noqa: FBT001 - a table of cases
    """A picture that nobody may send is answered with the reason, and the connection is good for the next request."""
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=60)
    pieces = (bytes(1000) for _ in range(size // 1000))
    connection.request("POST", "/api/v1/games/ABCD/photos", pieces if chunked else bytes(size), FORM)
    with connection.getresponse() as answer:
        assert answer.status == 401
        assert b"sign" in answer.read()
    connection.request("GET", "/healthz")
    with connection.getresponse() as answer:
        assert answer.status == 200
    connection.close()
