// Was die Seite der Spieler über Wartendes, das Netz und das Installieren sagt.

export default {
  outbox: {
    title: "Noch nicht gesendet",
    picture: "Bild",
    confirm: "Dein Ja zur Liste",
    "hand-in": "Deine Abgabe",
    waiting: "wartet auf Netz",
    sending: (percent) => `wird gesendet: ${percent} %`,
    refused: "nicht angenommen",
    unkept: "Dieser Browser hat dafür keinen Platz. Lass die Seite offen, bis alles gesendet ist.",
    pictures: (count) => (count === 1 ? "1 Bild wartet auf Netz" : `${count} Bilder warten auf Netz`),
    things: (count) => (count === 1 ? "1 Sache wartet auf Netz" : `${count} Sachen warten auf Netz`),
    handIn: "Deine Abgabe wartet auf Netz. Sie zählt ab dem Moment, in dem sie beim Server ankommt.",
    again: "Jetzt senden",
    drop: "Nicht senden",
  },
  problems: {
    "confirm-first": {
      title: "Zuerst die Liste",
      detail: "Dein Ja zur Liste wurde nicht angenommen, darum ist das Deck nicht abgegeben. Sieh dir die Liste noch einmal an und gib dann ab.",
    },
  },
};
