"""Recall, false reads, time and memory of readers of photographs."""
