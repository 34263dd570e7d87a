// Texts of the result on the players’ page.

const plural = (count, one, many) => (count < 2 ? one : many);

export default {
  own: {
    place: (rank, of) => `${rank === 1 ? "1ʳᵉ place" : `${rank}ᵉ place`} sur ${of}`,
    eliminated: "Éliminé",
    none: "Ton paquet n’a pas compté",
    more: "Chaque ligne et toutes les règles",
  },
  result: {
    title: "Le résultat",
    back: "Retour",
    yours: "Ton résultat",
    decided: (tie) => `À égalité ; départagé par : ${tie}`,
    leftOut: {
      "not-seen": "Personne n’a vu ton enveloppe.",
      absent: "Les organisateurs ont noté qu’elle n’a pas été rendue.",
      "late-refused": "Elle est venue trop tard, et les organisateurs l’ont refusée.",
      sealed: "Son enveloppe n’a jamais été distribuée.",
      other: "Demande pourquoi aux organisateurs.",
    },
    struck: (count) =>
      `${count} ${plural(count, "ligne est barrée : une autre règle l’annule", "lignes sont barrées : une autre règle les annule")}.`,
    asListed: "On a compté exactement les cartes de ta liste.",
    differs: "On n’a pas compté exactement les cartes de ta liste.",
    missing: "Sur ta liste, mais pas comptées :",
    extra: "Comptées, mais pas sur ta liste :",
    askWhy: "Le journal des organisateurs dit pourquoi. Demande-leur.",
    ranking: "Le classement",
    place: "Rang",
    player: "Joueur",
    score: "Points",
    somebody: "quelqu’un",
    you: "toi",
    eliminated: "éliminé",
    rules: "Toutes les règles",
    search: "Numéro ou mot",
    found: (count, all) => (count === all ? `${all} ${plural(all, "règle", "règles")}` : `${count} règles sur ${all}`),
    idle: "Pas dans cette partie",
  },
};
