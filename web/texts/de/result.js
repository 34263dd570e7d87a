// Texts of the result on the players’ page.

const plural = (count, one, many) => (count === 1 ? one : many);

export default {
  own: {
    place: (rank, of) => `Platz ${rank} von ${of}`,
    eliminated: "Ausgeschieden",
    none: "Dein Deck hat nicht gezählt",
    more: "Jede Zeile und alle Regeln",
  },
  result: {
    title: "Das Ergebnis",
    back: "Zurück",
    yours: "Dein Ergebnis",
    decided: (tie) => `Gleich viele Punkte; entschieden durch: ${tie}`,
    leftOut: {
      "not-seen": "Niemand hat deinen Umschlag gesehen.",
      absent: "Die Spielleitung hat vermerkt, dass er nicht abgegeben wurde.",
      "late-refused": "Er kam zu spät, und die Spielleitung hat ihn nicht angenommen.",
      sealed: "Sein Umschlag wurde nie ausgegeben.",
      other: "Frag die Spielleitung, warum.",
    },
    struck: (count) => `${count} ${plural(count, "Zeile ist", "Zeilen sind")} gestrichen: Eine andere Regel hebt sie auf.`,
    asListed: "Gezählt wurden genau die Karten deiner Liste.",
    differs: "Gezählt wurden nicht genau die Karten deiner Liste.",
    missing: "Auf deiner Liste, aber nicht gezählt:",
    extra: "Gezählt, aber nicht auf deiner Liste:",
    askWhy: "Warum, steht im Protokoll der Spielleitung. Frag sie.",
    ranking: "Die Rangliste",
    place: "Platz",
    player: "Spieler",
    score: "Punkte",
    somebody: "jemand",
    you: "du",
    eliminated: "raus",
    rules: "Alle Regeln",
    search: "Nummer oder Wort",
    found: (count, all) => (count === all ? `${all} ${plural(all, "Regel", "Regeln")}` : `${count} von ${all} Regeln`),
    idle: "In diesem Spiel nicht dabei",
  },
};
