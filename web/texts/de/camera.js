// Texts of the live camera view. Texts with a number in them are functions.

const plural = (count, one, many) => (count === 1 ? one : many);

export default {
  camera: {
    title: "Kamera",
    video: "Was die Kamera sieht",
    close: "Kamera schließen",
    opening: "Die Kamera geht an. Falls der Browser fragt: erlauben.",
    take: "Bild machen",
    taking: "Stillhalten",
    byPhone: "Bild machen",
    gallery: "Galerie",
    count: (count) => `${count} ${plural(count, "Karte", "Karten")} abgehakt`,
    ticked: "Abgehakte Karten",
    begin: "Fahr mit dem Handy langsam über deine Karten, so nah, dass jeder Code zu sehen ist.",
    counts: "Abgehakt ist nicht abgegeben: Es zählt das Bild.",
    stranger: "Ein Code, der nicht zu diesem Spiel gehört: Er zählt nicht.",
    otherLabel: (number) => `Das ist das Etikett von Umschlag ${number}, nicht deins: Nimm es aus dem Bild.`,
    twoLabels: "Zwei Etiketten: immer nur ein Umschlag",
    torch: "Licht",
    zoom: "Zoom",
    lens: (place, count) => `Anderes Objektiv (${place} von ${count})`,
    auto: "Automatisch",
    wait: {
      next: "Nächster Umschlag",
      label: "Leg das Etikett neben die Karten",
      view: (count) => (count === 1 ? "1 abgehakte Karte ist nicht im Bild" : `${count} abgehakte Karten sind nicht im Bild`),
      sharp: "Noch nicht scharf: Geh näher ran oder warte kurz",
      still: "Stillhalten",
      quiet: "Stillhalten",
    },
    noDecoder: {
      unsupported: "Dieser Browser kann keine Karten abhaken. Mach einfach das Bild: Gelesen wird es trotzdem.",
      unreachable: "Zum Abhaken braucht es einmal Netz. Mach einfach das Bild: Gelesen wird es trotzdem.",
      "given-up": "Auf diesem Handy klappt das Abhaken nicht. Mach einfach das Bild: Gelesen wird es trotzdem.",
    },
    why: {
      insecure: {
        title: "Unter dieser Adresse kein Livebild",
        detail: "Browser zeigen es nur, wenn die Adresse mit https beginnt. Mach das Bild mit der Kamera-App: Es zählt genauso.",
      },
      unsupported: {
        title: "Dieser Browser zeigt kein Livebild",
        detail: "Mach das Bild mit der Kamera-App: Es zählt genauso.",
      },
      refused: {
        title: "Die Kamera ist nicht erlaubt",
        detail:
          "Erlaub sie für diese Seite in den Einstellungen des Browsers, oder mach das Bild mit der Kamera-App: Es zählt genauso.",
      },
      absent: {
        title: "Keine Kamera gefunden",
        detail: "Mach das Bild mit einer anderen Kamera und wähl es hier aus: Es zählt genauso.",
      },
      busy: {
        title: "Die Kamera antwortet nicht",
        detail:
          "Vielleicht benutzt sie gerade ein anderes Programm. Schließ es und versuch es noch einmal, oder mach das Bild mit der Kamera-App.",
      },
      failed: {
        title: "Das Bild ist nichts geworden",
        detail: "Mach es mit der Kamera-App: Es zählt genauso.",
      },
    },
  },
};
