"""`haggle restore`; it is written beside `haggle backup`."""

from server.cli.admin.backup import restore as command

__all__ = ["command"]
