"""Photographs of printed cards, made up: for the demo, the benchmark and the tests."""
