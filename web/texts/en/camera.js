// Texts of the live camera view. Texts with a number in them are functions.

const plural = (count, one, many) => (count === 1 ? one : many);

export default {
  camera: {
    title: "Camera",
    video: "What the camera sees",
    close: "Close the camera",
    opening: "Opening the camera. If the browser asks, allow it.",
    take: "Take picture",
    taking: "Hold still",
    byPhone: "Take a picture",
    gallery: "Gallery",
    count: (count) => `${count} ${plural(count, "card", "cards")} ticked off`,
    ticked: "Cards ticked off",
    begin: "Move the phone slowly over your cards, close enough to see each code.",
    counts: "Ticked off is not handed in: the picture counts.",
    stranger: "A code that is not of this game: it will not count.",
    otherLabel: (number) => `That is the label of envelope ${number}, not yours: take it out of the picture.`,
    twoLabels: "Two labels: one envelope at a time",
    torch: "Light",
    zoom: "Zoom",
    lens: (place, count) => `Another lens (${place} of ${count})`,
    auto: "Automatic",
    // Why no picture is taken automatically yet.
    wait: {
      next: "Next envelope",
      label: "Lay the label beside the cards",
      view: (count) => `${count} ticked ${plural(count, "card is", "cards are")} out of view`,
      sharp: "Not sharp yet: go closer, or wait",
      still: "Hold still",
      quiet: "Hold still",
    },
    // Why cards are not ticked off.
    noDecoder: {
      unsupported: "This browser cannot tick cards off. Just take the picture: it is read all the same.",
      unreachable: "Ticking off needs the network once. Just take the picture: it is read all the same.",
      "given-up": "Ticking off does not work on this phone. Just take the picture: it is read all the same.",
    },
    // Why there is no live picture, with advice.
    why: {
      insecure: {
        title: "No live picture at this address",
        detail:
          "Browsers show it only where the address begins with https. Take a picture with your phone’s own camera instead: it counts just the same.",
      },
      unsupported: {
        title: "This browser shows no live picture",
        detail: "Take a picture with your phone’s own camera instead: it counts just the same.",
      },
      refused: {
        title: "The camera is not allowed",
        detail:
          "Allow it for this page in the browser’s settings, or take a picture with your phone’s own camera: it counts just the same.",
      },
      absent: {
        title: "No camera was found",
        detail: "Take a picture with another camera and choose it here: it counts just the same.",
      },
      busy: {
        title: "The camera does not answer",
        detail: "Perhaps another program uses it. Close that one and try again, or take a picture with your phone’s own camera.",
      },
      failed: {
        title: "The picture could not be taken",
        detail: "Take it with your phone’s own camera instead: it counts just the same.",
      },
    },
  },
};
