"""Cards of a photograph that were not read: how many, where, and why."""
