// Takes an envelope off this phone, with all that lies here of its player. Nothing of it changes on the server.

import { forgetAsked } from "./deck/asked.js";
import { outbox } from "./outbox/outbox.js";
import { forget } from "./seats.js";

export async function leave(seat) {
  const forgetPlayer = () => outbox.forget(seat.token).catch(() => {}); // where the browser keeps nothing
  await forgetPlayer();
  forget(seat.id);
  forgetAsked();
  await globalThis.caches?.delete("haggle-shared").catch(() => {});
  // What the page was still asking the server has come to its end by now.
  await forgetPlayer();
}
