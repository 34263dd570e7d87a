"""Sid Sackson's original Haggle: see edition.toml."""
