"""The demo's photographs: which there are, and how one is made and kept."""

from __future__ import annotations

import json
import time
from collections import Counter
from typing import TYPE_CHECKING

import pytest

from scanner import scan_photo
from server.studio.decks import practice_game
from server.studio.demo import painter as painter_module
from server.studio.demo.decks import EDITION, PLAYERS
from server.studio.demo.painter import Painter
from server.studio.demo.pictures import ALL, SAMPLES, TOLD, jobs, list_samples, make, samples

if TYPE_CHECKING:
    from pathlib import Path

    from server.studio.demo.pictures import Job


@pytest.fixture
def plan(tmp_path: Path) -> list[Job]:
    """Return the photographs of a game, none of them made."""
    (tmp_path / "photos").mkdir()
    return jobs(practice_game(EDITION, PLAYERS, "demo"), practice_game(EDITION, PLAYERS, "other"), tmp_path)


def named(plan: list[Job], name: str) -> Job:
    """Return a photograph by its name."""
    return next(job for job in plan if job.picture.name == name)


def test_all_pictures_are_made_and_none_twice(plan: list[Job]) -> None:
    """What is told and what is offered is all there is; each has a file of its own."""
    assert Counter(ALL) == Counter((*SAMPLES, *TOLD))
    assert len({job.file for job in plan}) == len(plan)


def test_organisers_find_what_they_shall_settle(plan: list[Job]) -> None:
    """Against what players hand in: a card less, no label, a card of another's deck, and one of another game."""
    cards = {job.picture.name: job.cards for job in plan}
    assert set(cards["phone-1"]) == set(cards["desk-1"])
    assert set(cards["phone-2"]) - set(cards["desk-2"]) == {cards["phone-2"][-1]}
    assert named(plan, "desk-3").picture.label is None
    assert set(cards["desk-4"]) - set(cards["phone-4"]) <= set(cards["desk-1"])
    ((game, _),) = named(plan, "desk-5").strays
    assert game != plan[0].game


def test_a_picture_reads_as_what_it_shows(plan: list[Job]) -> None:
    """Its cards and label are found; the card of the other game is seen as such."""
    job = named(plan, "desk-5")
    make(job)
    found = scan_photo(job.file.read_bytes(), job.game)
    assert {seen.card for seen in found.seen} == set(job.cards)
    assert found.labels == (5,)
    assert "other-game" in {code.status for code in found.codes}


def test_what_is_there_is_not_made_again(plan: list[Job]) -> None:
    """A photograph that was made before is left as it is."""
    plan[0].file.write_bytes(b"kept")
    make(plan[0])
    assert plan[0].file.read_bytes() == b"kept"


def test_samples_are_listed_before_they_are_made(plan: list[Job], tmp_path: Path) -> None:
    """The practice page knows titles and sizes from the start."""
    list_samples(plan, tmp_path)
    listed = json.loads((tmp_path / "photos" / "photos.json").read_text(encoding="utf-8"))
    assert [entry["file"] for entry in listed] == [job.file.name for job in samples(plan)]
    assert {(entry["width"], entry["height"]) for entry in listed} == {(2592, 1944)}
    assert all(entry["title"] and entry["note"] for entry in listed)


def test_the_painter_makes_what_is_missing(plan: list[Job]) -> None:
    """In processes of its own; then it is done."""
    missing = named(plan, "phone-1")
    for job in plan:
        if job is not missing:
            job.file.touch()
    painter = Painter(plan)
    painter.start()
    try:
        end = time.monotonic() + 60
        while painter.busy and time.monotonic() < end:
            time.sleep(0.05)
        assert missing.file.stat().st_size > 100_000
    finally:
        painter.close()
    assert not painter.busy


def test_a_painter_with_nothing_to_do_starts_no_process(plan: list[Job], monkeypatch: pytest.MonkeyPatch) -> None:
    """Where all is there already, the second start costs nothing."""
    for job in plan:
        job.file.touch()
    monkeypatch.setattr(painter_module, "_SPAWN", None)
    painter = Painter(plan)
    painter.start()
    assert not painter.busy
    painter.close()


def test_a_painter_can_be_stopped_at_once(plan: list[Job]) -> None:
    """Even before its processes have begun; nothing half made has a photograph's name."""
    painter = Painter(plan)
    painter.start()
    painter.close()
    assert not painter.busy
    assert not any(job.file.exists() for job in plan)
