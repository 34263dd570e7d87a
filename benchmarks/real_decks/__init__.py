"""Benchmark sets of photographs of really printed games."""
