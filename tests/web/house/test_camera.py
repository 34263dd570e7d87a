"""The live viewfinder before a camera that sees the game's own cards, and without one."""

from __future__ import annotations

import base64
import time
from typing import TYPE_CHECKING, Any

import cv2
import numpy as np
import pytest
from playwright.sync_api import ViewportSize, expect

from scanner import read_codes
from tests.players import dealt
from tests.web.axe import problems
from tests.web.conftest import PHONE, Watched
from tests.web.house.looking import ELSEWHERE, HEIGHT, WIDTH, camera_browser, frame, open_camera
from tests.web.house.player_steps import joined
from tests.web.steps import PATIENCE, comes_to, served

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from playwright.sync_api import Browser, Page

    from tests.web.house.conftest import Hall

A_FRAME = 4
"""Cards in each of the two frames of the video."""
UPRIGHT, ACROSS = ViewportSize(width=390, height=844), ViewportSize(width=844, height=390)
LIKE_A_PHONE = {"viewport": PHONE, "has_touch": True, "reduced_motion": "reduce", "permissions": ["camera"]}
TAKEN = """async () => {
  const [file] = window.taken;
  const bitmap = await createImageBitmap(file);
  const reader = new FileReader();
  await new Promise((done) => {
    reader.onload = done;
    reader.readAsDataURL(file);
  });
  return { name: file.name, data: reader.result.split(",")[1], size: [bitmap.width, bitmap.height] };
}"""
CHIPS = "chips => chips.map(chip => [chip.dataset.kind, chip.querySelector('strong').innerText])"
HIDE = """(hidden) => {
  Object.defineProperty(document, "hidden", { value: hidden, configurable: true });
  document.dispatchEvent(new Event("visibilitychange"));
}"""
# How far the outlines lie from the video, in pixels: their scales both ways, and their corner.
GAPS = """() => {
  const [video, drawing] = [document.querySelector("video"), document.querySelector(".camera-outlines")];
  const { x, y, width, height } = video.getBoundingClientRect();
  const [wide, high] = [video.videoWidth, video.videoHeight];
  const scale = Math.max(width / wide, height / high);
  const [left, top] = [x + (width - scale * wide) / 2, y + (height - scale * high) / 2];
  const { a, d, e, f } = drawing.getScreenCTM();
  return [wide * (a - scale), high * (d - scale), e - left, f - top];
}"""
PLAIN = "Cross-Origin-Opener-Policy header has been ignored"
"""What the browser writes about every page without https."""
NO_STILLS = "delete globalThis.ImageCapture"
LAZY_STILLS = "ImageCapture.prototype.takePhoto = () => Promise.reject(new DOMException('not now', 'UnknownError'))"
TRACKS = """() => {
  window.tracks = [];
  window.stopped = 0;
  const ask = MediaDevices.prototype.getUserMedia;
  MediaDevices.prototype.getUserMedia = async function (wishes) {
    window.wishes = wishes;
    const stream = await ask.call(this, wishes);
    window.tracks.push(...stream.getTracks());
    return stream;
  };
}"""
LIVE = "() => tracks.filter(({ readyState }) => readyState === 'live').length"
# A torch and a zoom as phones have them; what is asked of them is noted.
GIFTED = """() => {
  window.asked = [];
  MediaStreamTrack.prototype.getCapabilities = () => ({ torch: true, zoom: { min: 1, max: 4, step: 0.5 } });
  MediaStreamTrack.prototype.applyConstraints = async ({ advanced }) => window.asked.push(...advanced);
}"""


@pytest.fixture(scope="module")
def game(hall: Hall) -> str:
    """Make the game that the camera looks at."""
    return hall.game(language="de")


@pytest.fixture(scope="module")
def hand(hall: Hall, game: str) -> list[str]:
    """Return the cards that pass before the camera."""
    return dealt(hall.house, game, 1)[: 2 * A_FRAME]


@pytest.fixture(scope="module")
def seeing(
    browser: Browser, hall: Hall, game: str, hand: list[str], tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Browser]:
    """Start a browser whose camera sees half of the hand, then the other half with another player's label."""
    frames = [frame(hall, game, hand[:A_FRAME]), frame(hall, game, hand[A_FRAME:], label=2)]
    with camera_browser(browser.browser_type, tmp_path_factory.mktemp("video") / "cards.mjpeg", frames, 20) as phone:
        yield phone


@pytest.fixture
def phone(seeing: Browser, hall: Hall, game: str) -> Iterator[Callable[..., Page]]:
    """Open the viewfinder on phones that see the cards; afterwards nothing may have gone wrong."""
    watched: list[Watched] = []
    contexts = []

    def begin(*scripts: str, origin: str = "", without: str = "", path: str = "", **options: Any) -> Page:  # noqa: ANN401 - of a context
        context = seeing.new_context(base_url=origin or hall.url, **{**LIKE_A_PHONE, **options})
        context.set_default_timeout(1000 * PATIENCE)
        contexts.append(context)
        page = context.new_page()
        if without:
            page.route(without, lambda route: route.abort())
        for script in scripts:
            page.add_init_script(f"({script})()" if script.startswith("()") else script)
        watched.append(Watched(page, origin or hall.url))
        page.goto(path or "/")
        page.get_by_role("heading", level=1).wait_for()
        if not path:
            open_camera(page, token(hall, game), envelope=1)
        return page

    yield begin
    verdicts = [one.verdict() for one in watched if not one.page.is_closed()]
    for context in contexts:
        context.close()
    assert [wrong for verdict in verdicts for wrong in verdict if PLAIN not in wrong] == []


def token(hall: Hall, game: str) -> str:
    """Return what stands behind the # of player 1's link."""
    return hall.link(game, 1).partition("#")[2]


def codes_of(cards: list[str]) -> set[str]:
    """Return how many cards there are of each kind, as the list of the viewfinder says it."""
    kinds = [name.rpartition("-")[0] for name in cards]
    return {f"{kind} {kinds.count(kind)}" for kind in kinds}


def shown(page: Page) -> set[str]:
    """Return the same as the viewfinder's list shows it."""
    chips = page.locator(".ticked li").evaluate_all(CHIPS)
    return {f"{kind} {text.split()[0]}" for kind, text in chips}


def test_cards_are_ticked_off_as_they_pass(phone: Callable[..., Page], hand: list[str]) -> None:
    """All cards of both frames are counted once, by kind, with their printed codes, and outlined on the video."""
    page = phone()
    page.get_by_role("heading", name=f"{2 * A_FRAME} cards ticked off").wait_for()
    assert shown(page) == codes_of(hand)
    page.locator(".live-card").first.wait_for(state="attached")
    page.locator(".camera-warning").filter(has_text="That is the label of envelope 2").wait_for()
    expect(page.get_by_text("the picture counts")).to_be_visible()
    assert len(page.locator(".ticked small").all_inner_texts()) == len(codes_of(hand))


def test_an_outline_lies_on_its_card_in_any_window(phone: Callable[..., Page]) -> None:
    """The outlines are cut to the window as the video is, with the phone held upright and across."""
    page = phone()
    for size in (UPRIGHT, ACROSS):
        page.set_viewport_size(size)
        page.locator(".live-card").first.wait_for(state="attached")
        video, drawing = (page.locator(f".camera-sight {one}").bounding_box() for one in ("video", "svg"))
        assert video == drawing
        comes_to(page, lambda: max(abs(gap) for gap in page.evaluate(GAPS)) < 1)


@pytest.mark.parametrize("script", ["", LAZY_STILLS, NO_STILLS], ids=["still", "refused still", "no still"])
def test_the_picture_is_taken_in_full_size(phone: Callable[..., Page], script: str) -> None:
    """By the camera's own still, else as the video shows it; it can be read, and the camera is given back."""
    page = phone(TRACKS, *([script] if script else []))
    page.locator(".live-card").first.wait_for(state="attached")
    page.get_by_role("button", name="Take picture").click()
    page.locator("html[data-taken='1'][data-closings='1']").wait_for()
    taken = page.evaluate(TAKEN)
    assert taken["size"] == [WIDTH, HEIGHT]
    assert taken["name"].startswith("deck-")
    image = cv2.imdecode(np.frombuffer(base64.b64decode(taken["data"]), np.uint8), cv2.IMREAD_COLOR)
    assert len({code.text for code in read_codes(np.asarray(image, np.uint8))}) >= A_FRAME
    expect(page.get_by_role("dialog")).to_have_count(0)
    comes_to(page, lambda: page.evaluate(LIVE) == 0)
    wide = page.evaluate("wishes.video.width.ideal")
    assert wide == (3840 if script == NO_STILLS else 1920)


def test_the_live_view_gives_a_deck_its_picture(phone: Callable[..., Page], hall: Hall, game: str) -> None:
    """From the player's first screen to the cards that the server read in the still."""
    joined(hall, game, 1)
    page = phone(path=hall.link(game, 1))
    page.get_by_role("button", name="Live view").click()
    page.get_by_role("heading", name=f"{2 * A_FRAME} cards ticked off").wait_for()
    page.get_by_role("button", name="Take picture").click()
    page.locator(".picture[data-state=done] img").wait_for(timeout=60_000)
    expect(page.locator(".picture .seen")).to_have_count(A_FRAME)


@pytest.mark.parametrize("way", ["button", "Escape"])
def test_closing_gives_the_camera_back(phone: Callable[..., Page], way: str) -> None:
    """By the button or the Escape key: no track is live, no worker runs, and it is told once."""
    page = phone(TRACKS)
    page.locator(".live-card").first.wait_for(state="attached")
    comes_to(page, lambda: page.evaluate(LIVE) == 1)
    assert len(page.workers) == 1
    if way == "button":
        page.get_by_role("button", name="Close the camera").click()
    else:
        page.keyboard.press("Escape")
    page.locator("html[data-closings='1']").wait_for()
    comes_to(page, lambda: page.evaluate(LIVE) == 0)
    expect(page.get_by_role("dialog")).to_have_count(0)
    deadline = time.monotonic() + PATIENCE
    while page.workers and time.monotonic() < deadline:
        page.wait_for_timeout(20)
    assert page.workers == []


def test_a_hidden_page_gives_the_camera_back(phone: Callable[..., Page]) -> None:
    """While the page is hidden no track is live; when it is seen again the camera comes back by itself."""
    page = phone(TRACKS)
    page.locator(".live-card").first.wait_for(state="attached")
    page.evaluate(HIDE, True)
    expect(page.locator("video")).to_be_hidden()
    comes_to(page, lambda: page.evaluate(LIVE) == 0)
    page.evaluate(HIDE, False)
    page.locator(".live-card").first.wait_for(state="attached")
    comes_to(page, lambda: page.evaluate(LIVE) == 1)


def test_light_and_zoom_are_there_where_the_camera_has_them(phone: Callable[..., Page]) -> None:
    """A camera without them shows neither; one that has them does what is asked."""
    plain = phone()
    plain.locator(".live-card").first.wait_for(state="attached")
    expect(plain.get_by_role("button", name="Light")).to_have_count(0)
    expect(plain.get_by_role("slider", name="Zoom")).to_have_count(0)
    page = phone(GIFTED)
    page.get_by_role("button", name="Light").click()
    expect(page.get_by_role("button", name="Light", pressed=True)).to_be_visible()
    page.get_by_role("slider", name="Zoom").fill("2.5")
    comes_to(page, lambda: page.evaluate("asked") == [{"torch": True}, {"zoom": 2.5}])


def test_without_the_decoder_pictures_are_taken_all_the_same(phone: Callable[..., Page]) -> None:
    """A decoder that cannot be loaded is told in words; the camera goes on, and the picture is taken."""
    page = phone(without="**/vendor/zxing-reader*.wasm")
    page.locator(".camera-words").filter(has_text="Ticking off needs the network").wait_for()
    page.get_by_role("button", name="Take picture").click()
    page.locator("html[data-taken='1'][data-closings='1']").wait_for()


def takes_stills(page: Page) -> None:
    """Check that a picture of the phone's own camera can be taken instead, and is delivered."""
    with page.expect_file_chooser() as chooser:
        page.get_by_role("button", name="Take a picture").click()
    assert chooser.value.element.get_attribute("capture") == "environment"
    chooser.value.set_files({"name": "table.jpg", "mimeType": "image/jpeg", "buffer": b"a picture"})
    page.locator("html[data-taken='1'][data-closings='1']").wait_for()
    assert page.evaluate("taken[0].text()") == "a picture"


def test_without_a_camera_stills_are_taken(opened: Callable[..., Page], hall: Hall, game: str) -> None:
    """Where there is no camera the words say so, and the file chooser takes its place."""
    page = opened("/")
    open_camera(page, token(hall, game))
    page.get_by_role("alert").filter(has_text="No camera was found").wait_for()
    takes_stills(page)


def test_a_refused_camera_is_told_and_stills_are_taken(phone: Callable[..., Page]) -> None:
    """Where the camera is not allowed the words say where to allow it, and the file chooser takes its place."""
    page = phone(permissions=[])
    page.get_by_role("alert").filter(has_text="The camera is not allowed").wait_for()
    takes_stills(page)


def test_a_plain_address_says_that_https_is_missing(phone: Callable[..., Page], hall: Hall) -> None:
    """At an address without https browsers give no camera: it is said, and stills are taken."""
    page = phone(origin=hall.url.replace("127.0.0.1", ELSEWHERE))
    page.get_by_role("alert").filter(has_text="https").wait_for()
    takes_stills(page)


@pytest.mark.parametrize(
    ("language", "take", "closing"),
    [("de", "Bild machen", "Kamera schließen"), ("fr", "Prendre la photo", "Fermer l\u2019appareil photo")],
)
def test_the_viewfinder_speaks_the_pages_language(
    phone: Callable[..., Page], language: str, take: str, closing: str
) -> None:
    """German and French phones get their own words; colours come in the game's language."""
    page = phone(locale=language)
    expect(page.get_by_role("button", name=take)).to_be_visible()
    expect(page.get_by_role("button", name=closing)).to_be_visible()


def test_everything_fits_the_window(phone: Callable[..., Page]) -> None:
    """From the smallest phone, held either way, to a laptop: nothing sticks out, and buttons are large enough."""
    page = phone()
    page.get_by_role("heading", name=f"{2 * A_FRAME} cards ticked off").wait_for()
    for width, height in ((320, 568), (568, 320), (1280, 800)):
        page.set_viewport_size(ViewportSize(width=width, height=height))
        assert page.evaluate("document.querySelector('dialog').scrollWidth") <= width
        for button in page.get_by_role("dialog").get_by_role("button").all():
            box = button.bounding_box()
            assert box
            assert min(box["width"], box["height"]) >= 44
            assert box["x"] >= 0
            assert box["x"] + box["width"] <= width
            assert box["y"] + box["height"] <= height


@pytest.mark.parametrize("scheme", ["light", pytest.param("dark", marks=pytest.mark.thorough)])
def test_axe_finds_nothing_in_the_viewfinder(phone: Callable[..., Page], scheme: str) -> None:
    """Names, roles and contrasts are as they should be, with the live picture and with words in its place."""
    page = phone(color_scheme=scheme)
    page.get_by_role("heading", name=f"{2 * A_FRAME} cards ticked off").wait_for()
    assert problems(page) == []
    without = phone(color_scheme=scheme, permissions=[])
    without.get_by_role("alert").wait_for()
    assert problems(without) == []


LENSES = served("""async () => {
  const { ranked } = await import("/assets/app/camera/lens.js");
  const rank = (...labels) => ranked(labels.map((label) => ({ label }))).map(({ label }) => label);
  return [
    rank("camera2 2, facing back", "camera2 1, facing front", "camera2 0, facing back"),
    rank("Front Camera", "Back Ultra Wide Camera", "Back Dual Wide Camera", "Back Camera", "Back Telephoto Camera"),
    rank("Frontkamera", "Ultra-Weitwinkelkamera auf der Rückseite", "Rückkamera"),
    rank("Integrated Webcam"),
  ];
}""")


def test_the_main_lens_comes_first(opened: Callable[..., Page]) -> None:
    """At the back, no special one, the lowest number; where none is at the back, what there is."""
    android, apple, german, laptop = opened("/").evaluate(LENSES)
    assert android == ["camera2 0, facing back", "camera2 2, facing back"]
    assert apple[0] == "Back Camera"
    assert "Front Camera" not in apple
    assert german == ["Rückkamera", "Ultra-Weitwinkelkamera auf der Rückseite"]
    assert laptop == ["Integrated Webcam"]
