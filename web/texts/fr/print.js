// Texts of the print tab.

const plural = (count, one, many) => (count < 2 ? one : many);

const decimal = (number) => String(number).replace(".", ",");

export default {
  print: {
    lead: "Les fichiers sont chaque fois les mêmes. Imprimer à 100 %, jamais « ajuster à la page ».",
    leadFirst: "Les cartes sont réparties une seule fois ; planches et étiquettes se téléchargent autant de fois qu’il faut.",
    deal: "Distribuer et imprimer",
    dealMore: "Plus d’enveloppes",
    notNow: "On peut imprimer jusqu’à la fermeture de la partie.",
    paper: "Papier",
    papers: { a4: { title: "A4", text: "210 × 297 mm" }, letter: { title: "US Letter", text: "8,5 × 11 pouces" } },
    number: (least, most) => `Un nombre entier de ${least} à ${most}.`,
    run: {
      number: (number) => `Tirage ${number}`,
      envelopes: (first, last) => (first === last ? `Enveloppe ${first}` : `Enveloppes ${first} à ${last}`),
      replaced: (count) => `${count} ${plural(count, "carte remplacée", "cartes remplacées")}`,
      cards: (count) => `${count} ${plural(count, "carte", "cartes")}`,
      spare: (count, first, last) => `${count} de réserve (${first === last ? first : `${first} à ${last}`})`,
      spread: (spread, even, reached) =>
        reached
          ? `Les paquets de départ sont à ${spread} points au plus les uns des autres (souhaité : ${even}).`
          : `Les paquets de départ sont à ${spread} points les uns des autres. L’écart souhaité (${even}) n’est pas atteint.`,
      join: "Les étiquettes mènent à",
      noJoin: "Les étiquettes n’ont pas de lien pour les téléphones.",
      withJoin: "Étiquettes avec cette adresse (PDF)",
      all: "Tout à imprimer (ZIP)",
      allHint:
        "Planches de cartes, étiquettes, liste de remplissage, feuillet de règles et liste des cartes en un seul fichier. Il est enregistré dès qu’il est prêt.",
      sheets: "Planches de cartes (PDF)",
      labels: "Étiquettes (PDF)",
      list: "Liste des cartes (CSV)",
      more: "Plus de fichiers",
      stickers: "Autocollants (PDF)",
      packing: "Liste de remplissage (PDF)",
      service: "Cartes une par une (PNG)",
      servicePdf: "Cartes une par une (PDF)",
      serviceHint: "Pour un imprimeur en ligne : un ZIP avec chaque recto, un verso pour toutes, et la liste des quantités.",
      showSheets: "Voir les planches",
      showLabels: "Voir les étiquettes",
    },
    setup: {
      title: "Façon d’imprimer",
      open: "Modifier",
      done: "Imprimer ainsi",
      usual: "Comme d’habitude",
      wrong: "Quelque chose ne peut pas s’imprimer ainsi.",
      bounds: (least, most) => `Un nombre de ${least} à ${most}.`,
      backs: "Versos",
      backsOptions: {
        none: { title: "Sans verso", text: "Un seul côté du papier." },
        long: { title: "Versos, bord long", text: "Recto verso ; l’imprimante tourne le papier comme un livre." },
        short: { title: "Versos, bord court", text: "Recto verso ; l’imprimante tourne le papier comme un calendrier." },
        fold: { title: "Versos à plier", text: "À côté des rectos ; plier, coller, couper." },
      },
      marks: "Où couper",
      marksOptions: {
        crop: { title: "Traits de coupe", text: "Courts, au bord et entre les cartes." },
        lines: { title: "Lignes traversantes", text: "Encore là après la première coupe." },
        none: { title: "Sans repères", text: "Pour du papier déjà prédécoupé." },
      },
      second: "Deuxième langue sur les cartes",
      noSecond: "Aucune",
      withSecond: (language) => `avec ${language}`,
      withStickers: "avec autocollants",
      fromPlace: (place) => `à partir de la place ${place}`,
      labelsOn: (name) => `étiquettes sur ${name}`,
      more: "autres réglages",
      drift: "Si l’imprimante décale",
      driftText: "Imprimer la page d’étalonnage à 100 %, mesurer, et reporter ici ce qu’elle indique.",
      calibration: "Page d’étalonnage (PDF)",
      shift_x: "Rectos vers la droite",
      shift_y: "Rectos vers le haut",
      back_x: "Versos vers la droite",
      back_y: "Versos vers le haut",
      scale_x: "Largeur",
      scale_y: "Hauteur",
      used: "Étiquettes et planches entamées",
      labels: "Étiquettes sur",
      labelsHint: "Le numéro figure sur le paquet ; celles d’autres marques, de même taille, conviennent aussi.",
      cut: "Papier ordinaire, à couper",
      skip: "Cartes absentes de la première planche",
      labels_skip: "Étiquettes absentes de la première planche",
      shop: "Pour l’imprimerie",
      order: "Ordre des cartes",
      orderOptions: {
        envelope: { title: "Par enveloppe, planche après planche", text: "Couper une planche, remplir ses enveloppes." },
        stack: { title: "Par enveloppe, à travers la pile", text: "Couper toute la pile d’un coup, poser pile sur pile." },
        kind: { title: "Par sorte", text: "Toutes les rouges ensemble, et ainsi de suite." },
      },
      bleed: "Fond perdu",
      bleedHint: "De combien les cartes dépassent la coupe.",
      gutter: "Espace entre les cartes",
      own: "Autocollants pour ses propres cartes",
      stick: "Autocollants à la place de cartes",
      stickText:
        "Les cartes sans texte deviennent des codes à coller sur un paquet ou des jetons à soi. Elles ne sont alors plus sur les planches.",
      stickers: "Autocollants sur",
      stickers_skip: "Autocollants absents de la première planche",
      sampleBacks: "Exemple des versos d’une planche",
    },
    made: {
      title: "En cours",
      begun: "Vient de commencer",
      waiting: "Attend son tour",
      at: (done, all) => `${done} sur ${all}`,
      file: (title, bytes) => `${title} : prêt, ${(bytes / 1e6).toFixed(1).replace(".", ",")} Mo`,
      ready: (title) => `${title} : prêt.`,
      failed: "L’impression n’a pas abouti.",
    },
    forAll: {
      title: "Pour tout le monde",
      text: "Le feuillet explique les règles en une page. La page d’étalonnage mesure l’imprimante.",
      language: "Langue du feuillet",
      handout: "Feuillet de règles (PDF)",
      calibration: "Page d’étalonnage (PDF)",
    },
    pages: {
      sheets: (run) => `Planches du tirage ${run}`,
      labels: (run) => `Étiquettes du tirage ${run}`,
      before: "Précédente",
      after: "Suivante",
      at: (page, count) => `Page ${page} sur ${count}`,
    },
    label: {
      title: "Une étiquette à nouveau",
      text: "Pour une étiquette perdue. Si quelqu’un d’autre peut l’avoir, mettre d’abord fin à son lien, sous Enveloppes.",
      number: "Enveloppe",
      none: "Cette enveloppe n’existe pas.",
      get: (number) => `Étiquette de l’enveloppe ${number} (PDF)`,
    },
    dealing: {
      envelopes: "Enveloppes pour jouer",
      envelopesHint: "Autant qu’il viendra de monde.",
      moreHint: "S’il vient plus de monde que prévu.",
      spare: "Enveloppes de réserve",
      spareHint: "Restent scellées jusqu’à ce que quelqu’un arrive plus tard.",
      inAll: (most) => `En tout, de 1 à ${most} enveloppes.`,
      even: "Distribuer des paquets équilibrés",
      evenHint:
        "Échange quelques cartes entre les meilleurs et les moins bons paquets, jusqu’à ce que tous se valent à peu près.",
      apart: "Écart maximal",
      apartHint: "Moins il y a de points, plus on échange de cartes, et moins il reste au hasard.",
      points: "points",
      join: "Adresse sur les étiquettes",
      joinHint: "Les téléphones l’ouvrent par le code de l’étiquette. L’essayer avec un téléphone avant d’imprimer.",
      joinPlain:
        "Sans https, les téléphones prennent des photos mais n’ont pas de viseur en direct. Essayer avec un téléphone avant d’imprimer.",
      joinNone:
        "Sans adresse, les étiquettes sortent sans lien : les téléphones ne peuvent pas rejoindre la partie. On pourra encore les imprimer avec une adresse.",
      joinWrong: "L’écrire en entier, par exemple https://haggle.example.org, avec 100 caractères au plus.",
      local:
        "Tant que le serveur ne tourne que pour cet ordinateur, aucun téléphone ne peut l’ouvrir. Le démarrer avec --host 0.0.0.0, ou écrire l’adresse que les téléphones utilisent.",
      sample: "Un exemple : ses codes ne sont d’aucune partie.",
      sampleSheet: "Exemple d’une planche de cartes",
      sampleLabel: "Exemple d’une étiquette",
      final: "Ensuite, l’édition, le format des cartes et le nombre de personnes sont fixés.",
      send: (count) => `Distribuer ${count} ${plural(count, "enveloppe", "enveloppes")}`,
      busy: "Distribution des cartes",
      done: "Les cartes sont distribuées",
      scale: "Imprimer à 100 %, et mesurer la règle au pied de la première planche : elle fait 50 mm.",
      firstSheet: "La première planche",
      firstLabels: "La première page d’étiquettes",
    },
    replace: {
      open: "Remplacer des cartes perdues",
      text: "D’autres exemplaires sont imprimés pour les mêmes enveloppes. Les cartes perdues sont mortes dès lors, où qu’elles réapparaissent.",
      look: "Enveloppe, carte ou code court",
      lookHint: "Par exemple 17, Rouge, ou les signes au bord de la carte.",
      list: "Cartes trouvées",
      where: (envelope, code) => `Enveloppe ${envelope} · ${code}`,
      none: "Choisir au moins une carte.",
      notFound: "Cette carte n’existe pas dans cette partie.",
      whyHint: "Par exemple : déchirée. La raison figure dans le journal.",
      send: (count) => (count ? `Remplacer ${count} ${plural(count, "carte", "cartes")}` : "Remplacer"),
      done: (count) =>
        `${count} ${plural(count, "carte est remplacée", "cartes sont remplacées")} : imprimer la nouvelle planche.`,
    },
  },
  problems: {
    "cannot-print": ({ detail }) => ({
      title: "Cela ne s’imprime pas",
      detail: detail ?? "Vérifier l’édition et les nombres.",
    }),
    "cannot-print/paper": {
      title: "Cela ne s’imprime pas",
      detail:
        "Cartes ou étiquettes ne tiennent pas ainsi sur ce papier : choisir moins de fond perdu et d’espace, d’autres étiquettes, ou moins de places absentes.",
    },
    "cannot-print/used-places": ({ most }) => ({
      title: "Cela ne s’imprime pas",
      detail: `Sur la première feuille, ${most} places au plus peuvent manquer.`,
    }),
    "cannot-print/used-labels": ({ most }) => ({
      title: "Cela ne s’imprime pas",
      detail: `Sur la première feuille, ${most} étiquettes au plus peuvent manquer.`,
    }),
    "cannot-print/off-paper": {
      title: "Cela ne s’imprime pas",
      detail: "Le décalage ou l’échelle fait sortir quelque chose du papier : choisir moins.",
    },
    "cannot-print/format": {
      title: "Cela ne s’imprime pas",
      detail: "Il n’y a pas d’étiquettes ni d’autocollants de ce format : en choisir d’autres.",
    },
    "cannot-print/label-paper": {
      title: "Cela ne s’imprime pas",
      detail: "Ces étiquettes ou autocollants n’existent que sur un autre papier : choisir ce papier, ou d’autres étiquettes.",
    },
    "cannot-print/label-room": {
      title: "Cela ne s’imprime pas",
      detail: "Tant d’étiquettes ne tiennent pas sur ce papier : en choisir moins, ou de plus petites.",
    },
    "cannot-print/small-labels": ({ width, height }) => ({
      title: "Cela ne s’imprime pas",
      detail: `Ces étiquettes ou autocollants sont trop petits : il faut au moins ${decimal(width)} × ${decimal(height)} mm.`,
    }),
    "cannot-print/no-sheets": {
      title: "Cela ne s’imprime pas",
      detail: "Toutes les cartes viennent en autocollants : il n’y a pas de planches.",
    },
    "cannot-print/no-stickers": {
      title: "Cela ne s’imprime pas",
      detail: "Aucune carte ne vient en autocollant : le choisir dans les réglages d’impression.",
    },
    "cannot-print/card-size": ({ width, height }) => ({
      title: "Cela ne s’imprime pas",
      detail: `Un texte ne tient pas sur des cartes de ${decimal(width)} × ${decimal(height)} mm : se passer de la deuxième langue, ou choisir des cartes plus grandes avant la donne.`,
    }),
    "cannot-print/words": {
      title: "Cela ne s’imprime pas",
      detail:
        "Un texte ne tient pas sur sa carte, ou la police n’a pas un signe : choisir des cartes plus grandes, ou se passer de la deuxième langue.",
    },
    "cannot-print/faces": {
      title: "Cela ne s’imprime pas",
      detail: "Une carte de cette édition n’a pas encore de dessin. Étiquettes et liste des cartes peuvent s’imprimer.",
    },
    "wrong-address": {
      title: "Aucun téléphone ne peut ouvrir cette adresse",
      detail: "L’écrire en entier, par exemple https://haggle.example.org.",
    },
    "wrong-number": ({ detail }) => ({
      title: "Ce nombre ne convient pas",
      detail: detail ?? "Vérifier les nombres d’enveloppes.",
    }),
    "not-done": {
      title: "Cette impression n’est pas prête",
      detail: "Patienter un instant, ou la relancer.",
    },
    replaced: {
      title: "Cette carte est déjà remplacée",
      detail: "Son nouvel exemplaire est dans un tirage suivant.",
    },
    "conflict/run": ({ first, last }) => ({
      title: "Quelqu’un a distribué entre-temps",
      detail: first
        ? `${first === last ? `L’enveloppe ${first} est déjà distribuée` : `Les enveloppes ${first} à ${last} sont déjà distribuées`} ; rien de plus ne l’a été ici. Fermer et regarder ; s’il en faut d’autres, rouvrir.`
        : "Des cartes ont été remplacées ; rien n’a été distribué ici. Fermer, regarder, puis rouvrir.",
    }),
    "other-request": {
      title: "Ceci a déjà été envoyé autrement",
      detail: "Fermer, rouvrir, et regarder ce qui est déjà là.",
    },
  },
};
