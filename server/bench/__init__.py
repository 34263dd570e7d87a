"""Measures readers of codes beside each other, on photographs whose truth is known."""
