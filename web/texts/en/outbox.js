// Texts of the outbox, of the network, and of the page as an app.

export default {
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
  },
};
