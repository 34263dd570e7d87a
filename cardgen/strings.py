"""The words on labels, in the margins of sheets and in documents, in each language of the games."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class PackingWords:
    """The words of the packing list and the checklist."""

    language: str
    title: str
    list: str
    list_continued: str
    ticks: str
    ticks_continued: str
    keep: str
    ticks_note: str
    envelope: str
    spare: str
    name: str
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
class CalibrationTask:
    """A task on the calibration page: a heading and a text, in which lengths in millimetres are filled in."""

    heading: str
    text: str


@dataclass(frozen=True)
class CalibrationWords:
    """The words of the calibration page."""

    language: str
    title: str
    front: str
    back: str
    scale: CalibrationTask
    shift: CalibrationTask
    backs: CalibrationTask
    codes: CalibrationTask
    greys: CalibrationTask
    colours: CalibrationTask
    cross: str
    set: str
    point: str
    """The decimal separator."""


@dataclass(frozen=True)
class Wordings:
    """The words of one language, with placeholders in braces. `scanner` and `join` are a heading and two lines."""

    language: str
    envelope: str
    envelopes: str
    name: str
    game: str
    scanner: tuple[str, str, str]
    join: tuple[str, str, str]
    type_at: str
    labels_title: str
    sheets_title: str
    game_of: str
    sheet: str
    backs_of: str
    fold: str
    fold_short: str
    span: str
    ruler: str
    rule: str
    special: str
    stickers_title: str
    card_title: str
    back_title: str
    packing: PackingWords
    handout: HandoutWords
    calibration: CalibrationWords


ENGLISH = Wordings(
    language="en",
    envelope="envelope",
    envelopes="envelopes",
    name="Name",
    game="Game {game}",
    scanner=("For the count", "Leave this code in the", "picture of the deck."),
    join=("To join", "Point your phone’s", "camera here."),
    type_at="or type at {host}:",
    labels_title="{title}: envelope labels",
    sheets_title="{title}: cards",
    game_of="{title}, game {game}",
    sheet="sheet {number} of {pages}",
    backs_of="backs of {sheet}",
    fold="fold backwards on the dashed line",
    fold_short="fold backwards",
    span="{envelopes} {first} to {last}",
    ruler="print at 100 %: this line is 50 mm long",
    rule="Rule {number}",
    special="Extra special {number}",
    stickers_title="{title}: stickers",
    card_title="{title}: {card}",
    back_title="{title}: back of all cards",
    packing=PackingWords(
        language="en",
        title="{title}: packing list",
        list="Contents of the envelopes",
        list_continued="Contents of the envelopes, continued",
        ticks="Checklist",
        ticks_continued="Checklist, continued",
        keep="For packing only: this list shows the cards that each player starts with. Keep it away from players.",
        ticks_note="For the door: tick the envelopes that were given out, and those that came back.",
        envelope="Envelope",
        spare="spare",
        name="Name",
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
    calibration=CalibrationWords(
        language="en",
        title="Calibration page",
        front="front",
        back="back",
        scale=CalibrationTask(
            heading="Scale",
            text=(
                "Print at 100 %. Measure both rulers from 0 to their last number. The first scale, in percent, is "
                "{across} divided by the measured length of the horizontal ruler; the second is {up} divided by that "
                "of the vertical ruler. Set both and print this page again."
            ),
        ),
        shift=CalibrationTask(
            heading="Shift",
            text=(
                "Measure from the left edge of the paper to the vertical ruler. The first shift is {corner} mm minus "
                "this distance. Measure from the lower edge to the horizontal ruler; the second shift is {corner} mm "
                "minus that distance. Set both and print this page again."
            ),
        ),
        backs=CalibrationTask(
            heading="Backs",
            text=(
                "Print both pages on one sheet and hold it against the light. Read the numbers at which the cross of "
                "the back is on this grid: X is the first shift of the backs, Y the second."
            ),
        ),
        codes=CalibrationTask(
            heading="Codes",
            text=(
                "Point your phone at each code, and find the smallest one that it reads at once. Choose cards whose "
                "modules are at least a step larger: 0.96 mm for poker, bridge and business cards, 0.72 mm for mini "
                "cards."
            ),
        ),
        greys=CalibrationTask(
            heading="Greys",
            text="Each step should differ from the next. If the dark ones look the same, print with less ink.",
        ),
        colours=CalibrationTask(
            heading="Colours",
            text="You should be able to tell each from the others, in artificial light too.",
        ),
        cross="Held against the light, this cross is on the grid of the front.",
        set="Settings of this print: scale {scale} %, shift {shift} mm, backs {backs} mm. Multiply scales, add shifts.",
        point=".",
    ),
)
_GERMAN = Wordings(
    language="de",
    envelope="Umschlag",
    envelopes="Umschläge",
    name="Name",
    game="Spiel {game}",
    scanner=("Für die Zählung", "Diesen Code im Bild", "des Decks lassen."),
    join=("Zum Mitspielen", "Die Kamera des", "Handys hierher halten."),
    type_at="oder tippe auf {host}:",
    labels_title="{title}: Etiketten der Umschläge",
    sheets_title="{title}: Karten",
    game_of="{title}, Spiel {game}",
    sheet="Bogen {number} von {pages}",
    backs_of="Rückseiten von {sheet}",
    fold="an der Strichlinie nach hinten falten",
    fold_short="nach hinten falten",
    span="{envelopes} {first} bis {last}",
    ruler="bei 100 % drucken: Linie misst 50 mm",
    rule="Regel {number}",
    special="Extra {number}",
    stickers_title="{title}: Aufkleber",
    card_title="{title}: {card}",
    back_title="{title}: Rückseite aller Karten",
    packing=PackingWords(
        language="de",
        title="{title}: Packliste",
        list="Was in jedem Umschlag liegt",
        list_continued="Was in jedem Umschlag liegt, Fortsetzung",
        ticks="Abhakliste",
        ticks_continued="Abhakliste, Fortsetzung",
        keep="Nur fürs Packen: Sie verrät, wer mit welchen Karten beginnt. Nicht den Spielern zeigen.",
        ticks_note="Für die Tür: wer einen Umschlag hat und welche zurückgekommen sind.",
        envelope="Umschlag",
        spare="Ersatz",
        name="Name",
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
    calibration=CalibrationWords(
        language="de",
        title="Justierseite",
        front="Vorderseite",
        back="Rückseite",
        scale=CalibrationTask(
            heading="Maßstab",
            text=(
                "Bei 100 % drucken. Beide Lineale von 0 bis zur letzten Zahl messen. Waagrecht: {across} durch "
                "das gemessene Maß teilen; das ist in Prozent der erste Maßstab. Senkrecht: {up} durch das "
                "gemessene Maß, das ist der zweite. Danach diese Seite noch einmal drucken."
            ),
        ),
        shift=CalibrationTask(
            heading="Versatz",
            text=(
                "Vom linken Papierrand bis zum senkrechten Lineal messen: Es sollen {corner} mm sein. Was fehlt, "
                "ist der erste Versatz; was zu viel ist, bekommt ein Minus. Vom unteren Rand bis zum waagrechten "
                "Lineal ebenso: der zweite Versatz. Beide einstellen und diese Seite noch einmal drucken."
            ),
        ),
        backs=CalibrationTask(
            heading="Rückseiten",
            text=(
                "Beide Seiten auf ein Blatt drucken und gegen das Licht halten. Wo das Kreuz der Rückseite auf "
                "diesem Gitter liegt, beide Zahlen ablesen: X ist der erste Versatz der Rückseiten, Y der zweite."
            ),
        ),
        codes=CalibrationTask(
            heading="Codes",
            text=(
                "Mit dem Handy auf jeden zielen. Der kleinste, der sofort gelesen wird, zeigt, was der Drucker "
                "kann; Karten wählen, deren Module eine Stufe größer sind. Poker, Bridge und Visitenkarten haben "
                "0,96, Mini 0,72 mm."
            ),
        ),
        greys=CalibrationTask(
            heading="Graustufen",
            text="Jede Stufe soll sich abheben. Laufen die dunklen zusammen: mit weniger Tinte drucken.",
        ),
        colours=CalibrationTask(
            heading="Farben",
            text="Jede soll sich von den anderen unterscheiden, auch bei Lampenlicht.",
        ),
        cross="Gegen das Licht gesehen liegt dieses Kreuz auf dem Gitter der Vorderseite.",
        set=(
            "Eingestellt: Maßstab {scale} %, Versatz {shift} mm, Rückseiten {backs} mm. Maßstäbe multiplizieren, "
            "Versätze addieren."
        ),
        point=",",
    ),
)
_FRENCH = Wordings(
    language="fr",
    envelope="enveloppe",
    envelopes="enveloppes",
    name="Nom",
    game="Partie {game}",
    scanner=("Pour le décompte", "Laisse ce code sur la", "photo du paquet."),
    join=("Pour participer", "Vise ici avec la caméra", "de ton téléphone."),
    type_at="ou tape sur {host} :",
    labels_title="{title} : étiquettes des enveloppes",
    sheets_title="{title} : cartes",
    game_of="{title}, partie {game}",
    sheet="planche {number} sur {pages}",
    backs_of="dos de la {sheet}",
    fold="plier vers l’arrière sur les pointillés",
    fold_short="plier vers l’arrière",
    span="{envelopes} {first} à {last}",
    ruler="imprimer à 100 % : ligne de 50 mm",
    rule="Règle {number}",
    special="Carte spéciale {number}",
    stickers_title="{title} : autocollants",
    card_title="{title} : {card}",
    back_title="{title} : dos de toutes les cartes",
    packing=PackingWords(
        language="fr",
        title="{title} : liste de préparation",
        list="Le contenu de chaque enveloppe",
        list_continued="Le contenu de chaque enveloppe, suite",
        ticks="Liste à cocher",
        ticks_continued="Liste à cocher, suite",
        keep="Pour la préparation : cette liste dit qui commence avec quelles cartes. À cacher aux joueurs.",
        ticks_note="Pour l’entrée : qui a une enveloppe, et lesquelles sont revenues.",
        envelope="Enveloppe",
        spare="réserve",
        name="Nom",
        contents="Contenu",
        cards="Cartes",
        packed="Prête",
        given="Remise",
        back="Rendue",
        page="Page {page} sur {pages}",
    ),
    handout=HandoutWords(
        title="{title} : comment jouer",
        over="Comment jouer",
        deadline="À rendre avant",
        place="Où",
        host="Organisation",
    ),
    calibration=CalibrationWords(
        language="fr",
        title="Page d’étalonnage",
        front="recto",
        back="verso",
        scale=CalibrationTask(
            heading="Échelle",
            text=(
                "Imprimer à 100 %. Mesurer les deux règles de 0 au dernier nombre. À l’horizontale : diviser "
                "{across} par la mesure ; c’est, en pour cent, la première échelle. À la verticale : diviser {up} "
                "par la mesure, c’est la seconde. Puis imprimer de nouveau cette page."
            ),
        ),
        shift=CalibrationTask(
            heading="Décalage",
            text=(
                "Mesurer du bord gauche du papier à la règle verticale : il faut {corner} mm. Ce qui manque est "
                "le premier décalage ; ce qui est en trop se note avec un moins. De même du bord inférieur à la "
                "règle horizontale : le second décalage. Les régler, puis imprimer de nouveau cette page."
            ),
        ),
        backs=CalibrationTask(
            heading="Dos",
            text=(
                "Imprimer les deux pages sur une feuille et la tenir à contre-jour. Là où la croix du verso tombe "
                "sur cette grille, lire les deux nombres : X est le premier décalage des dos, Y le second."
            ),
        ),
        codes=CalibrationTask(
            heading="Codes",
            text=(
                "Viser chaque code avec le téléphone. Le plus petit qui se lit tout de suite dit ce que peut "
                "l’imprimante ; choisir des cartes un cran au-dessus. Poker, bridge et cartes de visite : 0,96 mm"
                " ; mini : 0,72 mm."
            ),
        ),
        greys=CalibrationTask(
            heading="Gris",
            text="Chaque cran doit se voir. Si les foncés se confondent, imprimer avec moins d’encre.",
        ),
        colours=CalibrationTask(
            heading="Couleurs",
            text="Chacune doit se distinguer des autres, aussi sous une lampe.",
        ),
        cross="À contre-jour, cette croix tombe sur la grille du recto.",
        set=(
            "Réglages : échelle {scale} %, décalage {shift} mm, dos {backs} mm. Multiplier les échelles, "
            "ajouter les décalages."
        ),
        point=",",
    ),
)
WORDINGS = {"en": ENGLISH, "de": _GERMAN, "fr": _FRENCH}


def wordings(language: str) -> Wordings:
    """Return the words of a language; English for one that is not known here."""
    return WORDINGS.get(language, ENGLISH)
