// Texts of the print tab.

const plural = (count, one, many) => (count === 1 ? one : many);

const decimal = (number) => String(number).replace(".", ",");

export default {
  print: {
    lead: "Die Dateien sind jedes Mal dieselben. Mit 100 % drucken, nie „an Seite anpassen“.",
    leadFirst: "Die Karten werden einmal auf Umschläge verteilt; Bögen und Etiketten lassen sich so oft holen wie nötig.",
    deal: "Austeilen und drucken",
    dealMore: "Mehr Umschläge",
    notNow: "Gedruckt werden kann, bis das Spiel geschlossen ist.",
    paper: "Papier",
    papers: { a4: { title: "A4", text: "210 × 297 mm" }, letter: { title: "US Letter", text: "8,5 × 11 Zoll" } },
    number: (least, most) => `Eine ganze Zahl von ${least} bis ${most}.`,
    run: {
      number: (number) => `Drucklauf ${number}`,
      envelopes: (first, last) => (first === last ? `Umschlag ${first}` : `Umschläge ${first} bis ${last}`),
      replaced: (count) => `${count} ersetzte ${plural(count, "Karte", "Karten")}`,
      cards: (count) => `${count} ${plural(count, "Karte", "Karten")}`,
      spare: (count, first, last) => `${count} Ersatz (${first === last ? first : `${first} bis ${last}`})`,
      spread: (spread, even, reached) =>
        reached
          ? `Die Startdecks liegen höchstens ${spread} Punkte auseinander (gewünscht: ${even}).`
          : `Die Startdecks liegen ${spread} Punkte auseinander. Gewünscht waren ${even}; das wurde nicht erreicht.`,
      join: "Die Etiketten führen zu",
      noJoin: "Die Etiketten haben keinen Link für Handys.",
      withJoin: "Etiketten mit dieser Adresse (PDF)",
      all: "Alles zum Drucken (ZIP)",
      allHint:
        "Kartenbögen, Etiketten, Packliste, Spielzettel und Kartenliste in einer Datei. Sie wird gespeichert, sobald sie fertig ist.",
      sheets: "Kartenbögen (PDF)",
      labels: "Etiketten (PDF)",
      list: "Kartenliste (CSV)",
      more: "Mehr Dateien",
      stickers: "Aufkleber (PDF)",
      packing: "Packliste (PDF)",
      service: "Einzelne Karten (PNG)",
      servicePdf: "Einzelne Karten (PDF)",
      serviceHint:
        "Für einen Druckdienst: ein ZIP mit jeder Vorderseite, einer Rückseite für alle und einer Liste, wie viele es von jeder sind.",
      showSheets: "Bögen ansehen",
      showLabels: "Etiketten ansehen",
    },
    setup: {
      title: "So wird gedruckt",
      open: "Ändern",
      done: "So drucken",
      usual: "Wie üblich",
      wrong: "Etwas davon lässt sich so nicht drucken.",
      bounds: (least, most) => `Eine Zahl von ${least} bis ${most}.`,
      backs: "Rückseiten",
      backsOptions: {
        none: { title: "Keine Rückseiten", text: "Nur eine Seite des Papiers." },
        long: { title: "Rückseiten, lange Kante", text: "Beidseitig; der Drucker wendet das Papier wie ein Buch." },
        short: { title: "Rückseiten, kurze Kante", text: "Beidseitig; der Drucker wendet das Papier wie einen Kalender." },
        fold: { title: "Rückseiten zum Falten", text: "Neben den Vorderseiten; falten, kleben, schneiden." },
      },
      marks: "Wo geschnitten wird",
      marksOptions: {
        crop: { title: "Schnittmarken", text: "Kurze Striche am Rand und zwischen den Karten." },
        lines: { title: "Linien über den Bogen", text: "Auch nach dem ersten Schnitt noch da." },
        none: { title: "Keine Marken", text: "Für Papier, das schon gestanzt ist." },
      },
      second: "Zweite Sprache auf den Karten",
      noSecond: "Keine",
      withSecond: (language) => `mit ${language}`,
      withStickers: "mit Aufklebern",
      fromPlace: (place) => `ab Platz ${place}`,
      labelsOn: (name) => `Etiketten auf ${name}`,
      more: "weitere Einstellungen",
      drift: "Wenn der Drucker verrutscht",
      driftText: "Die Justierseite mit 100 % drucken, nachmessen und hier eintragen, was sie sagt.",
      calibration: "Justierseite (PDF)",
      shift_x: "Vorderseiten nach rechts",
      shift_y: "Vorderseiten nach oben",
      back_x: "Rückseiten nach rechts",
      back_y: "Rückseiten nach oben",
      scale_x: "Breite",
      scale_y: "Höhe",
      used: "Etiketten und angebrochene Bögen",
      labels: "Etiketten auf",
      labelsHint: "Die Nummer steht auf der Packung; gleich große Etiketten anderer Hersteller passen auch.",
      cut: "Normales Papier, zum Schneiden",
      skip: "Karten, die auf dem ersten Bogen fehlen",
      labels_skip: "Etiketten, die auf dem ersten Bogen fehlen",
      shop: "Für die Druckerei",
      order: "Reihenfolge der Karten",
      orderOptions: {
        envelope: { title: "Nach Umschlag, Bogen für Bogen", text: "Einen Bogen schneiden, seine Umschläge füllen." },
        stack: { title: "Nach Umschlag, durch den Stapel", text: "Alle Bögen auf einmal schneiden, Stapel auf Stapel legen." },
        kind: { title: "Nach Art", text: "Alle roten zusammen, und so weiter." },
      },
      bleed: "Beschnitt",
      bleedHint: "So weit gehen Karten über den Schnitt hinaus.",
      gutter: "Abstand zwischen den Karten",
      own: "Aufkleber für eigene Karten",
      stick: "Aufkleber statt Karten",
      stickText:
        "Karten ohne Text kommen als Codes, die auf ein eigenes Kartenspiel oder auf Chips geklebt werden. Auf den Kartenbögen fehlen sie dann.",
      stickers: "Aufkleber auf",
      stickers_skip: "Aufkleber, die auf dem ersten Bogen fehlen",
      sampleBacks: "Muster der Rückseiten eines Bogens",
    },
    made: {
      title: "In Arbeit",
      begun: "Gerade begonnen",
      waiting: "Wartet, bis es an der Reihe ist",
      at: (done, all) => `${done} von ${all}`,
      file: (title, bytes) => `${title} ist fertig: ${(bytes / 1e6).toFixed(1).replace(".", ",")} MB`,
      ready: (title) => `${title} ist fertig.`,
      failed: "Das ließ sich nicht drucken.",
    },
    forAll: {
      title: "Für alle",
      text: "Der Spielzettel erklärt das Spiel auf einer Seite. Die Justierseite prüft den Drucker.",
      language: "Sprache des Spielzettels",
      handout: "Spielzettel (PDF)",
      calibration: "Justierseite (PDF)",
    },
    pages: {
      sheets: (run) => `Kartenbögen von Drucklauf ${run}`,
      labels: (run) => `Etiketten von Drucklauf ${run}`,
      before: "Zurück",
      after: "Weiter",
      at: (page, count) => `Seite ${page} von ${count}`,
    },
    label: {
      title: "Ein Etikett noch einmal",
      text: "Für ein verlorenes Etikett. Falls es in fremden Händen sein kann, zuerst unter „Umschläge“ seinen Link beenden.",
      number: "Umschlag",
      none: "Diesen Umschlag gibt es nicht.",
      get: (number) => `Etikett von Umschlag ${number} (PDF)`,
    },
    dealing: {
      envelopes: "Umschläge zum Spielen",
      envelopesHint: "So viele, wie kommen werden.",
      moreHint: "Wenn mehr kommen als erwartet.",
      spare: "Ersatzumschläge",
      spareHint: "Bleiben versiegelt, bis noch jemand kommt.",
      inAll: (most) => `Zusammen sind es 1 bis ${most} Umschläge.`,
      even: "Ausgeglichene Startdecks austeilen",
      evenHint: "Tauscht einige Karten zwischen den besten und den schlechtesten Decks, bis alle etwa gleich viel wert sind.",
      apart: "Höchstens so weit auseinander",
      apartHint: "Je weniger Punkte, desto mehr Karten werden getauscht, und desto weniger bleibt dem Glück.",
      points: "Punkte",
      join: "Adresse auf den Etiketten",
      joinHint: "Handys öffnen sie mit dem Code auf dem Etikett. Vor dem Druck mit einem Handy ausprobieren.",
      joinPlain: "Ohne https machen Handys Bilder, haben aber keinen Live-Sucher. Vor dem Druck mit einem Handy ausprobieren.",
      joinNone:
        "Ohne Adresse kommen Etiketten ohne Link heraus: Handys können damit nicht beitreten. Mit einer Adresse lassen sie sich später noch drucken.",
      joinWrong: "Ganz ausschreiben, etwa https://haggle.example.org, mit höchstens 100 Zeichen.",
      local:
        "Solange der Server nur für diesen Rechner läuft, können Handys ihn nicht öffnen. Mit --host 0.0.0.0 starten, oder die Adresse angeben, die Handys benutzen.",
      sample: "Ein Muster: Seine Codes gehören zu keinem Spiel.",
      sampleSheet: "Muster eines Kartenbogens",
      sampleLabel: "Muster eines Etiketts",
      final: "Danach stehen Edition, Kartengröße und Teilnehmerzahl fest.",
      send: (count) => `${count} ${plural(count, "Umschlag", "Umschläge")} austeilen`,
      busy: "Die Karten werden verteilt",
      done: "Die Karten sind verteilt",
      scale: "Mit 100 % drucken und das Lineal am Fuß des ersten Bogens nachmessen: Es ist 50 mm lang.",
      firstSheet: "Der erste Kartenbogen",
      firstLabels: "Die erste Seite Etiketten",
    },
    replace: {
      open: "Verlorene Karten ersetzen",
      text: "Für dieselben Umschläge werden andere Exemplare gedruckt. Die verlorenen Karten sind ab dann tot, wo immer sie auftauchen.",
      look: "Umschlag, Karte oder Kurzcode",
      lookHint: "Etwa 17, Rot oder die Zeichen am Rand der Karte.",
      list: "Gefundene Karten",
      where: (envelope, code) => `Umschlag ${envelope} · ${code}`,
      none: "Mindestens eine Karte wählen.",
      notFound: "So eine Karte gibt es in diesem Spiel nicht.",
      whyHint: "Etwa: zerrissen. Es steht im Protokoll.",
      send: (count) => (count ? `${count} ${plural(count, "Karte", "Karten")} ersetzen` : "Ersetzen"),
      done: (count) => `${count} ${plural(count, "Karte ist", "Karten sind")} ersetzt: den neuen Bogen drucken.`,
    },
  },
  problems: {
    "cannot-print": ({ detail }) => ({
      title: "Das lässt sich nicht drucken",
      detail: detail ?? "Edition und Zahlen noch einmal ansehen.",
    }),
    "cannot-print/paper": {
      title: "Das lässt sich nicht drucken",
      detail:
        "So passen Karten oder Etiketten nicht auf das Papier: weniger Beschnitt und Abstand, andere Etiketten oder weniger fehlende Plätze wählen.",
    },
    "cannot-print/used-places": ({ most }) => ({
      title: "Das lässt sich nicht drucken",
      detail: `Auf dem ersten Bogen können höchstens ${most} Plätze fehlen.`,
    }),
    "cannot-print/used-labels": ({ most }) => ({
      title: "Das lässt sich nicht drucken",
      detail: `Auf dem ersten Bogen können höchstens ${most} Etiketten fehlen.`,
    }),
    "cannot-print/off-paper": {
      title: "Das lässt sich nicht drucken",
      detail: "Verschiebung oder Maßstab schiebt etwas über den Papierrand: kleiner wählen.",
    },
    "cannot-print/format": {
      title: "Das lässt sich nicht drucken",
      detail: "Etiketten oder Aufkleber in diesem Format gibt es nicht: andere wählen.",
    },
    "cannot-print/label-paper": {
      title: "Das lässt sich nicht drucken",
      detail: "Diese Etiketten oder Aufkleber gibt es nur auf anderem Papier: dieses Papier wählen oder andere nehmen.",
    },
    "cannot-print/label-room": {
      title: "Das lässt sich nicht drucken",
      detail: "So viele Etiketten passen nicht auf das Papier: weniger oder kleinere wählen.",
    },
    "cannot-print/small-labels": ({ width, height }) => ({
      title: "Das lässt sich nicht drucken",
      detail: `Diese Etiketten oder Aufkleber sind zu klein: mindestens ${decimal(width)} × ${decimal(height)} mm wählen.`,
    }),
    "cannot-print/no-sheets": {
      title: "Das lässt sich nicht drucken",
      detail: "Alle Karten kommen als Aufkleber, also gibt es keine Bögen.",
    },
    "cannot-print/no-stickers": {
      title: "Das lässt sich nicht drucken",
      detail: "Keine Karte kommt als Aufkleber: in den Druckeinstellungen wählen.",
    },
    "cannot-print/card-size": ({ width, height }) => ({
      title: "Das lässt sich nicht drucken",
      detail: `Ein Text passt nicht auf Karten von ${decimal(width)} × ${decimal(height)} mm: die zweite Sprache weglassen oder vor dem Austeilen größere Karten wählen.`,
    }),
    "cannot-print/words": {
      title: "Das lässt sich nicht drucken",
      detail:
        "Ein Text passt nicht auf seine Karte, oder der Schrift fehlt ein Zeichen: größere Karten wählen oder die zweite Sprache weglassen.",
    },
    "cannot-print/faces": {
      title: "Das lässt sich nicht drucken",
      detail: "Eine Karte dieser Edition hat noch keine Zeichnung. Etiketten und Kartenliste lassen sich drucken.",
    },
    "wrong-address": {
      title: "Diese Adresse kann kein Handy öffnen",
      detail: "Ganz ausschreiben, etwa https://haggle.example.org.",
    },
    "wrong-number": ({ detail }) => ({
      title: "Diese Zahl geht nicht",
      detail: detail ?? "Die Zahlen der Umschläge noch einmal ansehen.",
    }),
    "not-done": {
      title: "Dieser Druck ist noch nicht fertig",
      detail: "Einen Moment warten, oder noch einmal drucken.",
    },
    replaced: {
      title: "Diese Karte ist schon ersetzt",
      detail: "Ihr neues Exemplar steht in einem späteren Drucklauf.",
    },
    "conflict/run": ({ first, last }) => ({
      title: "Jemand hat inzwischen ausgeteilt",
      detail: first
        ? `${first === last ? `Umschlag ${first} ist` : `Die Umschläge ${first} bis ${last} sind`} schon ausgeteilt; mehr wurde hier nicht ausgeteilt. Schließen und ansehen; wenn es mehr braucht, neu öffnen.`
        : "Karten wurden ersetzt; hier wurde nichts ausgeteilt. Schließen, ansehen und neu öffnen.",
    }),
    "other-request": {
      title: "Das wurde vorher anders abgeschickt",
      detail: "Schließen, neu öffnen und nachsehen, was schon da ist.",
    },
  },
};
