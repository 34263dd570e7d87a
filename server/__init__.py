"""The game's server and command line, and the scoring engine below them."""

import gc

VERSION = "1.0.0"
"""The version of Haggle."""

# Importing takes a fifth less time than with Python's defaults: each process has many modules, which are no garbage.
gc.set_threshold(50_000, 20, 20)
