"""Checks of the functions in `rules.py`: of their text, and by trial games."""
