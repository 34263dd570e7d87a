// Advice for a better picture, by the scanner’s slug.

export default {
  hintWords: {
    nothing: "No code was found: lay the cards face up, fill the picture with them, and hold still.",
    mirrored: "The picture is mirrored. It was read all the same; the camera at the back reads more.",
    small: "The codes are small: come closer, or take several pictures, each of a part of the cards.",
    dim: "The picture is dark: add light, or lay the cards nearer to a lamp.",
    blur: "Some cards are out of focus: tap on one to focus, wait until it is sharp, then take the picture.",
    motion: "The camera moved: hold the phone with both hands, or add light.",
    tilt: "The picture was taken at a slant: hold the phone straight above the cards.",
    glare: "Cards are hidden by glare: move the lamp, or tilt the phone a little.",
    pale: "Cards are printed too pale: add light.",
    hidden: "Cards are covered: leave at least one code of each free.",
    edge: "Cards are cut off by the picture’s edge: move back a little.",
    unread: "Some cards could not be read: look for glare, shadow or another card on them.",
    decks: "Several decks seem to lie in the picture: photograph each by itself.",
    label: "No envelope label was found: lay it beside the cards, its codes free.",
    "other-game": "Codes of another game are not counted.",
    forged: "Codes with a wrong signature are not counted.",
    foreign: "Codes that are not of this game are not counted.",
    stranger: "Codes that are no cards of this game are not counted.",
    copy: "A card lies in the picture more than once: it counts once, one must be a copy.",
    screen: "The picture seems to show a screen: photograph the cards themselves.",
    time: "The search took too long: choose a calmer background, or take two pictures.",
  },
};
