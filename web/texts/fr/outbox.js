// Ce que la page des joueurs dit de ce qui attend, du réseau et de l’installation.

export default {
  outbox: {
    title: "Pas encore envoyé",
    picture: "Photo",
    confirm: "Ton accord sur la liste",
    "hand-in": "Ta remise",
    waiting: "attend le réseau",
    sending: (percent) => `envoi en cours : ${percent} %`,
    refused: "refusé",
    unkept: "Ce navigateur n’a pas la place de la garder. Laisse cette page ouverte jusqu’à l’envoi.",
    pictures: (count) => (count > 1 ? `${count} photos attendent le réseau` : `${count} photo attend le réseau`),
    things: (count) => (count > 1 ? `${count} envois attendent le réseau` : `${count} envoi attend le réseau`),
    handIn: "Ta remise attend le réseau. Elle compte à partir du moment où elle arrive au serveur.",
    again: "Envoyer maintenant",
    drop: "Ne pas envoyer",
  },
  problems: {
    "confirm-first": {
      title: "D’abord la liste",
      detail: "Ton accord sur la liste n’a pas été accepté, donc ton jeu n’est pas remis. Regarde encore la liste, puis remets ton jeu.",
    },
  },
};
