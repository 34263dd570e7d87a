import { html } from "htm/preact";
import { Icon } from "../shared/icon.js";
import { texts } from "../shared/texts.js";

const ALL = ["many-colours", "pink-and-red", "dropped", "a-bit-dark"];
const FILES = ["sheets", "labels"];

// Pictures of decks that nobody has handed in, and the printed pages, to take for a phone's job.
export function Pictures({ demo }) {
  const words = texts.demo.pictures;
  const there = new Map((demo?.samples ?? []).map((sample) => [sample.name, sample]));
  return html`<section class="samples" aria-labelledby="demo-pictures">
    <h2 id="demo-pictures">${words.title}</h2>
    <p>${words.lead}</p>
    <ul class=${`strip ${there.size ? "" : "strip-coming"}`}>
      ${ALL.map((name) => html`<li key=${name}>${there.has(name) ? html`<${Sample} sample=${there.get(name)} words=${words} />` : html`<${Coming} name=${name} words=${words} />`}</li>`)}
    </ul>
    <h3>${words.print}</h3>
    <ul class="demo-files">
      ${FILES.map((name) => html`<li><a class="download" href=${`/demo/print/${name}.pdf`} download><${Icon} name="download" /><span>${words.files[name]}</span><small>PDF</small></a></li>`)}
    </ul>
  </section>`;
}

function Sample({ sample, words }) {
  const title = words.samples[sample.name];
  return html`<a class="sample" href=${sample.url} download=${`${sample.name}.jpg`}>
    <img src=${sample.thumbnail} width=${sample.width} height=${sample.height} alt="" decoding="async" />
    <span><b>${title}</b>${words.cards(sample.cards)}<em><${Icon} name="download" />${words.take}</em></span>
  </a>`;
}

// Stands in its place until it has been taken.
function Coming({ name, words }) {
  return html`<div class="sample sample-coming">
    <i></i>
    <span><b>${words.samples[name]}</b>${words.coming}<em>\u00a0</em></span>
  </div>`;
}
