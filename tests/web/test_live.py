"""The live viewfinder's decoder: loaded when it is asked for, one frame at a time, and back after every failure."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import numpy as np
import pytest

from tests.pictures import HEIGHT, WIDTH, deck_photo
from tests.web.live import DECODE, OPEN, decoded, open_decoder, set_up, text_of, texts
from tests.web.steps import PATIENCE

if TYPE_CHECKING:
    from playwright.sync_api import BrowserContext, Page, Route, Worker

    from tests.conftest import PrintedFolder
    from tests.house_process import HouseProcess

BROKEN = "\ncodesIn = () => { throw new WebAssembly.RuntimeError('unreachable'); };"
DAMAGE = f"() => {{ {BROKEN} }}"
WORKER = "**/live/worker.js"
NO_FRAMES = (
    "null",
    "undefined",
    "'frame'",
    "{}",
    "{ width: 9, height: 9 }",
    "document.createElement('video')",
    "document.createElement('canvas')",
)
ON_DEMAND = ("/live/", "/vendor/zxing-reader.")


@pytest.fixture(scope="session")
def photo(printed: PrintedFolder) -> bytes:
    """Photograph two cards."""
    return deck_photo(printed, {"red": 1, "rule-7": 1})


@pytest.fixture
def live(page: Page) -> Page:
    """Open the decoder in the page."""
    open_decoder(page)
    return page


def _worker(page: Page) -> Worker:
    (worker,) = page.workers
    return worker


def _await_workers(page: Page, count: int) -> None:
    """Wait until the page has so many workers; one that is in a loop ends a little later than it is told to."""
    deadline = time.monotonic() + PATIENCE
    while len(page.workers) != count and time.monotonic() < deadline:
        page.wait_for_timeout(20)
    assert len(page.workers) == count


def _restarts(page: Page, photo: bytes) -> None:
    """Check that the next frame is read, by a fresh worker."""
    assert len(decoded(page, photo)) == 4
    _await_workers(page, 1)


def test_nothing_is_loaded_before_it_is_asked_for(context: BrowserContext) -> None:
    """The page loads no byte of the decoder; opening it loads its modules, its worker and the wasm, each once."""
    page, asked = context.new_page(), []
    context.on("request", lambda request: asked.append(request.url))
    page.goto("/", wait_until="networkidle")
    assert asked
    assert not [url for url in asked if any(part in url for part in ON_DEMAND)]
    open_decoder(page)
    names = sorted(url.rsplit("/", 1)[1].split(".")[0] for url in asked if any(part in url for part in ON_DEMAND))
    assert names == ["decoder", "payload", "worker", "zxing-reader", "zxing-reader"]


def test_every_kind_of_frame_is_read(live: Page, photo: bytes) -> None:
    """Pixels, a bitmap and a frame of a video give the same codes, and the frame is not left to the caller."""
    bitmap, pixels, video = live.evaluate(
        """async (jpeg) => {
          const bitmap = await bitmapOf(jpeg);
          const pixels = pixelsOf(bitmap);
          const video = new VideoFrame(bitmap, { timestamp: 0 });
          const all = [];
          for (const frame of [bitmap, pixels, video]) all.push(await decoder.decode(frame));
          return [
            { codes: all[0], left: bitmap.width },
            { codes: all[1], left: pixels.data.length },
            { codes: all[2], left: video.codedWidth },
          ];
        }""",
        text_of(photo),
    )
    assert len(bitmap["codes"]) == 4
    assert bitmap == pixels == video == {"codes": bitmap["codes"], "left": 0}


def test_frames_of_a_running_video_are_read(live: Page, photo: bytes) -> None:
    """A video as the camera gives it is read frame by frame."""
    counts = live.evaluate(
        """async (jpeg) => {
          const picture = await bitmapOf(jpeg);
          const canvas = document.createElement("canvas");
          [canvas.width, canvas.height] = [1280, 960];
          const context = canvas.getContext("2d");
          const draw = () => context.drawImage(picture, 0, 0, canvas.width, canvas.height);
          draw();
          const clock = setInterval(draw, 20);
          const video = document.createElement("video");
          [video.muted, video.srcObject] = [true, canvas.captureStream()];
          await video.play();
          const counts = [];
          while (counts.length < 3) {
            await new Promise((done) => video.requestVideoFrameCallback(done));
            counts.push((await decoder.decode(new VideoFrame(video))).length);
          }
          clearInterval(clock);
          return counts;
        }""",
        text_of(photo),
    )
    assert counts == [4, 4, 4]


def test_corners_begin_at_the_codes_own_top_left(live: Page, photo: bytes) -> None:
    """The corners go round as the code is printed, so those of a card's two codes are turned against each other."""
    codes = decoded(live, photo)
    for text in set(texts(codes)):
        one, other = (np.array(code["quad"]) for code in codes if code["text"] == text)
        assert np.dot(one[1] - one[0], other[1] - other[0]) < 0
        for quad in (one, other):
            right, down = quad[1] - quad[0], quad[3] - quad[0]
            assert right[0] * down[1] - right[1] * down[0] > 0, "clockwise, y downwards"


def test_large_frames_are_shrunk_but_told_in_their_own_pixels(live: Page, photo: bytes) -> None:
    """A frame of more pixels than are read gives the codes where they lie in it."""
    small = decoded(live, photo)
    large = live.evaluate(
        """async ([jpeg, width, height]) => {
          const bitmap = await bitmapOf(jpeg);
          const large = pixelsOf(bitmap, 2 * width, 2 * height);
          return [await decoder.decode(await createImageBitmap(large)), await decoder.decode(large)];
        }""",
        [text_of(photo), WIDTH, HEIGHT],
    )
    for codes in large:
        assert texts(codes) == texts(small)
        for code in small:
            quads = [np.array(one["quad"]) for one in codes if one["text"] == code["text"]]
            expected = 2 * np.array(code["quad"])
            assert min(np.abs(quad - expected).max() for quad in quads) < 8


def test_a_frame_without_codes_gives_none(live: Page) -> None:
    """Nothing to read is no failure."""
    assert live.evaluate("decoder.decode(new ImageData(640, 480))") == []
    assert live.evaluate("decoder.decode(new ImageData(1, 1))") == []


def test_only_one_frame_is_read_at_a_time(live: Page, photo: bytes) -> None:
    """A frame that comes while another is read is closed and gives null; the next one is read again."""
    first, second, left, third = live.evaluate(
        """async (jpeg) => {
          const [a, b, c] = await Promise.all([1, 2, 3].map(() => bitmapOf(jpeg)));
          const [first, second] = [decoder.decode(a), decoder.decode(b)];
          const busy = decoder.busy;
          return [(await first).length, await second, [busy, b.width, decoder.busy], (await decoder.decode(c)).length];
        }""",
        text_of(photo),
    )
    assert (first, second, third) == (4, None, 4)
    assert left == [True, 0, False]


def test_what_is_no_frame_is_refused(live: Page, photo: bytes) -> None:
    """Other things are refused in words, and the decoder goes on."""
    for frame in NO_FRAMES:
        assert live.evaluate(f"outcome(decoder.decode({frame}))") == "DecoderError bad-frame", frame
        assert len(decoded(live, photo)) == 4


def test_a_frame_that_was_closed_is_refused(live: Page, photo: bytes) -> None:
    """A bitmap, a frame of a video or pixels that are gone already are refused, however often."""
    refused = live.evaluate(
        """async (jpeg) => {
          const all = [];
          for (let n = 0; n < 2; n++) {
            const bitmap = await bitmapOf(jpeg);
            const [video, pixels] = [new VideoFrame(bitmap, { timestamp: 0 }), pixelsOf(bitmap)];
            bitmap.close();
            video.close();
            structuredClone(pixels.data.buffer, { transfer: [pixels.data.buffer] });
            for (const frame of [bitmap, video, pixels]) all.push(await outcome(decoder.decode(frame)));
          }
          return all;
        }""",
        text_of(photo),
    )
    assert refused == 6 * ["DecoderError bad-frame"]
    assert len(decoded(live, photo)) == 4


def test_the_size_of_frames_is_bounded(live: Page) -> None:
    """A side of 8192 pixels is read, one more is refused; the frame is closed either way."""
    read = live.evaluate(
        """async () => {
          const all = [];
          for (const width of [8192, 8193]) {
            const frame = await createImageBitmap(new ImageData(width, 2));
            all.push([await outcome(decoder.decode(frame)), frame.width]);
          }
          return all;
        }"""
    )
    assert read == [[[], 0], ["DecoderError too-large", 0]]


@pytest.mark.whole_browser
@pytest.mark.parametrize(
    ("damage", "reason"),
    [
        ("() => { onmessage = () => { throw new Error('broken'); }; }", "crashed"),
        (DAMAGE, "crashed"),
        ("() => { wasm.HEAPU8.fill(255); }", "crashed"),
        ("() => { wasm._malloc = () => 0; rooms.frame.size = 0; rooms.frame.start = 0; }", "crashed"),
        ("() => { onmessage = () => { for (;;); }; }", "timeout"),
        ("() => close()", "timeout"),
    ],
    ids=["throws", "traps", "memory", "full", "hangs", "ends"],
)
def test_it_is_back_after_a_failure(page: Page, photo: bytes, damage: str, reason: str) -> None:
    """A worker that fails, hangs or ends costs one frame; the next one is read by a new worker."""
    set_up(page)
    page.evaluate("async () => { window.decoder = await live.openDecoder({ patience: 3000 }); }")
    _worker(page).evaluate(damage)
    assert page.evaluate(DECODE, text_of(photo)) == f"DecoderError {reason}"
    _restarts(page, photo)


def _break(route: Route) -> None:
    """Send a worker that fails on every frame."""
    answer = route.fetch()
    route.fulfill(response=answer, body=answer.text() + BROKEN)


def test_it_gives_up_after_three_failures_in_a_row(context: BrowserContext, live: Page, photo: bytes) -> None:
    """Where it fails three times running it says so and starts no more workers; a good frame begins the count anew."""

    def fails() -> bool:
        return bool(live.evaluate(DECODE, text_of(photo)) == "DecoderError crashed")

    context.route(WORKER, _break)
    _worker(live).evaluate(DAMAGE)
    assert [fails(), fails()] == [True, True]
    context.unroute(WORKER)
    _restarts(live, photo)
    context.route(WORKER, _break)
    _worker(live).evaluate(DAMAGE)
    assert [fails(), fails(), fails()] == [True, True, True]
    assert live.evaluate(DECODE, text_of(photo)) == "DecoderError given-up"
    _await_workers(live, 0)
    context.unroute(WORKER)


@pytest.mark.parametrize("part", ["live/worker", "vendor/zxing-reader"])
def test_without_network_it_is_unreachable(page: Page, photo: bytes, part: str) -> None:
    """Whatever part cannot be loaded, opening says so and leaves no worker; opening again may then succeed."""
    set_up(page)
    page.route(f"**/{part}*", lambda route: route.abort())
    assert page.evaluate("outcome(live.openDecoder())") == "DecoderError unreachable"
    _await_workers(page, 0)
    page.unroute_all()
    page.evaluate(OPEN)
    assert len(decoded(page, photo)) == 4


def test_a_decoder_that_is_not_wasm_is_unreachable(page: Page) -> None:
    """An answer that is no wasm, such as a sign-in page of the network, is not taken for one."""
    set_up(page)
    page.route("**/*.wasm", lambda route: route.fulfill(body="<html>", content_type="text/html"))
    assert page.evaluate("outcome(live.openDecoder())") == "DecoderError unreachable"
    _await_workers(page, 0)


@pytest.mark.parametrize("lacks", ["Worker", "OffscreenCanvas", "WebAssembly"])
def test_a_browser_that_cannot_do_it_is_told_so(page: Page, lacks: str) -> None:
    """Without workers, canvases outside of the page or wasm nothing is loaded."""
    set_up(page)
    assert page.evaluate("live.isSupported()") is True
    page.evaluate(f"() => {{ delete window.{lacks}; }}")
    assert page.evaluate("live.isSupported()") is False
    assert page.evaluate("outcome(live.openDecoder())") == "DecoderError unsupported"


def test_closing_ends_everything(live: Page, photo: bytes) -> None:
    """A frame that is being read fails at once, later ones are refused and closed, and the worker is gone."""
    ended = live.evaluate(
        """async (jpeg) => {
          const [a, b] = [await bitmapOf(jpeg), await bitmapOf(jpeg)];
          const reading = outcome(decoder.decode(a));
          decoder.close();
          decoder.close();
          return [await reading, await outcome(decoder.decode(b)), b.width];
        }""",
        text_of(photo),
    )
    assert ended == ["DecoderError closed", "DecoderError closed", 0]
    _await_workers(live, 0)


def test_closing_while_it_starts_anew_leaves_no_worker(live: Page, photo: bytes) -> None:
    """A worker that was on its way when the decoder was closed is ended too."""
    _worker(live).evaluate(DAMAGE)
    assert live.evaluate(DECODE, text_of(photo)) == "DecoderError crashed"
    ended = live.evaluate(
        """async (jpeg) => {
          const frame = await bitmapOf(jpeg);
          const reading = outcome(decoder.decode(frame));
          decoder.close();
          return reading;
        }""",
        text_of(photo),
    )
    assert ended == "DecoderError closed"
    _await_workers(live, 0)


def test_memory_does_not_grow(live: Page, photo: bytes) -> None:
    """After the largest frame the decoder's memory stays as it is, however many frames follow."""
    run = """async ([jpeg, count]) => {
      const bitmap = await bitmapOf(jpeg);
      for (let n = 0; n < count; n++) {
        const frame = await createImageBitmap(bitmap, { resizeWidth: 1920 >> n % 2, resizeHeight: 1440 >> n % 2 });
        if ((await decoder.decode(frame)).length !== 4) throw new Error("not read");
      }
    }"""
    live.evaluate(run, [text_of(photo), 2])
    size = _worker(live).evaluate("wasm.HEAPU8.length")
    live.evaluate(run, [text_of(photo), 40])
    assert _worker(live).evaluate("wasm.HEAPU8.length") == size
    assert size < 64 * 2**20


def test_the_worker_runs_nothing_but_what_is_served(context: BrowserContext, server: HouseProcess) -> None:
    """The worker may compile wasm and no text, and load nothing from elsewhere; the page may not even compile wasm."""
    page = context.new_page()
    page.goto("/")
    open_decoder(page)
    text = "() => new Promise((done) => setTimeout(() => { try { done(eval('1')); } catch { done('refused'); } }))"
    wasm = """() => new Promise((done) => setTimeout(() => {
      const empty = new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0]);
      WebAssembly.compile(empty).then(() => done("compiled"), () => done("refused"));
    }))"""
    assert [page.evaluate(text), page.evaluate(wasm)] == ["refused", "refused"]
    worker = _worker(page)
    assert [worker.evaluate(text), worker.evaluate(wasm)] == ["refused", "compiled"]
    elsewhere = server.url.replace("127.0.0.1", "localhost")
    load = f"""() => new Promise((done) => setTimeout(() => {{
      try {{ importScripts("{elsewhere}/assets/x.js"); done("loaded"); }} catch (error) {{ done(error.name); }}
    }}))"""
    assert worker.evaluate(load) == "NetworkError"
    assert worker.evaluate(f"fetch('{elsewhere}/healthz', {{ mode: 'no-cors' }}).then(() => 1, () => 0)") == 0
