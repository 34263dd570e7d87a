"""The `haggle` command, and `python -m server`."""

import signal


def main() -> None:
    """Run the command line. Until the subcommand's modules are loaded, Ctrl-C ends it at once and without a word."""
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    from server.cli.main import main as run  # noqa: PLC0415 - takes a second on slow machines

    run()


if __name__ == "__main__":
    main()
