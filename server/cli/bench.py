"""`haggle bench`: measures Haggle beside its peers, on photographs, hands and print runs, and under load."""

from __future__ import annotations

import click

from server.cli.bench_bulk import command as bulk
from server.cli.bench_print import print_
from server.cli.bench_rush import command as rush
from server.cli.bench_scan import scan
from server.cli.bench_score import score


@click.group(name="bench")
def command() -> None:
    """Measure Haggle beside its peers."""


command.add_command(bulk)
command.add_command(print_)
command.add_command(rush)
command.add_command(scan)
command.add_command(score)
