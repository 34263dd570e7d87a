"""Printing an edition's cards with options, and print jobs."""
