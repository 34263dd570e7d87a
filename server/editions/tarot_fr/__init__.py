"""The French tarot edition: see edition.toml for cards and wording, rules.py for what the rules do."""
