"""Whatever is killed, stopped, filled up or set to a wrong time: nothing accepted is lost, and nothing is there twice.

The moments come from a seed that is printed. `HAGGLE_SOAK=10 ./haggle test --all tests/soak` soaks ten minutes each.
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
"""How long each soak lasts; 0: as many rounds as it has."""


@pytest.mark.skipif(sys.platform != "linux", reason="processes are looked for in /proc")
@pytest.mark.parametrize(
    ("form", "rounds"),
    [
        pytest.param(Single, 1, id="short"),
        pytest.param(Single, 10, id="single", marks=pytest.mark.thorough),
        pytest.param(Cluster, 10, id="cluster", marks=pytest.mark.thorough),
    ],
)
def test_nothing_is_lost_whatever_fails(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], form: type[Single | Cluster], rounds: int
) -> None:
    """Two servers and three workers fail in every way, and what they stand on; at the end all is there, once."""
    if MINUTES and rounds == 1:
        pytest.skip("the longer one has these faults, too")
    seed = os.environ.get("HAGGLE_SOAK_SEED") or secrets.token_hex(4)
    print(f"HAGGLE_SOAK_SEED={seed}")  # noqa: T201 - a failure shows it
    ground = form(tmp_path)
    with ExitStack() as stack:
        try:
            stack.enter_context(ground)
        except ServiceError as error:
            if os.environ.get("CI"):
                raise
            pytest.skip(str(error))
        if MINUTES:
            # Else a test that takes as long as this is taken for one that hangs, and ended.
            faulthandler.cancel_dump_traceback_later()
        tally = soak(ground, tmp_path, seed, rounds=0 if MINUTES else rounds, seconds=60 * MINUTES)
    with capsys.disabled() if MINUTES else ExitStack():
        print(f"\n{form.__name__}, seed {seed}\n{table(tally)}")  # noqa: T201 - somebody asked for it, or a failure shows it
