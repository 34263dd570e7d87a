// Texts of the live camera view. Texts with a number in them are functions.

const plural = (count, one, many) => (count < 2 ? one : many);

export default {
  camera: {
    title: "Appareil photo",
    video: "Ce que voit l’appareil photo",
    close: "Fermer l’appareil photo",
    opening: "L’appareil photo s’ouvre. Si le navigateur le demande, autorise-le.",
    take: "Prendre la photo",
    taking: "Ne bouge plus",
    byPhone: "Prendre une photo",
    gallery: "Galerie",
    count: (count) => `${count} ${plural(count, "carte cochée", "cartes cochées")}`,
    ticked: "Cartes cochées",
    begin: "Passe lentement le téléphone au-dessus de tes cartes, assez près pour bien voir chaque code.",
    counts: "Cocher n’est pas rendre : c’est la photo qui compte.",
    stranger: "Ce code n’est pas de cette partie : il ne comptera pas.",
    otherLabel: (number) => `C’est l’étiquette de l’enveloppe ${number}, pas la tienne : sors-la de la photo.`,
    twoLabels: "Deux étiquettes : une enveloppe à la fois",
    torch: "Lampe",
    zoom: "Zoom",
    lens: (place, count) => `Autre objectif (${place} sur ${count})`,
    auto: "Automatique",
    wait: {
      next: "Enveloppe suivante",
      label: "Pose l’étiquette à côté des cartes",
      view: (count) => `${count} ${plural(count, "carte cochée est", "cartes cochées sont")} hors de l’image`,
      sharp: "Pas encore net : approche-toi ou attends un peu",
      still: "Ne bouge plus",
      quiet: "Ne bouge plus",
    },
    noDecoder: {
      unsupported: "Ce navigateur ne sait pas cocher les cartes. Prends simplement la photo : elle sera lue quand même.",
      unreachable: "Pour cocher, il faut du réseau une première fois. Prends simplement la photo : elle sera lue quand même.",
      "given-up": "Cocher ne marche pas sur ce téléphone. Prends simplement la photo : elle sera lue quand même.",
    },
    why: {
      insecure: {
        title: "Pas d’image en direct à cette adresse",
        detail:
          "Les navigateurs ne la montrent que si l’adresse commence par https. Prends la photo avec l’appareil du téléphone : elle compte tout autant.",
      },
      unsupported: {
        title: "Ce navigateur ne montre pas d’image en direct",
        detail: "Prends la photo avec l’appareil du téléphone : elle compte tout autant.",
      },
      refused: {
        title: "L’appareil photo n’est pas autorisé",
        detail:
          "Autorise-le pour cette page dans les réglages du navigateur, ou prends la photo avec l’appareil du téléphone : elle compte tout autant.",
      },
      absent: {
        title: "Aucun appareil photo trouvé",
        detail: "Prends la photo avec un autre appareil et choisis-la ici : elle compte tout autant.",
      },
      busy: {
        title: "L’appareil photo ne répond pas",
        detail: "Un autre programme s’en sert peut-être. Ferme-le et réessaie, ou prends la photo avec l’appareil du téléphone.",
      },
      failed: {
        title: "La photo n’a pas pu être prise",
        detail: "Prends-la avec l’appareil du téléphone : elle compte tout autant.",
      },
    },
  },
};
