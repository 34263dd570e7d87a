import { html } from "htm/preact";
import { useRef, useState } from "preact/hooks";
import { ask, freshKey } from "../../shared/ask.js";
import { useFetched } from "../../shared/fetched.js";
import { Notice, Skeleton } from "../../shared/notice.js";
import { Link, go } from "../../shared/router.js";
import { View } from "../../shared/view.js";
import { language, texts } from "../../shared/texts.js";
import { useSending } from "../sending.js";
import { GameForm } from "./form.js";
import { begun, mistakes, sent } from "./values.js";
import { focusWrong } from "./wrong.js";

let kept = null; // what was typed, for somebody who looks at something else meanwhile

// The form for a new game.
export default function NewGame() {
  const { data, problem, again } = useFetched((signal) => ask(`/api/v1/editions?language=${language()}`, { signal }), "editions");
  return html`<${View} name="new-game" title=${texts.games.form.newTitle} lead=${texts.games.form.newLead}>
    ${problem && !data && html`<${Notice} problem=${problem} onAgain=${again} />`}
    ${!data && !problem && html`<${Skeleton} rows=${5} />`}
    ${data && html`<${Form} editions=${data.editions} />`}
  <//>`;
}

function Form({ editions }) {
  const [values, setValues] = useState(() => kept ?? begun(editions, language()));
  const [asked, setAsked] = useState(false);
  const { send, busy, problem } = useSending();
  const key = useRef(freshKey());
  const wrong = mistakes(values, editions.find(({ slug }) => slug === values.edition));
  const submit = async (event) => {
    event.preventDefault();
    setAsked(true);
    if (Object.keys(wrong).length) return focusWrong(event.currentTarget);
    await send(async () => {
      const game = await ask("/api/v1/games", { method: "POST", body: sent(values), key: key.current });
      kept = null;
      go(`/desk/games/${game.id}`);
    });
  };
  const set = (changes) => {
    // Another game than the one that may have been made already, had its answer been lost.
    key.current = freshKey();
    setValues((before) => (kept = { ...before, ...changes }));
  };
  return html`<form onSubmit=${submit} novalidate>
    <${GameForm} values=${values} set=${set} wrong=${asked ? wrong : {}} editions=${editions} may=${() => true} />
    ${problem && html`<${Notice} problem=${problem} small />`}
    <div class="form-foot">
      <button class="action" aria-busy=${busy ? "true" : undefined}>${texts.games.form.create}</button>
      <${Link} href="/desk">${texts.cancel}<//>
    </div>
  </form>`;
}
