"""A local S3 server for tests: moto, which stores objects in memory."""

from __future__ import annotations

import http.client
import os
import sys
from collections.abc import Sequence
from itertools import count
from pathlib import Path

from tests.engines.local_service import LocalService

BUCKET = "haggle"


class LocalS3(LocalService):
    """An S3 server."""

    name = "s3"
    as_current_user = True

    def __init__(self) -> None:
        super().__init__()
        self._numbers = count(1)

    def command(self) -> Sequence[str | Path]:
        """Return the command that starts it."""
        return [sys.executable, "-m", "moto.server", "-H", "127.0.0.1", "-p", str(self.port)]

    def answers(self) -> bool:
        """Create the bucket; return whether the server answers."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)
        try:
            connection.request("PUT", f"/{BUCKET}")
            # 409: the bucket exists.
            return connection.getresponse().status in {200, 409}
        except (OSError, http.client.HTTPException):
            return False
        finally:
            connection.close()

    @property
    def endpoint(self) -> str:
        """Its address."""
        return f"http://127.0.0.1:{self.port}"

    @property
    def variables(self) -> dict[str, str]:
        """The environment variables of its clients."""
        return {
            "AWS_ENDPOINT": self.endpoint,
            "AWS_ALLOW_HTTP": "true",
            "AWS_ACCESS_KEY_ID": "tests",
            "AWS_SECRET_ACCESS_KEY": "tests",
            "AWS_REGION": "us-east-1",
        }

    def url(self) -> str:
        """Return the address of an empty prefix in the bucket."""
        return f"s3://{BUCKET}/{os.getpid()}-{next(self._numbers)}"
