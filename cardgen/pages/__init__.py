"""Page geometry: paper, sheets, crop marks."""
