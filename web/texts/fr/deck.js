// Texts of a deck: its photos, its list, the provisional score, and the hand-in.

const plural = (count, one, many) => (count < 2 ? one : many);

export default {
  deck: {
    back: "Tous tes paquets",
    empty: "Un nouveau paquet",
    first: "Étale toutes tes cartes de sorte qu’un code de coin de chacune reste libre, et prends une photo.",
    nothing: "Aucune carte trouvée",
    sendingTitle: "Envoi de ta photo",
    readingTitle: "Lecture de ta photo",
    waitingTitle: "Ta photo attend",
    found: (count) => `${count} ${plural(count, "carte", "cartes")}`,
    sending: (count, percent) =>
      `${count} ${plural(count, "photo est", "photos sont")} en cours d’envoi${percent === undefined ? "" : ` : ${percent} %`}.`,
    reading: (count) => `${count} ${plural(count, "photo encore en lecture", "photos encore en lecture")}.`,
    waits: (count) => `${count} ${plural(count, "photo attend d’être envoyée", "photos attendent d’être envoyées")}.`,
    handedIn: "Ce paquet est rendu. Sa liste ne change plus.",
    confirmed: (time) => `Confirmé : ${time}.`,
    otherList: "Tu as d’autres cartes maintenant ? Commence un autre paquet sur le premier écran.",
    confirmAsk: (count, dead) =>
      dead
        ? `Les ${count} y sont toutes ? ${dead} ${plural(dead, "d’entre elles ne compte pas", "d’entre elles ne comptent pas")}.`
        : count === 1
          ? "Cette carte est-elle la seule ?"
          : `Les ${count} y sont toutes ? Compte tes cartes.`,
    confirm: (count) => `Oui, ${count} ${plural(count, "carte", "cartes")}`,
    confirmNo: "Non",
    countTitle: "Compte tes cartes",
    countLabel: (found) => `${found} ${plural(found, "trouvée", "trouvées")}. Combien en as-tu devant toi ?`,
    countKeep: "Garder ce nombre",
    differs: (counted, found) =>
      counted > found
        ? `Tu en as ${counted}, ${found} ${plural(found, "a été trouvée", "ont été trouvées")}. Écarte les cartes, approche-toi et photographie celles qui n’ont pas de contour.`
        : `Tu en as ${counted}, ${found} ont été trouvées. La carte de quelqu’un d’autre est sur une photo ? Supprime cette photo et reprends-la.`,
    confirmAnyway: (count) => `Confirmer quand même ${count}`,
    recount: "Recompter",
    counted: (count) =>
      `Tu as compté ${count} ${plural(count, "carte", "cartes")}. Les organisateurs le savent et chercheront la différence.`,
    confirmReading: (ahead) =>
      `Attends que toutes les photos soient lues.${ahead ? ` Environ ${plural(ahead, "une photo d’un autre joueur passe", `${ahead} photos d’autres joueurs passent`)} avant. L’heure d’arrivée de la tienne est gardée.` : ""}`,
    confirmWaiting: "Attends que toutes les photos soient envoyées et lues.",
    confirmLabel: "L’étiquette d’un autre joueur est sur une photo. Supprime-la et reprends-la avec tes cartes seulement.",
    confirmNothing: "Aucune carte de cette partie trouvée. Prends une autre photo.",
    confirming: "Ton oui est en route.",
    handIn: "Rendre ce paquet",
    handInHelp: "Une seule fois, à la fin. C’est définitif.",
    handInWaits: "C’est en route. Le paquet est rendu quand le serveur l’a reçu.",
    lookAgain: "Regarder de nouveau",
    dropItem: { picture: "Laisser cette photo de côté", confirm: "Oublier", "hand-in": "Ne pas rendre" },
    drop: "Supprimer ce paquet",
    dropTitle: "Supprimer ce paquet ?",
    dropDetail: "Ses photos sont supprimées aussi. Un essai qu’il a coûté reste dépensé.",
    dropYes: "Supprimer",
    gone: "Ce paquet n’est pas ici",
    goneDetail: "Il a été supprimé, ou il est d’une autre enveloppe.",
  },
  picture: {
    name: (number) => `Photo ${number}`,
    about: (number, count) => `Photo ${number} : ${count} ${plural(count, "carte trouvée", "cartes trouvées")}`,
    closer: "Voir de plus près",
    deleted: "La photo elle-même est supprimée ; ce qu’on y a trouvé reste.",
    sending: (percent) => `Envoi : ${percent} %`,
    progress: "Part envoyée",
    reading: "Lecture…",
    failed: "Pas lue",
    found: (cards, doubts) =>
      `${cards} ${plural(cards, "carte trouvée", "cartes trouvées")}${doubts ? `, ${doubts} ${plural(doubts, "endroit non lu", "endroits non lus")}` : ""}`,
    doubts: (count) =>
      `${count} ${plural(count, "endroit ressemble à une carte non lue, marqué", "endroits ressemblent à des cartes non lues, marqués")} d’un point d’interrogation.`,
    dead: (count) =>
      `${count} ${plural(count, "carte ne compte pas : pas distribuée dans cette partie, marquée", "cartes ne comptent pas : pas distribuées dans cette partie, marquées")} d’une croix. Demande aux organisateurs.`,
    strangers: (count) =>
      `${count} ${plural(count, "code n’est pas une carte", "codes ne sont pas des cartes")} de cette partie, avec une croix.`,
    remove: (number) => `Supprimer la photo ${number}`,
    removeTitle: "Supprimer cette photo ?",
    removeDetail: "Les cartes qu’elle seule montre quittent la liste.",
    removeYes: "Supprimer",
  },
  reasons: {
    "not-a-picture": { title: "Ce fichier n’est pas une photo", detail: "Supprime-le et prends une photo avec l’appareil." },
    truncated: { title: "La photo est abîmée", detail: "Il en manque une partie. Supprime-la et reprends-la." },
    empty: { title: "Le fichier est vide", detail: "Supprime-le et reprends la photo." },
    "too-many-pixels": {
      title: "La photo est trop grande",
      detail: "Supprime-la et prends-la avec les réglages normaux du téléphone.",
    },
    "too-many-codes": {
      title: "Trop de dessins sur la photo",
      detail:
        "Ils ressemblent à des codes QR et masquent les cartes. Supprime la photo et photographie les cartes sur une table unie.",
    },
    "several-pages": { title: "Le fichier a plusieurs pages", detail: "Supprime-le et envoie chaque page comme une photo." },
    "too-slow": {
      title: "La lecture a pris trop de temps",
      detail: "Supprime-la et prends une photo plus nette, ou deux d’un demi-paquet.",
    },
    crashed: { title: "Cette photo est illisible", detail: "Supprime-la et prends-en une autre." },
    missing: { title: "La photo a été supprimée", detail: "Prends-en une autre." },
  },
  lines: {
    plain: "Cartes",
    unknown: "?",
    open: "D’autres paquets peuvent encore changer cela",
  },
  told: {
    title: "Points provisoires",
    none: "Pas encore de points dans cette partie",
    note: "Provisoire. À la fin, c’est ton enveloppe qui compte.",
    sum: "Total provisoire",
    knowsColours: (known, all) => `Tu connais ${known} ${plural(known, "couleur", "couleurs")} sur ${all}`,
    knowsKinds: (known, all) => `Tu connais ${known} ${plural(known, "sorte", "sortes")} de cartes sur ${all}`,
    soFar: (points) => `${points} ${points === "1" ? "point" : "points"} pour l’instant`,
    findOut: "Échange pour obtenir les règles qui disent leur valeur.",
    silent: "Tes cartes-règles sans points",
    leavesOut: "Ce qui n’y est pas",
    leaves: {
      score: "Les points : dans cette partie, ils viennent à la fin.",
      "other-rules": "Toutes les règles dont les cartes ne sont pas dans ce paquet.",
      "other-hands": "Ce que les autres ont.",
      chance: "Les cartes que le hasard enlève à la fin.",
      facts: "Ce que les organisateurs demandent ou notent à la fin.",
      cancels: "Les règles que des joueurs annulent à la fin.",
    },
    left: (count) => (count ? `Encore ${count} ${plural(count, "essai", "essais")}.` : "Plus d’essai."),
    pause: "Le prochain sera possible dans",
    spend: "Dépenser un essai pour ce paquet",
    spendHelp: "Pour les mêmes cartes par sorte, la réponse est ensuite gratuite, aussi souvent que tu veux.",
    old: "Montrer une réponse d’avant",
    oldHelp: "Seulement si tu as déjà demandé pour les mêmes cartes. Cela ne coûte rien.",
  },
  compare: {
    title: "Comparer deux paquets",
    deck: (number) => `Paquet ${number}`,
    same: "Les deux paquets ont les mêmes cartes.",
  },
  handIn: {
    only: "Rendre mon paquet",
    onlyLead:
      "Dans cette partie, les téléphones ne disent rien des cartes. Dis que tu rends ton paquet, puis rapporte ton enveloppe.",
    title: "Rendre pour de bon ?",
    cards: (count) => `Tu rends ces ${count} cartes.`,
    card: "Tu rends cette carte.",
    noList: "Tu rends ton paquet sans liste de cartes.",
    back: "C’est définitif : pas d’autre paquet, plus de points provisoires.",
    envelope: "Mets ensuite tes cartes dans l’enveloppe et rapporte-la aux organisateurs.",
    late: "La fin est passée : c’est noté en retard, et les organisateurs décident si cela compte.",
    offline: "Pas de réseau maintenant. Ton paquet est rendu quand le serveur le reçoit, et c’est cette heure qui compte.",
    hold: "Maintiens pour rendre",
    holdHelp: "Laisse le doigt sur le bouton jusqu’à ce qu’il soit plein, ou appuie deux fois.",
    again: "Appuie encore une fois : rendre pour de bon",
    sending: "Envoi en cours…",
  },
  problems: {
    "still-reading": {
      title: "Une photo est encore en lecture",
      detail: "Attends que toutes soient lues, puis regarde de nouveau la liste.",
    },
    "list-changed": {
      title: "La liste a changé",
      detail:
        "Ce n’est plus celle que tu as vue : une photo est venue ou partie, ou une carte ne compte plus. Regarde-la de nouveau, puis dis oui.",
    },
    "list-confirmed": {
      title: "Cette liste est confirmée",
      detail: "Elle reste comme elle est. Pour d’autres cartes, commence un autre paquet.",
    },
    "not-confirmed": { title: "Dis d’abord oui à la liste", detail: "Regarde la liste de tes cartes et confirme-la." },
    "no-cards": { title: "Aucune carte de cette partie trouvée", detail: "Prends une photo de tes cartes." },
    "other-label": {
      title: "L’étiquette d’un autre joueur",
      detail:
        "Elle est sur cette photo, ses cartes y sont peut-être aussi. Supprime la photo et reprends-la avec tes cartes seulement.",
    },
    "no-tries": { title: "Tous les essais sont dépensés", detail: "Pour un paquet déjà demandé, la réponse reste là." },
    "too-soon": {
      title: "La pause n’est pas finie",
      detail: "Pour un paquet déjà demandé, la réponse reste là. Pour un nouveau, attends la fin du compte à rebours.",
    },
    "not-a-picture": { title: "Ce fichier n’est pas une photo", detail: "Prends une photo, ou choisis-en une dans la galerie." },
    truncated: { title: "La photo est abîmée", detail: "Il en manque une partie. Reprends-la." },
    empty: { title: "Le fichier est vide", detail: "Reprends la photo." },
    "too-many-pixels": { title: "La photo est trop grande", detail: "Prends-la avec les réglages normaux du téléphone." },
    "too-many-photos": { title: "Trop de photos", detail: "Supprime celles dont tu n’as pas besoin, ou jette un vieux paquet." },
    "disk-full": {
      title: "Le serveur est plein",
      detail: "Dis-le aux organisateurs. Ta photo n’y est pas arrivée ; elle reste sur ce téléphone.",
    },
  },
};
