// What the organisers' desk says on its frame; its parts have files of their own.

export default {
  desk: {
    title: "Organisers’ desk",
    games: "Games",
    newGame: "A new game",
    tabs: {
      overview: "Overview",
      print: "Print",
      envelopes: "Envelopes",
      pictures: "Pictures",
      queue: "Doubts",
      results: "Results",
      audit: "Record",
    },
    signIn: {
      title: "Sign in",
      name: "Your name",
      password: "The organisers’ password",
      send: "Sign in",
    },
  },
};
