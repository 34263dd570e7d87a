"""One folder an edition: edition.toml (cards, wording, numbers) and rules.py."""
