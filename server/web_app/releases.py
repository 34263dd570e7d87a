"""Stores the pages' files in the database for servers of other versions.

During a rolling upgrade, servers of two versions share one address, and a page from one of them may request its scripts
from the other. So each needs the files of both.
"""

from __future__ import annotations

import io
import zipfile
from typing import TYPE_CHECKING

from sqlalchemy import delete, select, update

from server.db.models import Release
from server.workers.lease_queue import changed_rows

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime

    from server.db.session import Database
    from server.web_app.assets import Assets

MAX_RELEASES = 3
"""Number of versions that are stored; pages of older versions have to be reloaded."""


class Releases:
    """The stored versions of the pages' files."""

    def __init__(self, database: Database, now: Callable[[], datetime]) -> None:
        self._database = database
        self._now = now
        self._opened: dict[str, zipfile.ZipFile] = {}

    def store(self, assets: Assets) -> None:
        """Store the files of a version, and delete the oldest version."""
        with self._database.writing() as session:
            # After a rollback, the older version counts as the newest.
            known = update(Release).where(Release.name == assets.release).values(created=self._now())
            if changed_rows(session, known):
                return
        files = assets.archive()
        with self._database.writing() as session:
            session.merge(Release(name=assets.release, files=files, created=self._now()))
            session.flush()
            newest = session.scalars(select(Release.name).order_by(Release.created.desc()).limit(MAX_RELEASES)).all()
            session.execute(delete(Release).where(Release.name.not_in(newest)))

    def find(self, name: str) -> bytes | None:
        """Return a file of a stored version, or None. Names contain hashes, so versions with the same name agree."""
        with self._database.reading() as session:
            stored = session.scalars(select(Release.name)).all()
            for release in stored:
                if release not in self._opened:
                    files = session.scalars(select(Release.files).where(Release.name == release)).one_or_none()
                    if files is None:
                        continue
                    self._opened[release] = zipfile.ZipFile(io.BytesIO(files))
        for release in stored:
            if release in self._opened and name in self._opened[release].NameToInfo:
                return self._opened[release].read(name)
        return None
