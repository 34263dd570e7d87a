// Texts of the players’ page: joining, the envelope, decks, the receipt. More are in deck.js and result.js.

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
    leave: "Remove this envelope from this phone",
    leaveSure: "Your decks and your hand-in stay in the game. To come back, scan the code on the label again.",
    leaveWaiting: "Something is still waiting to be sent. It is lost if you go on.",
    leaveYes: "Remove it",
    desk: "Organisers’ desk",
  },
  noEnvelope: {
    title: "Trade, guess the rules, win",
    lead: "In Haggle everybody holds a few cards and one or two secret rules. Trade both; the best deck at the end wins.",
    how: "How you get in",
    scan: "Point your phone’s camera at the code on your envelope’s label, and open the link.",
    paste: "Or paste the link from the label",
    open: "Open",
    pasteWrong: "This is not the link of an envelope. It ends with # and a long code: copy all of it.",
    wrongTitle: "This link is not complete",
    wrong: "Scan the code on your envelope’s label again.",
    organiser: "Do you run a game?",
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
    private: "No account, no password: whoever has the label plays with this envelope. Keep it to yourself.",
  },
  name: {
    title: "How others see you",
    label: "Name or nickname (optional)",
    help: "At most 40 characters. Others see it in the ranking.",
    fixed: "Your name cannot be changed here now. If it is wrong or missing, ask an organiser.",
    hidden: "Leave my name out of the public ranking",
    save: "Save",
    saved: "Saved.",
  },
  ticket: {
    about: "Your envelope",
    envelope: "Envelope",
    nameless: "Choose a name",
    unnamed: "No name",
    change: "change",
    hidden: "not named in the ranking",
    shown: "visible in the ranking",
  },
  countdown: {
    none: "No end is set yet: an organiser ends the game.",
    left: "Ends in",
    over: "The time is up",
  },
  home: {
    title: (number) => `Envelope ${number}`,
  },
  state: {
    before: {
      title: "The game has not begun",
      detail: "Keep your envelope with you. This page changes as soon as the game begins.",
    },
    beforeSealed: {
      title: "The game has not begun",
      detail: "This envelope is not in it yet. Ask at the desk to have it opened for you.",
    },
    open: {
      off: { title: "The game is on", detail: "Trade. At the end hand in here and bring your envelope to the desk." },
      inventory: {
        title: "The game is on",
        detail: "Photograph your deck to see whether every card is found. Scores come at the end.",
      },
      known: { title: "The game is on", detail: "Photograph your deck to see what it is worth by the rules you hold." },
      total: { title: "The game is on", detail: "Photograph your deck. A few times in the game you may ask for its score." },
      full: { title: "The game is on", detail: "Photograph your deck to see what every rule makes of it." },
    },
    openSealed: {
      title: "Your envelope is not in the game yet",
      detail: "Its cards do not count so far. Ask at the desk to have it opened for you.",
    },
    sending: {
      title: "Not handed in yet",
      detail: "Your hand-in is still on this phone. Put your cards in the envelope and bring it to the desk.",
    },
    handedIn: { title: "You have handed in", detail: "Put your cards in the envelope and bring it to the desk." },
    closed: {
      title: "Time’s up",
      detail:
        "Put your cards in the envelope and bring it to the desk. You can still hand in by phone as well, but that is marked as late.",
    },
    closedSealed: {
      title: "Time’s up",
      detail:
        "The desk has this envelope down as not given out. If you played with it, put your cards in it and ask at the desk.",
    },
    closedSending: {
      title: "Time’s up",
      detail: "Put your cards in the envelope and bring it to the desk. Your hand-in is still on this phone.",
    },
    counting: {
      title: "The envelopes are being counted",
      detail:
        "If yours is not at the desk yet, put your cards in it and bring it there. This page tells you when the results are out.",
    },
    counted: { title: "Look at the big screen!", detail: "Everything is counted. This page tells you when the results are out." },
    published: { title: "The results are out", detail: "See the ranking, and what all the rules were." },
  },
  take: {
    title: "Take a picture",
    first: "Photograph my deck",
    another: "Photograph another deck",
    more: "Add a picture",
    plus: "Picture",
    gallery: "From the gallery",
    live: "Live view",
    drop: "Drop the pictures here",
  },
  decks: {
    title: "Your decks",
    unconfirmed: "Not confirmed yet",
    cards: (count) => `${count} ${plural(count, "card", "cards")}`,
    unread: (count) => `${count} not read`,
    state: {
      local: "only on this phone",
      open: "not confirmed",
      confirmed: "confirmed",
      "handed-in": "handed in",
      waits: "hand-in waiting",
    },
    refused: "Something was rejected. See why",
  },
  receipt: {
    title: "Handed in",
    waits: {
      title: "Hand-in waiting",
      detail:
        "It counts when it reaches the server, with the time at which it arrives. It goes by itself once there is network; keep this page.",
    },
    inTime: "In time",
    late: "Late: the organisers decide whether it counts",
    cards: "Cards on the list",
    noList: "no list",
    code: "Receipt code",
    help: "The time is the server’s. If there is any doubt, read the code to an organiser.",
  },
  outbox: {
    waiting: "waiting to be sent",
    slow: "The network is slow. The picture goes on; leave this page open.",
    newLabel: "What waits on this phone waits for the new label: it goes once you have scanned it.",
    unkept: "This browser has no room to keep it. Leave this page open until it is sent.",
    asOf: (time) => `What you see is as of ${time}.`,
    sharedLost: { title: "The shared picture did not arrive", detail: "Open the picture here, from the gallery." },
    sharedLater: "The shared picture is kept. Scan the code on your envelope’s label; then it goes into your deck.",
    sharedNot: { title: "The shared picture was not taken", detail: "No picture can go into a deck now." },
    sharedKept: "The shared picture is kept. Whether it can go into a deck shows once there is network.",
    shared: {
      title: (count) =>
        count === 1 ? "Put the shared picture into your deck?" : `Put the ${count} shared pictures into your deck?`,
      detail: "It came from another app or page. If you did not share it, say no.",
      sample: "It is the picture that you chose on the demo’s page.",
      some: (most, limit) =>
        `Not all that was shared is here: pictures alone are taken, ${most} at once, none of more than ${Math.floor(limit / 1e6)} MB.`,
      yes: "Yes, put it in",
      no: "No, leave it out",
    },
  },
  offers: {
    renew: "There is a new version of this page.",
    reload: "Load it",
    install: "Keep Haggle on your home screen: it opens without network, and pictures from the gallery can be shared with it.",
    ios: "Keep Haggle on your home screen: tap the share button of the browser, then “Add to Home Screen”.",
    yes: "Add it",
    no: "No, thanks",
  },
  problems: {
    "confirm-first": {
      title: "The list comes first",
      detail: "Your yes to the list was not accepted, so the deck was not handed in. Look at the list again, then hand in.",
    },
    "bad-token": {
      title: "This link is not valid any more",
      detail: "It was replaced by a newer label, or the game is gone.",
    },
    "wrong-state": ({ state }) => ({
      title: "This cannot be done now",
      detail:
        {
          printed: "The game has not begun yet. Wait until an organiser opens it.",
          closed: "The game is over, so there are no more scores. You can still hand in, marked as late.",
          frozen: "Everything is counted already. Ask an organiser if something is missing.",
          published: "The results are out; nothing changes any more.",
        }[state] ?? "The first screen shows the state of the game.",
    }),
    sealed: {
      title: "Your envelope is not in the game yet",
      detail: "Ask at the desk to have it opened for you; then try again.",
    },
    off: {
      title: "No pictures in this game",
      detail: "The organisers have switched off pictures of decks. Just hand in at the end.",
    },
    "handed-in": {
      title: "You have handed in",
      detail: "Nothing can change any more. If something is wrong, ask an organiser.",
    },
    "name-taken": { title: "The name is taken", detail: "Another player has it. Choose another one." },
    "wrong-name": {
      title: "This name does not work",
      detail: "At most 40 letters, numbers and signs that people can read. Choose another one.",
    },
    conflict: { title: "Something has just changed", detail: "The organisers have changed the game’s settings. Try again." },
    "no-edition": {
      title: "This game’s edition is missing or wrong",
      detail: "Its cards and rules cannot be read on the server now. Tell an organiser; your cards and pictures are safe.",
    },
    "not-published": {
      title: "No results yet",
      detail: "Wait for the organisers. This page tells you when the results are there.",
    },
    busy: ({ wait }) => ({
      title: "The server is busy",
      detail: `Try again in ${wait || 5} ${plural(wait || 5, "second", "seconds")}.`,
    }),
    "too-many-bytes": ({ limit }) => ({
      title: "This picture is too large",
      detail: `At most ${Math.floor((limit ?? 40e6) / 1e6)} MB are taken. Take the picture with the phone’s normal settings.`,
    }),
  },
};
