"""The HTTP interface under /api/v1: thin blueprints that parse, call and render."""
