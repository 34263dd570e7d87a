"""Invariants at the end of a soak test: everything accepted exists, once, and nothing else."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Sequence
from itertools import chain

from sqlalchemy import func, select

from server.db.models import AuditEntry, Deck, Envelope, Game, Photo, ProvisionalScore, ResultVersion
from server.games.context import AppContext
from tests.soak.client import Client, Tally
from tests.soak.clients import ENVELOPES, Actor, Organiser, Player
from tests.soak.jobs import POISONS, UNLUCKY


def check_photos(context: AppContext, actors: Sequence[Actor], tally: Tally) -> None:
    """Check that accepted photos exist once, scanned or failed with a reason, with their files."""
    good = set(chain.from_iterable(actor.good for actor in actors))
    poisons = dict(chain.from_iterable(actor.poisons.items() for actor in actors))
    with context.database.reading() as session:
        rows = session.scalars(select(Photo)).all()
    assert sorted(row.id for row in rows) == sorted(good | set(poisons)), "pictures are missing, or too many"
    for row in rows:
        tally.count(f"pictures {row.state}" + (f": {row.reason}" if row.reason else ""))
        assert row.lease is None, f"{row.id} is held by nobody"
        if row.id in good:
            assert row.state == "done", (row.id, row.state, row.reason)
            assert row.scan_result is not None
        else:
            assert row.state == "failed", (row.id, row.state, poisons[row.id])
            assert row.reason in POISONS[poisons[row.id]] | UNLUCKY, (row.reason, poisons[row.id])
        data = context.photos.get(row.game, row.id)
        assert data is not None, f"{row.id} has no file"
        assert len(data) == row.size
        assert hashlib.sha256(data).hexdigest() == row.digest
    per_place = Counter((row.game, row.deck, row.batch, row.digest) for row in rows)
    assert set(per_place.values()) <= {1}, "a picture is there twice"


def check_receipts(context: AppContext, actors: Sequence[Actor]) -> None:
    """Check that the audit log has one entry for each of the organisers' pictures."""
    wanted = Counter(
        photo for actor in actors if not isinstance(actor, Player) for photo in chain(actor.good, actor.poisons)
    )
    with context.database.reading() as session:
        result = session.scalars(select(AuditEntry.subject).where(AuditEntry.action == "receive")).all()
    assert Counter(subject.removeprefix("photo ") for subject in result) == wanted


def check_hand_ins(context: AppContext, players: Sequence[Player], tally: Tally) -> None:
    """Check that accepted hand-ins exist once, with the confirmed list, and cost one attempt."""
    accepted = dict(chain.from_iterable(player.handed_in.items() for player in players))
    games = {game for game, _ in accepted}
    with context.database.reading() as session:
        claimed = session.scalars(select(Envelope).where(Envelope.submitted_at.is_not(None))).all()
        assert {(row.game, row.number): row.submitted_cards for row in claimed} == accepted
        entries = select(AuditEntry.game, AuditEntry.subject).where(AuditEntry.action == "hand-in")
        result = Counter((game, int(subject.split()[-1])) for game, subject in session.execute(entries))
        assert result == Counter(list(accepted))
        checks = session.execute(
            select(ProvisionalScore.game, ProvisionalScore.envelope).where(ProvisionalScore.game.in_(games))
        )
        assert Counter((game, envelope) for game, envelope in checks) == Counter(list(accepted))
        decks = set(session.scalars(select(Deck.id)))
    assert decks == set(chain.from_iterable(player.decks for player in players))
    tally.count("hand-ins", len(accepted))


def check_games(context: AppContext, organisers: Sequence[Organiser], others: set[str], tally: Tally) -> None:
    """Check that each game exists once and was printed, opened, closed, scored and published once."""
    led = dict(chain.from_iterable(organiser.led.items() for organiser in organisers))
    with context.database.reading() as session:
        assert set(session.scalars(select(Game.id))) == others | set(led)
        for game, photos in led.items():
            assert session.get_one(Game, game).state == "published"
            assert session.scalar(select(func.count()).where(Envelope.game == game)) == ENVELOPES
            assert set(session.scalars(select(Photo.id).where(Photo.game == game))) == set(photos)
            assert session.scalars(select(ResultVersion.version).where(ResultVersion.game == game)).all() == [1]
            done = session.scalars(select(AuditEntry.action).where(AuditEntry.game == game)).all()
            assert [done.count(act) for act in ("create", "print", "open", "close", "publish")] == [1] * 5, done
    tally.count("games published", len(led))


def check_answers(clients: Sequence[Client], tally: Tally) -> None:
    """Check that repeated requests get the first answer."""
    for client in clients:
        for sent in list(client.created):
            answer = client.send("POST", sent.path, sent.body, sent.headers)
            assert answer == sent.answer, (sent.path, answer, sent.answer)
            tally.count("answers given again")


def check_files(context: AppContext) -> None:
    """Check that no file lacks its photo after orphaned ones were deleted."""
    with context.database.reading() as session:
        rows = session.execute(select(Photo.game, Photo.id)).all()
    found = sorted((game, photo) for game, photo, _ in context.photos.names())
    assert found == sorted((game, photo) for game, photo in rows)
