// Texts of the projector’s page.

const plural = (count, one, many) => (count === 1 ? one : many);
const ordinal = (n) => `${n}${{ 1: "st", 2: "nd", 3: "rd" }[n % 100 > 10 && n % 100 < 14 ? 0 : n % 10] ?? "th"}`;
const units = { days: ["day", "days"], hours: ["hour", "hours"], minutes: ["minute", "minutes"], seconds: ["second", "seconds"] };

export default {
  screen: {
    none: {
      title: "Which game?",
      detail: "Open the big screen by its link: it is at the organisers’ desk, under “Results”.",
      desk: "To the organisers’ desk",
    },
    left: "Time left to trade",
    playing: "The game is on",
    soon: "The game begins soon",
    over: "Time’s up!",
    counting: "The decks are being counted.",
    ready: "All is counted. The results come in a moment.",
    until: (moment) => `Until ${moment}`,
    join: "Scan the code on your envelope with your phone’s camera to join.",
    handIns: "Hand-ins",
    handedIn: (count, all) => `of ${all} ${plural(all, "deck", "decks")} handed in`,
    units: Object.fromEntries(Object.entries(units).map(([unit, [one, many]]) => [unit, (count) => plural(count, one, many)])),
    timer: (parts) => `${parts.map(([unit, count]) => `${count} ${plural(count, ...units[unit])}`).join(" ")} left`,
    reveal: "Results",
    results: "The results",
    counted: (count) => `${count} ${plural(count, "deck", "decks")}, from the last place to the first`,
    places: (first, last) => (first === last ? `${ordinal(first)} place` : `Places ${first} to ${last}`),
    place: (rank) => `${ordinal(rank)} place`,
    cards: (count) => `${count} ${plural(count, "card", "cards")}`,
    points: (score) => (score === "1" || score === "-1" ? "point" : "points"),
    tie: (label) => `Tie decided by: ${label}`,
    aPlayer: "A player",
    out: "out",
    plain: "Worth of the cards",
    plainShort: "Cards",
    voided: (rule) => `Void by rule ${rule}`,
    podium: "The podium",
    winner: (count) => plural(count, "The winner", "The winners"),
    winnerDeck: "The winner’s deck",
    more: (count) => `and ${count} more`,
    board: "All places",
    onPhones: "Your result is on your phone, point by point.",
    rest: "Everything else",
    look: "Look at your phone now",
    publish: {
      title: "Show the results on all phones?",
      button: "Publish the results",
      sure: "Publish now?",
      keys: "The next key asks once more.",
      keysSure: "One more key publishes. ←: back",
    },
    controls: {
      back: "Back",
      next: "Next",
      step: (at, all) => `${at} / ${all}`,
      keys: "Space: next · ←: back · F: full screen",
      light: "Light or dark",
      full: "Full screen",
      lost: "Not connected: trying again",
    },
  },
  problems: {
    "bad-token": {
      title: "This link of the big screen is not valid",
      detail: "Open it again from the organisers’ desk, under “Results”.",
    },
    "not-signed-in": {
      title: "You are no longer signed in",
      detail: "Sign in at the organisers’ desk in another tab of this browser; then go on here.",
    },
    "wrong-state": {
      title: "The game has moved on",
      detail: "Somebody at the desk changed its state meanwhile. Look there before you publish.",
    },
  },
};
