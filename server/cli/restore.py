"""`haggle restore`; it stands beside `haggle backup`."""

from server.cli.backup import restore as command

__all__ = ["command"]
