"""Processes of a server's own that begin with everything read: each reads for most of a second where it is new."""

from __future__ import annotations

import multiprocessing

from server.jobs import apart

READ = ("server.play.previews", "server.play.run_files", "server.play.runs")
"""What holds the work that servers do apart; with it comes all that draws."""


def fork_apart() -> None:
    """Let this process fork those that do its work apart from one that has read what they need, where it can."""
    if "forkserver" in multiprocessing.get_all_start_methods():
        context = multiprocessing.get_context("forkserver")
        context.set_forkserver_preload(list(READ))
        apart._SPAWN = context  # type: ignore[assignment]  # it starts processes as the other one does
