// Where a player stands, in words.

import { texts } from "../../shared/texts.js";

// Whether a player does anything with decks now; `waits` is whether the hand-in is on its way.
export const isPlaying = ({ game, envelope, receipt }, waits) =>
  ["open", "closed"].includes(game.state) && envelope.opened && !receipt && !waits;

// Whether pictures of decks are taken now.
export const takesPictures = (me, waits) => isPlaying(me, waits) && me.provisional.mode !== "off";

export function stateWords({ game, envelope, receipt, provisional }, waits) {
  const words = texts.state;
  if (game.state === "published") return words.published;
  if (game.state === "frozen") return receipt ? words.counted : words.countedWithout;
  if (!envelope.opened) return words.sealed;
  if (receipt) return game.state === "open" ? words.handedIn : words.waiting;
  if (waits) return words.handInWaits;
  if (game.state === "closed") return words.closed;
  if (game.state === "open") return words.open[provisional.mode];
  return words.before;
}
