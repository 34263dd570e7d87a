// Texts of the organisers' page; its tabs have files of their own.

const plural = (count, one, many) => (count === 1 ? one : many);

const STATES = {
  draft: "Entwurf",
  printed: "gedruckt",
  open: "offen",
  closed: "geschlossen",
  frozen: "eingefroren",
  published: "veröffentlicht",
};

const unprinted = (detail) => ({ title: "Das lässt sich nicht drucken", detail });
const wrongNumber = (detail) => ({ title: "Diese Zahl geht nicht", detail });

export default {
  desk: {
    title: "Spielleitung",
    skip: "Zum Inhalt springen",
    games: "Spiele",
    tabs: {
      overview: "Überblick",
      print: "Drucken",
      envelopes: "Umschläge",
      pictures: "Bilder",
      queue: "Zweifel",
      results: "Ergebnis",
      audit: "Protokoll",
      settings: "Einstellungen",
    },
    counts: {
      envelopes: (count) => `${plural(count, "Umschlag fehlt", "Umschläge fehlen")}`,
      pictures: (count) => `${plural(count, "Bild wird", "Bilder werden")} gelesen`,
      queue: (count) => `${plural(count, "offener Zweifel", "offene Zweifel")}`,
    },
    counted: "Von Hand gezählte Karten",
    nobodyReads:
      "Gerade liest niemand Bilder. Wer den Server betreibt: neben ihm „haggle worker“ starten, oder ihn ohne „--scanners 0“.",
    states: {
      draft: "Entwurf",
      printed: "Gedruckt",
      open: "Offen",
      closed: "Geschlossen",
      frozen: "Eingefroren",
      published: "Veröffentlicht",
    },
    named: (what, name) => `${what}: ${name}`,
    bar: {
      live: "live",
      away: "nicht verbunden, neuer Versuch läuft",
      left: (time) => `noch ${time}`,
      closed: (time) => `beendet: ${time}`,
      noDeadline: "endet von Hand",
      gone: "Dieses Spiel gibt es nicht mehr",
      goneDetail: "Jemand anderes aus der Spielleitung hat es gelöscht. Zu sehen ist der letzte bekannte Stand.",
    },
    signIn: {
      title: "Anmelden",
      lead: "Für alle, die das Spiel leiten. Die Spielleitung hat ein gemeinsames Passwort.",
      name: "Name",
      nameHint: "Unter diesem Namen steht alles im Protokoll.",
      password: "Passwort der Spielleitung",
      passwordHint: (least) => `Mindestens ${least} Zeichen; drei Wörter sind gut.`,
      show: "Passwort zeigen",
      missing: "Das ist noch leer.",
      short: (least) => `Mindestens ${least} Zeichen.`,
      send: "Anmelden",
    },
    setUp: {
      title: "Ein neuer Server",
      lead: "Noch hat niemand ein Passwort gewählt. Im Fenster, in dem der Server gestartet wurde, steht ein Code dafür.",
      code: "Code aus dem Fenster des Servers",
      codeHint: "20 Buchstaben und Ziffern. Er gilt einmal.",
      password: "Ein Passwort für die ganze Spielleitung",
      send: "Einrichten und anmelden",
    },
    lost: {
      title: "Noch einmal anmelden",
      text: "Die Anmeldung ist abgelaufen. Nichts Getipptes geht verloren.",
      away: "Abgemeldet. Was hier steht, kann veraltet sein.",
    },
    account: {
      menu: (name) => `${name}: Tasten, Passwort, Abmelden`,
      note: "Angemeldet als Spielleitung",
      keys: "Tasten",
      password: "Passwort ändern",
      passwordNote: "Es gilt für die ganze Spielleitung. Alle anderen müssen sich danach neu anmelden.",
      old: "Bisheriges Passwort",
      new: "Neues Passwort",
      change: "Ändern",
      changed: "Das Passwort ist geändert.",
      out: "Abmelden",
    },
    keys: {
      title: "Tasten",
      everywhere: "Überall",
      tabs: "In einem Spiel",
      help: "Diese Tasten zeigen",
      games: "Alle Spiele",
      or: " oder ",
    },
    screenLink: {
      open: "Leinwand öffnen",
      copy: "Link kopieren",
      copied: "Der Link ist kopiert.",
      notCopied: "Dieser Browser lässt Seiten nichts kopieren. Die Adresse steht jetzt im Feld, zum Kopieren von Hand.",
      address: "Adresse der Leinwand",
    },
    confirm: {
      type: (text) => `Zur Sicherheit eintippen: ${text}`,
      typeWrong: (text) => `Genau so eintippen: ${text}`,
      why: "Warum?",
      whyOptional: "Warum? (darf leer bleiben)",
      whyHint: "Es steht im Protokoll.",
      whyMissing: "Kurz den Grund nennen.",
    },
  },
  problems: {
    "wrong-password": {
      title: "Das Passwort stimmt nicht",
      detail: "Auf Groß- und Kleinschreibung achten und noch einmal versuchen.",
    },
    "wrong-code": {
      title: "Der Code gilt nicht",
      detail: "Der Server zeigt bei jedem Start einen neuen, und nur der neueste gilt.",
    },
    "weak-password": {
      title: "Das Passwort ist zu kurz oder zu lang",
      detail: "10 bis 200 Zeichen wählen, zum Beispiel drei Wörter.",
    },
    "wrong-name": {
      title: "Dieser Name geht nicht",
      detail: "Er ist leer, zu lang oder enthält Zeichen, die niemand lesen kann.",
    },
    "looks-alike": ({ name }) => ({
      title: "Das sieht aus wie der Name von jemand anderem",
      detail: `Es hat sich schon jemand als „${name}“ angemeldet. Wer dieselbe Person ist, tippt den Namen genau so. Sonst einen anderen wählen.`,
    }),
    "not-signed-in": {
      title: "Abgemeldet",
      detail: "Noch einmal anmelden; nichts Getipptes geht verloren.",
    },
    "other-origin": {
      title: "Diese Seite hat eine andere Adresse als der Server",
      detail: "Den Tisch unter der Adresse des Servers öffnen und es dort versuchen.",
    },
    "wrong-state": ({ state }) => ({
      title: "Das Spiel ist schon weiter",
      detail: `Es ist jetzt ${STATES[state] ?? "in einem anderen Zustand"}; da geht das nicht. Der Überblick zeigt, was geht.`,
    }),
    conflict: {
      title: "Jemand war schneller",
      detail: "Das Spiel hat sich inzwischen geändert. Noch einmal ansehen, dann wiederholen.",
    },
    "no-edition": ({ reason }) => ({
      title: "Die Ausgabe dieses Spiels fehlt oder ist fehlerhaft",
      detail: `Ihren Ordner dorthin legen, wohin HAGGLE_EDITIONS zeigt, oder ihre Fehler mit „haggle editions check“ suchen und beheben. Nur wenn sich HAGGLE_EDITIONS selbst ändert, muss der Server neu starten. Nichts ist verloren. Der Grund: ${reason ?? ""}`,
    }),
    changed: {
      title: "Jemand anderes hat das geändert",
      detail: "Was getippt wurde, ist noch da. Die Unterschiede ansehen, dann noch einmal speichern.",
    },
    busy: {
      title: "Der Server ist beschäftigt",
      detail: "Ein paar Sekunden warten und noch einmal versuchen. Nichts ist verloren.",
    },
    "disk-full": {
      title: "Die Platte des Servers ist voll",
      detail: "Nichts wurde gespeichert. Auf dem Server Platz schaffen, dann noch einmal versuchen.",
    },
    "cannot-print/deal": unprinted(
      "So viele Umschläge kann die Edition nicht austeilen. Weniger wählen oder die Einstellungen des Spiels ansehen.",
    ),
    "cannot-print/envelopes": ({ most }) => unprinted(`Umschläge haben Nummern bis ${most}.`),
    "cannot-print/cards": ({ most }) => unprinted(`Es wären mehr als ${most} Karten einer Sorte.`),
    "wrong-number/envelopes": ({ most }) => wrongNumber(`Ein Drucklauf hat 1 bis ${most} Umschläge.`),
    "wrong-number/spare": ({ most }) => wrongNumber(`Von diesen Umschlägen können 0 bis ${most} Ersatz sein.`),
    "wrong-number/even": ({ most }) => wrongNumber(`Ausgeglichene Startdecks liegen 0 bis ${most} Punkte auseinander.`),
    "wrong-number/printed": wrongNumber(
      "Angeben, wie viele Umschläge zu drucken sind: Die für alle im Spiel sind schon gedruckt.",
    ),
    "wrong-number/cards": wrongNumber("Die verlorenen Karten wählen."),
  },
};
