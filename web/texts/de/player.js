// Texts of the players’ page: joining, the envelope, decks, the receipt. More are in deck.js and result.js.

const plural = (count, one, many) => (count === 1 ? one : many);
const capital = (words) => words[0].toUpperCase() + words.slice(1);

export default {
  tagline: "Das Spiel der geheimen Regeln",
  waiting: {
    offline: "Kein Netz.",
    pictures: (count) => `${count} ${plural(count, "Bild wartet", "Bilder warten")}`,
    confirms: (count) => `${count} ${plural(count, "Bestätigung wartet", "Bestätigungen warten")}`,
    handIn: "die Abgabe wartet (sie zählt, wenn sie beim Server ankommt)",
    sending: {
      pictures: (count) => `${count} ${plural(count, "Bild", "Bilder")}`,
      confirms: (count) => `${count} ${plural(count, "Bestätigung", "Bestätigungen")}`,
      handIn: "die Abgabe (sie zählt, wenn sie beim Server ankommt)",
    },
    now: (things) => `Wird gesendet: ${things}.`,
    putOff: (things) => `${capital(things)}. Das geht von selbst los, sobald der Server es annimmt.`,
    later: (things) => `${capital(things)}. Das geht von selbst los, sobald wieder Netz da ist.`,
  },
  menu: {
    open: "Menü öffnen",
    title: "Menü",
    games: "Spiele auf diesem Handy",
    game: (id) => `Spiel ${id}`,
    active: "offen",
    leave: "Diesen Umschlag vom Handy entfernen",
    leaveSure: "Deine Decks und deine Abgabe bleiben im Spiel. Um zurückzukommen, scanne wieder den Code auf dem Etikett.",
    leaveWaiting: "Es wartet noch etwas darauf, gesendet zu werden. Es geht verloren, wenn du weitermachst.",
    leaveYes: "Vom Handy nehmen",
    desk: "Zum Tisch der Spielleitung",
  },
  noEnvelope: {
    title: "Tauschen, Regeln erraten, gewinnen",
    lead: "Bei Haggle hat jeder ein paar Karten und ein, zwei geheime Regeln. Getauscht wird beides; das beste Deck gewinnt.",
    how: "So kommst du hinein",
    scan: "Richte die Kamera deines Handys auf den Code auf dem Etikett deines Umschlags und öffne den Link.",
    paste: "Oder füge den Link vom Etikett ein",
    open: "Öffnen",
    pasteWrong: "Das ist kein Link eines Umschlags. Er endet mit # und einem langen Code: Kopiere ihn ganz.",
    wrongTitle: "Dieser Link ist nicht vollständig",
    wrong: "Scanne den Code auf dem Etikett deines Umschlags noch einmal.",
    organiser: "Du leitest ein Spiel?",
    desk: "Zum Tisch der Spielleitung",
  },
  gone: {
    title: (number) => `Umschlag ${number} geht nicht auf`,
    todo: "Scanne den Code auf dem Etikett noch einmal, oder bitte die Spielleitung um ein neues Etikett.",
    other: (game, number) => `Zu ${game}, Umschlag ${number}`,
  },
  welcome: {
    title: "Du bist drin",
    join: "Mitspielen",
    private: "Kein Konto, kein Passwort: Wer das Etikett hat, spielt mit diesem Umschlag. Behalte es für dich.",
  },
  name: {
    title: "So sehen dich die anderen",
    label: "Name oder Spitzname (freiwillig)",
    help: "Höchstens 40 Zeichen. Die anderen sehen ihn in der Rangliste.",
    fixed: "Deinen Namen kannst du hier gerade nicht ändern. Wenn er falsch ist oder fehlt, sag es der Spielleitung.",
    hidden: "Meinen Namen in der öffentlichen Rangliste weglassen",
    save: "Speichern",
    saved: "Gespeichert.",
  },
  ticket: {
    about: "Dein Umschlag",
    envelope: "Umschlag",
    nameless: "Namen wählen",
    unnamed: "Kein Name",
    change: "ändern",
    hidden: "ohne Namen in der Rangliste",
    shown: "in der Rangliste sichtbar",
  },
  countdown: {
    none: "Noch kein Ende gesetzt: Die Spielleitung beendet das Spiel.",
    left: "Noch",
    over: "Jetzt ist Schluss",
  },
  home: {
    title: (number) => `Umschlag ${number}`,
  },
  state: {
    before: {
      title: "Das Spiel hat noch nicht begonnen",
      detail: "Behalte deinen Umschlag bei dir. Diese Seite ändert sich, sobald es losgeht.",
    },
    beforeSealed: {
      title: "Das Spiel hat noch nicht begonnen",
      detail: "Dieser Umschlag spielt noch nicht mit. Bitte die Spielleitung, ihn für dich zu öffnen.",
    },
    open: {
      off: {
        title: "Das Spiel läuft",
        detail: "Tausche! Am Ende gibst du hier ab und bringst deinen Umschlag zur Spielleitung.",
      },
      inventory: {
        title: "Das Spiel läuft",
        detail: "Fotografiere dein Deck und sieh, ob jede Karte gefunden wird. Punkte gibt es am Ende.",
      },
      known: {
        title: "Das Spiel läuft",
        detail: "Fotografiere dein Deck und sieh, was es nach den Regeln wert ist, die du hast.",
      },
      total: {
        title: "Das Spiel läuft",
        detail: "Fotografiere dein Deck. Ein paarmal im Spiel darfst du nach den Punkten fragen.",
      },
      full: { title: "Das Spiel läuft", detail: "Fotografiere dein Deck und sieh, was jede Regel daraus macht." },
    },
    openSealed: {
      title: "Dein Umschlag spielt noch nicht mit",
      detail: "Seine Karten zählen bis jetzt nicht. Bitte die Spielleitung, ihn für dich zu öffnen.",
    },
    sending: {
      title: "Noch nicht abgegeben",
      detail: "Deine Abgabe liegt noch auf diesem Handy. Leg deine Karten in den Umschlag und bring ihn zur Spielleitung.",
    },
    handedIn: { title: "Du hast abgegeben", detail: "Leg deine Karten in den Umschlag und bring ihn zur Spielleitung." },
    closed: {
      title: "Schluss!",
      detail:
        "Leg deine Karten in den Umschlag und bring ihn zur Spielleitung. Auch mit dem Handy kannst du noch abgeben, das wird aber als zu spät vermerkt.",
    },
    closedSealed: {
      title: "Schluss!",
      detail:
        "Für die Spielleitung gilt dieser Umschlag als nicht ausgegeben. Wenn du damit gespielt hast, leg deine Karten hinein und frag dort nach.",
    },
    closedSending: {
      title: "Schluss!",
      detail: "Leg deine Karten in den Umschlag und bring ihn zur Spielleitung. Deine Abgabe liegt noch auf diesem Handy.",
    },
    counting: {
      title: "Die Umschläge werden ausgezählt",
      detail:
        "Wenn deiner noch nicht bei der Spielleitung ist, leg deine Karten hinein und bring ihn hin. Diese Seite sagt dir, wenn die Ergebnisse da sind.",
    },
    counted: {
      title: "Schau auf die Leinwand!",
      detail: "Alles ist ausgezählt. Diese Seite sagt dir, wenn die Ergebnisse da sind.",
    },
    published: { title: "Die Ergebnisse sind da", detail: "Sieh dir die Rangliste an und welche Regeln es gab." },
  },
  take: {
    title: "Ein Bild machen",
    first: "Mein Deck fotografieren",
    another: "Noch ein Deck fotografieren",
    more: "Bild hinzufügen",
    plus: "Bild",
    gallery: "Aus der Galerie",
    live: "Livebild",
    drop: "Bilder hier ablegen",
  },
  decks: {
    title: "Deine Decks",
    unconfirmed: "Noch nicht bestätigt",
    cards: (count) => `${count} ${plural(count, "Karte", "Karten")}`,
    unread: (count) => `${count} nicht gelesen`,
    state: {
      local: "nur auf diesem Handy",
      open: "nicht bestätigt",
      confirmed: "bestätigt",
      "handed-in": "abgegeben",
      waits: "Abgabe wartet",
    },
    refused: "Etwas wurde abgelehnt. Sieh nach, warum",
  },
  receipt: {
    title: "Abgegeben",
    waits: {
      title: "Die Abgabe wartet",
      detail:
        "Sie zählt, wenn sie beim Server ankommt, mit der Uhrzeit, zu der sie ankommt. Sie geht von selbst los, sobald Netz da ist; behalte diese Seite.",
    },
    inTime: "Rechtzeitig",
    late: "Zu spät: Die Spielleitung entscheidet, ob es zählt",
    cards: "Karten auf der Liste",
    noList: "keine Liste",
    code: "Quittungscode",
    help: "Es gilt die Uhr des Servers. Wenn Zweifel aufkommen, lies der Spielleitung den Code vor.",
  },
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
    "bad-token": {
      title: "Dieser Link gilt nicht mehr",
      detail: "Ein neueres Etikett hat ihn ersetzt, oder das Spiel gibt es nicht mehr.",
    },
    "wrong-state": ({ state }) => ({
      title: "Das geht jetzt nicht",
      detail:
        {
          printed: "Das Spiel hat noch nicht begonnen. Warte, bis die Spielleitung es öffnet.",
          closed: "Das Spiel ist vorbei, darum gibt es keine Punkte mehr zu sehen. Abgeben kannst du noch, aber zu spät.",
          frozen: "Alles ist schon ausgezählt. Frag die Spielleitung, wenn etwas fehlt.",
          published: "Die Ergebnisse sind da; nichts ändert sich mehr.",
        }[state] ?? "Sieh auf der ersten Seite nach, wo das Spiel steht.",
    }),
    sealed: {
      title: "Dein Umschlag spielt noch nicht mit",
      detail: "Bitte die Spielleitung, ihn für dich zu öffnen; dann versuch es noch einmal.",
    },
    off: {
      title: "Keine Bilder in diesem Spiel",
      detail: "Die Spielleitung hat abgeschaltet, was Handys über Karten sagen. Gib am Ende einfach ab.",
    },
    "handed-in": {
      title: "Du hast schon abgegeben",
      detail: "Jetzt kann sich nichts mehr ändern. Wenn etwas nicht stimmt, frag die Spielleitung.",
    },
    "name-taken": { title: "Der Name ist vergeben", detail: "Jemand anderes heißt schon so. Wähle einen anderen." },
    "wrong-name": {
      title: "Dieser Name geht nicht",
      detail: "Höchstens 40 Buchstaben, Ziffern und Zeichen, die man lesen kann. Wähle einen anderen.",
    },
    conflict: {
      title: "Gerade hat sich etwas geändert",
      detail: "Die Spielleitung hat die Einstellungen geändert. Versuch es noch einmal.",
    },
    "no-edition": {
      title: "Die Ausgabe dieses Spiels fehlt oder ist fehlerhaft",
      detail:
        "Der Server kann ihre Karten und Regeln gerade nicht lesen. Sag der Spielleitung Bescheid; deine Karten und Bilder sind sicher.",
    },
    "not-published": {
      title: "Noch keine Ergebnisse",
      detail: "Warte auf die Spielleitung. Diese Seite sagt dir, wenn die Ergebnisse da sind.",
    },
    busy: ({ wait }) => ({
      title: "Gerade ist viel los",
      detail: `Versuch es in ${wait || 5} ${plural(wait || 5, "Sekunde", "Sekunden")} noch einmal.`,
    }),
    "too-many-bytes": ({ limit }) => ({
      title: "Dieses Bild ist zu groß",
      detail: `Höchstens ${Math.floor((limit ?? 40e6) / 1e6)} MB gehen. Fotografiere mit den normalen Einstellungen des Handys.`,
    }),
  },
};
