"""What happens in the demo's game by itself: players hand in with their phones, organisers photograph envelopes.

Each picture goes the way of any other, from the upload to the scan, as soon as it is made.
"""

from __future__ import annotations

import logging
import threading
from typing import TYPE_CHECKING

from server.jobs.queue import PhotoState
from server.play.decks import confirm, new_deck, photos_of
from server.play.findings import findings_of
from server.play.handing_in import hand_in
from server.play.house import Actor
from server.play.intake import Where, accept
from server.play.refusals import Refusal
from server.play.tokens import Seat
from server.store.tables import Deck, Photo
from server.studio.demo.pictures import TOLD

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from server.play.house import House
    from server.studio.demo.painter import Painter
    from server.studio.demo.pictures import Job

BATCH = "demo"
_ORGANISER = Actor("organiser", "Demo")
_LOOK = 0.25
# Seconds between looks whether a picture is made, or read.
_READING = 60.0
# Seconds within which a picture is read; after that the story goes on without it.
_log = logging.getLogger(__name__)


class Story:
    """A thread that brings the pictures in, one after the other. `told` names those that were brought in before.

    `note` is called with the name of each that has been.
    """

    def __init__(
        self, house: House, jobs: Sequence[Job], painter: Painter, told: Sequence[str], note: Callable[[str], None]
    ) -> None:
        names = {picture.name for picture in TOLD} - set(told)
        self._house = house
        self._jobs = [job for job in jobs if job.picture.name in names]
        self._painter = painter
        self._note = note
        self._closing = threading.Event()
        self._thread = threading.Thread(target=self._tell, name="haggle-demo", daemon=True)

    def start(self) -> None:
        """Begin, and return at once."""
        self._thread.start()

    def close(self, seconds: float = 5.0) -> None:
        """Stop after the picture in hand."""
        self._closing.set()
        self._thread.join(seconds)

    def _tell(self) -> None:
        for job in self._jobs:
            if not self._made(job):
                if self._closing.is_set():
                    return
                continue
            try:
                self._bring(job)
            except Refusal as refusal:
                # Whoever tries the demo has closed the game meanwhile, or handed in for this player.
                _log.info("%s: %s", job.picture.name, refusal)
            except Exception:  # noqa: BLE001 - the demo goes on without this picture
                if self._closing.is_set():
                    return
                _log.exception("the demo's picture %s", job.picture.name)
            self._note(job.picture.name)

    def _made(self, job: Job) -> bool:
        """Wait until a picture is made; tell whether it is."""
        while not job.file.exists():
            if self._closing.wait(_LOOK) or not (self._painter.busy or job.file.exists()):
                return False
        return True

    def _bring(self, job: Job) -> None:
        who, _, number = job.picture.name.partition("-")
        data = job.file.read_bytes()
        if who == "phone":
            self._hand_in(Seat(job.game.game, int(number)), data)
        else:
            where = Where(job.game.game, batch=BATCH, place=int(number), name=f"envelope-{number}.jpg")
            accept(self._house, where, data, _ORGANISER)

    def _hand_in(self, seat: Seat, data: bytes) -> None:
        """Photograph a player's deck, say yes to what is found, and hand in."""
        player = Actor("player", f"envelope {seat.envelope}")
        with self._house.database.writing() as session:
            deck = new_deck(session, seat, self._house.clock()).id
        photo = accept(self._house, Where(seat.game, seat.envelope, deck, name="deck.jpg"), data, player).id
        if not self._read(photo):
            return
        with self._house.database.writing() as session:
            row = session.get_one(Deck, deck)
            digest = findings_of(session, row, photos_of(session, row)).listing.digest
            confirm(session, seat, deck, digest, player, self._house.clock())
            hand_in(session, seat, deck, player, self._house.clock())

    def _read(self, photo: str) -> bool:
        """Wait until a picture is read; tell whether it is."""
        for _ in range(int(_READING / _LOOK)):
            with self._house.database.reading() as session:
                row = session.get(Photo, photo)
            if row is None or row.state in (PhotoState.DONE, PhotoState.FAILED):
                return row is not None and row.state == PhotoState.DONE
            if self._closing.wait(_LOOK):
                return False
        return False
