"""Buckets of the tests' S3, by a way that can be made to fail."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta

import pytest

from server.storage import s3
from tests.engines.cluster import Cluster
from tests.engines.flaky_proxy import Detour
from tests.engines.programs import EngineError


def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let stores that are made from now on give up after a second, so that tests need not wait."""
    for name in ("QUICK", "LONG", "SILENT"):
        monkeypatch.setattr(s3, name, 1)
    monkeypatch.setitem(s3.RETRIES, "retry_timeout", timedelta(seconds=1))


def a_bucket(cluster: Cluster) -> str:
    """Return the address of an empty place in the tests' S3; without that the test is skipped."""
    try:
        return cluster.s3.url()
    except EngineError as error:
        pytest.skip(str(error))


def detour(cluster: Cluster, monkeypatch: pytest.MonkeyPatch) -> Iterator[Detour]:
    """Give a way to the tests' S3, which stores that are made in the block take."""
    with Detour(cluster.s3.port) as way:
        monkeypatch.setenv("AWS_ENDPOINT", f"http://127.0.0.1:{way.port}")
        yield way
