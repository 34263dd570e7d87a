"""The live view with a camera that shows the game's cards, and without a camera."""

from __future__ import annotations

import base64
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import cv2
import numpy as np
import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from devtools.photo_simulator.profiles import SCENES
from devtools.photo_simulator.video import PROFILES
from scanner import read_codes
from tests.players import dealt
from tests.web.axe import axe_problems
from tests.web.conftest import PHONE, CheckedPage, launch_browser
from tests.web.pages.conftest import LiveServer, OpenPage
from tests.web.pages.fake_camera import camera_script
from tests.web.pages.player_steps import join
from tests.web.steps import TIMEOUT, file, wait_until, with_page_modules

WIDTH, HEIGHT = 1280, 720
INSECURE_HOST = "haggle.lan"
"""A name of this machine that browsers do not trust without https."""
CARDS_PER_FRAME = 4
"""Cards in each of the two frames of the video."""
REPETITIONS = 4
"""How often each frame is repeated before the other one is shown."""
PHONE_OPTIONS = {"viewport": PHONE, "has_touch": True, "reduced_motion": "reduce", "permissions": ["camera"]}
OPEN = with_page_modules("""async (token) => {
  const answer = await fetch("/api/v1/me", { headers: { Authorization: `Bearer ${token}` } });
  const { game } = await answer.json();
  const { dataset } = document.documentElement;
  window.taken = [];
  dataset.closings = 0;
  const { openCamera } = await import("/web/app/camera/camera");
  await openCamera({
    kinds: game.kinds,
    game: game.id,
    envelope: 1,
    onPhoto: (file) => (dataset.taken = window.taken.push(file)),
    onClose: () => dataset.closings++,
  });
}""")
TAKEN_PICTURE = """async () => {
  const [file] = window.taken;
  const bitmap = await createImageBitmap(file);
  const reader = new FileReader();
  await new Promise((done) => {
    reader.onload = done;
    reader.readAsDataURL(file);
  });
  return { name: file.name, data: reader.result.split(",")[1], size: [bitmap.width, bitmap.height] };
}"""
TAKEN_AND_CLOSED = "html[data-taken='1'][data-closings='1']"
CHIPS = "chips => chips.map(chip => [chip.dataset.kind, chip.querySelector('strong').innerText])"
HIDE = """(hidden) => {
  Object.defineProperty(document, "hidden", { value: hidden, configurable: true });
  document.dispatchEvent(new Event("visibilitychange"));
}"""
# Distances between outlines and video in pixels: of both scales and of the corner.
GAPS = """() => {
  const [video, drawing] = [document.querySelector("video"), document.querySelector(".camera-outlines")];
  const { x, y, width, height } = video.getBoundingClientRect();
  const [wide, high] = [video.videoWidth, video.videoHeight];
  const scale = Math.max(width / wide, height / high);
  const [left, top] = [x + (width - scale * wide) / 2, y + (height - scale * high) / 2];
  const { a, d, e, f } = drawing.getScreenCTM();
  return [wide * (a - scale), high * (d - scale), e - left, f - top];
}"""
PLAIN_HTTP_WARNING = "Cross-Origin-Opener-Policy header has been ignored"
"""A warning that the browser logs for every page without https."""
MANUAL_CAPTURE = "try { localStorage.setItem('haggle-auto-capture', 'off') } catch { /* a page without an origin */ }"
"""Turn off automatic capture, which the slow video of a busy machine could trigger."""
NO_STILLS = "delete globalThis.ImageCapture;"
REFUSED_STILLS = "ImageCapture.prototype.takePhoto = () => Promise.reject(new DOMException('not now', 'UnknownError'));"
RECORD_TRACKS = """
  window.tracks = [];
  const ask = MediaDevices.prototype.getUserMedia;
  MediaDevices.prototype.getUserMedia = async function (wishes) {
    window.wishes = wishes;
    const stream = await ask.call(this, wishes);
    window.tracks.push(...stream.getTracks());
    return stream;
  };
"""
COUNT_LIVE_TRACKS = "() => tracks.filter(({ readyState }) => readyState === 'live').length"
# A torch and a zoom like those of phones, which record the requested settings.
TORCH_AND_ZOOM = """
  window.asked = [];
  MediaStreamTrack.prototype.getCapabilities = () => ({ torch: true, zoom: { min: 1, max: 4, step: 0.5 } });
  MediaStreamTrack.prototype.applyConstraints = async ({ advanced }) => window.asked.push(...advanced);
"""


@pytest.fixture(scope="module")
def game(live_server: LiveServer) -> str:
    return live_server.new_game(language="de")


@pytest.fixture(scope="module")
def hand(live_server: LiveServer, game: str) -> list[str]:
    return dealt(live_server.context, game, 1)[: 2 * CARDS_PER_FRAME]


@pytest.fixture(scope="module")
def frames(live_server: LiveServer, game: str, hand: list[str]) -> list[bytes]:
    """Photograph half of the hand, then the other half with another player's label."""
    scene = replace(SCENES["nominal"], profile=PROFILES["nominal"], width=WIDTH, height=HEIGHT)
    halves = (hand[:CARDS_PER_FRAME], None), (hand[CARDS_PER_FRAME:], 2)
    return [live_server.picture(game, cards, label, "video", scene) for cards, label in halves]


@pytest.fixture(scope="module")
def camera_browser(
    browser: Browser, frames: list[bytes], tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Browser]:
    """Start a browser whose camera shows these frames in turn."""
    video = tmp_path_factory.mktemp("video") / "cards.mjpeg"
    video.write_bytes(b"".join(jpeg * REPETITIONS for jpeg in frames))
    camera = [
        "--use-fake-device-for-media-stream=fps=5",
        f"--use-file-for-fake-video-capture={video}",
        f"--host-resolver-rules=MAP {INSECURE_HOST} 127.0.0.1",
    ]
    with launch_browser(browser.browser_type, more=camera) as one:
        yield one


@pytest.fixture
def open_camera(camera_browser: Browser, live_server: LiveServer, game: str) -> Iterator[OpenPage]:
    """Open the live view on phones whose camera shows the cards, and check them for errors after the test."""
    checked: list[CheckedPage] = []
    contexts: list[BrowserContext] = []

    def new_page(
        script: str = MANUAL_CAPTURE,
        *,
        origin: str = "",
        without: str = "",
        path: str = "",
        **options: Any,  # noqa: ANN401 - of a context
    ) -> Page:
        context = camera_browser.new_context(base_url=origin or live_server.url, **{**PHONE_OPTIONS, **options})
        context.set_default_timeout(1000 * TIMEOUT)
        contexts.append(context)
        page = context.new_page()
        if without:
            page.route(without, lambda route: route.abort())
        page.add_init_script(script)
        checked.append(CheckedPage(page, origin or live_server.url))
        page.goto(path or "/")
        page.get_by_role("heading", level=1).wait_for()
        if not path:
            page.evaluate(OPEN, token(live_server, game))
        return page

    yield new_page
    errors = [one.errors() for one in checked]
    for context in contexts:
        context.close()
    assert [wrong for errors in errors for wrong in errors if PLAIN_HTTP_WARNING not in wrong] == []


def token(live_server: LiveServer, game: str) -> str:
    return live_server.link(game, 1).partition("#")[2]


def test_the_live_view_ticks_off_and_outlines_all_cards(open_camera: OpenPage, hand: list[str]) -> None:
    """Cards are counted once, by kind, in windows of any size. A hidden page releases the camera."""
    page = open_camera(MANUAL_CAPTURE + RECORD_TRACKS)
    page.get_by_role("heading", name=f"{2 * CARDS_PER_FRAME} cards").wait_for()
    kinds = [name.rpartition("-")[0] for name in hand]
    chips = page.locator(".ticked li").evaluate_all(CHIPS)
    assert {(kind, text.split()[0]) for kind, text in chips} == {(kind, str(kinds.count(kind))) for kind in kinds}
    page.locator(".camera-warning").filter(has_text="Take away the label of envelope 2").wait_for()
    expect(page.get_by_text("the picture counts")).to_be_visible()
    expect(page.locator(".ticked small")).to_have_count(len(set(kinds)))
    expect(page.get_by_role("button", name="Light")).to_have_count(0)
    expect(page.get_by_role("slider", name="Zoom")).to_have_count(0)
    assert axe_problems(page) == []
    for width, height in ((320, 568), (844, 390)):
        page.set_viewport_size({"width": width, "height": height})
        page.locator(".live-card").first.wait_for(state="attached")
        video, drawing = (page.locator(f".camera-sight {one}").bounding_box() for one in ("video", "svg"))
        assert video == drawing
        wait_until(page, lambda: max(abs(gap) for gap in page.evaluate(GAPS)) < 1)
        assert page.evaluate("document.querySelector('dialog').scrollWidth") <= width
        for button in page.get_by_role("dialog").get_by_role("button").all():
            box = button.bounding_box()
            assert box
            assert min(box["width"], box["height"]) >= 44
            assert 0 <= box["x"] <= width - box["width"]
            assert box["y"] + box["height"] <= height

    # A hidden page releases the camera.
    wait_until(page, lambda: page.evaluate(COUNT_LIVE_TRACKS) == 1)
    page.evaluate(HIDE, True)
    expect(page.locator("video")).to_be_hidden()
    wait_until(page, lambda: page.evaluate(COUNT_LIVE_TRACKS) == 0)
    page.evaluate(HIDE, False)
    page.locator(".live-card").first.wait_for(state="attached")
    wait_until(page, lambda: page.evaluate(COUNT_LIVE_TRACKS) == 1)
    assert len(page.workers) == 1
    page.keyboard.press("Escape")
    check_closed(page)


def check_closed(page: Page) -> None:
    """Check that the live view is closed: `onClose` was called once, and no track is live and no worker runs."""
    page.locator("html[data-closings='1']").wait_for()
    wait_until(page, lambda: page.evaluate(COUNT_LIVE_TRACKS) == 0)
    expect(page.get_by_role("dialog")).to_have_count(0)
    wait_until(page, lambda: not page.workers)


@pytest.mark.parametrize(
    ("script", "language", "button", "width"),
    [
        pytest.param("", "en", "Take picture", 1920, marks=pytest.mark.thorough),
        pytest.param(REFUSED_STILLS, "fr", "Prendre la photo", 1920, marks=pytest.mark.thorough),
        pytest.param(NO_STILLS, "de", "Bild machen", 3840, marks=pytest.mark.thorough),
    ],
    ids=["still", "refused still", "no still"],
)
def test_the_picture_is_taken_in_full_resolution(
    open_camera: OpenPage, script: str, language: str, button: str, width: int
) -> None:
    """It is the camera's still, or else a frame of the video, and can be read; then the camera is released."""
    page = open_camera(MANUAL_CAPTURE + RECORD_TRACKS + script, locale=language)
    page.locator(".live-card").first.wait_for(state="attached")
    page.get_by_role("button", name=button).click()
    page.locator(TAKEN_AND_CLOSED).wait_for()
    taken = page.evaluate(TAKEN_PICTURE)
    assert taken["size"] == [WIDTH, HEIGHT]
    assert taken["name"].startswith("deck-")
    image = cv2.imdecode(np.frombuffer(base64.b64decode(taken["data"]), np.uint8), cv2.IMREAD_COLOR)
    assert len({code.text for code in read_codes(np.asarray(image, np.uint8))}) >= CARDS_PER_FRAME
    check_closed(page)
    assert page.evaluate("wishes.video.width.ideal") == width


def test_a_steady_view_is_photographed_automatically(
    open_camera: OpenPage, live_server: LiveServer, game: str, frames: list[bytes]
) -> None:
    """The view says what it waits for; switched off, it stays off on this device."""
    page = open_camera(camera_script(frames[0], shaking=True))
    auto = page.get_by_role("checkbox", name="Automatic")
    page.locator(".camera-words").filter(has_text="Hold still").wait_for()
    auto.uncheck()
    expect(page.locator(".camera-words")).to_have_count(0)
    page.keyboard.press("Escape")
    page.evaluate(OPEN, token(live_server, game))
    expect(auto).not_to_be_checked()
    auto.check()
    page.evaluate("shaking = false")
    page.locator(TAKEN_AND_CLOSED).wait_for()
    assert page.evaluate(TAKEN_PICTURE)["size"] == [WIDTH, HEIGHT]


def test_a_picture_taken_in_the_live_view_is_added_to_the_deck(
    open_camera: OpenPage, live_server: LiveServer, game: str
) -> None:
    """The test begins on the player's first screen and ends with the cards that the server has read."""
    join(live_server, game, 1)
    page = open_camera(path=live_server.link(game, 1))
    page.get_by_role("button", name="Live view").click()
    page.get_by_role("heading", name=f"{2 * CARDS_PER_FRAME} cards").wait_for()
    page.get_by_role("button", name="Take picture").click()
    page.locator(".picture[data-state=done] img").wait_for()
    expect(page.locator(".picture .seen")).to_have_count(CARDS_PER_FRAME)


def test_light_and_zoom_work_if_the_camera_has_them(open_camera: OpenPage) -> None:
    """Without the decoder the page says so, and pictures can still be taken."""
    page = open_camera(MANUAL_CAPTURE + RECORD_TRACKS + TORCH_AND_ZOOM, without="**/live-zxing_reader*.wasm")
    page.get_by_role("button", name="Light").click()
    expect(page.get_by_role("button", name="Light", pressed=True)).to_be_visible()
    page.get_by_role("slider", name="Zoom").fill("2.5")
    wait_until(page, lambda: page.evaluate("asked") == [{"torch": True}, {"zoom": 2.5}])
    page.locator(".camera-words").filter(has_text="Cards can’t be ticked off here").wait_for()
    page.get_by_role("button", name="Take picture").click()
    page.locator(TAKEN_AND_CLOSED).wait_for()


@pytest.mark.parametrize(
    "why",
    [
        "Camera access is blocked",
        *(pytest.param(why, marks=pytest.mark.thorough) for why in ("No camera found", "https")),
    ],
)
def test_without_a_camera_the_file_chooser_takes_its_place(
    open_camera: OpenPage, open_page: OpenPage, live_server: LiveServer, game: str, why: str
) -> None:
    """The page says why there is no live view."""
    if why == "https":
        page = open_camera(origin=live_server.url.replace("127.0.0.1", INSECURE_HOST))
    elif "blocked" in why:
        page = open_camera(permissions=[])
    else:
        page = open_page("/")
        page.evaluate(OPEN, token(live_server, game))
    page.get_by_role("alert").filter(has_text=why).wait_for()
    assert axe_problems(page) == []
    with page.expect_file_chooser() as chooser:
        page.get_by_role("button", name="Take picture").click()
    assert chooser.value.element.get_attribute("capture") == "environment"
    chooser.value.set_files(file(b"a picture"))
    page.locator(TAKEN_AND_CLOSED).wait_for()
    assert page.evaluate("taken[0].text()") == "a picture"


LENSES = with_page_modules("""async () => {
  const { rankCameras } = await import("/web/app/camera/lens");
  const rank = (...labels) => rankCameras(labels.map((label) => ({ label }))).map(({ label }) => label);
  return [
    rank("camera2 2, facing back", "camera2 1, facing front", "camera2 0, facing back"),
    rank("Front Camera", "Back Ultra Wide Camera", "Back Dual Wide Camera", "Back Camera", "Back Telephoto Camera"),
    rank("Frontkamera", "Ultra-Weitwinkelkamera auf der Rückseite", "Rückkamera"),
    rank("Integrated Webcam"),
  ];
}""")
# Return the states after each frame { at, codes }.
TICKS = with_page_modules("""async (frames) => {
  const { NO_CODES, trackCodes } = await import("/web/app/camera/outline-tracking");
  let tracked = NO_CODES;
  return frames.map(([at, codes]) => {
    tracked = trackCodes(tracked, codes, { game: "BWJ4", kinds: ["red", "blue"], now: at });
    const seen = tracked.seen.map(({ text, quad }) => [text, quad[0]]);
    return { seen, warned: [...tracked.labels.keys(), ...tracked.strangers.keys()] };
  });
}""")
RED, BLUE, LABEL = "HBWJ40001AAAAAAAAAAA", "HBWJ40101AAAAAAAAAAA", "EBWJ40002AAAAAAAAAAA"
OTHER = "H00000001AAAAAAAAAAA"


def code(text: str, x: int, y: int, side: int = 40) -> dict[str, Any]:
    """Return a code like those of the decoder, by its first corner; one with a negative side is turned by 180°."""
    return {"text": text, "quad": [[x, y], [x + side, y], [x + side, y + side], [x, y + side]]}


def test_the_main_lens_is_preferred_and_missed_frames_lose_no_card(open_page: OpenPage) -> None:
    """Of the cameras at the back, the one with the lowest number is used. A code or a warning stays for some frames."""
    page = open_page("/")
    android, apple, german, single = page.evaluate(LENSES)
    assert android == ["camera2 0, facing back", "camera2 2, facing back"]
    assert apple[0] == "Back Camera"
    assert "Front Camera" not in apple
    assert german == ["Rückkamera", "Ultra-Weitwinkelkamera auf der Rückseite"]
    assert single == ["Integrated Webcam"]

    def ticked(*frames: tuple[int, list[dict[str, Any]]]) -> list[dict[str, Any]]:
        return list(page.evaluate(TICKS, frames))

    both = [code(RED, 100, 100), code(BLUE, 300, 100)]
    slow = ticked((0, both), (1000, [code(RED, 130, 90)]), (2000, []), (3000, []), (4000, []))
    assert sorted(slow[1]["seen"]) == [[RED, [130, 90]], [BLUE, [330, 90]]], (
        "codes that were not read move with those that were"
    )
    assert [len(state["seen"]) for state in slow] == [2, 2, 2, 1, 0]
    quick = ticked((0, both), *((at, [both[0]]) for at in range(100, 1000, 100)))
    assert [len(state["seen"]) for state in quick] == [2] * 9 + [1]
    again = ticked((0, both), (100, []), (200, both))
    assert sorted(again[2]["seen"]) == [[RED, [100, 100]], [BLUE, [300, 100]]]
    # A card's two codes have the same text, but one is turned: it is not the first code at a new place.
    first, second = ticked((0, [code(RED, 100, 100)]), (100, [code(RED, 300, 400, -40)]))
    assert first["seen"] == [[RED, [100, 100]]]
    assert sorted(second["seen"]) == [[RED, [100, 100]], [RED, [300, 400]]]
    found = [code(LABEL, 0, 0), code(OTHER, 200, 0)]
    warned = ticked((0, found), (500, []), (1000, found), (3900, []), (4100, []))
    assert [state["warned"] for state in warned] == [[2, OTHER]] * 4 + [[]]
