// Was die Übungsseite sagt. Texte mit einer Zahl darin sind Funktionen.

const plural = (count, one, many) => (count === 1 ? one : many);
const size = (unit, digits) => new Intl.NumberFormat("de", { style: "unit", unit, maximumFractionDigits: digits });

export default {
  start: {
    title: "Was ist dein Deck wert?",
    lead: "Leg deine Karten nebeneinander, mach ein Foto und sieh, was jede Regel daraus macht.",
    take: "Foto machen",
    choose: "Foto auswählen",
    drop: "Oder zieh ein Foto hierher, oder füg eins ein.",
    dropNow: "Loslassen, um dieses Foto zu lesen",
    tips: [
      "Ganze Karten, keine verdeckt die andere",
      "Gutes Licht, kein Reflex auf den Codes",
      "Das Handy gerade darüber halten",
    ],
  },
  samples: {
    title: "Keine Karten zur Hand?",
    lead: "Tipp auf eins dieser Decks, um es lesen zu lassen.",
    one: (title) => `Das Beispielfoto lesen: ${title}`,
  },
  downloads: {
    title: "Oder druck dieses Übungsspiel",
    lead: "Druck eine Seite, schneid ein paar Karten aus und fotografier sie. Sogar ein Foto vom Bildschirm geht.",
    size: (bytes) => (bytes < 1e6 ? size("kilobyte", 0).format(Math.ceil(bytes / 1e3)) : size("megabyte", 1).format(bytes / 1e6)),
    kind: "PDF",
  },
  footer: {
    privacy: "Fotos werden im Arbeitsspeicher gelesen und sofort vergessen.",
    practice: "Übungsmodus: Wer diese Seite öffnet, sieht die ganze Aufschlüsselung.",
  },
  working: {
    sending: (percent) => `Das Foto wird gesendet: ${percent} %`,
    reading: "Die Karten werden gelesen",
    busy: "Der Server hat viel zu tun",
    again: (seconds) => `Dein Foto wird in ${seconds} ${plural(seconds, "Sekunde", "Sekunden")} von selbst noch einmal gesendet.`,
    cancel: "Abbrechen",
  },
  result: {
    note: "Dieses Deck für sich, mit allen Regeln offen. Übungsmodus.",
    title: (cards) => `${cards} ${plural(cards, "Karte", "Karten")} gefunden`,
    announce: (cards, score) =>
      `${cards} ${plural(cards, "Karte", "Karten")} gefunden. ${score === null ? "Ausgeschieden: kein Ergebnis." : `Ergebnis: ${score} ${score === "1" || score === "−1" ? "Punkt" : "Punkte"}.`}`,
    picture: (names) => `Dein Foto mit einem Umriss um jede Karte: ${names}`,
    again: "Anderes Foto",
    envelope: (numbers) => `Etikett von Umschlag ${numbers.join(", ")}`,
  },
  problem: {
    other: "Anderes Foto auswählen",
    take: "Neues Foto machen",
    noPreview: (name) => `Dieser Browser kann diese Datei nicht zeigen: ${name}`,
    kept: "Dein Foto bleibt auf dieser Seite erhalten.",
  },
  problems: {
    network: {
      title: "Keine Verbindung zum Spiel",
      detail: "Dein Foto ist noch da. Prüf das Netz und drück dann „Noch einmal“.",
    },
    timeout: {
      title: "Das dauert zu lange",
      detail: "Das Netz ist langsam oder der Server hat viel zu tun. Dein Foto ist noch da: Drück „Noch einmal“.",
    },
    "too-many-bytes-here": ({ limit }) => ({
      title: "Das Foto ist zu groß",
      detail: `Es darf höchstens ${size("megabyte", 0).format(Math.floor(limit / 1e6))} haben. Schick es als JPEG, oder nimm es mit geringerer Auflösung auf.`,
    }),
    server: {
      title: "Auf dem Server ging etwas schief",
      detail: "Dein Foto ist noch da. Drück „Noch einmal“; passiert es wieder, sag der Spielleitung Bescheid.",
    },
    game: {
      title: "Das Spiel ließ sich nicht öffnen",
      detail: "Prüf das Netz und drück dann „Noch einmal“.",
    },
  },
};
