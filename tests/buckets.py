"""Buckets of the tests' S3, by a way that can be made to fail."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta

import pytest

from server.store import bucket
from tests.engines.detour import Detour
from tests.engines.festival import Festival
from tests.engines.programs import EngineError


def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let stores that are made from now on give up after a second, so that tests need not wait."""
    for name in ("QUICK", "LONG", "SILENT"):
        monkeypatch.setattr(bucket, name, 1)
    monkeypatch.setitem(bucket.RETRIES, "retry_timeout", timedelta(seconds=1))


def a_bucket(festival: Festival) -> str:
    """Return the address of an empty place in the tests' S3; without that the test is skipped."""
    try:
        return festival.s3.url()
    except EngineError as error:
        pytest.skip(str(error))


def detour(festival: Festival, monkeypatch: pytest.MonkeyPatch) -> Iterator[Detour]:
    """Give a way to the tests' S3, which stores that are made in the block take."""
    with Detour(festival.s3.port) as way:
        monkeypatch.setenv("AWS_ENDPOINT", f"http://127.0.0.1:{way.port}")
        yield way
