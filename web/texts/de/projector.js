// Texts of the projector’s page.

const plural = (count, one, many) => (count === 1 ? one : many);
const units = {
  days: ["Tag", "Tage"],
  hours: ["Stunde", "Stunden"],
  minutes: ["Minute", "Minuten"],
  seconds: ["Sekunde", "Sekunden"],
};

export default {
  screen: {
    none: {
      title: "Welches Spiel?",
      detail: "Die Leinwand öffnet sich über ihren Link: Er steht am Tisch der Spielleitung unter „Ergebnis“.",
      desk: "Zum Tisch der Spielleitung",
    },
    left: "So lange wird noch getauscht",
    playing: "Das Spiel läuft",
    soon: "Gleich geht es los",
    over: "Schluss!",
    counting: "Die Decks werden ausgezählt.",
    ready: "Alles ist gezählt. Gleich kommen die Ergebnisse.",
    until: (moment) => `Bis ${moment}`,
    join: "Zum Mitspielen den Code auf dem Umschlag mit der Handykamera scannen.",
    handIns: "Abgaben",
    handedIn: (count, all) => `von ${all} ${plural(all, "Deck", "Decks")} abgegeben`,
    units: Object.fromEntries(Object.entries(units).map(([unit, [one, many]]) => [unit, (count) => plural(count, one, many)])),
    timer: (parts) => `Noch ${parts.map(([unit, count]) => `${count} ${plural(count, ...units[unit])}`).join(" ")}`,
    reveal: "Ergebnisse",
    results: "Die Ergebnisse",
    counted: (count) => `${count} ${plural(count, "Deck", "Decks")}, vom letzten Platz bis zum ersten`,
    places: (first, last) => (first === last ? `${first}. Platz` : `Plätze ${first} bis ${last}`),
    place: (rank) => `${rank}. Platz`,
    cards: (count) => `${count} ${plural(count, "Karte", "Karten")}`,
    points: (score) => (score === "1" || score === "-1" ? "Punkt" : "Punkte"),
    tie: (label) => `Gleichstand entschieden durch: ${label}`,
    aPlayer: "Jemand",
    out: "ausgeschieden",
    plain: "Wert der Karten",
    plainShort: "Karten",
    voided: (rule) => `Aufgehoben durch Regel ${rule}`,
    podium: "Das Siegertreppchen",
    winner: (count) => plural(count, "Platz eins", "Gemeinsam auf Platz eins"),
    winnerDeck: "Das Deck auf Platz 1",
    more: (count) => `und ${count} weitere`,
    board: "Alle Plätze",
    onPhones: "Dein Ergebnis steht auf deinem Handy, Punkt für Punkt.",
    rest: "Alles andere",
    look: "Schau jetzt auf dein Handy",
    publish: {
      title: "Ergebnisse auf alle Handys?",
      button: "Ergebnisse veröffentlichen",
      sure: "Jetzt wirklich?",
      keys: "Die nächste Taste fragt noch einmal nach.",
      keysSure: "Noch eine Taste veröffentlicht. ←: zurück",
    },
    controls: {
      back: "Zurück",
      next: "Weiter",
      step: (at, all) => `${at} / ${all}`,
      keys: "Leertaste: weiter · ←: zurück · F: Vollbild",
      light: "Hell oder dunkel",
      full: "Vollbild",
      lost: "Keine Verbindung: neuer Versuch läuft",
    },
  },
  problems: {
    "bad-token": {
      title: "Dieser Link zur Leinwand gilt nicht",
      detail: "Die Leinwand am Tisch der Spielleitung unter „Ergebnis“ noch einmal öffnen.",
    },
    "not-signed-in": {
      title: "Die Anmeldung ist abgelaufen",
      detail: "In einem anderen Tab dieses Browsers am Tisch der Spielleitung anmelden; dann geht es hier weiter.",
    },
    "wrong-state": {
      title: "Das Spiel steht inzwischen woanders",
      detail: "Jemand hat am Tisch den Zustand des Spiels geändert. Vor dem Veröffentlichen dort nachsehen.",
    },
  },
};
