import { html } from "htm/preact";
import { useEffect } from "preact/hooks";
import { ask } from "../shared/ask.js";
import { useFetched } from "../shared/fetched.js";
import { LanguageChoice } from "../shared/language-choice.js";
import { Masthead } from "../shared/masthead.js";
import { Notice } from "../shared/notice.js";
import { texts } from "../shared/texts.js";
import { Doors } from "./doors.js";
import { Hero } from "./hero.js";
import { Phone } from "./phone.js";
import { Pictures } from "./pictures.js";

const SOON = 1500; // milliseconds between looks while pictures are being made
const LATER = 8000;

// The demo's first page: what there is, and the doors to it. It follows what happens in the game.
export function App({ told }) {
  const { data, problem, again } = useFetched((signal) => ask("/api/v1/demo", { signal }), "demo");
  const busy = !data || data.pictures.made < data.pictures.all;
  useEffect(() => {
    const look = () => document.hidden || again();
    const clock = setInterval(look, busy ? SOON : LATER);
    document.addEventListener("visibilitychange", look);
    return () => {
      clearInterval(clock);
      document.removeEventListener("visibilitychange", look);
    };
  }, [busy, again]);

  const words = texts.demo;
  return html`
    <${Masthead} edition=${words.name} home="/demo" />
    <main class="demo">
      <${Hero} demo=${data} />
      ${words.told[told] && html`<p class="demo-told" role="status">${words.told[told]}</p>`}
      ${problem && html`<${Notice} problem=${problem} onAgain=${again} />`}
      <${Doors} demo=${data} />
      <${Pictures} demo=${data} />
      <${Phone} demo=${data} />
    </main>
    <footer class="foot">
      <p>${words.foot}</p>
      <${LanguageChoice} />
    </footer>
  `;
}
