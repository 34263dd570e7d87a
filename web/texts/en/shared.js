// Texts of several pages. Texts with a number in them are functions.

const plural = (count, one, many) => (count === 1 ? one : many);

const broken = {
  title: "Something went wrong on the server",
  detail: "Try again; if it happens again, tell the organiser.",
};
// Requests that no current page sends: the page is older or newer than the server.
const strange = { title: "The page and the server disagree", detail: "Reload the page, then try again." };

export default {
  brand: "Haggle",
  envelope: (number) => `Envelope ${number}`,
  loading: "Opening the game",
  again: "Try again",
  close: "Close",
  cancel: "Cancel",
  language: "Language",
  // Problems by slug, with advice. For others the server's English text is shown.
  problems: {
    network: {
      title: "No connection to the game",
      detail: "Nothing is lost. Check the network; then try again.",
    },
    timeout: {
      title: "This takes too long",
      detail: "The network is slow or the server is busy. Try again.",
    },
    "page-error": {
      title: "Something went wrong on this page",
      detail: "Reload the page, then try again.",
    },
    server: broken,
    internal: broken,
    "not-found": {
      title: "Not found",
      detail: "The address is wrong, or what was here is gone. Go back and look again.",
    },
    "bad-request": strange,
    "invalid-field": strange,
    "method-not-allowed": strange,
    "no-key": strange,
    "wrong-form": strange,
    "wrong-type": strange,
    "too-large": { title: "Too large", detail: "The server does not take this much at once. Send less." },
    "no-photo": { title: "No picture came", detail: "Choose the picture again." },
    "too-many": ({ wait }) => ({
      title: "Too many requests",
      detail: `Try again in ${wait} ${plural(wait, "second", "seconds")}.`,
    }),
  },
  photo: {
    name: "Your picture",
    noPreview: "This browser cannot show this kind of picture. It is read all the same.",
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
    eliminated: "Eliminated",
    points: (score) => (score === "1" || score === "−1" ? "point" : "points"),
  },
  lines: {
    title: "Where it comes from",
    none: "No rule gives or takes points for this deck.",
    rule: (number) => `Rule ${number}`,
    cards: (name) => `${name} cards`,
    void: (number) => `Cancelled by rule ${number}`,
    wording: "What the rule says",
    sum: "Total",
  },
};
