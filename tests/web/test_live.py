"""The decoder of the live view: its results compared with the server's, and its recovery after failures."""

from __future__ import annotations

import base64
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import cv2
import numpy as np
import pytest
from playwright.sync_api import Browser, BrowserContext, Page, Route, Worker

from cardgen.cards import CardId, PrintedGame
from cardgen.payload import ALPHABET, card_text, encode, join_link, label_text, tag
from devtools.photo_simulator.cards import PrintedFace, practice_game
from devtools.photo_simulator.video import PROFILES, Frame, deck_faces, frames
from scanner import Code, read_codes
from scanner.decode.identify import meaning_of
from tests.game_server import GameServer
from tests.web.conftest import CheckedPage
from tests.web.steps import wait_until, with_page_modules

WIDTH, HEIGHT = 1920, 1080
LOAD = with_page_modules("""async () => {
  window.live = await import("/web/live/decoder");
  window.payload = await import("/web/live/payload");
  window.bitmapOf = (jpeg) =>
    createImageBitmap(new Blob([Uint8Array.from(atob(jpeg), (byte) => byte.charCodeAt(0))], { type: "image/jpeg" }));
  window.pixelsOf = (bitmap, width = bitmap.width, height = bitmap.height) => {
    const context = new OffscreenCanvas(width, height).getContext("2d");
    context.drawImage(bitmap, 0, 0, width, height);
    return context.getImageData(0, 0, width, height);
  };
  // The value of a promise, or the reason of its failure.
  window.outcome = (promise) => promise.catch((error) => `${error.name} ${error.reason}`);
}""")
OPEN = "async () => { window.decoder = await live.openDecoder(); }"
DECODE = "async (jpeg) => outcome(decoder.decode(await bitmapOf(jpeg)))"
BROKEN = "\ncodesIn = () => { throw new WebAssembly.RuntimeError('unreachable'); };"
CRASH = f"() => {{ {BROKEN} }}"
FAILURES = {
    CRASH: "crashed",
    "() => { wasm.HEAPU8.fill(255); }": "crashed",
    "() => { wasm._malloc = () => 0; rooms.frame.size = 0; rooms.frame.start = 0; }": "crashed",
    "() => { onmessage = () => { for (;;); }; }": "timeout",
    "() => close()": "timeout",
}
"""Failures of a worker, with the error of the frame that it gets next."""
WORKER = "**/live-worker-*.js"
LIVE_PARTS = ("/live-",)
INVALID_FRAMES = (
    "null",
    "'frame'",
    "{ width: 9, height: 9 }",
    "document.createElement('video')",
    "document.createElement('canvas')",
)
DIFFICULT = [name for name in PROFILES if name != "nominal"]
MIN_SHARE = 0.65
"""Minimal share of the cards in difficult frames that the browser reads; it is about 0.8, see docs/scanner.md."""
CORNER_TOLERANCE = 2.0
"""Tolerance between the corners of both decoders, in pixels, or in modules if these are larger."""
CLASSIFY = "([texts, game, kinds]) => payload.classifyCodes(texts.map((text) => ({ text, quad: [] })), { game, kinds })"


@pytest.fixture(scope="module")
def decoder_page(browser: Browser, server: GameServer) -> Iterator[Page]:
    """Open the decoder once for all tests that do not change it."""
    context = browser.new_context(base_url=server.url, service_workers="block")
    checked = CheckedPage(context.new_page(), server.url)
    checked.page.goto("/")
    open_decoder(checked.page)
    yield checked.page
    assert checked.errors() == []
    context.close()


@pytest.fixture(scope="session")
def faces() -> list[PrintedFace]:
    return deck_faces()


@pytest.fixture(scope="session")
def photo(faces: list[PrintedFace]) -> str:
    return text_of(Frame("nominal", WIDTH, HEIGHT, 2).take(faces).jpeg)


@pytest.fixture(scope="session")
def truth(faces: list[PrintedFace]) -> list[str]:
    """Return the texts of the deck's codes, card by card."""
    return [face.text for face in faces]


def open_decoder(page: Page) -> None:
    page.evaluate(LOAD)
    page.evaluate(OPEN)


def text_of(jpeg: bytes) -> str:
    return base64.b64encode(jpeg).decode()


def decoded(page: Page, photo: str) -> list[dict[str, Any]]:
    codes: list[dict[str, Any]] = page.evaluate(DECODE, photo)
    assert isinstance(codes, list), codes
    return codes


def texts(codes: list[dict[str, Any]]) -> list[str]:
    return sorted(str(code["text"]) for code in codes)


def worker_of(page: Page) -> Worker:
    (worker,) = page.workers
    return worker


def wait_for_no_worker(page: Page) -> None:
    """Wait until the page has no worker; one in a loop ends with a delay."""
    wait_until(page, lambda: not page.workers)


def check_restart(page: Page, photo: str) -> None:
    """Check that a new worker decodes the next frame."""
    assert len(decoded(page, photo)) == 4
    wait_until(page, lambda: len(page.workers) == 1)


def test_every_kind_of_frame_is_decoded(decoder_page: Page, photo: str) -> None:
    """Pixels, a bitmap and a frame of a video give the same codes, and the decoder takes over the frame."""
    bitmap, pixels, video = decoder_page.evaluate(
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
        photo,
    )
    assert len(bitmap["codes"]) == 4
    assert bitmap == pixels == video == {"codes": bitmap["codes"], "left": 0}
    for one in ("640, 480", "1, 1"):
        assert decoder_page.evaluate(f"decoder.decode(new ImageData({one}))") == []
    # Corners are in the order of the printed code, so those of a card's two codes are turned by 180°.
    for text in {code["text"] for code in bitmap["codes"]}:
        one, other = (np.array(code["quad"]) for code in bitmap["codes"] if code["text"] == text)
        assert np.dot(one[1] - one[0], other[1] - other[0]) < 0
        for quad in (one, other):
            right, down = quad[1] - quad[0], quad[3] - quad[0]
            assert right[0] * down[1] - right[1] * down[0] > 0, "clockwise, y downwards"


def test_codes_of_large_frames_have_the_frames_own_coordinates(decoder_page: Page, photo: str) -> None:
    """Large frames are scaled down to be read; a side has at most 8192 pixels."""
    small = decoded(decoder_page, photo)
    large = decoder_page.evaluate(
        """async ([jpeg, width, height]) =>
          decoder.decode(await createImageBitmap(pixelsOf(await bitmapOf(jpeg), 2 * width, 2 * height)))""",
        [photo, WIDTH, HEIGHT],
    )
    assert texts(large) == texts(small)
    for code in small:
        quads = [np.array(one["quad"]) for one in large if one["text"] == code["text"]]
        assert min(np.abs(quad - 2 * np.array(code["quad"])).max() for quad in quads) < 8
    read = decoder_page.evaluate(
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


def test_only_one_frame_is_decoded_at_a_time(decoder_page: Page, photo: str) -> None:
    """A frame that arrives meanwhile is closed and gives null; the next one is decoded again."""
    first, second, left, third = decoder_page.evaluate(
        """async (jpeg) => {
          const [a, b, c] = await Promise.all([1, 2, 3].map(() => bitmapOf(jpeg)));
          const [first, second] = [decoder.decode(a), decoder.decode(b)];
          const busy = decoder.busy;
          return [(await first).length, await second, [busy, b.width, decoder.busy], (await decoder.decode(c)).length];
        }""",
        photo,
    )
    assert (first, second, third) == (4, None, 4)
    assert left == [True, 0, False]


def test_invalid_frames_are_refused(decoder_page: Page, photo: str) -> None:
    """Other objects and closed frames are refused with a reason, and the decoder continues."""
    for frame in INVALID_FRAMES:
        assert decoder_page.evaluate(f"outcome(decoder.decode({frame}))") == "DecoderError bad-frame", frame
    refused = decoder_page.evaluate(
        """async (jpeg) => {
          const all = [];
          const bitmap = await bitmapOf(jpeg);
          const [video, pixels] = [new VideoFrame(bitmap, { timestamp: 0 }), pixelsOf(bitmap)];
          bitmap.close();
          video.close();
          structuredClone(pixels.data.buffer, { transfer: [pixels.data.buffer] });
          for (const frame of [bitmap, video, pixels]) all.push(await outcome(decoder.decode(frame)));
          return all;
        }""",
        photo,
    )
    assert refused == 3 * ["DecoderError bad-frame"]
    assert len(decoded(decoder_page, photo)) == 4


def test_memory_does_not_grow(decoder_page: Page, photo: str) -> None:
    """After the largest frame the decoder's memory stays the same, however many frames follow."""
    run = """async ([jpeg, count]) => {
      const bitmap = await bitmapOf(jpeg);
      for (let n = 0; n < count; n++) {
        const frame = await createImageBitmap(bitmap, { resizeWidth: 1920 >> n % 2, resizeHeight: 1080 >> n % 2 });
        if ((await decoder.decode(frame)).length !== 4) throw new Error("not read");
      }
    }"""
    decoder_page.evaluate(run, [photo, 2])
    size = worker_of(decoder_page).evaluate("wasm.HEAPU8.length")
    decoder_page.evaluate(run, [photo, 20])
    assert worker_of(decoder_page).evaluate("wasm.HEAPU8.length") == size
    assert size < 64 * 2**20


def _read_by_server(jpeg: bytes) -> list[Code]:
    image = cv2.imdecode(np.frombuffer(jpeg, np.uint8), cv2.IMREAD_COLOR)
    assert image is not None
    # With enough time, so that the result does not depend on how busy the machine is.
    return read_codes(np.asarray(image, np.uint8), seconds=60.0, decodes=10_000.0)


@pytest.mark.parametrize("count", [*(pytest.param(count, marks=pytest.mark.thorough) for count in (1, 2, 4, 6, 9)), 12])
def test_browser_and_server_read_the_same_codes_at_the_same_places(
    decoder_page: Page, faces: list[PrintedFace], truth: list[str], count: int
) -> None:
    """In ordinary frames both decoders read both codes of every card, with the same corners."""
    for frame in frames(["nominal"], [count]):
        jpeg = frame.take(faces).jpeg
        server, browser = _read_by_server(jpeg), decoded(decoder_page, text_of(jpeg))
        assert texts(browser) == sorted(code.text for code in server) == sorted(2 * truth[:count]), frame.name
        for code in server:
            side = float(np.linalg.norm(code.quad[0] - code.quad[1]))
            same = [np.array(one["quad"]) for one in browser if one["text"] == code.text]
            apart = min(float(np.linalg.norm(quad - code.quad, axis=1).max()) for quad in same)
            assert apart <= max(CORNER_TOLERANCE, side / 21), frame.name


@pytest.mark.parametrize("step", [3, pytest.param(1, marks=pytest.mark.thorough)], ids=["some", "all"])
def test_difficult_frames_are_never_misread(
    decoder_page: Page, faces: list[PrintedFace], truth: list[str], step: int
) -> None:
    """In tilted, blurred or dim frames, the browser reads no wrong text, and none that the server misses."""
    read, all_cards = 0, 0
    for frame in frames(DIFFICULT, [12])[::step]:
        jpeg = frame.take(faces).jpeg
        browser = Counter(texts(decoded(decoder_page, text_of(jpeg))))
        server = {code.text for code in _read_by_server(jpeg)}
        assert set(browser) <= server & set(truth[: frame.cards]), frame.name
        assert max(browser.values(), default=0) <= 2, frame.name
        read, all_cards = read + len(browser), all_cards + frame.cards
    assert read >= MIN_SHARE * all_cards


def test_the_page_classifies_codes_like_the_server(decoder_page: Page) -> None:
    """Every text has the same meaning to both, except for its signature, which only the server can check."""
    game = practice_game("eurocg-2026", 24, "payload")
    wanted = _texts(game)
    codes = decoder_page.evaluate(CLASSIFY, [wanted, game.game, list(game.kinds)])
    assert [code["text"] for code in codes] == wanted
    seen = set()
    for code in codes:
        status, card, envelope = meaning_of(code["text"], game)
        seen.add(status)
        assert code["status"] in ({"forged", "card", "label"} if status == "forged" else {status}), code
        if card is not None:
            assert code["card"] == {"kind": card.kind, "copy": card.copy}
        if envelope is not None:
            assert code["envelope"] == envelope
    assert seen == {"card", "label", "other-game", "forged", "foreign"}
    # A kind that the game lacks, and copy 0, are detected without the signature.
    for kind, copy, status in ((len(game.kinds) - 1, 1, "card"), (len(game.kinds), 1, "forged"), (0, 0, "forged")):
        text = "H" + game.game + encode(kind, 2) + encode(copy, 2) + 11 * "0"
        assert decoder_page.evaluate(CLASSIFY, [[text], game.game, list(game.kinds)])[0]["status"] == status


def _texts(game: PrintedGame) -> list[str]:
    """Return codes of the game, of another game, of cards that do not exist, and with wrong characters."""
    other = replace(game, game="0000" if game.game != "0000" else "1111")
    cards = [CardId(game.kinds[0], 1), CardId(game.kinds[-1], 1023), CardId(game.kinds[7], 33)]
    texts = [card_text(one, card) for one in (game, other) for card in cards]
    texts += [label_text(one, number) for one in (game, other) for number in (1, 24, 1023, 1024)]
    texts += [join_link(host, one.game, one.key, 7, 2) for one in (game, other) for host in ("", "https://x.example")]
    link = texts[-1]
    texts += [link.replace(other.game, game.game), link + "#", link + ".0", link.replace("/j#", "/big#")]
    for kind, copy in ((len(game.kinds), 1), (1023, 1), (0, 0)):
        body = "H" + game.game + encode(kind, 2) + encode(copy, 2)
        texts.append(body + tag(body, game.key))
    for text in (texts[0], label_text(game, 7)):
        texts += [
            text[:at] + wrong + text[at + 1 :] for at in range(20) for wrong in (*ALPHABET[::5], "I", "U", "h", "É")
        ]
        texts += [text.lower(), text[:-1], text + "0", " " + text, text + "\n", text * 2]
    return [*texts, "", "\n", "https://haggle.example/j/" + texts[0], "0" * 20, "H" * 20, "\N{GRINNING FACE}" * 10]


def test_the_decoder_is_loaded_on_demand(context: BrowserContext, server: GameServer) -> None:
    """Each part is loaded once. Its worker may compile wasm but no text, and load nothing from other origins."""
    page, asked = context.new_page(), []
    context.on("request", lambda request: asked.append(request.url))
    page.goto("/", wait_until="networkidle")
    assert asked
    assert not [url for url in asked if any(part in url for part in LIVE_PARTS)]
    open_decoder(page)
    names = sorted(re.sub(r".*/live-|-[\w-]{8}\.", "", url) for url in asked if any(part in url for part in LIVE_PARTS))
    assert names == ["indexjs", "workerjs", "zxing_readerwasm"]

    text = "() => new Promise((done) => setTimeout(() => { try { done(eval('1')); } catch { done('refused'); } }))"
    wasm = """() => new Promise((done) => setTimeout(() => {
      const empty = new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0]);
      WebAssembly.compile(empty).then(() => done("compiled"), () => done("refused"));
    }))"""
    assert [page.evaluate(text), page.evaluate(wasm)] == ["refused", "refused"]
    worker = worker_of(page)
    assert [worker.evaluate(text), worker.evaluate(wasm)] == ["refused", "compiled"]
    elsewhere = server.url.replace("127.0.0.1", "localhost")
    load = f"""() => new Promise((done) => setTimeout(() => {{
      try {{ importScripts("{elsewhere}/assets/x.js"); done("loaded"); }} catch (error) {{ done(error.name); }}
    }}))"""
    assert worker.evaluate(load) == "NetworkError"
    assert worker.evaluate(f"fetch('{elsewhere}/healthz', {{ mode: 'no-cors' }}).then(() => 1, () => 0)") == 0


def test_a_decoder_that_cannot_be_loaded_reports_it(page: Page, photo: str) -> None:
    """Whichever part is missing or invalid, opening fails with a reason and leaves no worker; it may be tried again."""
    page.evaluate(LOAD)
    for lacks in ("Worker", "OffscreenCanvas", "WebAssembly"):
        assert page.evaluate("live.isSupported()") is True
        page.evaluate(f"() => {{ window.kept = window.{lacks}; delete window.{lacks}; }}")
        assert page.evaluate("live.isSupported()") is False
        assert page.evaluate("outcome(live.openDecoder())") == "DecoderError unsupported"
        page.evaluate(f"() => {{ window.{lacks} = window.kept; }}")

    def sign_in(route: Route) -> None:
        route.fulfill(body="<html>", content_type="text/html")

    def gone(route: Route) -> None:
        route.abort()

    for part, answer in (("**/live-worker*", gone), ("**/live-index*", gone), ("**/*.wasm", sign_in)):
        page.route(part, answer)
        assert page.evaluate("outcome(live.openDecoder())") == "DecoderError unreachable", part
        wait_for_no_worker(page)
        page.unroute(part)
    page.evaluate(OPEN)
    assert len(decoded(page, photo)) == 4


@pytest.mark.thorough
@pytest.mark.whole_browser
def test_the_decoder_restarts_after_a_failure(page: Page, photo: str) -> None:
    """A worker that fails, hangs or ends costs one frame; the next one is decoded by a new worker."""
    page.evaluate(LOAD)
    page.evaluate("async () => { window.decoder = await live.openDecoder({ patience: 3000 }); }")
    for damage, reason in FAILURES.items():
        worker_of(page).evaluate(damage)
        assert page.evaluate(DECODE, photo) == f"DecoderError {reason}", damage
        check_restart(page, photo)


def test_the_decoder_gives_up_after_three_failures_in_a_row(context: BrowserContext, page: Page, photo: str) -> None:
    """Then it starts no more workers; a frame that is decoded resets the count."""

    def breaks(route: Route) -> None:
        answer = route.fetch()
        route.fulfill(response=answer, body=answer.text() + BROKEN)

    def fail(times: int) -> None:
        context.route(WORKER, breaks)
        worker_of(page).evaluate(CRASH)
        assert [page.evaluate(DECODE, photo) for _ in range(times)] == times * ["DecoderError crashed"]

    open_decoder(page)
    fail(2)
    context.unroute(WORKER)
    check_restart(page, photo)
    fail(3)
    assert page.evaluate(DECODE, photo) == "DecoderError given-up"
    wait_for_no_worker(page)
    context.unroute(WORKER)


def test_closing_the_decoder_ends_its_workers(page: Page, photo: str) -> None:
    """A frame that is being decoded fails at once, later ones are refused, and no worker is left or started."""
    open_decoder(page)
    ended = page.evaluate(
        """async (jpeg) => {
          const [a, b] = [await bitmapOf(jpeg), await bitmapOf(jpeg)];
          const reading = outcome(decoder.decode(a));
          decoder.close();
          decoder.close();
          return [await reading, await outcome(decoder.decode(b)), b.width];
        }""",
        photo,
    )
    assert ended == ["DecoderError closed", "DecoderError closed", 0]
    wait_for_no_worker(page)

    page.evaluate(OPEN)
    wait_until(page, lambda: len(page.workers) == 1)
    worker_of(page).evaluate(CRASH)
    assert page.evaluate(DECODE, photo) == "DecoderError crashed"
    ended = page.evaluate(
        """async (jpeg) => {
          const frame = await bitmapOf(jpeg);
          const reading = outcome(decoder.decode(frame));
          decoder.close();
          return reading;
        }""",
        photo,
    )
    assert ended == "DecoderError closed"
    wait_for_no_worker(page)
