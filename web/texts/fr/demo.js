// Ce que dit la page de la démo. Les textes avec un nombre ou un nom sont des fonctions.

const plural = (count, one, many) => (count < 2 ? one : many);

export default {
  problems: {
    forbidden: { title: "Cela s’ouvre sur un autre ordinateur", detail: "Le bureau des organisateurs ne s’ouvre que sur l’ordinateur de la démo." },
  },
  demo: {
    name: "La démo",
    title: "Une partie entière de Haggle à essayer",
    lead: "Sur cet ordinateur, douze personnes échangent des cartes en ce moment. Quatre portes y mènent ; chacune s’ouvre à côté de cette page.",
    colours: "Rouge, Bleu, Vert, Orange, Jaune",
    state: (done, all) => `${done} ${plural(done, "enveloppe rendue", "enveloppes rendues")} sur ${all}`,
    making: "Photos de paquets",
    made: (made, all) => `Les photos se préparent : ${made} sur ${all}. Chacune est rendue dès qu’elle est là.`,
    told: {
      failed: "Le bureau ne s’est pas ouvert. Appuyer encore une fois sur sa porte.",
      used: "Ce lien vers le bureau a déjà servi. La porte ci-dessous en fait un nouveau.",
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
        tries: ["Régler les doutes en attente", "Trouver les enveloppes que personne n’a vues", "Fermer la partie, compter, publier"],
        open: "Ouvrir le bureau",
        note: "Un lien qui sert une fois, sur cet ordinateur seulement.",
        elsewhere: (address) => `Le bureau s’ouvre sur l’ordinateur de la démo : ${address}`,
      },
      screen: {
        title: "Le grand écran",
        text: "Ce qui est au mur : l’heure pendant les échanges, le classement à la fin.",
        tries: ["Dévoiler touche par touche le classement de la semaine dernière", "Voir arriver les enveloppes", "Appuyer sur F pour remplir l’écran"],
        ceremony: "Commencer le dévoilement",
        countdown: "Afficher l’heure",
      },
      practice: {
        title: "Compter un paquet",
        text: "Un paquet, une photo, chaque ligne de son compte. Sans enveloppe ni partie autour.",
        tries: ["Toucher une des photos prêtes", "Ouvrir une règle pour la lire", "Photographier une page imprimée"],
        open: "Compter un paquet",
        note: "Les photos sont oubliées aussitôt.",
      },
    },
    pictures: {
      title: "Des paquets à rendre",
      lead: "Personne ne les a encore rendus. En télécharger un, puis l’envoyer depuis son enveloppe, comme si les cartes étaient sur la table.",
      cards: (count) => `${count} ${plural(count, "carte", "cartes")}`,
      take: "Télécharger",
      coming: "Arrive dans un instant",
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
