// Ce que disent plusieurs pages. Les textes qui contiennent un nombre sont des fonctions.

const plural = (count, one, many) => (count < 2 ? one : many);

export default {
  brand: "Haggle",
  envelope: (number) => `Enveloppe ${number}`,
  loading: "Ouverture de la partie",
  again: "Réessayer",
  close: "Fermer",
  cancel: "Annuler",
  language: "Langue",
  // D’après le nom du problème : ce qui s’est passé, et quoi faire. Ce qui manque ici vient dans l’anglais du serveur.
  problems: {
    network: {
      title: "Pas de connexion à la partie",
      detail: "Rien n’est perdu. Vérifier le réseau, puis réessayer.",
    },
    timeout: {
      title: "C’est trop long",
      detail: "Le réseau est lent ou le serveur occupé. Réessayer.",
    },
    server: {
      title: "Quelque chose s’est mal passé sur le serveur",
      detail: "Réessayer ; si cela se reproduit, prévenir l’organisation.",
    },
    "not-found": {
      title: "Il n’y a rien ici",
      detail: "L’adresse est fausse, ou ce qui était ici a disparu. Revenir en arrière et regarder à nouveau.",
    },
    "too-many": ({ wait }) => ({
      title: "Un peu trop à la fois",
      detail: `Réessayer dans ${wait} ${plural(wait, "seconde", "secondes")}.`,
    }),
  },
  photo: {
    name: "Ta photo",
    noPreview: "Ce navigateur ne peut pas montrer ce genre de photo. Elle est lue quand même.",
  },
  hints: {
    incomplete: "Le temps a manqué pour fouiller toute la photo. Vérifie le compte, ou photographie de plus près.",
    doubts: (count) =>
      `${count} ${plural(count, "endroit ressemble à une carte qui n’a pas été lue", "endroits ressemblent à des cartes qui n’ont pas été lues")}. Marqué d’un point d’interrogation.`,
    title: "Pour une meilleure photo",
  },
  tags: {
    rule: (number) => `R${number}`,
    special: (number) => `S${number}`,
    doubt: "?",
    notCounted: "✕",
  },
  cards: {
    title: "Ton paquet",
    count: (count) => `${count} ×`,
    rule: (number) => `Règle ${number}`,
    special: "Spéciale",
  },
  score: {
    title: "Score",
    eliminated: "Éliminé",
    points: (score) => (["0", "1", "−1"].includes(score) ? "point" : "points"),
  },
  lines: {
    title: "D’où viennent les points",
    none: "Aucune règle ne donne ni ne retire de points à ce paquet.",
    rule: (number) => `Règle ${number}`,
    cards: (name) => `Cartes ${name}`,
    void: (number) => `Annulée par la règle ${number}`,
    organiser: "Valeur de l’organisation",
    wording: "Ce que dit la règle",
    worth: (number, name) => `Règle ${number} : ${name}`,
    sum: "Total",
  },
  settings: {
    title: "Fixé par l’organisation",
  },
};
