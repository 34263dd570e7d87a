"""The French tarot edition: see edition.toml."""
