import { html } from "htm/preact";
import { useEffect, useState } from "preact/hooks";
import { texts } from "../shared/texts.js";
import { nameOf, scoreOf } from "./names.js";

const MOST = 80; // places at once: with more, nobody at the back reads their own
const PHONE = "(max-width: 48rem)"; // where the list is long, and scrolls
const STAYS = 15_000; // milliseconds until the next page comes
const COLUMNS = [
  [10, 1],
  [24, 2],
  [60, 3],
];

// All places, as many at once as can be read from the back of a hall. Where there are more, the pages turn by themselves
// until somebody chooses one.
export function Board({ reveal, published }) {
  const pages = paged([...reveal].reverse(), matchMedia(PHONE).matches ? Infinity : MOST);
  const [turned, setTurned] = useState(0);
  const [chosen, setChosen] = useState(false);
  const turning = pages.length > 1 && !chosen;
  useEffect(() => {
    if (!turning) return undefined;
    const clock = setInterval(() => setTurned((before) => before + 1), STAYS);
    return () => clearInterval(clock);
  }, [turning]);
  const at = turned % pages.length;
  const choose = (page) => (event) => {
    setChosen(true);
    setTurned(page);
    // A button that was clicked gives the keys back to the ceremony.
    if (event.detail) event.currentTarget.blur();
  };
  return html`<h1 class="group-title">${texts.screen.board}</h1>
    <${Places} key=${at} places=${pages[at] ?? []} quiet=${turning} />
    <div class="board-foot">
      <p class="board-note">${published && texts.screen.onPhones}</p>
      ${pages.length > 1 &&
      html`<nav class="board-pages" aria-label=${texts.screen.board}>
        ${pages.map((places, page) => html`<button type="button" class="bare" aria-pressed=${page === at ? "true" : "false"} onClick=${choose(page)}>${places[0].rank}–${places.at(-1).rank}</button>`)}
      </nav>`}
    </div>`;
}

// What turns by itself is not read out each time.
function Places({ places, quiet }) {
  const columns = COLUMNS.find(([most]) => places.length <= most)?.[1] ?? 4;
  const rows = Math.ceil(places.length / columns);
  return html`<ol class="board" style=${{ "--columns": columns, "--rows": rows }} aria-live=${quiet ? "off" : undefined}>
    ${places.map(
      (place) => html`<li class=${place.rank <= 3 ? `board-best board-rank-${place.rank}` : ""}>
        <span class="board-rank">${place.rank}</span>
        <span class="board-name">${nameOf(place)}</span>
        <b class="board-score">${scoreOf(place)}</b>
      </li>`,
    )}
  </ol>`;
}

// Pages of about the same length.
function paged(places, most) {
  const size = Math.ceil(places.length / Math.ceil(places.length / most || 1));
  return Array.from({ length: Math.ceil(places.length / size) }, (_, page) => places.slice(page * size, (page + 1) * size));
}
