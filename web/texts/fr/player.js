// Texts of the players’ page: joining, the envelope, decks, the receipt. More are in deck.js and result.js.

const plural = (count, one, many) => (count < 2 ? one : many);
const capital = (words) => words[0].toUpperCase() + words.slice(1);

export default {
  tagline: "Le jeu des règles secrètes",
  waiting: {
    offline: "Pas de réseau.",
    pictures: (count) => `${count} ${plural(count, "photo en attente", "photos en attente")}`,
    confirms: (count) => `${count} ${plural(count, "confirmation en attente", "confirmations en attente")}`,
    handIn: "un paquet à rendre (il compte quand il arrive au serveur)",
    sending: {
      pictures: (count) => `${count} ${plural(count, "photo", "photos")}`,
      confirms: (count) => `${count} ${plural(count, "confirmation", "confirmations")}`,
      handIn: "un paquet à rendre (il compte quand il arrive au serveur)",
    },
    now: (things) => `Envoi : ${things}.`,
    putOff: (things) => `${capital(things)}. L’envoi part tout seul dès que le serveur l’accepte.`,
    later: (things) => `${capital(things)}. L’envoi part tout seul dès qu’il y a du réseau.`,
  },
  menu: {
    open: "Ouvrir le menu",
    title: "Menu",
    games: "Parties sur ce téléphone",
    game: (id) => `Partie ${id}`,
    active: "affichée",
    leave: "Retirer cette enveloppe du téléphone",
    leaveSure:
      "Tes paquets restent dans la partie, ce que tu as rendu aussi. Pour revenir, scanne de nouveau le code de l’étiquette.",
    leaveWaiting: "Quelque chose attend encore d’être envoyé. Ce sera perdu si tu continues.",
    leaveYes: "Retirer",
    desk: "Vers le bureau des organisateurs",
  },
  noEnvelope: {
    title: "Échange, devine les règles, gagne",
    lead: "À Haggle, chacun a quelques cartes et une ou deux règles secrètes. Tout s’échange ; le meilleur paquet l’emporte à la fin.",
    how: "Pour entrer",
    scan: "Vise avec l’appareil photo de ton téléphone le code sur l’étiquette de ton enveloppe, et ouvre le lien.",
    paste: "Ou colle le lien de l’étiquette",
    open: "Ouvrir",
    pasteWrong: "Ce n’est pas le lien d’une enveloppe. Il finit par # et un long code : copie-le en entier.",
    wrongTitle: "Ce lien n’est pas complet",
    wrong: "Scanne de nouveau le code sur l’étiquette de ton enveloppe.",
    organiser: "Tu organises une partie ?",
    desk: "Vers le bureau des organisateurs",
  },
  gone: {
    title: (number) => `L’enveloppe ${number} ne s’ouvre pas`,
    todo: "Scanne de nouveau le code de l’étiquette, ou demande une nouvelle étiquette aux organisateurs.",
    other: (game, number) => `Vers ${game}, enveloppe ${number}`,
  },
  welcome: {
    title: "Te voilà dans la partie",
    join: "Jouer",
    private: "Ni compte ni mot de passe : qui a l’étiquette joue avec cette enveloppe. Garde-la pour toi.",
  },
  name: {
    title: "Comment les autres te voient",
    label: "Nom ou surnom (facultatif)",
    help: "40 caractères au plus. Les autres le voient dans le classement.",
    fixed: "Pour l’instant, ton nom ne se change pas ici. S’il est faux ou s’il manque, parles-en aux organisateurs.",
    hidden: "Ne pas montrer mon nom dans le classement public",
    save: "Enregistrer",
    saved: "Enregistré.",
  },
  ticket: {
    about: "Ton enveloppe",
    envelope: "Enveloppe",
    nameless: "Choisir un nom",
    unnamed: "Sans nom",
    change: "changer",
    hidden: "sans nom au classement",
    shown: "visible au classement",
  },
  countdown: {
    none: "Pas encore de fin fixée : les organisateurs arrêtent la partie.",
    left: "Fin dans",
    over: "C’est la fin",
  },
  home: {
    title: (number) => `Enveloppe ${number}`,
  },
  state: {
    before: {
      title: "La partie n’a pas commencé",
      detail: "Garde ton enveloppe avec toi. Cette page change dès que la partie commence.",
    },
    beforeSealed: {
      title: "La partie n’a pas commencé",
      detail: "Cette enveloppe n’est pas encore en jeu. Demande aux organisateurs de l’ouvrir pour toi.",
    },
    open: {
      off: {
        title: "La partie est en cours",
        detail: "Échange ! À la fin, rends ton paquet ici et rapporte ton enveloppe aux organisateurs.",
      },
      inventory: {
        title: "La partie est en cours",
        detail: "Photographie ton paquet pour voir si chaque carte est trouvée. Les points viennent à la fin.",
      },
      known: {
        title: "La partie est en cours",
        detail: "Photographie ton paquet pour voir ce qu’il vaut selon les règles que tu as.",
      },
      total: {
        title: "La partie est en cours",
        detail: "Photographie ton paquet. Quelques fois dans la partie, tu peux demander ses points.",
      },
      full: { title: "La partie est en cours", detail: "Photographie ton paquet pour voir ce que chaque règle en fait." },
    },
    openSealed: {
      title: "Ton enveloppe n’est pas encore en jeu",
      detail: "Ses cartes ne comptent pas pour l’instant. Demande aux organisateurs de l’ouvrir pour toi.",
    },
    sending: {
      title: "Pas encore rendu",
      detail: "L’envoi attend encore sur ce téléphone. Mets tes cartes dans l’enveloppe et rapporte-la aux organisateurs.",
    },
    handedIn: { title: "Tu as rendu ton paquet", detail: "Mets tes cartes dans l’enveloppe et rapporte-la aux organisateurs." },
    closed: {
      title: "C’est fini !",
      detail:
        "Mets tes cartes dans l’enveloppe et rapporte-la aux organisateurs. Tu peux encore rendre ton paquet par téléphone, mais il est noté en retard.",
    },
    closedSealed: {
      title: "C’est fini !",
      detail:
        "Pour les organisateurs, cette enveloppe n’a pas été distribuée. Si tu as joué avec, mets-y tes cartes et va les voir.",
    },
    closedSending: {
      title: "C’est fini !",
      detail: "Mets tes cartes dans l’enveloppe et rapporte-la aux organisateurs. L’envoi attend encore sur ce téléphone.",
    },
    counting: {
      title: "On compte les enveloppes",
      detail:
        "Si tu as encore la tienne, mets-y tes cartes et rapporte-la aux organisateurs. Cette page te dira quand les résultats sont là.",
    },
    counted: { title: "Regarde le grand écran !", detail: "Tout est compté. Cette page te dira quand les résultats sont là." },
    published: { title: "Les résultats sont là", detail: "Regarde le classement, et quelles étaient toutes les règles." },
  },
  take: {
    title: "Prendre une photo",
    first: "Photographier mon paquet",
    another: "Photographier un autre paquet",
    more: "Ajouter une photo",
    plus: "Photo",
    gallery: "De la galerie",
    live: "Vue en direct",
    drop: "Dépose les photos ici",
  },
  decks: {
    title: "Tes paquets",
    unconfirmed: "Pas encore confirmé",
    cards: (count) => `${count} ${plural(count, "carte", "cartes")}`,
    unread: (count) => `${count} non ${plural(count, "lue", "lues")}`,
    state: {
      local: "seulement sur ce téléphone",
      open: "non confirmé",
      confirmed: "confirmé",
      "handed-in": "rendu",
      waits: "attend d’être rendu",
    },
    refused: "Quelque chose a été refusé : regarde ici",
  },
  receipt: {
    title: "C’est rendu",
    waits: {
      title: "Ton paquet attend",
      detail:
        "Il est rendu quand le serveur le reçoit, et c’est cette heure qui compte. L’envoi part tout seul dès qu’il y a du réseau ; garde cette page.",
    },
    inTime: "À temps",
    late: "En retard : les organisateurs décident si cela compte",
    cards: "Cartes sur la liste",
    noList: "pas de liste",
    code: "Code du reçu",
    help: "L’horloge du serveur fait foi. En cas de doute, lis le code aux organisateurs.",
  },
  outbox: {
    waiting: "attend d’être envoyée",
    slow: "Le réseau est lent. L’envoi continue ; laisse cette page ouverte.",
    newLabel: "Ce qui attend sur ce téléphone attend la nouvelle étiquette : l’envoi part dès que tu l’as scannée.",
    unkept: "Ce navigateur n’a pas la place de la garder. Laisse cette page ouverte jusqu’à l’envoi.",
    asOf: (time) => `Tu vois la situation de ${time}.`,
    sharedLost: { title: "La photo partagée n’est pas arrivée", detail: "Ouvre-la ici depuis la galerie." },
    sharedLater: "La photo partagée est gardée. Scanne le code de ton enveloppe, et elle ira dans ton paquet.",
    sharedNot: {
      title: "La photo partagée n’a pas été prise",
      detail: "Pour l’instant, aucune photo ne peut aller dans un paquet.",
    },
    sharedKept: "La photo partagée est gardée. Dès qu’il y aura du réseau, tu sauras si elle peut aller dans un paquet.",
    shared: {
      title: (count) =>
        count === 1 ? "Mettre la photo partagée dans ton paquet ?" : `Mettre les ${count} photos partagées dans ton paquet ?`,
      detail: "Elle vient d’une autre application ou page. Si ce n’était pas toi, réponds non.",
      sample: "C’est la photo que tu as choisie sur la page de la démo.",
      some: (most, limit) =>
        `Il manque une partie de ce qui a été partagé : seules les photos sont prises, ${most} à la fois, aucune de plus de ${Math.floor(limit / 1e6)} Mo.`,
      yes: "Oui, dans le paquet",
      no: "Non, pas celle-là",
    },
  },
  offers: {
    renew: "Il y a une nouvelle version de cette page.",
    reload: "La charger",
    install: "Garde Haggle sur ton écran d’accueil : il s’ouvre sans réseau, et tu peux lui partager des photos de la galerie.",
    ios: "Garde Haggle sur ton écran d’accueil : touche le bouton de partage du navigateur, puis « Sur l’écran d’accueil ».",
    yes: "L’ajouter",
    no: "Non merci",
  },
  problems: {
    "confirm-first": {
      title: "D’abord la liste",
      detail:
        "Ton accord sur la liste n’a pas été accepté, donc ton paquet n’est pas rendu. Regarde encore la liste, puis rends ton paquet.",
    },
    "bad-token": {
      title: "Ce lien n’est plus valable",
      detail: "Une étiquette plus récente l’a remplacé, ou la partie n’existe plus.",
    },
    "wrong-state": ({ state }) => ({
      title: "Impossible pour le moment",
      detail:
        {
          printed: "La partie n’a pas commencé. Attends que les organisateurs l’ouvrent.",
          closed: "La partie est finie, il n’y a donc plus de points à voir. Tu peux encore rendre ton paquet, mais en retard.",
          frozen: "Tout est déjà compté. Demande aux organisateurs s’il manque quelque chose.",
          published: "Les résultats sont là ; plus rien ne change.",
        }[state] ?? "Regarde sur le premier écran où en est la partie.",
    }),
    sealed: {
      title: "Ton enveloppe n’est pas encore en jeu",
      detail: "Demande aux organisateurs de l’ouvrir pour toi, puis réessaie.",
    },
    off: {
      title: "Pas de photos dans cette partie",
      detail: "Les organisateurs ont coupé ce que les téléphones disent des cartes. Rends simplement ton paquet à la fin.",
    },
    "handed-in": {
      title: "Tu as déjà rendu ton paquet",
      detail: "Plus rien ne peut changer. Si quelque chose est faux, demande aux organisateurs.",
    },
    "name-taken": { title: "Ce nom est pris", detail: "Quelqu’un d’autre le porte. Choisis-en un autre." },
    "wrong-name": { title: "Ce nom ne va pas", detail: "40 lettres, chiffres et signes lisibles au plus. Choisis-en un autre." },
    conflict: { title: "Quelque chose vient de changer", detail: "Les organisateurs ont changé les réglages. Réessaie." },
    "no-edition": {
      title: "L’édition de cette partie manque ou contient une erreur",
      detail:
        "Le serveur ne peut pas lire ses cartes et ses règles pour l’instant. Préviens les organisateurs ; tes cartes et tes photos sont en sécurité.",
    },
    "not-published": {
      title: "Pas encore de résultats",
      detail: "Attends les organisateurs. Cette page te dira quand les résultats sont là.",
    },
    busy: ({ wait }) => ({
      title: "Il y a foule en ce moment",
      detail: `Réessaie dans ${wait || 5} ${plural(wait || 5, "seconde", "secondes")}.`,
    }),
    "too-many-bytes": ({ limit }) => ({
      title: "Cette photo est trop lourde",
      detail: `${Math.floor((limit ?? 40e6) / 1e6)} Mo au plus. Prends-la avec les réglages normaux du téléphone.`,
    }),
  },
};
