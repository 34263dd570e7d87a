import { html } from "htm/preact";
import { texts } from "../../shared/texts.js";
import { ScreenLink } from "../screen-link.js";

// The big screen. Whoever has its link sees the countdown, and the results once they are published.
export function Screen({ game }) {
  const words = texts.games.screen;
  return html`<section class="panel" aria-labelledby="screen-title">
    <h2 id="screen-title">${words.title}</h2>
    <p>${words.text}</p>
    <${ScreenLink} game=${game} quiet />
  </section>`;
}
