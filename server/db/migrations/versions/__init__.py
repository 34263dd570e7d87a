"""One file a step, in the order of their numbers. There is no way back: a backup is."""
