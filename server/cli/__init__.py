"""The `haggle` command: one module a subcommand, listed in `main`."""
