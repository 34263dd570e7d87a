"""What a running server tells of itself: logs, figures and traces. Nothing in them is of a person."""
