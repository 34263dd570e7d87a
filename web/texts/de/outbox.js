// Texts of the outbox, of the network, and of the page as an app.

export default {
  outbox: {
    waiting: "wartet aufs Senden",
    slow: "Das Netz ist langsam. Das Bild wird weiter gesendet; lass die Seite offen.",
    newLabel: "Was auf diesem Handy wartet, wartet auf das neue Etikett: Es geht los, sobald du es gescannt hast.",
    unkept: "Dieser Browser hat dafür keinen Platz. Lass die Seite offen, bis alles gesendet ist.",
    asOf: (time) => `Du siehst den Stand von ${time}.`,
    sharedLost: { title: "Das geteilte Bild ist nicht angekommen", detail: "Öffne es hier aus der Galerie." },
    sharedLater: "Das geteilte Bild ist aufgehoben. Scanne den Code auf deinem Umschlag, dann kommt es in dein Deck.",
    sharedNot: { title: "Das geteilte Bild wurde nicht übernommen", detail: "Gerade kann kein Bild in ein Deck." },
    sharedKept: "Das geteilte Bild ist aufgehoben. Ob es in ein Deck kann, zeigt sich, sobald Netz da ist.",
    shared: {
      title: (count) =>
        count === 1 ? "Das geteilte Bild in dein Deck legen?" : `Die ${count} geteilten Bilder in dein Deck legen?`,
      detail: "Geteilt hat es eine andere App oder Seite. Wenn du das nicht warst, sag Nein.",
      sample: "Es ist das Bild, das du auf der Seite der Demo gewählt hast.",
      some: (most, limit) =>
        `Nicht alles Geteilte ist hier: Es gehen nur Bilder, ${most} auf einmal und keines mit mehr als ${Math.floor(limit / 1e6)} MB.`,
      yes: "Ja, ins Deck",
      no: "Nein, weglassen",
    },
  },
  offers: {
    renew: "Es gibt eine neue Version dieser Seite.",
    reload: "Laden",
    install:
      "Leg Haggle auf deinen Startbildschirm: Es öffnet sich dann auch ohne Netz, und du kannst Bilder aus der Galerie mit ihm teilen.",
    ios: "Leg Haggle auf deinen Startbildschirm: Tippe im Browser auf „Teilen“, dann auf „Zum Home-Bildschirm“.",
    yes: "Hinzufügen",
    no: "Nein, danke",
  },
  problems: {
    "confirm-first": {
      title: "Zuerst die Liste",
      detail:
        "Dein Ja zur Liste wurde nicht angenommen, darum ist das Deck nicht abgegeben. Sieh dir die Liste noch einmal an und gib dann ab.",
    },
  },
};
