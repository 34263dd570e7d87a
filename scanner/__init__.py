"""Photographs to codes to cards, and hints for the next photograph."""
