// Was die Übungsseite sagt. Texte mit einer Zahl darin sind Funktionen.

const plural = (count, one, many) => (count === 1 ? one : many);
const size = (unit, digits) => new Intl.NumberFormat("de", { style: "unit", unit, maximumFractionDigits: digits });

export default {
  start: {
    title: "Was ist dein Deck wert?",
    lead: "Leg deine Karten nebeneinander, mach ein Bild und sieh, was jede Regel daraus macht.",
    take: "Bild machen",
    choose: "Bild wählen",
    drop: "Oder zieh ein Bild hierher, oder füg eins ein.",
    dropNow: "Loslassen, um dieses Bild zu lesen",
    tips: [
      "Ganze Karten, keine verdeckt die andere",
      "Gutes Licht, kein Reflex auf den Codes",
      "Das Handy gerade darüber halten",
    ],
  },
  samples: {
    title: "Keine Karten zur Hand?",
    lead: "Tipp auf eins dieser Decks, um es lesen zu lassen.",
    one: (title) => `Das Beispielbild lesen: ${title}`,
  },
  downloads: {
    title: "Oder druck dieses Übungsspiel",
    lead: "Druck eine Seite, schneid ein paar Karten aus und fotografier sie. Sogar ein Bild vom Bildschirm geht.",
    size: (bytes) => (bytes < 1e6 ? size("kilobyte", 0).format(Math.ceil(bytes / 1e3)) : size("megabyte", 1).format(bytes / 1e6)),
    kind: "PDF",
  },
  footer: {
    privacy: "Bilder werden im Arbeitsspeicher gelesen und sofort vergessen.",
    practice: "Übungsmodus: Wer diese Seite öffnet, sieht die ganze Aufschlüsselung.",
  },
  working: {
    sending: (percent) => `Das Bild wird gesendet: ${percent} %`,
    reading: "Die Karten werden gelesen",
    busy: "Der Server hat viel zu tun",
    again: (seconds) => `Dein Bild wird in ${seconds} ${plural(seconds, "Sekunde", "Sekunden")} von selbst noch einmal gesendet.`,
    cancel: "Abbrechen",
  },
  result: {
    note: "Dieses Deck für sich, mit allen Regeln offen. Übungsmodus.",
    title: (cards) => `${cards} ${plural(cards, "Karte", "Karten")} gefunden`,
    announce: (cards, score) =>
      `${cards} ${plural(cards, "Karte", "Karten")} gefunden. ${score === null ? "Ausgeschieden: kein Ergebnis." : `Ergebnis: ${score} ${score === "1" || score === "−1" ? "Punkt" : "Punkte"}.`}`,
    picture: (names) => `Dein Bild mit einem Umriss um jede Karte: ${names}`,
    again: "Anderes Bild",
    envelope: (numbers) => `Etikett von Umschlag ${numbers.join(", ")}`,
  },
  problem: {
    other: "Anderes Bild wählen",
    take: "Neues Bild machen",
    noPreview: (name) => `Dieser Browser kann diese Datei nicht zeigen: ${name}`,
    kept: "Dein Bild bleibt auf dieser Seite erhalten.",
  },
  problems: {
    network: {
      title: "Keine Verbindung zum Spiel",
      detail: "Dein Bild ist noch da. Prüf das Netz und drück dann „Noch einmal versuchen“.",
    },
    timeout: {
      title: "Das dauert zu lange",
      detail: "Das Netz ist langsam oder der Server hat viel zu tun. Dein Bild ist noch da: Drück „Noch einmal versuchen“.",
    },
    "too-many-bytes-here": ({ limit }) => ({
      title: "Das Bild ist zu groß",
      detail: `Es darf höchstens ${size("megabyte", 0).format(Math.floor(limit / 1e6))} haben. Schick es als JPEG, oder nimm es mit geringerer Auflösung auf.`,
    }),
    server: {
      title: "Auf dem Server ging etwas schief",
      detail: "Dein Bild ist noch da. Drück „Noch einmal versuchen“; passiert es wieder, sag der Spielleitung Bescheid.",
    },
    game: {
      title: "Das Spiel ließ sich nicht öffnen",
      detail: "Prüf das Netz und drück dann „Noch einmal versuchen“.",
    },
  },
};
