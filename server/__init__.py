"""The game's server and command line, and the scoring engine below them."""

VERSION = "0.1.0"
"""The version of Haggle, as in pyproject.toml."""
