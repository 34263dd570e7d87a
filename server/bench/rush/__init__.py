"""The last minutes before a deadline: many players upload, confirm and hand in at once, and an organiser works."""
