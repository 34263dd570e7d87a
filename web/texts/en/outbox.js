// What the players’ page says of what waits to be sent, of the network, and of installing.

const plural = (count, one, many) => (count === 1 ? one : many);

export default {
  outbox: {
    title: "Waiting to be sent",
    picture: "Picture",
    confirm: "Your yes to the list",
    "hand-in": "Your hand-in",
    waiting: "waiting for the network",
    sending: (percent) => `being sent: ${percent} %`,
    refused: "not accepted",
    unkept: "This browser has no room to keep it. Leave this page open until it is sent.",
    pictures: (count) => `${count} ${plural(count, "picture", "pictures")} waiting for the network`,
    things: (count) => `${count} ${plural(count, "thing", "things")} waiting for the network`,
    handIn: "Your hand-in waits for the network. It counts from the moment it reaches the server.",
    again: "Send now",
    drop: "Do not send",
  },
  problems: {
    "confirm-first": {
      title: "The list comes first",
      detail: "Your yes to the list was not accepted, so the deck was not handed in. Look at the list again, then hand in.",
    },
  },
};
