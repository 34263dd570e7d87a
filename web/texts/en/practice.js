// What the practice page says. Texts with a number in them are functions.

const plural = (count, one, many) => (count === 1 ? one : many);
const size = (unit, digits) => new Intl.NumberFormat("en", { style: "unit", unit, maximumFractionDigits: digits });

export default {
  start: {
    title: "What is your deck worth?",
    lead: "Lay your cards side by side, take a picture, and see what every rule makes of them.",
    take: "Take a picture",
    choose: "Choose a picture",
    drop: "Or drop a picture here, or paste one.",
    dropNow: "Let go to read this picture",
    tips: [
      "Whole cards, none hidden by another",
      "Good light, no glare on the codes",
      "Hold the phone straight above",
    ],
  },
  samples: {
    title: "No cards at hand?",
    lead: "Tap one of these decks to have it read.",
    one: (title) => `Read the sample picture: ${title}`,
  },
  downloads: {
    title: "Or print this demo game",
    lead: "Print a page, cut out some cards, and photograph them. Even a picture of your screen will do.",
    size: (bytes) => (bytes < 1e6 ? size("kilobyte", 0).format(Math.ceil(bytes / 1e3)) : size("megabyte", 1).format(bytes / 1e6)),
    kind: "PDF",
  },
  footer: {
    privacy: "Pictures are read in memory and forgotten at once.",
    practice: "Practice mode: whoever opens this page sees the full breakdown.",
  },
  working: {
    sending: (percent) => `Sending the picture: ${percent} %`,
    reading: "Reading the cards",
    busy: "The server is busy",
    again: (seconds) => `Your picture is sent again by itself in ${seconds} ${plural(seconds, "second", "seconds")}.`,
    cancel: "Cancel",
  },
  result: {
    note: "This deck by itself, with all rules open. Practice mode.",
    title: (cards) => `${cards} ${plural(cards, "card", "cards")} found`,
    announce: (cards, score) =>
      `${cards} ${plural(cards, "card", "cards")} found. ${score === null ? "Eliminated: no score." : `Score: ${score} ${score === "1" || score === "−1" ? "point" : "points"}.`}`,
    picture: (names) => `Your picture with an outline on every card: ${names}`,
    again: "Another picture",
    envelope: (numbers) => `Label of ${plural(numbers.length, "envelope", "envelopes")} ${numbers.join(", ")}`,
  },
  problem: {
    other: "Choose another picture",
    take: "Take a new picture",
    noPreview: (name) => `This browser cannot show this file: ${name}`,
    kept: "Your picture is kept on this page.",
  },
  problems: {
    network: {
      title: "No connection to the game",
      detail: "Your picture is still here. Check the network, then press “Try again”.",
    },
    timeout: {
      title: "This takes too long",
      detail: "The network is slow or the server is busy. Your picture is still here: press “Try again”.",
    },
    "too-many-bytes-here": ({ limit }) => ({
      title: "The picture is too large",
      detail: `It may have at most ${size("megabyte", 0).format(Math.floor(limit / 1e6))}. Send it as JPEG, or take it at a lower resolution.`,
    }),
    server: {
      title: "Something went wrong on the server",
      detail: "Your picture is still here. Press “Try again”; if it happens again, tell the organiser.",
    },
    game: {
      title: "The game did not open",
      detail: "Check the network, then press “Try again”.",
    },
  },
};
