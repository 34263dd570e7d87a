"""The health check."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

from sqlalchemy import event, text

from server.api import health
from tests.waiting import until

if TYPE_CHECKING:
    import pytest
    from flask import Flask

    from server.games.context import AppContext


def test_health_check_needs_the_database(app: Flask, context: AppContext) -> None:
    """Without tables the check fails with Retry-After, and reveals no details."""
    client = app.test_client()
    well = client.get("/healthz")
    assert (well.status_code, well.json) == (200, {"status": "ok", "readers": 0})
    with context.database.writing() as session:
        session.execute(text("DROP TABLE server_config"))
    sick = client.get("/healthz")
    assert (sick.status_code, sick.headers["Retry-After"]) == (503, "5")
    assert sick.mimetype == "application/problem+json"
    failed = client.get("/api/v1/session")
    assert (failed.status_code, (failed.json or {})["type"]) == (500, "/problems/internal")
    assert "server_config" not in failed.text


def test_health_check_does_not_wait_for_a_hanging_database(
    app: Flask, context: AppContext, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It responds while its query hangs, starts no second query meanwhile, and succeeds afterwards."""
    monkeypatch.setattr(health, "TIMEOUT", 0.3)
    go_on, looks = threading.Event(), []

    def hang(*_: Any) -> None:  # noqa: ANN401 - the engine's own
        looks.append(1)
        go_on.wait(60)

    event.listen(context.database.engine, "checkout", hang)
    try:
        with ThreadPoolExecutor() as threads:
            calls = [threads.submit(lambda: app.test_client().get("/healthz").status_code) for _ in range(5)]
            assert [call.result() for call in calls] == [503] * 5
        assert not go_on.is_set()
        assert len(looks) == 1
    finally:
        go_on.set()
    until(lambda: app.test_client().get("/healthz").status_code == 200)
    event.remove(context.database.engine, "checkout", hang)
