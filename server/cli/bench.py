"""`haggle bench`: the benchmarks of a checkout; an installed server has none."""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec

import click

from server.installation import CHECKOUT


@click.command(name="bench", add_help_option=False, context_settings={"ignore_unknown_options": True})
@click.argument("arguments", nargs=-1, type=click.UNPROCESSED)
def missing(arguments: tuple[str, ...]) -> None:  # noqa: ARG001 - no benchmark is there
    """Benchmark Haggle, and compare it with other readers."""
    raise click.ClickException("the benchmarks are not installed here: run ./haggle bench in a checkout of Haggle")


# Found by name, since the product never imports the benchmarks.
_THERE = CHECKOUT and find_spec("benchmarks") is not None
command: click.Command = import_module("benchmarks.__main__").command if _THERE else missing
