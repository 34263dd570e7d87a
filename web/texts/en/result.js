// Texts of the result on the players’ page.

const plural = (count, one, many) => (count === 1 ? one : many);

export default {
  own: {
    place: (rank, of) => `Place ${rank} of ${of}`,
    eliminated: "Eliminated",
    none: "Your deck did not count",
    more: "Every line and all rules",
  },
  result: {
    title: "The result",
    back: "Back",
    yours: "Your result",
    decided: (tie) => `Equal scores; decided by: ${tie}`,
    leftOut: {
      "not-seen": "Nobody has seen your envelope.",
      absent: "The organisers noted that it was not handed in.",
      "late-refused": "It came too late, and the organisers refused it.",
      sealed: "Its envelope was never given out.",
      other: "Ask an organiser why.",
    },
    struck: (count) =>
      `${count} ${plural(count, "line is", "lines are")} struck: another rule cancels ${plural(count, "it", "them")}.`,
    asListed: "Exactly the cards of your list were counted.",
    differs: "Not exactly the cards of your list were counted.",
    missing: "On your list, but not counted:",
    extra: "Counted, but not on your list:",
    askWhy: "The organisers’ record says why. Ask them.",
    ranking: "The ranking",
    place: "Place",
    player: "Player",
    score: "Score",
    somebody: "a player",
    you: "you",
    eliminated: "out",
    rules: "All rules",
    search: "Number or word",
    found: (count, all) => (count === all ? `${all} ${plural(all, "rule", "rules")}` : `${count} of ${all} rules`),
    idle: "Not in this game",
  },
};
