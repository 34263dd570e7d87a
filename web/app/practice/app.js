import { html } from "htm/preact";
import { useEffect, useState } from "preact/hooks";
import { fetchGame } from "./api.js";
import { texts } from "../shared/texts.js";
import { Deck } from "./deck.js";
import { Masthead } from "../shared/masthead.js";
import { Footer } from "./footer.js";

// The whole page: it opens the game, then hands over to the deck.
export function App({ edition, home, envelope }) {
  const [game, setGame] = useState(null);
  const [problem, setProblem] = useState(null);
  const open = () => {
    setProblem(null);
    fetchGame().then(setGame, setProblem);
  };
  useEffect(open, []);

  return html`
    <${Masthead} edition=${edition} home=${home} envelope=${envelope} />
    <main>
      ${game && html`<${Deck} game=${game} />`}
      ${problem &&
      html`<section class="notice" role="alert">
        <h1>${problem.title}</h1>
        <p>${problem.detail}</p>
        <button onClick=${open}>${texts.again}</button>
      </section>`}
      ${!game && !problem && html`<div class="skeleton" aria-busy="true" aria-label=${texts.loading}></div>`}
    </main>
    ${game && html`<${Footer} />`}
  `;
}
