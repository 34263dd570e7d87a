"""Drawings on cards."""
