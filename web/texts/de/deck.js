// Texts of a deck: its photos, its list, the provisional score, and the hand-in.

const plural = (count, one, many) => (count === 1 ? one : many);

export default {
  deck: {
    back: "Alle Decks",
    empty: "Ein neues Deck",
    first: "Leg alle Karten so aus, dass von jeder mindestens ein Eckcode frei liegt, und mach ein Bild.",
    nothing: "Keine Karte gefunden",
    sendingTitle: "Dein Bild wird gesendet",
    readingTitle: "Dein Bild wird gelesen",
    waitingTitle: "Dein Bild wartet",
    found: (count) => `${count} ${plural(count, "Karte", "Karten")}`,
    sending: (count, percent) =>
      `${count} ${plural(count, "Bild wird", "Bilder werden")} gesendet${percent === undefined ? "" : `: ${percent} %`}.`,
    reading: (count) => `${count} ${plural(count, "Bild wird", "Bilder werden")} noch gelesen.`,
    waits: (count) => `${count} ${plural(count, "Bild wartet", "Bilder warten")} aufs Senden.`,
    handedIn: "Dieses Deck ist abgegeben. Seine Liste ändert sich nicht mehr.",
    confirmed: (time) => `Bestätigt: ${time}.`,
    otherList: "Hast du jetzt andere Karten? Beginne auf der ersten Seite ein neues Deck.",
    confirmAsk: (count, dead) =>
      dead
        ? `Alle ${count} gefunden? ${dead} davon ${plural(dead, "zählt", "zählen")} nicht.`
        : count === 1
          ? "Ist diese eine Karte alles?"
          : `Alle ${count} gefunden? Zähl nach.`,
    confirm: (count) => `Ja, ${count} ${plural(count, "Karte", "Karten")}`,
    confirmNo: "Nein",
    countTitle: "Zähl deine Karten",
    countLabel: (found) => `${found} ${plural(found, "wurde", "wurden")} gefunden. Wie viele liegen vor dir?`,
    countKeep: "Übernehmen",
    differs: (counted, found) =>
      counted > found
        ? `Du hast ${counted}, gefunden ${plural(found, "wurde", "wurden")} ${found}. Leg die Karten auseinander, geh näher heran und fotografiere die ohne Umriss.`
        : `Du hast ${counted}, gefunden wurden ${found}. Liegt eine fremde Karte im Bild? Lösch das Bild und mach es noch einmal.`,
    confirmAnyway: (count) => `Trotzdem ${count} bestätigen`,
    recount: "Neu zählen",
    counted: (count) => `Du hast ${count} ${plural(count, "Karte", "Karten")} gezählt. Die Spielleitung weiß das und sieht nach.`,
    confirmReading: (ahead) =>
      `Warte, bis alle Bilder gelesen sind.${ahead ? ` Etwa ${plural(ahead, "ein Bild anderer kommt", `${ahead} Bilder anderer kommen`)} vorher. Wann deines kam, ist festgehalten.` : ""}`,
    confirmWaiting: "Warte, bis alle Bilder gesendet und gelesen sind.",
    confirmLabel:
      "In einem Bild liegt das Etikett eines anderen Spielers. Lösche das Bild und mach es noch einmal, nur mit deinen Karten.",
    confirmNothing: "Keine Karte dieses Spiels gefunden. Mach noch ein Bild.",
    confirming: "Dein Ja ist unterwegs.",
    handIn: "Dieses Deck abgeben",
    handInHelp: "Erst am Ende und nur einmal. Du kannst es nicht rückgängig machen.",
    handInWaits: "Die Abgabe ist unterwegs. Sie zählt, wenn sie beim Server ankommt.",
    lookAgain: "Noch einmal ansehen",
    dropItem: { picture: "Dieses Bild weglassen", confirm: "Vergessen", "hand-in": "Nicht abgeben" },
    drop: "Dieses Deck löschen",
    dropTitle: "Dieses Deck löschen?",
    dropDetail: "Seine Bilder werden mitgelöscht. Ein Versuch, den es gekostet hat, bleibt verbraucht.",
    dropYes: "Löschen",
    gone: "Dieses Deck gibt es hier nicht",
    goneDetail: "Es wurde gelöscht, oder es gehört zu einem anderen Umschlag.",
  },
  picture: {
    name: (number) => `Bild ${number}`,
    about: (number, count) => `Bild ${number}: ${count} ${plural(count, "Karte", "Karten")} gefunden`,
    closer: "Näher ansehen",
    deleted: "Das Bild selbst ist gelöscht; was darin gefunden wurde, bleibt.",
    sending: (percent) => `Wird gesendet: ${percent} %`,
    progress: "So viel ist gesendet",
    reading: "Wird gelesen …",
    failed: "Nicht gelesen",
    found: (cards, doubts) =>
      `${cards} ${plural(cards, "Karte", "Karten")} gefunden${doubts ? `, ${doubts} ${plural(doubts, "Stelle", "Stellen")} nicht gelesen` : ""}`,
    doubts: (count) =>
      `${count} ${plural(count, "Stelle sieht wie eine Karte aus, die nicht gelesen wurde", "Stellen sehen wie Karten aus, die nicht gelesen wurden")}. Markiert mit einem Fragezeichen.`,
    dead: (count) =>
      `${count} ${plural(count, "Karte zählt", "Karten zählen")} nicht: in diesem Spiel nicht ausgegeben. Markiert mit einem Kreuz. Frag die Spielleitung.`,
    strangers: (count) =>
      `${count} ${plural(count, "Code ist keine Karte", "Codes sind keine Karten")} dieses Spiels. Markiert mit einem Kreuz.`,
    remove: (number) => `Bild ${number} löschen`,
    removeTitle: "Dieses Bild löschen?",
    removeDetail: "Karten, die nur dieses Bild zeigt, verschwinden aus der Liste.",
    removeYes: "Löschen",
  },
  reasons: {
    "not-a-picture": { title: "Diese Datei ist kein Bild", detail: "Lösche sie und mach ein Bild mit der Kamera." },
    truncated: { title: "Das Bild ist beschädigt", detail: "Ein Teil fehlt. Lösche es und mach es noch einmal." },
    empty: { title: "Die Datei ist leer", detail: "Lösche sie und mach das Bild noch einmal." },
    "too-many-pixels": {
      title: "Das Bild ist zu groß",
      detail: "Lösche es und mach es mit den normalen Einstellungen des Handys.",
    },
    "too-many-codes": {
      title: "Zu viele Muster im Bild",
      detail:
        "Sie sehen aus wie QR-Codes und verdecken die Karten. Lösch das Bild und fotografiere die Karten auf einem einfarbigen Tisch.",
    },
    "several-pages": { title: "Die Datei hat mehrere Seiten", detail: "Lösche sie und schick jede Seite als eigenes Bild." },
    "too-slow": {
      title: "Das Lesen hat zu lange gedauert",
      detail: "Lösche es und mach ein schärferes Bild, oder zwei vom halben Deck.",
    },
    crashed: { title: "Dieses Bild war nicht zu lesen", detail: "Lösche es und mach ein anderes." },
    missing: { title: "Das Bild wurde gelöscht", detail: "Mach ein anderes." },
  },
  lines: {
    plain: "Karten",
    unknown: "?",
    open: "Andere Decks können das noch ändern",
  },
  told: {
    title: "Vorläufige Punkte",
    none: "In diesem Spiel noch keine Punkte",
    note: "Vorläufig. Am Ende zählt dein Umschlag.",
    sum: "Vorläufige Summe",
    knowsColours: (known, all) => `Du kennst ${known} von ${all} ${plural(all, "Farbe", "Farben")}`,
    knowsKinds: (known, all) => `Du kennst ${known} von ${all} ${plural(all, "Kartensorte", "Kartensorten")}`,
    soFar: (points) => `Bisher ${points} ${points === "1" ? "Punkt" : "Punkte"}`,
    findOut: "Tausch dir die Regeln ein, die ihren Wert nennen.",
    silent: "Deine Regelkarten ohne Punkte",
    leavesOut: "Was darin fehlt",
    leaves: {
      score: "Die Punkte: In diesem Spiel kommen sie am Ende.",
      "other-rules": "Alle Regeln, deren Karten nicht in diesem Deck sind.",
      "other-hands": "Was die anderen haben.",
      chance: "Karten, die der Zufall am Ende wegnimmt.",
      facts: "Was die Spielleitung am Ende fragt oder einträgt.",
      cancels: "Regeln, die Spieler am Ende aufheben.",
    },
    left: (count) => (count ? `Noch ${count} ${plural(count, "Versuch", "Versuche")}.` : "Keine Versuche mehr."),
    pause: "Der nächste geht in",
    spend: "Einen Versuch für dieses Deck ausgeben",
    spendHelp: "Für dieselben Karten nach Sorten bekommst du die Antwort danach umsonst, so oft du fragst.",
    old: "Frühere Antwort zeigen",
    oldHelp: "Nur wenn du nach denselben Karten schon gefragt hast. Das kostet nichts.",
  },
  compare: {
    title: "Zwei Decks vergleichen",
    deck: (number) => `${number}. Deck`,
    same: "In beiden Decks sind dieselben Karten.",
  },
  handIn: {
    only: "Abgeben",
    onlyLead: "In diesem Spiel sagen Handys nichts über Karten. Du sagst, dass du abgibst, und bringst dann den Umschlag zurück.",
    title: "Endgültig abgeben?",
    cards: (count) => `Du gibst diese ${count} Karten ab.`,
    card: "Du gibst diese eine Karte ab.",
    noList: "Du gibst ohne Kartenliste ab.",
    back: "Du kannst das nicht rückgängig machen: kein anderes Deck, keine weitere Wertung.",
    envelope: "Leg dann deine Karten in den Umschlag und bring ihn zur Spielleitung.",
    late: "Das Ende ist vorbei: Die Abgabe wird als zu spät vermerkt, und die Spielleitung entscheidet, ob sie zählt.",
    offline: "Gerade ist kein Netz. Die Abgabe zählt, wenn sie beim Server ankommt, mit der Uhrzeit, zu der sie ankommt.",
    hold: "Zum Abgeben gedrückt halten",
    holdHelp: "Lass den Finger auf dem Knopf, bis er voll ist, oder drück ihn zweimal.",
    again: "Noch einmal drücken: endgültig abgeben",
    sending: "Wird abgegeben …",
  },
  problems: {
    "still-reading": {
      title: "Ein Bild wird noch gelesen",
      detail: "Warte, bis alle gelesen sind; dann sieh dir die Liste noch einmal an.",
    },
    "list-changed": {
      title: "Die Liste hat sich geändert",
      detail:
        "Es ist eine andere als die, die du gesehen hast: Ein Bild kam oder ging, oder eine Karte zählt nicht mehr. Sieh sie dir noch einmal an und sag dann Ja.",
    },
    "list-confirmed": {
      title: "Diese Liste ist bestätigt",
      detail: "Sie bleibt, wie sie ist. Für andere Karten beginne ein neues Deck.",
    },
    "not-confirmed": { title: "Sag zuerst Ja zur Liste", detail: "Sieh dir die Liste deiner Karten an und bestätige sie." },
    "no-cards": { title: "Keine Karte dieses Spiels gefunden", detail: "Mach ein Bild von deinen Karten." },
    "other-label": {
      title: "Das Etikett eines anderen Spielers",
      detail:
        "Es liegt in diesem Bild, also könnten auch fremde Karten darin sein. Lösche das Bild und mach es noch einmal, nur mit deinen Karten.",
    },
    "no-tries": {
      title: "Alle Versuche sind verbraucht",
      detail: "Ein Deck, nach dem du schon gefragt hast, wird weiter beantwortet.",
    },
    "too-soon": {
      title: "Die Pause ist noch nicht um",
      detail: "Ein Deck, nach dem du schon gefragt hast, wird weiter beantwortet. Für ein neues warte den Countdown ab.",
    },
    "not-a-picture": {
      title: "Diese Datei ist kein Bild",
      detail: "Mach ein Bild mit der Kamera, oder nimm eins aus der Galerie.",
    },
    truncated: { title: "Das Bild ist beschädigt", detail: "Ein Teil fehlt. Mach es noch einmal." },
    empty: { title: "Die Datei ist leer", detail: "Mach das Bild noch einmal." },
    "too-many-pixels": { title: "Das Bild ist zu groß", detail: "Mach es mit den normalen Einstellungen des Handys." },
    "too-many-photos": { title: "Zu viele Bilder", detail: "Lösche welche, die du nicht brauchst, oder verwirf ein altes Deck." },
    "disk-full": {
      title: "Der Server ist voll",
      detail: "Sag es der Spielleitung. Dein Bild ist dort nicht angekommen; es bleibt auf diesem Handy.",
    },
  },
};
