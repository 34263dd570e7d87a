// Texts of several pages. Texts with a number in them are functions.

const plural = (count, one, many) => (count < 2 ? one : many);

const broken = {
  title: "Quelque chose s’est mal passé sur le serveur",
  detail: "Réessayer ; si cela se reproduit, prévenir l’organisation.",
};
// Requests that no current page sends: the page is older or newer than the server.
const strange = { title: "La page et le serveur ne se comprennent pas", detail: "Recharger la page, puis réessayer." };

export default {
  brand: "Haggle",
  envelope: (number) => `Enveloppe ${number}`,
  loading: "Ouverture de la partie",
  again: "Réessayer",
  close: "Fermer",
  cancel: "Annuler",
  language: "Langue",
  // Problems by slug, with advice. For others the server's English text is shown.
  problems: {
    network: {
      title: "Pas de connexion à la partie",
      detail: "Rien n’est perdu. Vérifier le réseau, puis réessayer.",
    },
    timeout: {
      title: "C’est trop long",
      detail: "Le réseau est lent ou le serveur occupé. Réessayer.",
    },
    "page-error": {
      title: "Quelque chose s’est mal passé sur cette page",
      detail: "Recharger la page, puis réessayer.",
    },
    server: broken,
    internal: broken,
    "not-found": {
      title: "Il n’y a rien ici",
      detail: "L’adresse est fausse, ou ce qui était ici a disparu. Revenir en arrière et regarder à nouveau.",
    },
    "bad-request": strange,
    "invalid-field": strange,
    "method-not-allowed": strange,
    "no-key": strange,
    "wrong-form": strange,
    "wrong-type": strange,
    "too-large": { title: "Trop gros", detail: "Le serveur n’en accepte pas autant à la fois. Envoyer moins." },
    "no-photo": { title: "Aucune photo reçue", detail: "Choisir à nouveau la photo." },
    "too-many": ({ wait }) => ({
      title: "Un peu trop à la fois",
      detail: `Réessayer dans ${wait} ${plural(wait, "seconde", "secondes")}.`,
    }),
  },
  photo: {
    name: "Ta photo",
    noPreview: "Ce navigateur ne peut pas montrer ce genre de photo. Elle est lue quand même.",
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
    eliminated: "Éliminé",
    points: (score) => (["0", "1", "−1"].includes(score) ? "point" : "points"),
  },
  lines: {
    title: "D’où viennent les points",
    none: "Aucune règle ne donne ni ne retire de points à ce paquet.",
    rule: (number) => `Règle ${number}`,
    cards: (name) => `Cartes « ${name} »`,
    void: (number) => `Annulée par la règle ${number}`,
    wording: "Ce que dit la règle",
    sum: "Total",
  },
};
