"""`haggle bench scan`: comparison of readers, and its statistics."""

from __future__ import annotations

import json
from itertools import permutations
from typing import TYPE_CHECKING, Any

import cv2
import numpy as np
import pytest

from benchmarks.scan.charts import write_plots
from benchmarks.scan.measure import IN_SIGHT, Row, Tally, judge, middle, plain, settled, slow
from benchmarks.scan.pictures import Picture, PictureSet, TrueCard, TrueCode, known_picture, profile_set
from benchmarks.scan.readers import NAMES
from benchmarks.scan.report import Target, share, targets
from scanner.decode import pipeline
from scanner.image.load import load
from scanner.result import Doubt, ScanResult
from server.cli.main import main
from tests.scanner.shots import GAME, TEXTS, page, shot

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from scanner.result import Corners, Quad

FAST = ["--readers", "haggle,zxing-cpp", "--no-memory", "--photos", "1"]


@pytest.fixture
def scan(capsys: pytest.CaptureFixture[str]) -> Callable[..., tuple[int, str, str]]:
    """Return a function that runs the command and returns exit code, output and errors."""

    def run(*words: object) -> tuple[int, str, str]:
        code = 0
        try:
            main(["bench", "scan", *map(str, words)])
        except SystemExit as leaving:
            code = int(leaving.code or 0)
        return code, *capsys.readouterr()

    return run


def put(folder: Path, name: str, *texts: str) -> None:
    """Write a picture with a code for each text to a folder."""
    folder.mkdir(exist_ok=True)
    pixels = page(*((text, 150 * number, 20) for number, text in enumerate(texts)))
    (folder / name).write_bytes(cv2.imencode(".png", pixels)[1].tobytes())


@pytest.mark.thorough
def test_readers_are_compared(scan: Callable[..., tuple[int, str, str]], tmp_path: Path) -> None:
    """There is a row for each deck and reader, in JSON and in tables; plots, and pictures of missed cards."""
    figures, plots, misses = tmp_path / "figures.json", tmp_path / "plots", tmp_path / "misses"
    files = ("--json", figures, "--plots", plots, "--misses", misses)
    code, out, _ = scan("--profile", "small", "--any", "small", "--decks", "2", "--photos", "1", *files)
    assert code == 0
    for words in ("small 2", "zxing-cpp", "100 %", "Unread", "plain", "false doubts a photo"):
        assert words in out
    assert max(map(len, out.splitlines())) <= 80
    found = json.loads(figures.read_text(encoding="utf-8"))
    rows = {(row["set"], row["reader"]): row for row in found["rows"]}
    readers = [name for of, name in rows if of == "small 2"]
    assert {"haggle", "zxing-cpp", "opencv", "opencv-aruco"} <= set(readers) <= set(NAMES)
    assert {of for of, _ in rows} == {"small 2", "small any 2", "small damaged 2"}
    for name in readers:
        row, other = rows["small 2", name], rows["small any 2", name]
        assert (row["cards"], row["codes"], row["false"]) == (2, 4, 0)
        assert row["cards_read"] == 2, name
        assert 0 < row["search_x_decode"] < row["total_x_decode"] <= row["total_x_decode_slowest"]
        assert 0 < row["milliseconds"] <= row["milliseconds_p95"]
        assert (other["codes"], other["cards"]) == (2, 0)
    ours = rows["small 2", "haggle"]
    assert {"decode", "plain", "doubts"} <= set(ours["passes"])
    assert ours["memory_x_pixels"] is None or 0 < ours["memory_x_pixels"] < 30
    assert ours["false_doubts"] == ours["unread"] == ours["silent"] == ours["cut_short"] == 0
    assert {"false reads", "false doubts a photo"} <= {aim["name"] for aim in found["aims"] if aim["met"]}
    assert {path.name for path in plots.iterdir()} == {"recall.svg", "recall.png", "time.svg", "time.png"}
    assert list(misses.iterdir()) == []


def test_folders_of_real_photos_are_data_sets(scan: Callable[..., tuple[int, str, str]], tmp_path: Path) -> None:
    """Ground truth is a text, one text a line, or JSON; other texts are false. Pictures without truth are reported."""
    one, two = tmp_path / "one", tmp_path / "two"
    put(one, "text.png", "https://example.org/\nwith two lines")
    (one / "text.txt").write_text("https://example.org/\r\nwith two lines\n", encoding="utf-8")
    put(one, "lines.png", "FIRST", "SECOND")
    (one / "lines.txt").write_text("FIRST\nSECOND\nTHIRD\n", encoding="utf-8")
    put(one, "unknown.png", "UNKNOWN")
    put(two, "apart.png", "A", "A", "B")
    (two / "apart.json").write_text('["A", {"text": "A"}]', encoding="utf-8")
    put(two, "together.png", "C")
    quads = [[[0, 0], [150, 0], [150, 150], [0, 150]], [[300, 0], [450, 0], [450, 150], [300, 150]]]
    together = {"together.png": [{"text": "C", "quad": quad} for quad in quads]}
    (two / "truth.json").write_text(json.dumps(together), encoding="utf-8")
    (two / "broken.png").write_bytes(b"\x89PNG")
    (two / "broken.txt").write_text("WHOLE", encoding="utf-8")
    code, out, err = scan("--json", "--folder", tmp_path, *FAST)
    # The figures do not cover everything.
    assert code == 1
    assert "unknown.txt" in err
    assert "broken.png" in err
    found = {(row["set"].rpartition("/")[2], row["reader"]): row for row in json.loads(out)["rows"]}
    for name in ("haggle", "zxing-cpp"):
        for of, expected in (("one", (2, 4, 3, 0)), ("two", (2, 4, 3, 1))):
            row = found[of, name]
            assert (row["photos"], row["codes"], row["codes_read"], row["false"]) == expected


def test_each_part_of_the_scanner_is_switched_off_by_itself(
    scan: Callable[..., tuple[int, str, str]], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """A code in white on black is only read by the pass for such codes, so it is that pass's gain."""
    inverted = next(one for one in pipeline.PASSES if pipeline.name_of(one) == "white on black")
    monkeypatch.setattr(pipeline, "PASSES", (pipeline.PASSES[0], inverted))
    pixels = np.kron(255 - page(("CODE", 20, 20)), np.ones((4, 4), dtype=np.uint8))
    (tmp_path / "code.png").write_bytes(cv2.imencode(".png", pixels)[1].tobytes())
    (tmp_path / "code.txt").write_text("CODE", encoding="utf-8")
    figures = tmp_path / "figures.json"
    code, out, _ = scan("--ablate", "--folder", tmp_path, "--json", figures)
    assert (code, "white on black" in out) == (0, True)
    gains = {one["part"]: one for one in json.loads(figures.read_text(encoding="utf-8"))}
    gain = gains["white on black"]
    assert (gain["photos"], gain["with"]["codes_read"], gain["without"]["codes_read"]) == (1, 1, 0)
    assert gains["nothing"]["with"] == gains["nothing"]["without"]
    assert gains["blind: rectangles"]["photos"] == 0


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("--decks none", "5,20,40"),
        ("--decks 61", "1 to 60"),
        ("--readers wizard", "'wizard' is none of haggle"),
        ("--profile wizard", "'wizard' is none of ordinary, hard"),
        ("--curves wizard", "'wizard' is none of all, defocus"),
        ("--decodes 0.5", "0.5"),
        ("--folder {}/gone", "no photographs in it"),
        ("--folder {}/unknown", "unknown.png: nothing says which codes are in it; write unknown.txt"),
        ("--folder {}/wrong", 'wrong/truth.json: ["a.png"][0]'),
        ("--folder {}/number", 'number/a.json: ["a.png"][0]["text"]: '),
        ("--json {}/gone/figures.json", "gone/figures.json"),
    ],
)
def test_errors_are_one_line_before_the_start(
    scan: Callable[..., tuple[int, str, str]], tmp_path: Path, words: str, message: str
) -> None:
    for name in ("unknown", "wrong", "number"):
        put(tmp_path / name, "unknown.png" if name == "unknown" else "a.png", "A")
    (tmp_path / "wrong" / "truth.json").write_text('{"a.png": [{"quad": [[0, 0]]}]}', encoding="utf-8")
    (tmp_path / "number" / "a.json").write_text('[{"text": 1}]', encoding="utf-8")
    code, _, err = scan(*words.format(tmp_path).split())
    assert (code, len(err.splitlines())) == (2, 1)
    assert message in err


def test_a_missing_reader_is_named(scan: Callable[..., tuple[int, str, str]], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("benchmarks.scan.readers.available", lambda: ("zxing-cpp",))
    code, _, err = scan("--readers", "pyzbar")
    assert code == 2
    assert "WITHOUT pyzbar: the system has no libzbar" in err


def test_photos_are_reproducible_and_have_the_requested_sensor() -> None:
    first, same, other = (next(profile_set("small", 2, 1, seed, 2).pictures()) for seed in "aab")
    assert first.data == same.data != other.data
    assert load(first.data).shape == (1224, 1632)
    assert profile_set("nominal", 2, 1, "a").name == "nominal 2"
    assert profile_set("nominal", 2, 1, "a", 5).name == "nominal 2 5MP"


def quad(left: float, top: float, side: float = 10.0) -> Quad:
    """Return an upright square."""
    return np.array([(left, top), (left + side, top), (left + side, top + side), (left, top + side)], dtype=np.float64)


def corners(left: float, top: float) -> Corners:
    """Return an upright square in the form of scan results."""
    return ((left, top), (left + 10, top), (left + 10, top + 10), (left, top + 10))


def picture(*cards: TrueCard, codes: tuple[TrueCode, ...] = ()) -> Picture:
    """Return a picture with cards, or with codes only."""
    texts = frozenset([*(card.text for card in cards), *(code.text for code in codes)])
    return Picture("a.jpg", b"", codes, texts, cards)


def test_a_code_counts_once_and_only_at_its_position() -> None:
    """Without positions, as many as a reader found, up to the true number; each wrong text is false."""
    shown = picture(codes=(TrueCode("A", quad(0, 0), 3.0), TrueCode("A", quad(50, 0), 2.0)))
    found = judge(shown, [("A", quad(1, 1)), ("A", quad(0, 1))], 2.0)
    assert (found.tally.codes, found.tally.codes_read, found.tally.false) == (2, 1, 0)
    assert found.modules == ((3.0, True), (2.0, False))
    anywhere = picture(codes=(TrueCode("A"), TrueCode("A")))
    for reads, expected in ((0, 0), (1, 1), (2, 2), (3, 2)):
        assert judge(anywhere, [("A", quad(0, 0))] * reads, 0).tally.codes_read == expected
    assert judge(anywhere, [("B", quad(0, 0)), ("B", quad(9, 9)), ("C", quad(0, 0))], 0).tally.false == 2


@pytest.mark.parametrize(("module", "counts"), [(1.99, 0), (2.0, 1), (2.01, 1), (None, 0)])
def test_cards_count_above_a_minimum_size(module: float | None, counts: int) -> None:
    """Below, at and above the minimum; a card without a whole code never counts."""
    found = judge(picture(TrueCard("card", "A", quad(0, 0), 1.0, module)), [], 2.0)
    assert (found.tally.cards, found.missed) == (counts, ("card",) * counts)


def test_a_simulated_photo_is_compared_with_its_ground_truth() -> None:
    """Codes count at their position, cards anywhere; texts that are on no card are false."""
    photo = shot("tilt50", 20)
    known = known_picture("photo.jpg", photo, TEXTS)
    reads = [(TEXTS[card.name], np.array(code.quad)) for card in photo.truth for code in card.codes]
    moved = [(text, quad + 5000) for text, quad in reads[:2]]
    for some, expected in (
        (reads, Tally(40, 40, 20, 20)),
        (reads[1:], Tally(40, 39, 20, 20)),
        (reads[2:], Tally(40, 38, 20, 19)),
        (moved, Tally(40, 0, 20, 1)),
        ([("WRONG", reads[0][1])], Tally(40, 0, 20, 0, 1)),
    ):
        assert judge(known, some, 0.0).tally == expected
    assert Tally(40, 39, 20, 20) + Tally(10, 1, 5, 1, 2) == Tally(50, 40, 25, 21, 2)


@pytest.mark.parametrize("order", list(permutations(range(3))))
def test_each_doubt_is_matched_with_one_card(order: tuple[int, ...]) -> None:
    """Overlapping outlines are matched independent of their order; visible cards come first."""
    shares = (1.0, 0.5, 0.1)
    cards = [TrueCard(f"card {n}", f"{n}", quad(4.0 * n, 0), shares[n], None) for n in order]
    # One doubt is on the first two, one on the last two, one on the last only, one on none.
    places = [corners(1.5, 0), corners(5.5, 0), corners(11, 0)]
    none = corners(300, 0)
    for some, expected in ((places, (2, 2, 0)), (places[:2], (2, 2, 0)), ([*places[1:], none], (2, 1, 1))):
        result = ScanResult(400, 100, (), doubts=tuple(Doubt(place, "hidden") for place in some))
        tally = judge(picture(*cards), [], 0, result).tally
        assert (tally.unread, tally.named, tally.false_doubts) == expected
        assert tally.silent == expected[0] - expected[1]


@pytest.mark.parametrize(
    ("visible", "module", "wanted"),
    [(IN_SIGHT - 0.01, None, 0), (IN_SIGHT - 0.01, 2.0, 1), (IN_SIGHT, None, 1), (1.0, None, 1)],
)
def test_doubts_are_expected_for_visible_cards(visible: float, module: float | None, wanted: int) -> None:
    """A visible quarter or a whole code is enough; otherwise a doubt is neither expected nor false."""
    shown = picture(TrueCard("card", "A", quad(0, 0), visible, module))
    tally = judge(shown, [], 0, ScanResult(100, 100, (), doubts=(Doubt(corners(0, 0), "hidden"),))).tally
    assert (tally.unread, tally.named, tally.false_doubts) == (wanted, wanted, 0)


def test_texts_are_normalized_before_comparison() -> None:
    """White space, control characters and the detected character set are ignored; letters are not.

    Addresses are compared up to their `#`. A text of two lines is one code, unless some reader returns one line only.
    """
    assert plain("a\r\n b\x00") == plain("a b")
    assert plain("http://example.org/é") == plain("http://example.org/Ã©")
    assert plain("é") != plain("è")
    assert plain("http://example.org/j#GC2B.1") == plain("http://example.org/j") != plain("http://example.org/k")
    assert plain("H0F1D000BN4B3S9F8PBX") != plain("H0F1D000BN4B3S9F8PBY")
    shown = Picture("a.png", b"", (TrueCode("A\nB"),), frozenset({"A\nB"}), lines=("A", "B"))
    assert settled(shown, [[("A B", quad(0, 0))], []]) is shown
    assert [code.text for code in settled(shown, [[], [("B", quad(0, 0))]]).codes] == ["A", "B"]


def test_shares_are_not_rounded_up_to_all() -> None:
    assert [share(*of) for of in ((999, 1000), (9999, 10000), (5, 5), (0, 0))] == ["99.9 %", "99.9 %", "100 %", ""]
    for number, expected in ((0, 0.0), (1, 0.0), (19, 18.0), (20, 19.0), (40, 38.0)):
        values = [float(value) for value in range(number)]
        assert slow(values) == expected
        assert middle(values) == (0.0 if not values else (number - 1) / 2)


def row(profile: str, tally: Tally, *, reader: str = "haggle", deck: int = 20, total: float = 2.0) -> Row:
    """Return the results of a reader for a profile, on one photo."""
    of = PictureSet(f"{profile} {deck}", "profile", profile, lambda: iter(()), 1, game=GAME, deck=deck)
    return Row(of, reader, tally, [0.1], [total - 1], [total], memory=4.0)


def targets_by_name(*rows: Row) -> dict[str, Target]:
    """Return the targets of rows by name."""
    return {one.name: one for one in targets(rows)}


def test_curves_and_sizes_are_plotted(tmp_path: Path) -> None:
    rows = []
    for value, read in ((0.3, 20), (3.0, 4)):
        of = PictureSet(f"defocus {value}", "curve", "defocus", lambda: iter(()), 1, game=GAME, value=value)
        rows.append(Row(of, "haggle", Tally(40, 2 * read, 20, read), modules=[(value, True), (4.0, False)]))
    files = write_plots(rows, tmp_path)
    assert {file.stem for file in files} == {"module-sizes", "curve-defocus-codes", "curve-defocus-cards"}
    assert all(file.stat().st_size > 1000 for file in files)


def test_targets_are_met_at_their_thresholds() -> None:
    """They cover all rows of our scanner in their profiles; rows of others are ignored."""
    for read, met in ((994, False), (995, True)):
        rows = row("dim", Tally(cards=500, cards_read=500)), row("shadow", Tally(cards=500, cards_read=read - 500))
        assert targets_by_name(*rows)["cards read, ordinary"].met is met
    hard: dict[str, Any] = {"motion1": 97, "blur_radius1": 0, "sharp15": 0, "nominal": 0}
    rows = [row(profile, Tally(cards=100, cards_read=read)) for profile, read in hard.items()]
    found = targets_by_name(*rows, row("motion1", Tally(cards=100), reader="zxing-cpp"))
    assert found["cards read, hard"] == Target("cards read, hard", "100 cards", 0.97, 0.97, percent=True)
    for deck, total, met in ((20, 2.5, True), (20, 2.6, False), (40, 3.0, True), (40, 3.1, False)):
        assert (
            targets_by_name(row("nominal", Tally(), deck=deck, total=total))[f"x decode, {deck} nominal cards"].met
            is met
        )
    for named, false, met in ((19, 0, True), (18, 1, False)):
        hopeless = row("night", Tally(unread=20, named=named - 3))
        found = targets_by_name(row("glare", Tally(unread=20, named=named, false_doubts=false)), hopeless)
        for name in ("unread cards named", "the same, hopeless photographs", "false doubts a photo"):
            assert found[name].met is met
    assert targets([]) == targets([row("nominal", Tally(), reader="pyzbar")]) == []


def test_without_a_game_large_pictures_have_a_mean_and_small_ones_a_bound() -> None:
    """The time of small pictures is bounded in seconds, so that as a multiple of their decoding says nothing."""
    of = PictureSet("real", "folder", "real", lambda: iter(()), 3)
    found = targets_by_name(Row(of, "haggle", seconds=[0.1] * 4, large=[4.0, 7.0], small=[0.01, 0.2]))
    (mean,) = (one for name, one in found.items() if name.startswith("x decode without a game"))
    assert (mean.over, mean.measured, mean.met) == ("2 photos", 5.5, True)
    assert not found["seconds without a game, slowest smaller one"].met
