// Texts of the photo viewer.

export default {
  closer: {
    title: "De plus près",
    closer: "Plus près",
    farther: "Plus loin",
    whole: "Toute la photo",
    how: "Glisser pour déplacer, pincer ou toucher deux fois pour s’approcher. Touches : flèches, +, − et 0.",
    doubt: (place, count, reason) => `Non lue, ${place} sur ${count} : ${reason}`,
  },
  doubtWords: {
    small: {
      title: "Trop petite pour être lue.",
      help: "S’approcher, ou prendre plusieurs photos, chacune d’une partie des cartes.",
    },
    dim: { title: "Trop sombre.", help: "Ajouter de la lumière, ou poser les cartes plus près d’une lampe." },
    blur: {
      title: "Floue.",
      help: "Toucher une carte à l’écran pour faire la mise au point, attendre un instant, puis déclencher.",
    },
    motion: { title: "Bougée.", help: "Tenir le téléphone à deux mains, ou ajouter de la lumière." },
    glare: { title: "Un reflet couvre le code.", help: "Déplacer la lampe, ou incliner un peu le téléphone." },
    pale: { title: "Impression trop pâle.", help: "Ajouter de la lumière, ou faire réimprimer la carte." },
    hidden: { title: "Quelque chose la recouvre.", help: "Laisser visible au moins un code de chaque carte." },
    edge: { title: "Coupée par le bord de la photo.", help: "Reculer un peu." },
    unread: { title: "Illisible.", help: "Un reflet, une ombre ou une autre carte dessus ? Ou bien ce n’est pas une carte." },
  },
};
