"""Hand-ins merged from photographs; issues and organisers' decisions."""
