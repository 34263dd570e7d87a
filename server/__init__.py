"""The game's server and command line, and the scoring engine below them."""

import gc

VERSION = "1.0.0"
"""The version of Haggle."""

# Each process has many modules, which are no garbage: importing them takes a fifth less time than with Python's
# defaults.
gc.set_threshold(50_000, 20, 20)
