"""The few words that stand on labels and in the margins of sheets, in each language of the games."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class PackingWords:
    """The words of the packing list and the tick list."""

    title: str
    list: str
    list_continued: str
    ticks: str
    ticks_continued: str
    keep: str
    ticks_note: str
    envelope: str
    contents: str
    cards: str
    packed: str
    given: str
    back: str
    page: str


@dataclass(frozen=True)
class HandoutWords:
    """The words of the hand-out that are the same for all editions."""

    title: str
    over: str
    deadline: str
    place: str
    host: str


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
    backs_of: str
    fold: str
    span: str
    ruler: str
    rule: str
    special: str
    stickers_title: str
    packing: PackingWords
    handout: HandoutWords


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
    backs_of="backs of {sheet}",
    fold="fold backwards on the dashed line",
    span="{envelopes} {first} to {last}",
    ruler="print at 100 %: this line is 50 mm long",
    rule="Rule {number}",
    special="Extra special {number}",
    stickers_title="{title}: stickers",
    packing=PackingWords(
        title="{title}: packing list",
        list="What lies in each envelope",
        list_continued="What lies in each envelope, continued",
        ticks="Tick list",
        ticks_continued="Tick list, continued",
        keep="For whoever packs: it says who begins with which cards. Keep it from players.",
        ticks_note="For the door: who has an envelope, and which ones came back.",
        envelope="Envelope",
        contents="Contents",
        cards="Cards",
        packed="Packed",
        given="Given",
        back="Back",
        page="Page {page} of {pages}",
    ),
    handout=HandoutWords(
        title="{title}: how to play",
        over="How to play",
        deadline="Hand in by",
        place="Where",
        host="Your hosts",
    ),
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
    backs_of="Rückseiten von {sheet}",
    fold="an der Strichlinie nach hinten falten",
    span="{envelopes} {first} bis {last}",
    ruler="bei 100 % drucken: Linie misst 50 mm",
    rule="Regel {number}",
    special="Extra {number}",
    stickers_title="{title}: Aufkleber",
    packing=PackingWords(
        title="{title}: Packliste",
        list="Was in jedem Umschlag liegt",
        list_continued="Was in jedem Umschlag liegt, Fortsetzung",
        ticks="Abhakliste",
        ticks_continued="Abhakliste, Fortsetzung",
        keep="Nur fürs Packen: Sie verrät, wer mit welchen Karten beginnt. Nichts für Mitspielende.",
        ticks_note="Für die Tür: wer einen Umschlag hat und welche zurückgekommen sind.",
        envelope="Umschlag",
        contents="Inhalt",
        cards="Karten",
        packed="Gepackt",
        given="Ausgegeben",
        back="Zurück",
        page="Seite {page} von {pages}",
    ),
    handout=HandoutWords(
        title="{title}: So wird gespielt",
        over="So wird gespielt",
        deadline="Abgabe bis",
        place="Wo",
        host="Spielleitung",
    ),
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
    backs_of="dos de la {sheet}",
    fold="plier vers l’arrière sur le trait interrompu",
    span="{envelopes} {first} à {last}",
    ruler="imprimer à 100 % : ligne de 50 mm",
    rule="Règle {number}",
    special="Carte spéciale {number}",
    stickers_title="{title} : autocollants",
    packing=PackingWords(
        title="{title} : liste de préparation",
        list="Le contenu de chaque enveloppe",
        list_continued="Le contenu de chaque enveloppe, suite",
        ticks="Liste à cocher",
        ticks_continued="Liste à cocher, suite",
        keep="Pour qui prépare : elle dit qui commence avec quelles cartes. À cacher aux joueurs.",
        ticks_note="Pour l'entrée : qui a une enveloppe, et lesquelles sont revenues.",
        envelope="Enveloppe",
        contents="Contenu",
        cards="Cartes",
        packed="Prête",
        given="Remise",
        back="Rendue",
        page="Page {page} sur {pages}",
    ),
    handout=HandoutWords(
        title="{title} : comment jouer",
        over="Comment jouer",
        deadline="À rendre avant",
        place="Où",
        host="Vos hôtes",
    ),
)
WORDINGS = {"en": ENGLISH, "de": _GERMAN, "fr": _FRENCH}


def wordings(language: str) -> Wordings:
    """Return the words of a language; English for one that is not known here."""
    return WORDINGS.get(language, ENGLISH)
