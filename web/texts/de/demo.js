// Texts of the demo's landing page. Texts with a number or a name in them are functions.

const plural = (count, one, many) => (count === 1 ? one : many);

export default {
  demo: {
    name: "Die Demo",
    title: "Ein ganzes Spiel Haggle ausprobieren",
    lead: "In Haggle tauschen alle Karten und geheime Regeln: Spiel mit den zwölf Leuten auf diesem Rechner, leite ihr Spiel, sieh auf die Leinwand oder lass ein Deck werten.",
    colours: "Rot, Blau, Grün, Orange, Gelb",
    state: (done, all) => `${done} von ${all} Umschlägen sind abgegeben`,
    missed: {
      elsewhere: "Der Tisch der Spielleitung öffnet sich nur auf dem Rechner, auf dem die Demo läuft.",
      gone: "Dieses Spiel wurde am Tisch gelöscht. Die Demo beenden und neu starten, dann ist es wieder da.",
    },
    doors: {
      player: {
        title: "Mitspielen",
        text: "Einen Umschlag öffnen, als wäre sein Etikett mit dem Handy gescannt.",
        tries: [
          "Ein Bild von einem Deck schicken",
          "Regel für Regel sehen, was es wert ist",
          "Abgeben und die Quittung behalten",
        ],
        open: "Einen Umschlag öffnen",
        result: "Ein Ergebnis ansehen",
      },
      desk: {
        title: "Spiel leiten",
        text: "Der Tisch der Spielleitung: Hier werden Spiele angelegt, begleitet und gezählt. Ohne Passwort.",
        tries: [
          "Die offenen Zweifel klären",
          "Umschläge finden, die niemand gesehen hat",
          "Das Spiel schließen, zählen, veröffentlichen",
        ],
        open: "An den Tisch",
        note: "Er öffnet sich nur auf diesem Rechner.",
        elsewhere: (address) => `Der Tisch öffnet sich auf dem Rechner, auf dem die Demo läuft: ${address}`,
      },
      screen: {
        title: "Die Leinwand",
        text: "Was an der Wand hängt: die Uhr, solange getauscht wird, und am Ende die Rangliste.",
        tries: [
          "Die Rangliste der letzten Woche Taste für Taste enthüllen",
          "Zusehen, wie Umschläge hereinkommen",
          "Mit F den ganzen Bildschirm füllen",
        ],
        ceremony: "Die Enthüllung beginnen",
        countdown: "Die Uhr zeigen",
      },
    },
    decks: {
      title: "Ein Deck werten",
      lead: "Diese Decks hat noch niemand abgegeben. Wähle eines aus, um es aus deinem Umschlag zu schicken, als hättest du die Karten gerade auf dem Tisch fotografiert: Du siehst jede Zeile der Wertung.",
      cards: (count) => `${count} ${plural(count, "Karte", "Karten")}`,
      score: "Dieses Deck werten",
      download: "Herunterladen und im Umschlag wählen",
      coming: "Kommt gleich",
      rendering: (made, all) => `Die Bilder entstehen gerade: ${made} von ${all}.`,
      samples: {
        "many-colours": "Drei Farben",
        "pink-and-red": "Rosa und Rot",
        dropped: "Wie sie gefallen sind",
        "a-bit-dark": "Etwas dunkel",
      },
      print: "Oder die Karten drucken, einige ausschneiden und ein eigenes Deck legen:",
      files: { sheets: "Kartenbögen", labels: "Etiketten für Umschläge" },
    },
    phone: {
      title: "Auf dem Handy",
      open: "Ein Handy im selben Netz öffnet diese Seite mit dem Code und spielt dort mit.",
      shut: "Die Demo lässt nur diesen Rechner herein. Für Handys im selben Netz so starten:",
      why: "Dann steht hier ein Code zum Scannen.",
      labels: "Auch die Codes auf den gedruckten Etiketten führen dorthin. Der Tisch der Spielleitung bleibt auf diesem Rechner.",
      code: (address) => `QR-Code mit der Adresse ${address}`,
    },
    foot: "Alle Leute, Decks und Bilder hier sind erfunden.",
  },
};
