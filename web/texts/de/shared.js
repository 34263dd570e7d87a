// Texts of several pages. Texts with a number in them are functions.

const plural = (count, one, many) => (count === 1 ? one : many);

const broken = {
  title: "Auf dem Server ging etwas schief",
  detail: "Noch einmal versuchen; wenn es wieder geschieht, der Spielleitung Bescheid sagen.",
};
// Requests that no current page sends: the page is older or newer than the server.
const strange = { title: "Seite und Server verstehen sich nicht", detail: "Die Seite neu laden, dann noch einmal versuchen." };

export default {
  brand: "Haggle",
  envelope: (number) => `Umschlag ${number}`,
  loading: "Das Spiel wird geöffnet",
  again: "Noch einmal versuchen",
  close: "Schließen",
  cancel: "Abbrechen",
  language: "Sprache",
  // Problems by slug, with advice. For others the server's English text is shown.
  problems: {
    network: {
      title: "Keine Verbindung zum Spiel",
      detail: "Nichts ist verloren. Das Netz prüfen, dann noch einmal versuchen.",
    },
    timeout: {
      title: "Das dauert zu lange",
      detail: "Das Netz ist langsam oder der Server beschäftigt. Noch einmal versuchen.",
    },
    "page-error": {
      title: "Auf dieser Seite ging etwas schief",
      detail: "Die Seite neu laden, dann noch einmal versuchen.",
    },
    server: broken,
    internal: broken,
    "not-found": {
      title: "Hier ist nichts",
      detail: "Die Adresse stimmt nicht, oder was hier war, ist weg. Zurückgehen und noch einmal nachsehen.",
    },
    "bad-request": strange,
    "invalid-field": strange,
    "method-not-allowed": strange,
    "no-key": strange,
    "wrong-form": strange,
    "wrong-type": strange,
    "too-large": { title: "Zu groß", detail: "So viel auf einmal nimmt der Server nicht an. Weniger senden." },
    "no-photo": { title: "Kein Bild angekommen", detail: "Das Bild noch einmal wählen." },
    "too-many": ({ wait }) => ({
      title: "Etwas viel auf einmal",
      detail: `In ${wait} ${plural(wait, "Sekunde", "Sekunden")} noch einmal versuchen.`,
    }),
  },
  photo: {
    name: "Dein Bild",
    noPreview: "Dieser Browser kann solche Bilder nicht zeigen. Gelesen wird es trotzdem.",
  },
  tags: {
    rule: (number) => `R${number}`,
    special: (number) => `S${number}`,
    doubt: "?",
    notCounted: "✕",
  },
  cards: {
    title: "Dein Deck",
    count: (count) => `${count} ×`,
    rule: (number) => `Regel ${number}`,
    special: "Extra",
  },
  score: {
    eliminated: "Ausgeschieden",
    points: (score) => (score === "1" || score === "−1" ? "Punkt" : "Punkte"),
  },
  lines: {
    title: "Woher die Punkte kommen",
    none: "Keine Regel gibt oder nimmt diesem Deck Punkte.",
    rule: (number) => `Regel ${number}`,
    cards: (name) => `Karten ${name}`,
    void: (number) => `Aufgehoben durch Regel ${number}`,
    wording: "Was die Regel sagt",
    sum: "Summe",
  },
};
