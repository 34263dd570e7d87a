import { html } from "htm/preact";
import { Icon } from "../shared/icon.js";
import { Symbol } from "../shared/symbol.js";
import { texts } from "../shared/texts.js";

const NEW = { target: "_blank", rel: "noopener" };

// The four ways in. Each opens beside this page, which stays for the others.
export function Doors({ demo }) {
  const words = texts.demo.doors;
  return html`<div class="doors">
    <${Door} name="player" symbol="heart" words=${words.player}>
      <a class="as-button action" href="/demo/player" ...${NEW}><${Icon} name="envelope" />${words.player.open}</a>
      <a class="as-button secondary" href="/demo/result" ...${NEW}><${Icon} name="list" />${words.player.result}</a>
    <//>
    <${Door} name="desk" symbol="drop" words=${words.desk}>
      ${demo && !demo.desk
        ? html`<p class="door-shut">${words.desk.elsewhere(demo.here)}</p>`
        : html`<a class="as-button action" href="/demo?desk=open" target="_blank" rel="opener"><${Icon} name="people" />${words.desk.open}</a>
            <p class="door-note">${words.desk.note}</p>`}
    <//>
    <${Door} name="screen" symbol="clover" words=${words.screen}>
      <a class="as-button action" href="/demo/ceremony" ...${NEW}><${Icon} name="trophy" />${words.screen.ceremony}</a>
      <a class="as-button secondary" href="/demo/screen" ...${NEW}><${Icon} name="clock" />${words.screen.countdown}</a>
    <//>
    <${Door} name="practice" symbol="sun" words=${words.practice}>
      <a class="as-button action" href="/practice" ...${NEW}><${Icon} name="camera" />${words.practice.open}</a>
      <p class="door-note">${words.practice.note}</p>
    <//>
  </div>`;
}

function Door({ name, symbol, words, children }) {
  return html`<section class=${`door door-${name}`} aria-labelledby=${`door-${name}`}>
    <h2 id=${`door-${name}`}><span class="door-sign"><${Symbol} name=${symbol} /></span>${words.title}</h2>
    <p>${words.text}</p>
    <ul class="tips">
      ${words.tries.map((line) => html`<li>${line}</li>`)}
    </ul>
    <div class="door-ways">${children}</div>
  </section>`;
}
