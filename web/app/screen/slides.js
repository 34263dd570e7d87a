import { html } from "htm/preact";
import { useEffect, useState } from "preact/hooks";
import { Notice } from "../shared/notice.js";
import { texts } from "../shared/texts.js";
import { Board } from "./board.js";
import { BREATH } from "./ceremony.js";
import { Brief, Difference } from "./difference.js";
import { lengthOf, nameOf, scoreOf } from "./names.js";
import { Podium } from "./podium.js";

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
