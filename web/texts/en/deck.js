// Texts of a deck: its photos, its list, the provisional score, and the hand-in.

const plural = (count, one, many) => (count === 1 ? one : many);

export default {
  deck: {
    back: "All decks",
    empty: "A new deck",
    first: "Lay out all your cards so that at least one corner code of each is free, and take a picture.",
    nothing: "No card found",
    sendingTitle: "Sending your picture",
    readingTitle: "Reading your picture",
    waitingTitle: "Your picture is waiting",
    found: (count) => `${count} ${plural(count, "card", "cards")}`,
    sending: (count, percent) =>
      `${count} ${plural(count, "picture is", "pictures are")} being sent${percent === undefined ? "" : `: ${percent} %`}.`,
    reading: (count) => `${count} ${plural(count, "picture is", "pictures are")} still being read.`,
    waits: (count) => `${count} ${plural(count, "picture is", "pictures are")} waiting to be sent.`,
    handedIn: "This deck is handed in. Its list does not change any more.",
    confirmed: (time) => `Confirmed ${time}.`,
    otherList: "Other cards now? Begin another deck on the first screen.",
    confirmAsk: (count, dead) =>
      dead
        ? `All ${count} found? ${dead} of them ${plural(dead, "does", "do")} not count.`
        : count === 1
          ? "Is this one card all you have?"
          : `All ${count} found? Count your cards.`,
    confirm: (count) => `Yes, ${count} ${plural(count, "card", "cards")}`,
    confirmNo: "No",
    countTitle: "Count your cards",
    countLabel: (found) => `${found} ${plural(found, "was", "were")} found. How many do you have in front of you?`,
    countKeep: "Keep this number",
    differs: (counted, found) =>
      counted > found
        ? `You have ${counted}, ${found} ${plural(found, "was", "were")} found. Move the cards apart, come closer, and photograph those without an outline.`
        : `You have ${counted}, ${found} were found. Is somebody else’s card in a picture? Delete that picture and take it again.`,
    confirmAnyway: (count) => `Confirm ${count} anyway`,
    recount: "Count again",
    counted: (count) =>
      `You counted ${count} ${plural(count, "card", "cards")}. The organisers know, and look for the difference.`,
    confirmReading: (ahead) =>
      `Wait until all pictures have been read.${ahead ? ` About ${plural(ahead, "one picture of another player comes", `${ahead} pictures of other players come`)} first. The time at which yours came is kept.` : ""}`,
    confirmWaiting: "Wait until all pictures have been sent and read.",
    confirmLabel: "Another player’s label lies in a picture. Delete that picture, and take it again with your cards only.",
    confirmNothing: "No card of this game was found. Take another picture.",
    confirming: "Your confirmation is on its way.",
    handIn: "Hand in this deck",
    handInHelp: "Do this once, at the end. You can’t undo it.",
    handInWaits: "The hand-in is on its way. It counts when it reaches the server.",
    lookAgain: "Look again",
    dropItem: { picture: "Leave this picture out", confirm: "Forget it", "hand-in": "Do not hand in" },
    drop: "Delete this deck",
    dropTitle: "Delete this deck?",
    dropDetail: "Its pictures are deleted too. A try that it has cost stays spent.",
    dropYes: "Delete",
    gone: "This deck is not here",
    goneDetail: "It was deleted, or it belongs to another envelope.",
  },
  picture: {
    name: (number) => `Picture ${number}`,
    about: (number, count) => `Picture ${number}: ${count} ${plural(count, "card", "cards")} found`,
    closer: "Look closer",
    deleted: "The picture itself has been deleted; what was found in it stays.",
    sending: (percent) => `Sending: ${percent} %`,
    progress: "How much is sent",
    reading: "Being read …",
    failed: "Not read",
    found: (cards, doubts) =>
      `${cards} ${plural(cards, "card", "cards")} found${doubts ? `, ${doubts} ${plural(doubts, "place", "places")} not read` : ""}`,
    doubts: (count) =>
      `${count} ${plural(count, "place looks like a card that was", "places look like cards that were")} not read. Marked with a question mark.`,
    dead: (count) =>
      `${count} ${plural(count, "card does", "cards do")} not count: not given out in this game. Marked with a cross. Ask an organiser.`,
    strangers: (count) => `${count} ${plural(count, "code is no card", "codes are no cards")} of this game. Marked with a cross.`,
    remove: (number) => `Delete picture ${number}`,
    removeTitle: "Delete this picture?",
    removeDetail: "Cards that only this picture shows leave the list.",
    removeYes: "Delete",
  },
  reasons: {
    "not-a-picture": { title: "This file is not a picture", detail: "Delete it, and take a picture with the camera." },
    truncated: { title: "The picture is damaged", detail: "Part of it is missing. Delete it, and take it again." },
    empty: { title: "The file is empty", detail: "Delete it, and take the picture again." },
    "too-many-pixels": { title: "The picture is too large", detail: "Delete it, and take it with the phone’s normal settings." },
    "too-many-codes": {
      title: "Too many patterns in the picture",
      detail: "They look like QR codes and hide the cards. Delete the picture, and photograph the cards on a plain table.",
    },
    "several-pages": { title: "The file has several pages", detail: "Delete it, and send each page as a picture of its own." },
    "too-slow": {
      title: "Reading took too long",
      detail: "Delete it, and take a sharper picture, or two of half the deck each.",
    },
    crashed: { title: "This picture could not be read", detail: "Delete it, and take another one." },
    missing: { title: "The picture was deleted", detail: "Take another one." },
  },
  lines: {
    plain: "Cards",
    unknown: "?",
    open: "Other decks may still change this",
  },
  told: {
    title: "Provisional score",
    none: "No score in this game yet",
    note: "Provisional. The final score comes from your envelope.",
    sum: "Provisional total",
    knowsColours: (known, all) => `You know ${known} of your ${all} ${plural(all, "colour", "colours")}`,
    knowsKinds: (known, all) => `You know ${known} of your ${all} ${plural(all, "kind", "kinds")} of cards`,
    soFar: (points) => `${points} ${points === "1" ? "point" : "points"} so far`,
    findOut: "Trade for the rules that say what they are worth.",
    silent: "Your rule cards that scored nothing",
    leavesOut: "What this leaves out",
    leaves: {
      score: "The score: in this game it comes at the end.",
      "other-rules": "All rules whose cards are not in this deck.",
      "other-hands": "What other players hold.",
      chance: "Cards that chance removes at the end.",
      facts: "What organisers ask or enter at the end.",
      cancels: "Rules that players cancel at the end.",
    },
    left: (count) => (count ? `${count} ${plural(count, "try", "tries")} left.` : "No tries left."),
    pause: "The next one is possible in",
    spend: "Spend one try on this deck",
    spendHelp: "A deck with the same cards by kind is answered again for nothing, however often you ask.",
    old: "Show an earlier answer",
    oldHelp: "Only if you have asked about the same cards by kind before. That costs nothing.",
  },
  compare: {
    title: "Compare two decks",
    deck: (number) => `Deck ${number}`,
    same: "Both decks hold the same cards.",
  },
  handIn: {
    only: "Hand in",
    onlyLead: "In this game phones show nothing about cards. Hand in here, then give back your envelope.",
    title: "Hand in for good?",
    cards: (count) => `You hand in these ${count} cards.`,
    card: "You hand in this one card.",
    noList: "You hand in without a list of cards.",
    back: "You can’t undo this, hand in another deck or ask for more scores.",
    envelope: "Then put your cards in the envelope and bring it to the desk.",
    late: "The end has passed: it is marked as late, and the organisers decide whether it counts.",
    offline: "There is no network now. It counts when it reaches the server, with the time at which it arrives.",
    hold: "Hold to hand in",
    holdHelp: "Keep your finger on the button until it is full, or press it twice.",
    again: "Press once more: hand in for good",
    sending: "Handing in …",
  },
  problems: {
    "still-reading": { title: "A picture is still being read", detail: "Wait until all are read; then look at the list again." },
    "list-changed": {
      title: "The list has changed",
      detail:
        "It is not the list that you saw: a picture was added or deleted, or a card no longer counts. Look at it again, then say yes.",
    },
    "list-confirmed": { title: "This list is confirmed", detail: "It stays as it is. For other cards begin another deck." },
    "not-confirmed": { title: "Say yes to the list first", detail: "Look at the list of your cards and confirm it." },
    "no-cards": { title: "No card of this game was found", detail: "Take a picture of your cards." },
    "other-label": {
      title: "Another player’s label",
      detail:
        "It lies in this picture, so another player’s cards may be in it too. Delete the picture, and take it again with your cards only.",
    },
    "no-tries": { title: "All tries are used", detail: "A deck that you asked about before is still answered." },
    "too-soon": {
      title: "The pause is not over",
      detail: "A deck that you asked about before is still answered. For a new one wait for the countdown.",
    },
    "not-a-picture": {
      title: "This file is not a picture",
      detail: "Take a picture with the camera, or choose one from the gallery.",
    },
    truncated: { title: "The picture is damaged", detail: "Part of it is missing. Take it again." },
    empty: { title: "The file is empty", detail: "Take the picture again." },
    "too-many-pixels": { title: "The picture is too large", detail: "Take it with the phone’s normal settings." },
    "too-many-photos": { title: "Too many pictures", detail: "Delete some that you do not need, or drop an old deck." },
    "disk-full": {
      title: "The server is full",
      detail: "Tell an organiser. Your picture was not kept there; it stays on this phone.",
    },
  },
};
