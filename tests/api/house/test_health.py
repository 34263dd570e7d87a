"""What watches over a server learns whether it works."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import text

if TYPE_CHECKING:
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


def test_a_failing_database_tells_nothing_of_its_inside(app: Flask, house: House) -> None:
    """An error of the database is our mistake, in the words of all such mistakes."""
    with house.database.writing() as session:
        session.execute(text("DROP TABLE installation"))
    failed = app.test_client().get("/api/v1/session")
    assert failed.status_code == 500
    assert "installation" not in failed.text
    assert (failed.json or {})["type"] == "/problems/internal"
