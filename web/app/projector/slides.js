import { html } from "htm/preact";
import { useEffect, useState } from "preact/hooks";
import { Symbol } from "../shared/cards.js";
import { gain, points, texts } from "../shared/i18n.js";
import { Notice } from "../shared/notices.js";
import { BREATH } from "./ceremony.js";

// One step of the ceremony. What it says is read out as well.
export function Slide({ ceremony }) {
  const step = ceremony.steps[ceremony.at];
  return html`<div class="slide-frame" role="region" aria-live="polite" aria-label=${texts.screen.reveal} data-step=${ceremony.at}>
    <div class=${`slide slide-${step.kind}`} key=${ceremony.at}>
      ${draw(step, ceremony)} ${ceremony.problem && html`<${Notice} problem=${ceremony.problem} />`}
    </div>
  </div>`;
}

function draw(step, { reveal, published, sure, publish }) {
  if (step.kind === "group") return html`<${Group} places=${step.places} />`;
  if (step.kind === "one") {
    const few = step.places.length > 1;
    const shown = step.places.map((place) => html`<${One} place=${place} podium=${step.podium} few=${few} />`);
    return few ? html`<div class="ones">${shown}</div>` : shown;
  }
  if (step.kind === "podium") return html`<${Podium} stands=${step.stands} count=${reveal.length} />`;
  if (step.kind === "board") return html`<${Board} reveal=${reveal} published=${published} />`;
  if (step.kind === "publish") return html`<${Offer} key=${sure} sure=${sure} onPublish=${publish} />`;
  return html`<h1>${texts.screen.results}</h1>
    <p class="slide-words">${texts.screen.counted(reveal.length)}</p>`;
}

// Places that fly by.
function Group({ places }) {
  const [first, last] = [places[0].rank, places.at(-1).rank];
  return html`<h1 class="group-title">${texts.screen.places(first, last)}</h1>
    <ol class="group" style=${{ "--count": places.length }}>
      ${places.map(
        (place, at) => html`<li style=${{ "--at": places.length - at }}>
          <span class="group-rank">${place.rank}</span>
          <span class="group-name">${nameOf(place)}</span>
          <${Brief} place=${place} />
          <span class="group-cards">${place.cards !== null && texts.screen.cards(place.cards)}</span>
          <b class="group-score">${scoreOf(place)}</b>
        </li>`,
      )}
    </ol>`;
}

// A place of its own: who, how much, and what made the difference.
function One({ place, podium, few }) {
  return html`<article class=${`one ${podium ? `one-podium one-rank-${place.rank}` : ""} ${few ? "one-few" : ""}`}>
    <div class="one-who">
      <p class="one-rank">${texts.screen.place(place.rank)}</p>
      <h1 class=${`one-name ${lengthOf(nameOf(place))}`}>${nameOf(place)}</h1>
      <p class="one-score"><b>${scoreOf(place)}</b> ${!place.eliminated && texts.screen.points(place.score)}</p>
      <p class="one-cards">
        ${[place.cards !== null && texts.screen.cards(place.cards), place.decided_by && texts.screen.tie(place.decided_by)].filter(Boolean).join(" · ")}
      </p>
    </div>
    <${Difference} place=${place} few=${few} />
  </article>`;
}

// The last keys: phones have waited. The first one asks once more. What a key does is told once it does it.
function Offer({ sure, onPublish }) {
  const [ready, setReady] = useState(false);
  useEffect(() => {
    const clock = setTimeout(() => setReady(true), BREATH);
    return () => clearTimeout(clock);
  }, []);
  const words = texts.screen.publish;
  return html`<h1>${sure ? words.sure : words.title}</h1>
    <p class="slide-words">${words.detail}</p>
    <p><button type="button" class="publish" disabled=${!ready} onClick=${onPublish}>${words.button}</button></p>
    <p class="slide-words publish-keys">${ready ? (sure ? words.keysSure : words.keys) : "\u00a0"}</p>`;
}

const STANDS = [2, 1, 3]; // as they stand, from the left
const NAMES = 3; // that fit on a stand

// The three stands, with whoever is on them by now.
function Podium({ stands, count }) {
  const whole = stands[1];
  return html`<h1 class="group-title">${whole ? texts.screen.winner(whole.length) : texts.screen.podium}</h1>
    <ol class="podium">
      ${STANDS.filter((rank) => rank <= count).map((rank) => html`<${Stand} rank=${rank} places=${stands[rank]} gone=${whole && !stands[rank]} />`)}
    </ol>`;
}

// A stand nobody comes to, since a better place is shared, stays empty.
function Stand({ rank, places, gone }) {
  const more = places ? places.length - NAMES : 0;
  return html`<li class=${`stand stand-${rank} ${places ? "stand-taken" : ""}`}>
    <div class="stand-who">
      ${places?.slice(0, NAMES).map((place) => html`<b class="stand-name">${nameOf(place)}</b>`)}
      ${more > 0 && html`<span>${texts.screen.more(more)}</span>`}
      ${places && html`<span class="stand-score">${scoreOf(places[0])}</span>`} ${!places && !gone && html`<span class="stand-wait">?</span>`}
    </div>
    <div class="stand-block"><span aria-label=${texts.screen.place(rank)}>${rank}</span></div>
  </li>`;
}

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
function Board({ reveal, published }) {
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

// What made the difference, line by line: what brought more than one place below, what cost most, what was void.
function Difference({ place, few }) {
  const most = few ? 1 : 3;
  const parts = [
    ["gains", place.lines.slice(0, most), (line) => gain(line.points)],
    ["losses", place.losses.slice(0, few ? 1 : 2), (line) => gain(line.points)],
    ["void", place.void.slice(0, few ? 0 : 1), (line) => html`<s>${gain(line.points)}</s>`],
  ];
  if (!parts.some(([, lines]) => lines.length)) return null;
  return html`<ul class="difference">
    ${parts.flatMap(([kind, lines, worth]) =>
      lines.map(
        (line, at) => html`<li class=${`difference-${kind}`} style=${{ "--at": at }}>
          <${Badge} rule=${line.rule} />
          <span class="difference-what">
            <b>${line.name ?? texts.screen.plain}</b>
            <span>${kind === "void" ? texts.screen.voided(line.voided_by) : line.rule === null ? "" : line.text}</span>
          </span>
          <strong class="difference-worth">${worth(line)}</strong>
        </li>`,
      ),
    )}
  </ul>`;
}

// The same in a few signs, for a row.
function Brief({ place }) {
  const lines = [...place.lines.slice(0, 2), ...place.losses.slice(0, 1)];
  return html`<span class="brief">
    ${lines.map(
      (line) => html`<span class=${line.points.startsWith("-") ? "brief-loss" : ""}>
        ${line.rule === null ? texts.screen.plainShort : texts.lines.rule(line.rule)} <b>${gain(line.points)}</b>
      </span>`,
    )}
  </span>`;
}

function Badge({ rule }) {
  return html`<span class="difference-badge" aria-hidden="true">
    <${Symbol} name=${rule === null ? "star" : "seal"} />${rule !== null && html`<b>${rule}</b>`}
  </span>`;
}

// Who it is on the wall, and how much.
const nameOf = (place) => place.player ?? texts.screen.aPlayer;
const scoreOf = (place) => (place.eliminated ? texts.screen.out : points(place.score));

// Long names want smaller letters.
const lengthOf = (name) => (name.length > 34 ? "name-longest" : name.length > 16 ? "name-long" : "");
