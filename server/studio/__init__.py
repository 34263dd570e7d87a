"""Photographs of printed cards, made up: for the demo, the benchmark and the tests."""

from server.studio.decks import dealt_cards, practice_game, printed_faces
from server.studio.photograph import Face, Photograph, PlacedCard, PlacedCode, photograph
from server.studio.profiles import SCENES, Profile, Scene

__all__ = [
    "SCENES",
    "Face",
    "Photograph",
    "PlacedCard",
    "PlacedCode",
    "Profile",
    "Scene",
    "dealt_cards",
    "photograph",
    "practice_game",
    "printed_faces",
]
