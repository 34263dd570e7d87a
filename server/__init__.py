"""The game's server and command line, and the scoring engine below them."""
