// Texts of the photo viewer.

export default {
  closer: {
    title: "Von Nahem",
    closer: "Näher heran",
    farther: "Weiter weg",
    whole: "Das ganze Bild",
    how: "Ziehen verschiebt, Spreizen oder Doppeltippen holt näher heran. Tasten: Pfeile, +, − und 0.",
    doubt: (place, count, reason) => `Nicht gelesen, ${place} von ${count}: ${reason}`,
  },
  doubtWords: {
    small: {
      title: "Zu klein zum Lesen.",
      help: "Näher herangehen oder mehrere Bilder machen, jedes von einem Teil der Karten.",
    },
    dim: { title: "Zu dunkel.", help: "Mehr Licht machen oder die Karten näher an eine Lampe legen." },
    blur: { title: "Unscharf.", help: "Zum Scharfstellen auf eine Karte tippen, kurz warten, dann auslösen." },
    motion: { title: "Verwackelt.", help: "Das Handy mit beiden Händen halten oder mehr Licht machen." },
    glare: { title: "Der Code spiegelt.", help: "Die Lampe verschieben oder das Handy etwas kippen." },
    pale: { title: "Zu blass gedruckt.", help: "Mehr Licht machen oder die Karte neu drucken lassen." },
    hidden: { title: "Es liegt etwas darauf.", help: "Von jeder Karte mindestens einen Code frei lassen." },
    edge: { title: "Vom Bildrand abgeschnitten.", help: "Ein Stück zurückgehen." },
    unread: {
      title: "Nicht lesbar.",
      help: "Liegt ein Reflex, ein Schatten oder eine andere Karte darauf? Oder es ist gar keine Karte.",
    },
  },
};
