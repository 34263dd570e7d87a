"""The few words that stand on labels and in the margins of sheets, in each language of the games."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Wordings:
    """The words of one language. Texts in braces are filled in; `scanner` and `join` are a heading and two lines."""

    envelope: str
    envelopes: str
    name: str
    game: str
    scanner: tuple[str, str, str]
    join: tuple[str, str, str]
    labels_title: str
    sheets_title: str
    game_of: str
    sheet: str
    span: str
    ruler: str


ENGLISH = Wordings(
    envelope="envelope",
    envelopes="envelopes",
    name="Name",
    game="Game {game}",
    scanner=("For the count", "Leave this code in the", "picture of the deck."),
    join=("To join", "Point your phone's", "camera here."),
    labels_title="{title}: envelope labels",
    sheets_title="{title}: cards",
    game_of="{title}, game {game}",
    sheet="sheet {number} of {pages}",
    span="{envelopes} {first} to {last}",
    ruler="print at 100 %: this line is 50 mm long",
)
_GERMAN = Wordings(
    envelope="Umschlag",
    envelopes="Umschläge",
    name="Name",
    game="Spiel {game}",
    scanner=("Für die Zählung", "Diesen Code im Bild", "des Decks lassen."),
    join=("Zum Mitspielen", "Die Kamera des", "Handys hierher halten."),
    labels_title="{title}: Etiketten der Umschläge",
    sheets_title="{title}: Karten",
    game_of="{title}, Spiel {game}",
    sheet="Bogen {number} von {pages}",
    span="{envelopes} {first} bis {last}",
    ruler="bei 100 % drucken: Linie misst 50 mm",
)
_FRENCH = Wordings(
    envelope="enveloppe",
    envelopes="enveloppes",
    name="Nom",
    game="Partie {game}",
    scanner=("Pour le décompte", "Laissez ce code sur la", "photo du paquet."),
    join=("Pour participer", "Visez ici avec la caméra", "de votre téléphone."),
    labels_title="{title} : étiquettes des enveloppes",
    sheets_title="{title} : cartes",
    game_of="{title}, partie {game}",
    sheet="planche {number} sur {pages}",
    span="{envelopes} {first} à {last}",
    ruler="imprimer à 100 % : ligne de 50 mm",
)
WORDINGS = {"en": ENGLISH, "de": _GERMAN, "fr": _FRENCH}


def wordings(language: str) -> Wordings:
    """Return the words of a language; English for one that is not known here."""
    return WORDINGS.get(language, ENGLISH)
