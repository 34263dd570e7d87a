// Advice for a better picture, by the scanner’s slug.

export default {
  hintWords: {
    nothing: "Aucun code trouvé : poser les cartes face visible, en remplir la photo et ne pas bouger.",
    mirrored: "La photo est inversée comme dans un miroir. Elle a été lue quand même ; l’appareil au dos lit mieux.",
    small: "Les codes sont petits : s’approcher, ou prendre plusieurs photos, chacune d’une partie des cartes.",
    dim: "La photo est sombre : ajouter de la lumière, ou poser les cartes plus près d’une lampe.",
    blur: "Certaines cartes sont floues : en toucher une à l’écran pour la mise au point, attendre, puis déclencher.",
    motion: "La photo est bougée : tenir le téléphone à deux mains, ou ajouter de la lumière.",
    tilt: "La photo est prise de biais : tenir le téléphone bien au-dessus des cartes.",
    glare: "Un reflet couvre des cartes : déplacer la lampe, ou incliner un peu le téléphone.",
    pale: "Des cartes sont imprimées trop pâles : ajouter de la lumière.",
    hidden: "Des cartes sont recouvertes : laisser visible au moins un code de chacune.",
    edge: "Des cartes sont coupées par le bord de la photo : reculer un peu.",
    unread: "Des cartes n’ont pas pu être lues : y a-t-il un reflet, une ombre ou une autre carte dessus ?",
    decks: "Les cartes de plusieurs personnes semblent être sur la photo : photographier chaque paquet à part.",
    label: "Aucune étiquette d’enveloppe trouvée : la poser à côté des cartes, ses codes visibles.",
    "other-game": "Les codes d’une autre partie ne comptent pas.",
    forged: "Les codes dont la signature est fausse ne comptent pas.",
    foreign: "Les codes qui ne sont pas de cette partie ne comptent pas.",
    stranger: "Les codes qui ne sont pas des cartes de cette partie ne comptent pas.",
    copy: "Une carte est plusieurs fois sur la photo : elle compte une fois, l’une d’elles est une copie.",
    screen: "La photo semble montrer un écran : photographier les cartes elles-mêmes.",
    time: "La recherche a pris trop de temps : choisir un fond plus calme, ou prendre deux photos.",
  },
};
