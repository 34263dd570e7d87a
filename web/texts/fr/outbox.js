// Texts of the outbox, of the network, and of the page as an app.

export default {
  outbox: {
    waiting: "attend d’être envoyée",
    slow: "Le réseau est lent. L’envoi continue ; laisse cette page ouverte.",
    newLabel: "Ce qui attend sur ce téléphone attend la nouvelle étiquette : l’envoi part dès que tu l’as scannée.",
    unkept: "Ce navigateur n’a pas la place de la garder. Laisse cette page ouverte jusqu’à l’envoi.",
    asOf: (time) => `Tu vois la situation de ${time}.`,
    sharedLost: { title: "La photo partagée n’est pas arrivée", detail: "Ouvre-la ici depuis la galerie." },
    sharedLater: "La photo partagée est gardée. Scanne le code de ton enveloppe, et elle ira dans ton paquet.",
    sharedNot: {
      title: "La photo partagée n’a pas été prise",
      detail: "Pour l’instant, aucune photo ne peut aller dans un paquet.",
    },
    sharedKept: "La photo partagée est gardée. Dès qu’il y aura du réseau, tu sauras si elle peut aller dans un paquet.",
    shared: {
      title: (count) =>
        count === 1 ? "Mettre la photo partagée dans ton paquet ?" : `Mettre les ${count} photos partagées dans ton paquet ?`,
      detail: "Elle vient d’une autre application ou page. Si ce n’était pas toi, réponds non.",
      sample: "C’est la photo que tu as choisie sur la page de la démo.",
      some: (most, limit) =>
        `Il manque une partie de ce qui a été partagé : seules les photos sont prises, ${most} à la fois, aucune de plus de ${Math.floor(limit / 1e6)} Mo.`,
      yes: "Oui, dans le paquet",
      no: "Non, pas celle-là",
    },
  },
  offers: {
    renew: "Il y a une nouvelle version de cette page.",
    reload: "La charger",
    install: "Garde Haggle sur ton écran d’accueil : il s’ouvre sans réseau, et tu peux lui partager des photos de la galerie.",
    ios: "Garde Haggle sur ton écran d’accueil : touche le bouton de partage du navigateur, puis « Sur l’écran d’accueil ».",
    yes: "L’ajouter",
    no: "Non merci",
  },
  problems: {
    "confirm-first": {
      title: "D’abord la liste",
      detail:
        "Ton accord sur la liste n’a pas été accepté, donc ton paquet n’est pas rendu. Regarde encore la liste, puis rends ton paquet.",
    },
  },
};
