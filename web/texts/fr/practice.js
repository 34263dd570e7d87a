// Ce que dit la page d’entraînement. Les textes qui contiennent un nombre sont des fonctions.

const plural = (count, one, many) => (count < 2 ? one : many);
const size = (unit, digits) => new Intl.NumberFormat("fr", { style: "unit", unit, maximumFractionDigits: digits });

export default {
  start: {
    title: "Que vaut ton paquet ?",
    lead: "Pose tes cartes côte à côte, prends une photo, et regarde ce que chaque règle en fait.",
    take: "Prendre une photo",
    choose: "Choisir une photo",
    drop: "Ou dépose une photo ici, ou colle-la.",
    dropNow: "Lâche pour faire lire cette photo",
    tips: [
      "Des cartes entières, aucune cachée par une autre",
      "Une bonne lumière, sans reflet sur les codes",
      "Le téléphone bien au-dessus",
    ],
  },
  samples: {
    title: "Pas de cartes sous la main ?",
    lead: "Touche l’un de ces paquets pour le faire lire.",
    one: (title) => `Lire la photo d’exemple : ${title}`,
  },
  downloads: {
    title: "Ou imprime cette partie d’essai",
    lead: "Imprime une page, découpe quelques cartes et photographie-les. Même une photo de l’écran convient.",
    size: (bytes) => (bytes < 1e6 ? size("kilobyte", 0).format(Math.ceil(bytes / 1e3)) : size("megabyte", 1).format(bytes / 1e6)),
    kind: "PDF",
  },
  footer: {
    privacy: "Les photos sont lues en mémoire et oubliées aussitôt.",
    practice: "Entraînement : qui ouvre cette page voit tout le détail des points.",
  },
  working: {
    sending: (percent) => `Envoi de la photo : ${percent} %`,
    reading: "Lecture des cartes",
    busy: "Le serveur est occupé",
    again: (seconds) => `Ta photo sera renvoyée toute seule dans ${seconds} ${plural(seconds, "seconde", "secondes")}.`,
    cancel: "Annuler",
  },
  result: {
    note: "Ce paquet à lui seul, toutes les règles ouvertes. Entraînement.",
    title: (cards) => `${cards} ${plural(cards, "carte trouvée", "cartes trouvées")}`,
    announce: (cards, score) =>
      `${cards} ${plural(cards, "carte trouvée", "cartes trouvées")}. ${score === null ? "Éliminé : pas de score." : `Score : ${score} ${/^−?[01](,\d+)?$/.test(score) ? "point" : "points"}.`}`,
    picture: (names) => `Ta photo, avec un contour autour de chaque carte : ${names}`,
    again: "Une autre photo",
    envelope: (numbers) => `Étiquette ${plural(numbers.length, "de l’enveloppe", "des enveloppes")} ${numbers.join(", ")}`,
  },
  problem: {
    other: "Choisir une autre photo",
    take: "Prendre une nouvelle photo",
    noPreview: (name) => `Ce navigateur ne sait pas montrer ce fichier : ${name}`,
    kept: "Ta photo reste sur cette page.",
  },
  problems: {
    network: {
      title: "Pas de connexion avec la partie",
      detail: "Ta photo est toujours là. Vérifie le réseau, puis appuie sur « Réessayer ».",
    },
    timeout: {
      title: "Cela prend trop de temps",
      detail: "Le réseau est lent ou le serveur est occupé. Ta photo est toujours là : appuie sur « Réessayer ».",
    },
    "too-many-bytes-here": ({ limit }) => ({
      title: "La photo est trop lourde",
      detail: `Elle peut avoir ${size("megabyte", 0).format(Math.floor(limit / 1e6))} au plus. Envoie-la en JPEG, ou prends-la avec une résolution plus basse.`,
    }),
    server: {
      title: "Un problème est survenu sur le serveur",
      detail: "Ta photo est toujours là. Appuie sur « Réessayer » ; si cela se reproduit, préviens l’organisation.",
    },
    game: {
      title: "La partie ne s’est pas ouverte",
      detail: "Vérifie le réseau, puis appuie sur « Réessayer ».",
    },
  },
};
