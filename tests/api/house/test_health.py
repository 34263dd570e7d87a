"""What watches over a server learns whether it works."""

from __future__ import annotations

import threading
import time
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

from sqlalchemy import event, text

from server.api.house import health

if TYPE_CHECKING:
    import pytest
    from flask import Flask

    from server.play.house import House


def test_health_needs_the_database(app: Flask, house: House) -> None:
    """A server whose database answers is well; one whose tables are gone says 503, and when to ask again."""
    client = app.test_client()
    assert (client.get("/healthz").status_code, client.get("/healthz").json) == (200, {"status": "ok", "readers": 0})
    with house.database.writing() as session:
        session.execute(text("DROP TABLE installation"))
    sick = client.get("/healthz")
    assert (sick.status_code, sick.headers["Retry-After"]) == (503, "5")
    assert sick.mimetype == "application/problem+json"


def test_a_database_that_hangs_is_not_waited_for(app: Flask, house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    """The answer comes while the look still hangs, nobody begins another one meanwhile, and then all is well again."""
    monkeypatch.setattr(health, "PATIENCE", 0.3)
    go_on, looks = threading.Event(), []

    def hang(*_: Any) -> None:  # noqa: ANN401 - the engine's own
        looks.append(1)
        go_on.wait(60)

    event.listen(house.database.engine, "checkout", hang)
    try:
        with ThreadPoolExecutor() as threads:
            calls = [threads.submit(lambda: app.test_client().get("/healthz").status_code) for _ in range(5)]
            assert [call.result() for call in calls] == [503] * 5
        assert not go_on.is_set()
        assert len(looks) == 1
    finally:
        go_on.set()
    end = time.monotonic() + 60
    while app.test_client().get("/healthz").status_code != 200:
        assert time.monotonic() < end
        time.sleep(0.05)
    event.remove(house.database.engine, "checkout", hang)


def test_a_failing_database_tells_nothing_of_its_inside(app: Flask, house: House) -> None:
    """An error of the database is our mistake, in the words of all such mistakes."""
    with house.database.writing() as session:
        session.execute(text("DROP TABLE installation"))
    failed = app.test_client().get("/api/v1/session")
    assert failed.status_code == 500
    assert "installation" not in failed.text
    assert (failed.json or {})["type"] == "/problems/internal"
