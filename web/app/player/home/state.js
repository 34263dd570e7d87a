// Where a player stands, in words.

import { texts } from "../../shared/texts.js";

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
