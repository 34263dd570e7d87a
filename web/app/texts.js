// Every text that a person reads or hears, in one place, so that other languages can stand beside it.
// Texts with a number in them are functions.

const plural = (count, one, many) => (count === 1 ? one : many);

const en = {
  brand: "Haggle",
  envelope: (number) => `Envelope ${number}`,
  loading: "Opening the game",

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
    size: (bytes) => (bytes < 1e6 ? `${Math.ceil(bytes / 1e3)} kB` : `${(bytes / 1e6).toFixed(1)} MB`),
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
    picture: "Your picture",
    noPreview: "This browser cannot show this kind of picture. It is read all the same.",
  },

  result: {
    title: (cards) => `${cards} ${plural(cards, "card", "cards")} found`,
    announce: (cards, score) =>
      `${cards} ${plural(cards, "card", "cards")} found. ${score === null ? "Eliminated: no score." : `Score: ${score} points.`}`,
    picture: (names) => `Your picture with an outline on every card: ${names}`,
    again: "Another picture",
    envelope: (numbers) => `Label of ${plural(numbers.length, "envelope", "envelopes")} ${numbers.join(", ")}`,
    incomplete: "Time ran out before all of the picture was searched. Check the count, or take a picture from closer.",
    doubts: (count) =>
      `${count} ${plural(count, "place looks like a card that was", "places look like cards that were")} not read. Marked with a question mark.`,
    hints: "For a better picture",
  },
  tags: {
    rule: (number) => `R${number}`,
    special: (number) => `S${number}`,
    doubt: "?",
    notCounted: "✕",
  },
  cards: {
    title: "Your deck",
    count: (count) => `${count} ×`,
    rule: (number) => `Rule ${number}`,
    special: "Special",
  },
  score: {
    title: "Score",
    eliminated: "Eliminated",
    points: (score) => (score === "1" || score === "−1" ? "point" : "points"),
    note: "This deck by itself, with all rules open. Practice mode.",
  },
  lines: {
    title: "Where it comes from",
    none: "No rule gives or takes points for this deck.",
    rule: (number) => `Rule ${number}`,
    cards: (name) => `${name} cards`,
    void: (number) => `Cancelled by rule ${number}`,
    organiser: "Organiser’s value",
    wording: "What the rule says",
    worth: (number, name) => `Rule ${number}: ${name}`,
    noPoints: "no points of its own",
    sum: "Total",
  },
  settings: {
    title: "Set by the organiser",
  },

  problem: {
    again: "Try again",
    other: "Choose another picture",
    take: "Take a new picture",
    network: {
      title: "No connection to the game",
      detail: "Your picture is still here. Check the network, then press “Try again”.",
    },
    timeout: {
      title: "This takes too long",
      detail: "The network is slow or the server is busy. Your picture is still here: press “Try again”.",
    },
    tooLarge: (limit) => ({
      title: "The picture is too large",
      detail: `It may have at most ${Math.floor(limit / 1e6)} MB. Send it as JPEG, or take it at a lower resolution.`,
    }),
    server: {
      title: "Something went wrong on the server",
      detail: "Your picture is still here. Press “Try again”; if it happens again, tell the organiser.",
    },
    game: {
      title: "The game did not open",
      detail: "Check the network, then press “Try again”.",
    },
    noPreview: (name) => `This browser cannot show this file: ${name}`,
    kept: "Your picture is kept on this page.",
  },
};

export const texts = en;

const MINUS = "\u2212";

// Points as people write them: a real minus, and a plus where a gain is meant.
export const points = (value) => value.replace("-", MINUS);
export const gain = (value) => (value.startsWith("-") || value === "0" ? points(value) : `+${value}`);
