"""EuroCG 2026: the edition of the workshop in Hagen."""
