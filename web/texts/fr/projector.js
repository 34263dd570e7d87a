// Texts of the projector’s page.

const plural = (count, one, many) => (count < 2 ? one : many);
const ordinal = (n) => (n === 1 ? "1re" : `${n}e`);
const units = {
  days: ["jour", "jours"],
  hours: ["heure", "heures"],
  minutes: ["minute", "minutes"],
  seconds: ["seconde", "secondes"],
};

export default {
  screen: {
    none: {
      title: "Quelle partie ?",
      detail: "Le grand écran s’ouvre par son lien : il se trouve au bureau des organisateurs, sous « Résultats ».",
      desk: "Vers le bureau des organisateurs",
    },
    left: "Temps restant pour échanger",
    playing: "La partie est en cours",
    soon: "La partie va commencer",
    over: "C’est fini !",
    counting: "Les paquets sont en train d’être comptés.",
    ready: "Tout est compté. Les résultats arrivent.",
    until: (moment) => `Jusqu’au ${moment}`,
    join: "Pour jouer, scannez le code de votre enveloppe avec l’appareil photo du téléphone.",
    handIns: "Paquets rendus",
    handedIn: (count, all) => `${plural(count, "paquet rendu", "paquets rendus")} sur ${all}`,
    units: Object.fromEntries(Object.entries(units).map(([unit, [one, many]]) => [unit, (count) => plural(count, one, many)])),
    timer: (parts) => `Encore ${parts.map(([unit, count]) => `${count} ${plural(count, ...units[unit])}`).join(" ")}`,
    reveal: "Résultats",
    results: "Les résultats",
    counted: (count) => `${count} ${plural(count, "paquet", "paquets")}, de la dernière place à la première`,
    places: (first, last) => (first === last ? `${ordinal(first)} place` : `Places ${first} à ${last}`),
    place: (rank) => `${ordinal(rank)} place`,
    cards: (count) => `${count} ${plural(count, "carte", "cartes")}`,
    points: (score) => (Math.abs(Number(score)) < 2 ? "point" : "points"),
    tie: (label) => `Égalité départagée par : ${label}`,
    aPlayer: "Quelqu’un",
    out: "éliminé",
    plain: "Valeur des cartes",
    plainShort: "Cartes",
    voided: (rule) => `Annulé par la règle ${rule}`,
    podium: "Le podium",
    winner: (count) => plural(count, "La première place", "Ex æquo à la première place"),
    winnerDeck: "Le paquet gagnant",
    more: (count) => `et ${count} ${plural(count, "autre", "autres")}`,
    board: "Toutes les places",
    onPhones: "Ton résultat est sur ton téléphone, point par point.",
    rest: "Tout le reste",
    look: "Regarde ton téléphone",
    publish: {
      title: "Montrer les résultats sur tous les téléphones ?",
      button: "Publier les résultats",
      sure: "Publier maintenant ?",
      keys: "La prochaine touche redemande confirmation.",
      keysSure: "Encore une touche, et c’est publié. ← : retour",
    },
    controls: {
      back: "Retour",
      next: "Suite",
      step: (at, all) => `${at} / ${all}`,
      keys: "Espace : suite · ← : retour · F : plein écran",
      light: "Clair ou sombre",
      full: "Plein écran",
      lost: "Pas de connexion : nouvel essai en cours",
    },
  },
  problems: {
    "bad-token": {
      title: "Ce lien du grand écran n’est pas valable",
      detail: "Rouvrir le grand écran au bureau des organisateurs, sous « Résultats ».",
    },
    "not-signed-in": {
      title: "La session est terminée",
      detail: "Se connecter au bureau des organisateurs dans un autre onglet de ce navigateur, puis continuer ici.",
    },
    "wrong-state": {
      title: "La partie a changé d’état",
      detail: "Quelqu’un l’a changée au bureau entre-temps. Y jeter un œil avant de publier.",
    },
  },
};
