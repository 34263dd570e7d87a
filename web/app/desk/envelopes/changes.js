// What organisers do with envelopes.

import { ask, freshKey } from "../../shared/ask.js";

const path = (game, number) => `/api/v1/games/${game.id}/envelopes/${number}`;

// Change an envelope: { open, name, counted, insist, take_back, reason }; gives it as it is then.
export const change = (game, number, body) => ask(path(game, number), { method: "PATCH", body });

// End the link of an envelope's label, and make a new one; gives { link }.
export const renew = (game, number, reason, key = freshKey()) => ask(`${path(game, number)}/token`, { method: "POST", body: { reason }, key });

// Where an envelope's label is drawn.
export const labelImage = (game, envelope, width, version = 0) =>
  `/api/v1/games/${game.id}/runs/${envelope.run}/envelopes/${envelope.number}/label.png?width=${width + (version % 2)}`;
export const labelFile = (game, envelope) => `/api/v1/games/${game.id}/runs/${envelope.run}/labels.pdf?envelope=${envelope.number}`;
