"""Simulated photographs of printed cards, for the demo, benchmarks and tests."""

from devtools.photo_simulator.cards import (
    PrintedCode,
    PrintedFace,
    generic_faces,
    practice_game,
    printed_faces,
    printed_label,
)
from devtools.photo_simulator.photograph import Photograph, PlacedCard, PlacedCode, photograph
from devtools.photo_simulator.profiles import CURVES, HARD, HOPELESS, ORDINARY, SCENES, Profile, Scene
from server.printing.contents import dealt_cards

__all__ = [
    "CURVES",
    "HARD",
    "HOPELESS",
    "ORDINARY",
    "SCENES",
    "Photograph",
    "PlacedCard",
    "PlacedCode",
    "PrintedCode",
    "PrintedFace",
    "Profile",
    "Scene",
    "dealt_cards",
    "generic_faces",
    "photograph",
    "practice_game",
    "printed_faces",
    "printed_label",
]
