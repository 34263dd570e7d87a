// Advice for a better picture, by the scanner’s slug.

export default {
  hintWords: {
    nothing: "Kein Code gefunden: Die Karten mit der Vorderseite nach oben legen, das Bild mit ihnen füllen und stillhalten.",
    mirrored: "Das Bild ist gespiegelt. Gelesen wurde es trotzdem; die Kamera auf der Rückseite liest mehr.",
    small: "Die Codes sind klein: Näher herangehen oder mehrere Bilder machen, jedes von einem Teil der Karten.",
    dim: "Das Bild ist dunkel: Mehr Licht machen oder die Karten näher an eine Lampe legen.",
    blur: "Manche Karten sind unscharf: Zum Scharfstellen auf eine tippen, kurz warten, dann auslösen.",
    motion: "Das Bild ist verwackelt: Das Handy mit beiden Händen halten oder mehr Licht machen.",
    tilt: "Das Bild ist von schräg aufgenommen: Das Handy gerade über die Karten halten.",
    glare: "Auf manchen Karten spiegelt es: Die Lampe verschieben oder das Handy etwas kippen.",
    pale: "Manche Karten sind zu blass gedruckt: Mehr Licht machen.",
    hidden: "Manche Karten sind verdeckt: Von jeder mindestens einen Code frei lassen.",
    edge: "Manche Karten sind vom Bildrand abgeschnitten: Ein Stück zurückgehen.",
    unread: "Manche Karten sind nicht lesbar: Liegt ein Reflex, ein Schatten oder eine andere Karte darauf?",
    decks: "Im Bild liegen wohl mehrere Decks: Jedes einzeln fotografieren.",
    label: "Kein Etikett gefunden: Das Etikett des Umschlags neben die Karten legen, die Codes frei.",
    "other-game": "Codes eines anderen Spiels zählen nicht.",
    forged: "Codes mit falscher Signatur zählen nicht.",
    foreign: "Codes, die nicht zu diesem Spiel gehören, zählen nicht.",
    stranger: "Codes, die keine Karten dieses Spiels sind, zählen nicht.",
    copy: "Eine Karte liegt mehrfach im Bild: Sie zählt einmal, eine davon muss eine Kopie sein.",
    screen: "Das Bild zeigt wohl einen Bildschirm: Die Karten selbst fotografieren.",
    time: "Die Suche hat zu lange gedauert: Einen ruhigeren Untergrund wählen oder zwei Bilder machen.",
  },
};
