// Texts of the organisers' page; its tabs have files of their own.

const plural = (count, one, many) => (count < 2 ? one : many);

const STATES = {
  draft: "en brouillon",
  printed: "imprimée",
  open: "ouverte",
  closed: "fermée",
  frozen: "figée",
  published: "publiée",
};

const unprinted = (detail) => ({ title: "Cela ne s’imprime pas", detail });
const wrongNumber = (detail) => ({ title: "Ce nombre ne convient pas", detail });

export default {
  desk: {
    title: "Organisation",
    skip: "Aller au contenu",
    games: "Parties",
    tabs: {
      overview: "Aperçu",
      print: "Imprimer",
      envelopes: "Enveloppes",
      pictures: "Photos",
      queue: "Doutes",
      results: "Résultats",
      audit: "Journal",
      settings: "Réglages",
    },
    counts: {
      envelopes: (count) => `${plural(count, "enveloppe manque", "enveloppes manquent")}`,
      pictures: (count) => `${plural(count, "photo", "photos")} en lecture`,
      queue: (count) => `${plural(count, "doute ouvert", "doutes ouverts")}`,
    },
    counted: "Cartes comptées à la main",
    nobodyReads:
      "Personne ne lit les images en ce moment. Pour qui gère le serveur : lancer « haggle worker » à côté, ou le serveur sans « --scanners 0 ».",
    states: {
      draft: "Brouillon",
      printed: "Imprimée",
      open: "Ouverte",
      closed: "Fermée",
      frozen: "Figée",
      published: "Publiée",
    },
    named: (what, name) => `${what} : ${name}`,
    bar: {
      live: "en direct",
      away: "pas de connexion, nouvel essai",
      left: (time) => `encore ${time}`,
      closed: (time) => `fin : ${time}`,
      noDeadline: "fermée à la main",
      gone: "Cette partie n’existe plus",
      goneDetail: "Quelqu’un d’autre l’a supprimée. Voici le dernier état connu.",
    },
    signIn: {
      title: "Se connecter",
      lead: "Pour celles et ceux qui mènent la partie. L’organisation a un seul mot de passe.",
      name: "Nom",
      nameHint: "C’est sous ce nom que le journal note tout.",
      password: "Mot de passe de l’organisation",
      passwordHint: (least) => `Au moins ${least} caractères ; trois mots font l’affaire.`,
      show: "Montrer le mot de passe",
      missing: "Ce champ est encore vide.",
      short: (least) => `Au moins ${least} caractères.`,
      send: "Se connecter",
    },
    setUp: {
      title: "Un nouveau serveur",
      lead: "Personne n’a encore choisi de mot de passe. La fenêtre où le serveur a démarré montre un code pour cela.",
      code: "Code de la fenêtre du serveur",
      codeHint: "20 lettres et chiffres. Il sert une seule fois.",
      password: "Un mot de passe pour toute l’organisation",
      send: "Préparer et se connecter",
    },
    lost: {
      title: "Se connecter à nouveau",
      text: "La session est terminée. Rien de ce qui est écrit n’est perdu.",
      away: "Session terminée. Ce qui s’affiche peut dater.",
    },
    account: {
      menu: (name) => `${name} : touches, mot de passe, quitter`,
      note: "Session d’organisation",
      keys: "Touches",
      password: "Changer le mot de passe",
      passwordNote: "Il vaut pour toute l’organisation. Les autres devront se reconnecter.",
      old: "Mot de passe actuel",
      new: "Nouveau mot de passe",
      change: "Changer",
      changed: "Le mot de passe est changé.",
      out: "Se déconnecter",
    },
    keys: {
      title: "Touches",
      everywhere: "Partout",
      tabs: "Dans une partie",
      help: "Montrer ces touches",
      games: "Toutes les parties",
      or: " ou ",
    },
    screenLink: {
      open: "Ouvrir le grand écran",
      copy: "Copier le lien",
      copied: "Le lien est copié.",
      notCopied: "Ce navigateur ne laisse rien copier aux pages. L’adresse est maintenant dans le champ, à copier à la main.",
      address: "Adresse du grand écran",
    },
    confirm: {
      type: (text) => `Pour être sûr, écrire : ${text}`,
      typeWrong: (text) => `Écrire exactement : ${text}`,
      why: "Pourquoi ?",
      whyOptional: "Pourquoi ? (peut rester vide)",
      whyHint: "La raison figure dans le journal.",
      whyMissing: "Donner la raison en quelques mots.",
    },
  },
  problems: {
    "wrong-password": {
      title: "Ce mot de passe est faux",
      detail: "Vérifier les majuscules, puis réessayer.",
    },
    "wrong-code": {
      title: "Ce code n’est pas valable",
      detail: "Le serveur en affiche un nouveau à chaque démarrage ; seul le dernier compte.",
    },
    "weak-password": {
      title: "Ce mot de passe est trop court ou trop long",
      detail: "Choisir de 10 à 200 caractères, par exemple trois mots.",
    },
    "wrong-name": {
      title: "Ce nom ne convient pas",
      detail: "Il est vide, trop long, ou contient des caractères illisibles.",
    },
    "looks-alike": ({ name }) => ({
      title: "Ce nom ressemble à celui de quelqu’un d’autre",
      detail: `Quelqu’un s’est déjà connecté sous le nom « ${name} ». S’il s’agit de la même personne, l’écrire exactement ainsi. Sinon, choisir un autre nom.`,
    }),
    "not-signed-in": {
      title: "Session terminée",
      detail: "Se connecter à nouveau ; rien de ce qui est écrit n’est perdu.",
    },
    "other-origin": {
      title: "Cette page n’a pas l’adresse du serveur",
      detail: "Ouvrir le bureau à l’adresse du serveur et réessayer là.",
    },
    "wrong-state": ({ state }) => ({
      title: "La partie a avancé",
      detail: `Elle est maintenant ${STATES[state] ?? "dans un autre état"}, ce qui ne le permet pas. L’aperçu montre ce qui est possible.`,
    }),
    conflict: {
      title: "Quelqu’un a été plus rapide",
      detail: "La partie a changé entre-temps. Regarder à nouveau, puis recommencer.",
    },
    "no-edition": ({ reason }) => ({
      title: "L’édition de cette partie manque ou contient une erreur",
      detail: `Placer son dossier là où l’indique HAGGLE_EDITIONS, ou chercher ses erreurs avec « haggle editions check » et les corriger. Le serveur n’est à redémarrer que si HAGGLE_EDITIONS change. Rien n’est perdu. La raison : ${reason ?? ""}`,
    }),
    changed: {
      title: "Quelqu’un d’autre a modifié ceci",
      detail: "Ce qui est écrit est encore là. Regarder les différences, puis enregistrer à nouveau.",
    },
    busy: {
      title: "Le serveur est occupé",
      detail: "Attendre quelques secondes et réessayer. Rien n’est perdu.",
    },
    "disk-full": {
      title: "Le disque du serveur est plein",
      detail: "Rien n’a été gardé. Libérer de la place sur le serveur, puis réessayer.",
    },
    "cannot-print/deal": unprinted(
      "L’édition ne peut pas distribuer autant d’enveloppes. En prendre moins, ou revoir les réglages de la partie.",
    ),
    "cannot-print/envelopes": ({ most }) => unprinted(`Les enveloppes sont numérotées jusqu’à ${most}.`),
    "cannot-print/cards": ({ most }) => unprinted(`Il y aurait plus de ${most} cartes d’une même sorte.`),
    "wrong-number/envelopes": ({ most }) => wrongNumber(`Un tirage compte de 1 à ${most} enveloppes.`),
    "wrong-number/spare": ({ most }) => wrongNumber(`Parmi ces enveloppes, de 0 à ${most} peuvent être de réserve.`),
    "wrong-number/even": ({ most }) => wrongNumber(`Les paquets de départ équilibrés ont de 0 à ${most} points d’écart.`),
    "wrong-number/printed": wrongNumber("Indiquer combien d’enveloppes imprimer : celles des joueurs le sont déjà."),
    "wrong-number/cards": wrongNumber("Choisir les cartes perdues."),
  },
};
