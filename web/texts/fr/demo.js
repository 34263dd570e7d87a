// Texts of the demo's landing page. Texts with a number or a name in them are functions.

const plural = (count, one, many) => (count < 2 ? one : many);

export default {
  demo: {
    name: "La démo",
    title: "Une partie entière de Haggle à essayer",
    lead: "Haggle, c’est échanger des cartes et des règles secrètes : joue avec les douze personnes de cet ordinateur, organise leur partie, regarde le grand écran ou fais compter un paquet.",
    colours: "Rouge, Bleu, Vert, Orange, Jaune",
    state: (done, all) => `${done} ${plural(done, "enveloppe rendue", "enveloppes rendues")} sur ${all}`,
    missed: {
      elsewhere: "Le bureau des organisateurs ne s’ouvre que sur l’ordinateur de la démo.",
      gone: "Cette partie a été supprimée au bureau. Arrêter la démo et la relancer pour la retrouver.",
    },
    doors: {
      player: {
        title: "Jouer",
        text: "Ouvrir une enveloppe, comme si son étiquette venait d’être scannée avec le téléphone.",
        tries: ["Envoyer la photo d’un paquet", "Voir ce qu’il vaut, règle par règle", "Le rendre et garder le reçu"],
        open: "Ouvrir une enveloppe",
        result: "Voir un résultat",
      },
      desk: {
        title: "Organiser",
        text: "Le bureau, où les parties se préparent, se suivent et se comptent. Sans mot de passe.",
        tries: [
          "Régler les doutes en attente",
          "Trouver les enveloppes que personne n’a vues",
          "Fermer la partie, compter, publier",
        ],
        open: "Ouvrir le bureau",
        note: "Il s’ouvre sur cet ordinateur seulement.",
        elsewhere: (address) => `Le bureau s’ouvre sur l’ordinateur de la démo : ${address}`,
      },
      screen: {
        title: "Le grand écran",
        text: "Ce qui est au mur : l’heure pendant les échanges, le classement à la fin.",
        tries: [
          "Dévoiler touche par touche le classement de la semaine dernière",
          "Voir arriver les enveloppes",
          "Appuyer sur F pour remplir l’écran",
        ],
        ceremony: "Commencer le dévoilement",
        countdown: "Afficher l’heure",
      },
    },
    decks: {
      title: "Compter un paquet",
      lead: "Personne n’a encore rendu ces paquets. Choisis-en un pour l’envoyer depuis ton enveloppe, comme si tu venais de photographier les cartes sur la table : chaque ligne de son compte s’affiche.",
      cards: (count) => `${count} ${plural(count, "carte", "cartes")}`,
      score: "Compter ce paquet",
      download: "Télécharger, puis choisir dans l’enveloppe",
      coming: "Arrive dans un instant",
      rendering: (made, all) => `Les photos se préparent : ${made} sur ${all}.`,
      samples: {
        "many-colours": "Trois couleurs",
        "pink-and-red": "Rose et rouge",
        dropped: "Tombées en vrac",
        "a-bit-dark": "Un peu sombre",
      },
      print: "Ou imprimer les cartes, en découper et composer son propre paquet :",
      files: { sheets: "Planches de cartes", labels: "Étiquettes d’enveloppes" },
    },
    phone: {
      title: "Sur le téléphone",
      open: "Un téléphone du même réseau ouvre cette page avec le code, et joue de là.",
      shut: "La démo n’accepte que cet ordinateur. Pour les téléphones du même réseau, la lancer ainsi :",
      why: "Un code à scanner apparaît alors ici.",
      labels: "Les codes des étiquettes imprimées y mènent aussi. Le bureau reste sur cet ordinateur.",
      code: (address) => `Code QR de l’adresse ${address}`,
    },
    foot: "Personnes, paquets et photos : tout ici est inventé.",
  },
};
