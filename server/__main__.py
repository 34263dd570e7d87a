"""`python -m server` is the `haggle` command."""

from server.cli.main import main

main()
