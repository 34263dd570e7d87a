"""Photographs of printed cards, made up: for the demo, the benchmark and the tests."""

from server.jobs.portions import dealt_cards
from server.studio.decks import practice_game, printed_faces, printed_label
from server.studio.face import Face, PrintedCode
from server.studio.generic import generic_faces
from server.studio.photograph import Photograph, photograph
from server.studio.profiles import CURVES, HARD, HOPELESS, ORDINARY, SCENES, Profile, Scene
from server.studio.truth import PlacedCard, PlacedCode

__all__ = [
    "CURVES",
    "HARD",
    "HOPELESS",
    "ORDINARY",
    "SCENES",
    "Face",
    "Photograph",
    "PlacedCard",
    "PlacedCode",
    "PrintedCode",
    "Profile",
    "Scene",
    "dealt_cards",
    "generic_faces",
    "photograph",
    "practice_game",
    "printed_faces",
    "printed_label",
]
