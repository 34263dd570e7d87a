"""`python -m benchmarks`, which is also `haggle bench`."""

from __future__ import annotations

import click

from server.cli.main import LazyGroup

COMMANDS = {
    "bulk": ("benchmarks.bulk", "Send many pictures to a real server at once."),
    "print": ("benchmarks.print", "Print a large game, beside two libraries alone."),
    "real-decks": ("benchmarks.real_decks.command", "Make a set for scan from photographs of a printed game."),
    "rush": ("benchmarks.load.rush", "Let many players hand in at once before a deadline."),
    "scan": ("benchmarks.scan.command", "Read photographs with our scanner and with others."),
    "stalls": ("benchmarks.stalls", "Stall uploads, and time other requests meanwhile."),
    "score": ("benchmarks.score", "Score hands, beside a plain function."),
}


class BenchGroup(LazyGroup):
    """The benchmarks. Some need packages that are not dependencies of the product."""

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import and return a benchmark; if packages are missing, the error says how to install them."""
        try:
            return super().get_command(ctx, cmd_name)
        except ModuleNotFoundError as error:
            raise click.ClickException(
                f"{cmd_name} needs {error.name}: ./haggle test --version installs the packages of tests and benchmarks"
            ) from None


@click.group(name="bench", cls=BenchGroup, modules=COMMANDS)
def command() -> None:
    """Benchmark Haggle, and compare it with other readers."""


if __name__ == "__main__":
    command(prog_name="haggle bench")
