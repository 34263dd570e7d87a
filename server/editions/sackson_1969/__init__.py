"""Sid Sackson's original Haggle: see edition.toml for cards and wording, rules.py for what the rules do."""
