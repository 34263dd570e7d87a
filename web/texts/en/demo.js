// Texts of the demo's landing page. Texts with a number or a name in them are functions.

const plural = (count, one, many) => (count === 1 ? one : many);

export default {
  demo: {
    name: "The demo",
    title: "Play a whole game of Haggle",
    lead: "Haggle is a party game of trading cards and secret rules: join the twelve players on this computer, run their game, watch the big screen, or score a deck.",
    colours: "Red, Blue, Green, Orange, Yellow",
    state: (done, all) => `${done} of ${all} envelopes are handed in`,
    missed: {
      elsewhere: "The organisers’ desk opens on the computer that runs the demo, and nowhere else.",
      gone: "That game was deleted at the desk. Stop the demo and start it again to have it back.",
    },
    doors: {
      player: {
        title: "Be a player",
        text: "Open an envelope as if you had scanned its label with your phone.",
        tries: ["Send a picture of a deck", "See what it is worth, rule by rule", "Hand in, and keep the receipt"],
        open: "Open an envelope",
        result: "See a result",
      },
      desk: {
        title: "Be the organiser",
        text: "The desk, where games are made, watched and counted. No password is asked for.",
        tries: ["Settle the doubts that wait", "Find the envelopes nobody has seen", "Close the game, count it, publish"],
        open: "Open the desk",
        note: "It opens on this computer only.",
        elsewhere: (address) => `It opens on the computer that runs the demo, at ${address}`,
      },
      screen: {
        title: "The big screen",
        text: "What hangs on the wall: the clock while people trade, the ranking at the end.",
        tries: ["Reveal last week’s ranking key by key", "Watch envelopes come in", "Press F to fill the screen"],
        ceremony: "Begin the ceremony",
        countdown: "Show the countdown",
      },
    },
    decks: {
      title: "Score a deck",
      lead: "Nobody has handed these decks in yet. Choose one to send it from your envelope, as if you had just photographed the cards on the table, and see every line of its score.",
      cards: (count) => `${count} ${plural(count, "card", "cards")}`,
      score: "Score this deck",
      download: "Download, then choose it in your envelope",
      coming: "Coming in a moment",
      rendering: (made, all) => `The pictures are being made: ${made} of ${all}.`,
      samples: {
        "many-colours": "Three colours",
        "pink-and-red": "Pink and red",
        dropped: "Dropped as they fell",
        "a-bit-dark": "A bit dark",
      },
      print: "Or print the cards, cut some out, and lay a deck of your own:",
      files: { sheets: "Card sheets", labels: "Envelope labels" },
    },
    phone: {
      title: "On your phone",
      open: "A phone in the same network opens this page by the code, and is a player there.",
      shut: "The demo lets in this computer only. To let in phones of the same network, start it with:",
      why: "Then a code appears here to scan.",
      labels: "The codes on the printed labels lead there too. The desk stays on this computer.",
      code: (address) => `QR code with the address ${address}`,
    },
    foot: "All people, decks and pictures here are made up.",
  },
};
