"""Nothing accepted is lost or duplicated, whatever processes, disks and clocks fail.

A printed seed determines the faults. `HAGGLE_SOAK=10 ./haggle test --all tests/soak` runs each for ten minutes.
"""

from __future__ import annotations

import faulthandler
import os
import secrets
import sys
from contextlib import ExitStack
from pathlib import Path

import pytest

from tests.engines.local_service import ServiceError
from tests.soak.environments import Cluster, Single
from tests.soak.soak import soak, table

MINUTES = float(os.environ.get("HAGGLE_SOAK", "0"))
"""Duration of each soak test; 0 for its number of rounds."""


@pytest.mark.skipif(sys.platform != "linux", reason="processes are looked for in /proc")
@pytest.mark.parametrize(
    ("form", "rounds"),
    [
        pytest.param(Single, 1, id="short"),
        pytest.param(Single, 10, id="single", marks=pytest.mark.thorough),
        pytest.param(Cluster, 10, id="cluster", marks=pytest.mark.thorough),
    ],
)
def test_no_data_is_lost_despite_faults(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], form: type[Single | Cluster], rounds: int
) -> None:
    """Two servers, three workers and their services have all kinds of faults."""
    if MINUTES and rounds == 1:
        pytest.skip("the longer one has these faults, too")
    seed = os.environ.get("HAGGLE_SOAK_SEED") or secrets.token_hex(4)
    print(f"HAGGLE_SOAK_SEED={seed}")  # noqa: T201 - shown if the test fails
    environment = form(tmp_path)
    with ExitStack() as stack:
        try:
            stack.enter_context(environment)
        except ServiceError as error:
            if os.environ.get("CI"):
                raise
            pytest.skip(str(error))
        if MINUTES:
            # A long soak test must not be considered hanging.
            faulthandler.cancel_dump_traceback_later()
        tally = soak(environment, tmp_path, seed, rounds=0 if MINUTES else rounds, seconds=60 * MINUTES)
    with capsys.disabled() if MINUTES else ExitStack():
        print(f"\n{form.__name__}, seed {seed}\n{table(tally)}")  # noqa: T201 - requested, or shown if the test fails
