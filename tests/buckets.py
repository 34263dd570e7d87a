"""Buckets in the local S3 server, and a proxy in front of it that can be made to fail."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta

import pytest

from server.storage import s3
from tests.engines.cluster import Cluster
from tests.engines.flaky_proxy import FlakyProxy
from tests.engines.local_service import ServiceError


def shorten_timeouts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let S3 stores that are created from now on give up after a second."""
    for name in ("UPLOAD_TIMEOUT", "LARGE_UPLOAD_TIMEOUT", "READ_TIMEOUT"):
        monkeypatch.setattr(s3, name, 1)
    monkeypatch.setitem(s3.RETRIES, "retry_timeout", timedelta(seconds=1))


def bucket_url(cluster: Cluster) -> str:
    """Return the address of an empty bucket prefix in the local S3 server; without a server, skip the test."""
    try:
        return cluster.s3.url()
    except ServiceError as error:
        pytest.skip(str(error))


def proxied_s3(cluster: Cluster, monkeypatch: pytest.MonkeyPatch) -> Iterator[FlakyProxy]:
    """Provide a proxy to the local S3 server that S3 stores created meanwhile use."""
    with FlakyProxy(cluster.s3.port) as proxy:
        monkeypatch.setenv("AWS_ENDPOINT", f"http://127.0.0.1:{proxy.port}")
        yield proxy
