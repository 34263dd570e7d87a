"""Scan slots of all processes of a server, counted by their heartbeats."""

from __future__ import annotations

import threading
from datetime import timedelta

import pytest
from sqlalchemy import delete, func, select

from server.db.models import WorkerHeartbeat
from server.games.context import AppContext
from server.games.photos import scan_service
from server.games.photos.scan_pool import ScanPool
from server.games.photos.scan_service import (
    HEARTBEAT_INTERVAL,
    HEARTBEAT_RETENTION,
    HEARTBEAT_TIMEOUT,
    Heartbeat,
    ScanService,
    count_scan_slots,
)
from server.web_app.background import delete_old_rows
from tests.context import Clock
from tests.scan_jobs import obey
from tests.waiting import LIMIT, until


def _slots(context: AppContext) -> int:
    with context.database.reading() as session:
        return count_scan_slots(session, context.clock())


def test_scan_slots_are_counted_while_their_process_lives(context: AppContext, clock: Clock) -> None:
    here, there = Heartbeat(context, 2), Heartbeat(context, 3)
    here.send()
    there.send()
    assert _slots(context) == 5
    here.stop()
    clock.forward(seconds=3 * HEARTBEAT_INTERVAL)
    assert _slots(context) == 3
    clock.forward(seconds=HEARTBEAT_TIMEOUT.total_seconds() - 3 * HEARTBEAT_INTERVAL)
    assert _slots(context) == 0


def test_heartbeats_are_renewed_and_old_ones_deleted(
    context: AppContext, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(scan_service, "HEARTBEAT_INTERVAL", 0.0)
    here, gone = Heartbeat(context, 1), Heartbeat(context, 4)
    gone.send()
    clock.time += HEARTBEAT_RETENTION + timedelta(seconds=1)
    for _ in range(3):
        here.send()
    assert _slots(context) == 1
    delete_old_rows(context)
    with context.database.reading() as session:
        assert session.scalar(select(func.count()).select_from(WorkerHeartbeat)) == 1
    # Another process considers it dead and deletes its row just when the next heartbeat is due.
    sender = threading.Thread(target=here.send)
    with context.database.writing() as session:
        session.execute(delete(WorkerHeartbeat))
        sender.start()
        sender.join(0.1)
        assert sender.is_alive()
    sender.join(LIMIT)
    assert _slots(context) == 1


def test_a_service_has_a_heartbeat_while_it_runs(context: AppContext) -> None:
    service = ScanService(context, ScanPool(None, workers=1, job=obey))
    service.start()
    until(lambda: _slots(context) == 1)
    service.close()
    assert _slots(context) == 0
