// Texts of the photo viewer.

export default {
  closer: {
    title: "A closer look",
    closer: "Closer",
    farther: "Farther away",
    whole: "The whole picture",
    how: "Drag to move, pinch or double-tap to come closer. Keys: arrows, +, − and 0.",
    doubt: (place, count, reason) => `Not read, ${place} of ${count}: ${reason}`,
  },
  // Why a place was not read, with advice.
  doubtWords: {
    small: { title: "Too small to read.", help: "Come closer, or take several pictures, each of a part of the cards." },
    dim: { title: "Too dark.", help: "Add light, or lay the cards nearer to a lamp." },
    blur: { title: "Out of focus.", help: "Tap on a card to focus, wait until it is sharp, then take the picture." },
    motion: { title: "Blurred by movement.", help: "Hold the phone with both hands, or add light." },
    glare: { title: "Glare on the code.", help: "Move the lamp, or tilt the phone a little." },
    pale: { title: "Printed too pale.", help: "Add light, or have the card printed again." },
    hidden: { title: "Something lies on it.", help: "Leave at least one code of each card free." },
    edge: { title: "Cut off by the picture’s edge.", help: "Move back a little." },
    unread: { title: "Could not be read.", help: "Look for glare, shadow or another card on it. Or it is no card at all." },
  },
};
