"""Rules as data: formulas in `edition.toml`, compiled to the steps of the engine. See docs/editions.md."""
