"""The list of all endpoints, so that tests cover new ones automatically."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from sqlalchemy import select

from server.db.models import Base

if TYPE_CHECKING:
    from flask import Flask

    from server.games.context import AppContext

OPEN_TO_ALL = {"openapi.spec"}
"""Endpoints of the framework, which are public."""


@dataclass(frozen=True)
class Endpoint:
    """A method of a route, with the labels of its access decorators."""

    name: str
    method: str
    rule: str
    access: tuple[str, ...]

    def url(self, **parts: object) -> str:
        """Return the URL with its parameters; missing ones get a value in the form of an id."""
        url = self.rule
        for piece in self.rule.split("<")[1:]:
            name = piece.split(">")[0]
            kind, _, field = name.rpartition(":")
            given = parts.get(field, 1 if kind == "int" else "0" * 32)
            url = url.replace(f"<{name}>", str(given))
        return url


def endpoints(app: Flask) -> list[Endpoint]:
    """Return all endpoints of an application."""
    found = []
    for rule in app.url_map.iter_rules():
        if rule.endpoint in OPEN_TO_ALL:
            continue
        view = app.view_functions[rule.endpoint]
        found += [
            Endpoint(rule.endpoint, method, rule.rule, tuple(getattr(view, "access", ())))
            for method in sorted((rule.methods or set()) - {"HEAD", "OPTIONS"})
        ]
    return found


def everything(context: AppContext) -> dict[str, list[tuple[object, ...]]]:
    """Return all rows of all tables."""
    with context.database.reading() as session:
        return {
            table.name: sorted((tuple(row) for row in session.execute(select(table))), key=repr)
            for table in Base.metadata.sorted_tables
        }
