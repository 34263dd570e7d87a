"""Counts as versions, rankings, published results."""
