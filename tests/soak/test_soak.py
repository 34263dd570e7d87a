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
"""Duration of each soak test; 0 for a number of rounds."""
ROUNDS = 10


@pytest.mark.thorough
@pytest.mark.skipif(sys.platform != "linux", reason="processes are looked for in /proc")
@pytest.mark.parametrize("form", [Single, Cluster])
def test_no_data_is_lost_despite_faults(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], form: type[Single | Cluster]
) -> None:
    """Two servers, three workers and their services have all kinds of faults."""
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
        tally = soak(environment, tmp_path, seed, rounds=0 if MINUTES else ROUNDS, seconds=60 * MINUTES)
    with capsys.disabled() if MINUTES else ExitStack():
        print(f"\n{form.__name__}, seed {seed}\n{table(tally)}")  # noqa: T201 - requested, or shown if the test fails
