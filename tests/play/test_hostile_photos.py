"""Photographs that are made to keep the scanner busy cost their sender's place in the queue, and nobody else's."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardgen.cards import CardId
from devtools.photo_simulator.cards import printed_faces
from devtools.photo_simulator.photograph import photograph
from devtools.photo_simulator.profiles import SCENES
from server.jobs.scan_worker import read_and_develop
from server.jobs.scanning import ScanPool
from server.play.house import printed_game
from server.play.intake import Where, accept
from server.play.service import ScanService
from server.store.tables import Deck, Game, Photo
from tests.house import ORGANISER, new_game
from tests.scanner import hostile_files as hostile
from tests.waiting import until

if TYPE_CHECKING:
    from server.play.house import House


def test_hostile_photos_of_a_player_fail_once_and_others_are_read(house: House) -> None:
    """A PNG full of finder patterns and a PDF of nested forms say why they failed; the honest photo is read."""
    game = new_game(house)
    with house.database.reading() as session:
        printed = printed_game(session.get_one(Game, game))
    honest = photograph(printed_faces(printed, (CardId("red", 1),), 150), SCENES["nominal"], "tests/hostile").jpeg
    sent = [hostile.png_of_finders(), hostile.pdf_nested(60, 2), honest]
    with house.database.writing() as session:
        for envelope in range(1, 1 + len(sent)):
            session.add(
                Deck(
                    id=f"{envelope:032}",
                    game=game,
                    envelope=envelope,
                    state="open",
                    cards=None,
                    created=house.clock(),
                    confirmed=None,
                )
            )
    wheres = [Where(game, envelope=number, deck=f"{number:032}") for number in range(1, 1 + len(sent))]
    photos = [accept(house, where, data, ORGANISER).id for where, data in zip(wheres, sent, strict=True)]
    service = ScanService(house, ScanPool(None, workers=1, job=read_and_develop))
    service.start()
    try:

        def rows() -> list[Photo]:
            with house.database.reading() as session:
                return [session.get_one(Photo, photo) for photo in photos]

        until(lambda: all(row.state in {"done", "failed"} for row in rows()), 120.0)
        png, pdf, good = rows()
        assert (png.state, png.reason, png.attempts) == ("failed", "too-many-codes", 1)
        assert (pdf.state, pdf.attempts) == ("failed", 1)
        # Whichever limit it meets first, on a machine that may be busy.
        assert pdf.reason in {"too-slow", "too-many-pixels"}
        assert good.reading
        assert [seen["card"] for seen in good.reading["seen"]] == ["red-001"]
    finally:
        service.close()
