"""HTTP clients that repeat each request with the same key, to any server, until it is answered."""

from __future__ import annotations

import http.client
import json
import secrets
import threading
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

PATIENCE = 20.0
"""Timeout of a request in seconds."""
LONGEST_PAUSE = 1.0
"""The longest pause between two attempts; real pages follow Retry-After."""
LATER = {503, 507, 429}
"""Statuses of temporary refusals."""


@dataclass
class Tally:
    """The thread-safe counters of a soak test."""

    counts: Counter[str] = field(default_factory=Counter)
    wrong: list[str] = field(default_factory=list)
    """Violations that no fault explains."""
    notes: Path | None = None
    """A log file of events, for debugging."""
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def count(self, what: str, number: int = 1) -> None:
        with self._lock:
            self.counts[what] += number

    def note(self, what: str) -> None:
        if self.notes:
            with self._lock, self.notes.open("a") as file:
                file.write(f"{time.strftime('%H:%M:%S')} {what}\n")

    def report_violation(self, what: str) -> None:
        self.wrong.append(what)
        self.note(what)


@dataclass(frozen=True)
class Sent:
    """A request that creates something, and its response, which a repeated request must get too."""

    path: str
    body: bytes | None
    headers: dict[str, str]
    answer: tuple[int, dict[str, Any]]


class Client:
    """A client of servers on several local ports, for one thread."""

    def __init__(self, ports: Sequence[int], headers: Mapping[str, str], over: threading.Event, tally: Tally) -> None:
        self._ports, self._headers, self._over, self._tally = ports, headers, over, tally
        self.created: list[Sent] = []

    def send(
        self, method: str, path: str, body: bytes | None = None, headers: Mapping[str, str] | None = None
    ) -> tuple[int, dict[str, Any]]:
        """Send a request until there is a response; return its status and JSON."""
        self._tally.count("requests")
        while True:
            port, pause = secrets.choice(self._ports), 0.1
            connection = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
            own = {"Origin": f"http://127.0.0.1:{port}", **self._headers, **(headers or {})}
            try:
                connection.request(method, path, body, own)
                with connection.getresponse() as answer:
                    status, content = answer.status, answer.read()
                document: dict[str, Any] = json.loads(content) if content else {}
                if status < 500 and status != 429:
                    return status, document
                self._tally.count(f"answers {status}")
                if status not in LATER:
                    self._tally.report_violation(f"{method} {path} was answered {status}: {document.get('detail')}")
                elif status != 507 and "Retry-After" not in answer.headers:
                    self._tally.report_violation(f"{method} {path} was answered {status} without a time: {document}")
                pause = min(LONGEST_PAUSE, float(answer.headers.get("Retry-After", 0.2)))
            except (OSError, http.client.HTTPException, ValueError) as error:
                # ValueError: truncated JSON.
                self._tally.count("answers half" if isinstance(error, ValueError) else "answers none")
            finally:
                connection.close()
            assert not self._over.is_set(), f"no server answers {method} {path}"
            self._tally.count("sent again")
            time.sleep(pause)

    def post(self, path: str, document: Any = None, key: str = "") -> tuple[int, dict[str, Any]]:  # noqa: ANN401 - any JSON
        """Post JSON; with a key it creates something."""
        headers = {"Content-Type": "application/json", "Idempotency-Key": key or "-"}
        return self._post(path, None if document is None else json.dumps(document).encode(), headers, creates=bool(key))

    def upload(self, path: str, data: bytes) -> dict[str, Any]:
        """Post a photo; return the JSON of the response."""
        head = b'--end\r\nContent-Disposition: form-data; name="photo"; filename="p.png"\r\n\r\n'
        headers = {"Content-Type": "multipart/form-data; boundary=end", "Idempotency-Key": secrets.token_hex(8)}
        status, body = self._post(path, head + data + b"\r\n--end--\r\n", headers, creates=True)
        assert status == 201, body
        return body

    def _post(
        self, path: str, body: bytes | None, headers: dict[str, str], *, creates: bool
    ) -> tuple[int, dict[str, Any]]:
        status, content = self.send("POST", path, body, headers)
        if creates and status < 300:
            self.created.append(Sent(path, body, headers, (status, content)))
        return status, content
