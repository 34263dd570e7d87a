"""Whatever is killed, stopped, filled up or set to a wrong time: nothing accepted is lost, and nothing is there twice.

The moments come from a seed that is printed. `HAGGLE_SOAK=10 ./haggle test --all tests/soak` soaks ten minutes each.
"""

from __future__ import annotations

import faulthandler
import os
import secrets
import sys
from contextlib import ExitStack
from typing import TYPE_CHECKING

import pytest

from tests.engines.programs import EngineError
from tests.soak.grounds import Festival, Laptop
from tests.soak.soak import soak, table

if TYPE_CHECKING:
    from pathlib import Path

MINUTES = float(os.environ.get("HAGGLE_SOAK", "0"))
"""How long a soak lasts; 0: a short one."""
ROUNDS = int(os.environ.get("HAGGLE_SOAK_ROUNDS", "10"))
"""How often each kind of fault comes in a short one."""


@pytest.mark.thorough
@pytest.mark.skipif(sys.platform != "linux", reason="processes are looked for in /proc")
@pytest.mark.parametrize("form", [Laptop, Festival])
def test_nothing_is_lost_whatever_fails(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], form: type[Laptop | Festival]
) -> None:
    """Two servers and three workers fail in every way, and what they stand on; at the end all is there, once."""
    seed = os.environ.get("HAGGLE_SOAK_SEED") or secrets.token_hex(4)
    print(f"HAGGLE_SOAK_SEED={seed}")  # noqa: T201 - a failure shows it
    ground = form(tmp_path)
    with ExitStack() as stack:
        try:
            stack.enter_context(ground)
        except EngineError as error:
            if os.environ.get("CI"):
                raise
            pytest.skip(str(error))
        if MINUTES:
            # Else a test that takes as long as this is taken for one that hangs, and ended.
            faulthandler.cancel_dump_traceback_later()
        tally = soak(ground, tmp_path, seed, rounds=0 if MINUTES else ROUNDS, seconds=60 * MINUTES)
    told = f"\n{form.__name__}, seed {seed}\n{table(tally)}"
    print(told)  # noqa: T201 - as above
    if MINUTES:
        with capsys.disabled():
            print(told)  # noqa: T201 - somebody asked for it
