import { html } from "htm/preact";
import { useEffect, useState } from "preact/hooks";
import { ask } from "../../shared/ask.js";
import { useFetched } from "../../shared/fetched.js";
import { Notice, Skeleton } from "../../shared/notice.js";
import { go } from "../../shared/router.js";
import { say } from "../../shared/said.js";
import { View } from "../../shared/view.js";
import { language, texts } from "../../shared/texts.js";
import { Field } from "../fields.js";
import { useSending } from "../sending.js";
import { DeleteGame } from "./delete-game.js";
import { GameForm } from "./form.js";
import { useMerged } from "./merged.js";
import { told } from "./told.js";
import { ACTS, different, held, mistakes, sent } from "./values.js";
import { focusWrong } from "./wrong.js";

const CORRECTED = ["edit_rules", "edit_settings"];

// A game's settings, as far as its state lets them change.
export default function EditGame({ game, again }) {
  const { data, problem, again: retry } = useFetched((signal) => ask(`/api/v1/editions?language=${language()}`, { signal }), "editions");
  return html`<${View} name="settings" title=${texts.desk.tabs.settings} lead=${texts.games.form.editLead[game.state]}>
    ${problem && !data && html`<${Notice} problem=${problem} onAgain=${retry} />`}
    ${!data && !problem && html`<${Skeleton} rows=${5} />`}
    ${data && html`<${Form} game=${game} again=${again} editions=${data.editions} />`}
  <//>`;
}

function Form({ game, again, editions }) {
  const words = texts.games.form;
  const form = useMerged(held(game), game.id);
  const { values, base } = form;
  const [asked, setAsked] = useState(false);
  const [reason, setReason] = useState("");
  const [deleting, setDeleting] = useState(false);
  const { send, busy, problem } = useSending();
  const correcting = game.allowed.includes("correct");
  const may = (act) => game.allowed.includes(act) || (correcting && CORRECTED.includes(act));
  const edition = editions.find(({ slug }) => slug === values.edition);
  const wrong = mistakes(values, edition, base);
  const changed = different(values, base);
  const needsWhy = correcting && changed.some((name) => CORRECTED.includes(ACTS[name]));
  if (needsWhy && !reason.trim()) wrong.reason = texts.desk.confirm.whyMissing;
  useLeave(changed.length > 0);
  const submit = async (event) => {
    event.preventDefault();
    setAsked(true);
    if (Object.keys(wrong).length) return focusWrong(event.currentTarget);
    const body = { ...sent(values, base), ...(needsWhy && { reason: reason.trim() }) };
    const done = await send(() => ask(`/api/v1/games/${game.id}`, { method: "PATCH", body, revision: game.revision }));
    again();
    if (!done) return;
    setAsked(false);
    setReason("");
    say(words.saved);
  };
  return html`<form onSubmit=${submit} novalidate>
    ${form.theirs.length > 0 && html`<${Theirs} form=${form} now=${held(game)} edition=${edition} />`}
    <${GameForm} values=${values} set=${form.set} wrong=${asked ? wrong : {}} editions=${editions} may=${may} />
    ${needsWhy &&
    html`<${Field} label=${texts.desk.confirm.why} hint=${words.reasonHint} wrong=${asked && wrong.reason}>
      ${(more) => html`<input ...${more} value=${reason} maxlength="500" onInput=${(event) => setReason(event.currentTarget.value)} />`}
    <//>`}
    ${problem && html`<${Notice} problem=${problem} small />`}
    <div class=${changed.length ? "form-foot form-foot-changed" : "form-foot"}>
      <button class="action" disabled=${!changed.length} aria-busy=${busy ? "true" : undefined}>${words.save}</button>
      <span role="status">${changed.length ? words.unsaved(changed.map((name) => words.short[name])) : words.nothing}</span>
      ${changed.length > 0 && html`<button type="button" class="plain" onClick=${() => form.set(base)}>${words.reset}</button>`}
    </div>
    ${game.allowed.includes("delete") &&
    html`<section class="panel form-part form-delete">
      <h2>${words.deleteTitle}</h2>
      <p>${words.deleteText}</p>
      <div class="row-actions"><button type="button" class="danger" onClick=${() => setDeleting(true)}>${texts.games.list.delete}</button></div>
    </section>`}
    ${deleting && html`<${DeleteGame} game=${game} onClose=${() => setDeleting(false)} onGone=${() => go("/desk")} />`}
  </form>`;
}

// What somebody else has changed while one was typing something else there.
function Theirs({ form, now, edition }) {
  const words = texts.games.form;
  return html`<div class="notice theirs" role="alert">
    <h2>${words.theirs}</h2>
    <p>${words.theirsText}</p>
    <ul>
      ${form.theirs.map(
        (name) => html`<li key=${name}>
          <b>${words.short[name]}</b>: ${words.theirValue(told(name, now, edition), told(name, form.values, edition))}
          <div class="row-actions">
            <button type="button" class="secondary" onClick=${() => form.take(name)}>${words.take}</button>
            <button type="button" class="secondary" onClick=${() => form.keep(name)}>${words.keep}</button>
          </div>
        </li>`,
      )}
    </ul>
  </div>`;
}

// Have the browser ask before a page with something unsaved is closed.
function useLeave(changed) {
  useEffect(() => {
    if (!changed) return undefined;
    const stop = (event) => event.preventDefault();
    addEventListener("beforeunload", stop);
    return () => removeEventListener("beforeunload", stop);
  }, [changed]);
}
