"""Print, sleeves, clutter, screens and codes of other things."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest
import zxingcpp

from benchmarks.scan.pictures import GROUPS
from cardgen.cards import POKER
from devtools.photo_simulator import CURVES, HARD, HOPELESS, ORDINARY, SCENES, Scene, generic_faces, photograph
from devtools.photo_simulator.arrays import generator
from devtools.photo_simulator.camera import Surface
from devtools.photo_simulator.layouts import PAGE, lay, lay_decks
from devtools.photo_simulator.media import displayed
from devtools.photo_simulator.profiles import NOMINAL, a4
from devtools.photo_simulator.scene import bend_of, sleeve, worn
from tests.scanner.shots import bgr, deck, shot, taken

ABOVE = np.array([[10.0, 0, 0, 0], [0, 10, 0, 0], [0, 0, 0, 1]])


def test_little_ink_makes_print_grey_and_streaked() -> None:
    """Black gets lighter with less ink, paper stays; with banding rows differ."""
    black = np.zeros((880, 630, 3), dtype=np.uint8)
    black[:, 300:] = 255
    grey = worn(black, (63, 88), 0.5, 0.0, generator("i"))
    assert 100 < grey[:, :300].mean() < 150
    assert grey[:, 300:].min() == 255
    rows = worn(black, (63, 88), 1.0, 0.6, generator("i"))[:, :300].mean(axis=(1, 2))
    assert rows.min() < 15
    assert rows.max() > 80


def test_a_sleeve_shows_its_card_and_mirrors_light() -> None:
    """A sleeve hides nothing, stands out all around, and most sleeves mirror something."""
    sleeves = [sleeve(Surface(ABOVE, np.eye(3), (63.0, 88.0)), 30, generator(str(seed))) for seed in range(30)]
    assert all(not one.hides and one.alpha.max() < 128 for one in sleeves)
    assert all(one.surface.size[0] > 63 and one.surface.size[1] > 88 for one in sleeves)
    assert 10 <= sum(one.streaks is not None for one in sleeves) <= 28


def test_reflections_follow_the_sleeves() -> None:
    """In the profile with sleeves some codes are lost to glare, and most are not."""
    scene = replace(SCENES["sleeves"], width=1200, height=900)
    washed = [code.washed for seed in "abc" for card in taken(scene, 20, seed).truth for code in card.codes]
    assert 1 <= sum(share > 0.01 for share in washed) < 0.3 * len(washed)


def test_a_card_bends_only_where_the_profile_says_so() -> None:
    """Radii lie in the profile's range."""
    assert bend_of(NOMINAL, generator("x")) is None
    radii = [bend_of(replace(NOMINAL, curl=(50.0, 90.0)), generator(str(seed))) for seed in range(20)]
    assert all(bend is not None and 50 <= bend.radius <= 90 for bend in radii)


def test_a_screen_is_made_of_stripes_and_shows_the_picture() -> None:
    """Seen from afar a screen is the picture, darker by a factor; from near it is red, green and blue."""
    picture = np.full((300, 400, 3), 200, dtype=np.uint8)
    picture[:, 200:] = 90
    shown = picture.copy()
    gain = displayed(shown, generator("screen"))
    far = (shown / 255.0) ** 2.2
    left, right = far[50:250, 50:150].mean(), far[50:250, 250:350].mean()
    assert left * gain == pytest.approx(0.9 * (200 / 255) ** 2.2, rel=0.1)
    assert left / right == pytest.approx((200 / 90) ** 2.2, rel=0.1)
    colour = cv2.cvtColor(shown, cv2.COLOR_BGR2YCrCb)[50:250, 50:150, 1]
    assert colour.std() > 10


def test_a_photograph_of_a_screen_has_moire() -> None:
    """White paper on a screen gets coloured bands that real paper has not."""
    colours = {"camera": 0.0, "screen": 0.0}
    for medium, seed in ((medium, seed) for medium in colours for seed in "abc"):
        scene = Scene(replace(NOMINAL, medium=medium, textures=("paper",), lens=0.9), 1600, 1200)  # type: ignore[arg-type]  # as named
        margin = bgr(taken(scene, 2, seed).jpeg)[:, :100]
        red = cv2.cvtColor(margin, cv2.COLOR_BGR2YCrCb)[..., 1].astype(np.float32)
        colours[medium] += float((red - cv2.GaussianBlur(red, (0, 0), 20)).std())
    assert colours["screen"] > 3 * colours["camera"]


@pytest.mark.parametrize("number", [1, 9, 20, 35, 50])
def test_a_page_takes_any_number_of_cards(number: int) -> None:
    """All cards lie on the glass; as many as fit lie side by side."""
    places = lay(number, 0.7, replace(NOMINAL, layout="page", turn=2.0, gap=4.0), POKER, generator("p"))
    assert len(places) == number
    corners = np.array([(0, 0, 1), (POKER.width, POKER.height, 1), (0, POKER.height, 1), (POKER.width, 0, 1)]).T
    for at in places:
        x, y, _ = at @ corners
        assert x.min() >= 0
        assert y.min() >= 0
        assert x.max() <= PAGE[0]
        assert y.max() <= PAGE[1]
    if number <= 9:
        middles = [(at @ (POKER.width / 2, POKER.height / 2, 1))[:2] for at in places]
        apart = [np.abs(a - b) for i, a in enumerate(middles) for b in middles[:i]]
        assert all(gap[0] > POKER.width - 4 or gap[1] > POKER.height - 4 for gap in apart)


def test_decks_lie_apart() -> None:
    """Cards are shared between the decks, and one card makes one deck only."""
    profile = replace(NOMINAL, decks=3)
    cards, decks, labels = lay_decks(8, 2, 4 / 3, profile, POKER, generator("d"))
    assert decks == [0, 0, 0, 1, 1, 1, 2, 2]
    assert (len(cards), len(labels)) == (8, 2)
    assert lay_decks(1, 0, 4 / 3, profile, POKER, generator("d"))[1] == [0]


def test_flatbed_pages_have_the_size_of_their_resolution() -> None:
    """An A4 page at 300 dots an inch has 2480 by 3508 pixels."""
    assert a4(300) == (2480, 3508)
    photo = shot("flatbed150", 9)
    (module,) = {round(code.module, 2) for card in photo.truth for code in card.codes}
    assert module == pytest.approx(POKER.module / 25.4 * 150, rel=0.01)
    assert all(card.visible == pytest.approx(1, abs=0.003) for card in photo.truth)


def test_profiles_have_their_groups() -> None:
    """The ordinary and the hard conditions of the benchmark, and curves with rising difficulty."""
    ordinary = {"nominal", "dim", "shadow", "overlap", "crowded", "sleeves", "jpeg60", "flatbed"}
    assert set(ORDINARY) == ordinary
    assert set(HARD) == {"blur1", "blur_radius1", "motion1", "glare", "tilt50", "curl", "two_mp", "sharp15"}
    assert set(ORDINARY) | set(HARD) | set(HOPELESS) < set(SCENES)
    assert set(GROUPS["other"]) == set(SCENES) - set(ORDINARY) - set(HARD) - set(HOPELESS)
    assert all(len(scenes) >= 7 for scenes in CURVES.values())


def test_codes_of_other_things_have_every_version() -> None:
    """Twenty codes have the versions 1 to 20; each says what the truth says, however it is drawn."""
    faces = generic_faces(20, "generic")
    assert [face.codes[0].modules for face in faces if face.codes] == [17 + 4 * version for version in range(1, 21)]
    for face in faces:
        assert face.codes
        assert face.codes[0].text in {barcode.text for barcode in zxingcpp.read_barcodes(face.pixels)}
    photo = photograph(faces[:6], Scene(NOMINAL, 2592, 1944), "generic")
    read = {barcode.text for barcode in zxingcpp.read_barcodes(bgr(photo.jpeg))}
    assert {card.codes[0].text for card in photo.truth} <= read


def test_damage_covers_what_error_correction_may_repair() -> None:
    """Damaged codes differ from whole ones and most can still be read; more damage, more lost."""
    clean, little, much = (generic_faces(10, "d", versions=(2, 11), damage=damage) for damage in (0.0, 0.5, 3.0))
    changed = [(one.pixels != two.pixels).mean() for one, two in zip(clean, little, strict=True)]
    assert min(changed) > 0

    def read(faces: list) -> int:
        return sum(
            face.codes[0].text in {barcode.text for barcode in zxingcpp.read_barcodes(face.pixels)} for face in faces
        )

    assert read(little) >= 8
    assert read(much) < read(little)


def test_bent_cards_are_shaded() -> None:
    """A bend shows in the light: brightness changes over a white card."""
    flat, bent = (
        bgr(photograph(deck(1), Scene(replace(NOMINAL, curl=curl, textures=("dark",)), 800, 600), "s").jpeg)
        for curl in (None, (45.0, 46.0))
    )
    assert np.abs(flat.astype(int) - bent).mean() > 2
