// Texts of the organisers' page; its tabs have files of their own.

const plural = (count, one, many) => (count === 1 ? one : many);

const unprinted = (detail) => ({ title: "This cannot be printed", detail });
const wrongNumber = (detail) => ({ title: "This number is not possible", detail });

export default {
  desk: {
    title: "Organisers’ desk",
    skip: "Skip to the content",
    games: "Games",
    tabs: {
      overview: "Overview",
      print: "Print",
      envelopes: "Envelopes",
      pictures: "Pictures",
      queue: "Doubts",
      results: "Results",
      audit: "Record",
      settings: "Settings",
    },
    counts: {
      envelopes: (count) => `${plural(count, "envelope", "envelopes")} missing`,
      pictures: (count) => `${plural(count, "picture", "pictures")} being read`,
      queue: (count) => `open ${plural(count, "doubt", "doubts")}`,
    },
    counted: "Cards counted by hand",
    nobodyReads:
      "No worker reads pictures now. Whoever runs the server: start “haggle worker” beside it, or start it without “--scanners 0”.",
    states: {
      draft: "Draft",
      printed: "Printed",
      open: "Open",
      closed: "Closed",
      frozen: "Frozen",
      published: "Published",
    },
    named: (what, name) => `${what}: ${name}`,
    bar: {
      live: "live",
      away: "not connected: trying again",
      left: (time) => `${time} left`,
      closed: (time) => `closed ${time}`,
      noDeadline: "closed by hand",
      gone: "This game is gone",
      goneDetail: "Another organiser has deleted it. What you see is the last that was known.",
    },
    signIn: {
      title: "Sign in",
      lead: "For those who run the game. All organisers have one password in common.",
      name: "Your name",
      nameHint: "The record names you by it.",
      password: "The organisers’ password",
      passwordHint: (least) => `At least ${least} characters; three words are a good choice.`,
      show: "Show the password",
      missing: "This is still empty.",
      short: (least) => `At least ${least} characters.`,
      send: "Sign in",
    },
    setUp: {
      title: "A new server",
      lead: "Nobody has chosen a password yet. The window in which the server was started shows a code for it.",
      code: "The code from the server’s window",
      codeHint: "20 letters and digits. It works once.",
      password: "A password for all organisers",
      send: "Set up and sign in",
    },
    lost: {
      title: "Sign in again",
      text: "Your session has ended. Nothing of what you typed is lost.",
      away: "You are signed out. What you see may be out of date.",
    },
    account: {
      menu: (name) => `${name}: keys, password, sign out`,
      note: "Signed in as an organiser",
      keys: "Keys",
      password: "Change the password",
      passwordNote: "It is the password of all organisers. Everybody else has to sign in again.",
      old: "The current password",
      new: "The new password",
      change: "Change it",
      changed: "The password is changed.",
      out: "Sign out",
    },
    keys: {
      title: "Keys",
      everywhere: "Everywhere",
      tabs: "In a game",
      help: "Show these keys",
      games: "All games",
      or: " or ",
    },
    screenLink: {
      open: "Open the big screen",
      copy: "Copy the link",
      copied: "The link is copied.",
      notCopied: "This browser does not let pages copy. The address is in the field now, to be copied by hand.",
      address: "Address of the big screen",
    },
    confirm: {
      type: (text) => `To be sure, type: ${text}`,
      typeWrong: (text) => `Type exactly this: ${text}`,
      why: "Why?",
      whyOptional: "Why? (may stay empty)",
      whyHint: "It is kept in the record.",
      whyMissing: "Say why in a few words.",
    },
  },
  problems: {
    "wrong-password": {
      title: "This password is wrong",
      detail: "Check capital letters, and try again.",
    },
    "wrong-code": {
      title: "This code is not valid",
      detail: "The server prints a new one each time it starts, and only the newest works.",
    },
    "weak-password": {
      title: "This password is too short or too long",
      detail: "Choose 10 to 200 characters, such as three words.",
    },
    "wrong-name": {
      title: "This name cannot be used",
      detail: "It is empty, too long, or has characters that cannot be read.",
    },
    "looks-alike": ({ name }) => ({
      title: "This looks like another organiser’s name",
      detail: `Somebody signed in as “${name}”. If that is you, type it exactly like that. Otherwise choose another name.`,
    }),
    "not-signed-in": {
      title: "You are signed out",
      detail: "Sign in again; nothing of what you typed is lost.",
    },
    "other-origin": {
      title: "This page’s address is not the server’s",
      detail: "Open the desk at the server’s own address, and try there.",
    },
    "wrong-state": ({ state }) => ({
      title: "The game has moved on",
      detail: `Its state is now “${state ?? "?"}”, which does not allow this. Look at the overview.`,
    }),
    conflict: {
      title: "Somebody else was quicker",
      detail: "The game has changed in the meantime. Look again, then repeat it.",
    },
    "no-edition": ({ reason }) => ({
      title: "This game’s edition is missing or wrong",
      detail: `Put its folder where HAGGLE_EDITIONS says, or find its mistakes with “haggle editions check” and correct them. Only a change of HAGGLE_EDITIONS itself needs a restart of the server. Nothing is lost. The reason: ${reason ?? ""}`,
    }),
    changed: {
      title: "Somebody else has changed this",
      detail: "What you typed is still here. Look at what is different, then save again.",
    },
    busy: {
      title: "The server is busy",
      detail: "Wait a few seconds and try again. Nothing was lost.",
    },
    "disk-full": {
      title: "The server’s disk is full",
      detail: "Nothing was kept. Make room on the server, then try again.",
    },
    "cannot-print/deal": unprinted("The edition cannot deal so many envelopes. Choose fewer, or look at the game’s settings."),
    "cannot-print/envelopes": ({ most }) => unprinted(`Envelopes are numbered up to ${most}.`),
    "cannot-print/cards": ({ most }) => unprinted(`There would be more than ${most} cards of one kind.`),
    "wrong-number/envelopes": ({ most }) => wrongNumber(`A print run has 1 to ${most} envelopes.`),
    "wrong-number/spare": ({ most }) => wrongNumber(`Of these envelopes, 0 to ${most} can be spare.`),
    "wrong-number/even": ({ most }) => wrongNumber(`Even starting decks are 0 to ${most} points apart.`),
    "wrong-number/printed": wrongNumber("Say how many envelopes to print: the players’ own are printed already."),
    "wrong-number/cards": wrongNumber("Choose the cards that were lost."),
  },
};
