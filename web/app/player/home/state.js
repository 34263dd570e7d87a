// What a player can do now, and the sentence that says so.

import { html } from "htm/preact";
import { texts } from "../../shared/texts.js";

// Whether a player does anything with decks now; `waits` is whether the hand-in is on its way.
export const isPlaying = ({ game, envelope, receipt }, waits) =>
  ["open", "closed"].includes(game.state) && envelope.opened && !receipt && !waits;

// Whether pictures of decks are taken now.
export const takesPictures = (me, waits) => isPlaying(me, waits) && me.provisional.mode !== "off";

// The name of the sentence in `texts.state` for each state of a game and of an envelope. Before the game opens, an envelope
// that opens with it counts as opened. No player sees a draft.
export const SENTENCES = {
  printed: { sealed: "beforeSealed", opened: "before", sending: "before", handedIn: "before" },
  open: { sealed: "openSealed", opened: "open", sending: "sending", handedIn: "handedIn" },
  closed: { sealed: "closedSealed", opened: "closed", sending: "closedSending", handedIn: "counting" },
  frozen: { sealed: "counted", opened: "counted", sending: "counted", handedIn: "counted" },
  published: { sealed: "published", opened: "published", sending: "published", handedIn: "published" },
};

export function Sentence({ me: { game, envelope, receipt, provisional }, waits = false }) {
  const opens = game.state === "printed" && !envelope.spare;
  const standing = receipt ? "handedIn" : !envelope.opened && !opens ? "sealed" : waits ? "sending" : "opened";
  const words = texts.state[SENTENCES[game.state][standing]];
  // While the game is played, the sentence says how much phones tell.
  const { title, detail } = words[provisional.mode] ?? words;
  return html`<section class="state" aria-live="polite">
    <h2>${title}</h2>
    <p>${detail}</p>
  </section>`;
}
