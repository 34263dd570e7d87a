import { html } from "htm/preact";
import { texts } from "../shared/texts.js";

// How many pictures of the game are not read yet, those of players included; `told`: the list of pictures.
const unread = ({ states, of_players: players }) => states.waiting + states.scanning + players;

// Whether pictures wait and no process reads any.
export const nobodyReads = (told) => told.readers === 0 && unread(told) > 0;

// What to do then.
export const NobodyReads = ({ is }) => is && html`<p class="notice notice-small" role="status">${texts.desk.nobodyReads}</p>`;
