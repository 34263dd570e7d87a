"""The game's server and command line, and the scoring engine below them."""

VERSION = "1.0.0"
"""The version of Haggle."""
