// What the players’ page says at first sight: joining, the envelope, decks, the receipt. More is in deck.js and result.js.

const plural = (count, one, many) => (count === 1 ? one : many);
const capital = (words) => words[0].toUpperCase() + words.slice(1);

export default {
  tagline: "The game of secret rules",
  waiting: {
    offline: "No network.",
    pictures: (count) => `${count} ${plural(count, "picture", "pictures")} waiting`,
    confirms: (count) => `${count} ${plural(count, "confirmation", "confirmations")} waiting`,
    handIn: "the hand-in waiting (it counts when it reaches the server)",
    sending: {
      pictures: (count) => `${count} ${plural(count, "picture", "pictures")}`,
      confirms: (count) => `${count} ${plural(count, "confirmation", "confirmations")}`,
      handIn: "the hand-in (it counts when it reaches the server)",
    },
    now: (things) => `Sending: ${things}.`,
    putOff: (things) => `${capital(things)}. It goes by itself once the server takes it.`,
    later: (things) => `${capital(things)}. It goes by itself once there is network.`,
  },
  menu: {
    open: "Open the menu",
    title: "Menu",
    games: "Games on this phone",
    game: (id) => `Game ${id}`,
    active: "shown",
    leave: "Take this envelope off this phone",
    leaveSure: "Your decks and your hand-in stay in the game. To come back, scan the code on the label again.",
    leaveWaiting: "Something is still waiting to be sent. It is lost if you go on.",
    leaveYes: "Take it off",
    desk: "Organisers’ desk",
  },
  noEnvelope: {
    title: "Trade, guess the rules, win",
    lead: "In Haggle everybody holds a few cards and one or two secret rules. Trade both; the best deck at the end wins.",
    how: "How you get in",
    scan: "Point your phone’s camera at the code on your envelope’s label, and open the link.",
    paste: "Or paste the link from the label",
    open: "Open",
    pasteWrong: "That is no link of an envelope. It ends with # and a long code: copy all of it.",
    wrongTitle: "This link is not complete",
    wrong: "Scan the code on your envelope’s label again.",
    organiser: "You run a game?",
    desk: "To the organisers’ desk",
  },
  gone: {
    title: (number) => `Envelope ${number} does not open`,
    todo: "Scan the code on your envelope’s label again, or ask an organiser for a new label.",
    other: (game, number) => `Go to ${game}, envelope ${number}`,
  },
  welcome: {
    title: "You are in",
    join: "Join the game",
    sealed: "Your envelope has not been given out yet, or the game is over. You can look around already.",
    private: "No account, no password: whoever has the label plays with this envelope. Keep it to yourself.",
  },
  name: {
    title: "How others see you",
    label: "Name or nickname (optional)",
    help: "At most 40 characters. Others see it in the ranking.",
    fixed: "The name stands now. If it is wrong, ask an organiser.",
    hidden: "Leave my name out of the public ranking",
    save: "Save",
    saved: "Saved.",
  },
  ticket: {
    about: "Your envelope",
    envelope: "Envelope",
    nameless: "Choose a name",
    change: "change",
    hidden: "not named in the ranking",
  },
  countdown: {
    none: "No end is set yet: an organiser ends the game.",
    left: "Ends in",
    over: "The end is now",
  },
  home: {
    title: (number) => `Envelope ${number}`,
  },
  state: {
    before: { title: "The game has not begun", detail: "Keep your envelope. Its cards count once the game is opened." },
    sealed: {
      title: "Your envelope is not open yet",
      detail: "Its cards do not count so far. Ask an organiser to give it out to you.",
    },
    open: {
      off: { title: "The game is on", detail: "Trade. At the end say here that you hand in, then give back your envelope." },
      inventory: { title: "The game is on", detail: "Photograph your deck to see whether every card is found. Scores come at the end." },
      known: { title: "The game is on", detail: "Photograph your deck to see what it is worth by the rules you hold." },
      total: { title: "The game is on", detail: "Photograph your deck. A few times in the game you may ask for its score." },
      full: { title: "The game is on", detail: "Photograph your deck to see what every rule makes of it." },
    },
    handInWaits: { title: "Not handed in yet", detail: "Your hand-in lies on this phone still." },
    handedIn: { title: "You have handed in", detail: "Put your cards into the envelope and give it back." },
    closed: {
      title: "The end has come",
      detail: "You can still hand in. It is marked as late, and the organisers decide whether it counts.",
    },
    waiting: { title: "The envelopes are being counted", detail: "This page tells you when the results are there." },
    counted: { title: "Everything is counted", detail: "The results are published soon. This page tells you when." },
    countedWithout: { title: "Everything is counted", detail: "You did not hand in by phone; what lay in your envelope counts. The results come soon." },
    published: { title: "The results are out", detail: "See where you stand, and what all the rules were." },
  },
  take: {
    title: "Take a picture",
    first: "Photograph my deck",
    another: "Photograph another deck",
    more: "Add a picture",
    gallery: "From the gallery",
    live: "Live view",
    drop: "Drop the pictures here",
  },
  decks: {
    title: "Your decks",
    unconfirmed: "Not confirmed yet",
    cards: (count) => `${count} ${plural(count, "card", "cards")}`,
    state: { local: "only on this phone", open: "open", confirmed: "confirmed", "handed-in": "handed in", waits: "hand-in waiting" },
    refused: "Something was refused: look here",
  },
  receipt: {
    title: "Handed in",
    waits: {
      title: "Hand-in waiting",
      detail: "It counts when it reaches the server, with the time at which it arrives. It goes by itself once there is network; keep this page.",
    },
    inTime: "In time",
    late: "Late: the organisers decide whether it counts",
    cards: "Cards on the list",
    noList: "no list",
    code: "Receipt code",
    help: "The time is the server’s. If there is any doubt, read the code to an organiser.",
  },
  problems: {
    "bad-token": {
      title: "This link is not valid any more",
      detail: "It was replaced by a newer label, or the game is gone.",
    },
    "wrong-state": ({ state }) => ({
      title: "This cannot be done now",
      detail: {
        printed: "The game has not begun yet. Wait until an organiser opens it.",
        closed: "The game is over, so there are no more scores. You can still hand in, marked as late.",
        frozen: "Everything is counted already. Ask an organiser if something is missing.",
        published: "The results are out; nothing changes any more.",
      }[state] ?? "Look at where the game stands, on the first screen.",
    }),
    sealed: {
      title: "Your envelope is not open yet",
      detail: "Ask an organiser to give it out to you; then try again.",
    },
    off: {
      title: "No pictures in this game",
      detail: "The organisers have switched off what phones tell of cards. Just hand in at the end.",
    },
    "handed-in": {
      title: "You have handed in",
      detail: "Nothing can change any more. If something is wrong, ask an organiser.",
    },
    "name-taken": { title: "The name is taken", detail: "Another player has it. Choose another one." },
    "wrong-name": { title: "This name does not work", detail: "At most 40 letters, numbers and signs that people can read. Choose another one." },
    conflict: { title: "Something has just changed", detail: "The organisers have changed the game’s settings. Try again." },
    "not-published": { title: "No results yet", detail: "Wait for the organisers. This page tells you when the results are there." },
    busy: ({ wait }) => ({
      title: "Much is going on right now",
      detail: `Try again in ${wait || 5} ${plural(wait || 5, "second", "seconds")}.`,
    }),
    "too-many-bytes": ({ limit }) => ({
      title: "This picture is too large",
      detail: `At most ${Math.floor((limit ?? 40e6) / 1e6)} MB are taken. Take the picture with the phone’s normal settings.`,
    }),
  },
};
