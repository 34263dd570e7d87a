import { html } from "htm/preact";
import { useState } from "preact/hooks";
import { ask } from "../shared/ask.js";
import { Dialog } from "../shared/dialog.js";
import { Notice } from "../shared/notice.js";
import { say } from "../shared/said.js";
import { texts } from "../shared/texts.js";
import { Field } from "./fields.js";
import { useSending } from "./sending.js";
import { SHORTEST } from "./sign-in.js";

// Another password for all organisers.
export function ChangePassword({ onClose }) {
  const words = texts.desk.account;
  const [asked, setAsked] = useState(false);
  const [given, setGiven] = useState({ old: "", new: "" });
  const { send, busy, problem } = useSending();
  const short = given.new.length < SHORTEST;
  const submit = async (event) => {
    event.preventDefault();
    setAsked(true);
    if (short || !given.old) return;
    if (await send(() => ask("/api/v1/session/password", { method: "POST", body: given }))) {
      say(words.changed);
      onClose();
    }
  };
  const field = (name, label, wrong, complete, hint) => html`<${Field} label=${label} hint=${hint} wrong=${asked && wrong}>
    ${(more) => html`<input
      ...${more}
      type="password"
      autocomplete=${complete}
      value=${given[name]}
      onInput=${({ currentTarget }) => setGiven((before) => ({ ...before, [name]: currentTarget.value }))}
    />`}
  <//>`;
  return html`<${Dialog} title=${words.password} onClose=${onClose}>
    <form onSubmit=${submit} novalidate>
      <p>${words.passwordNote}</p>
      ${field("old", words.old, !given.old && texts.desk.signIn.missing, "current-password")}
      ${field("new", words.new, short && texts.desk.signIn.short(SHORTEST), "new-password", texts.desk.signIn.passwordHint(SHORTEST))}
      ${problem && html`<${Notice} problem=${problem} small />`}
      <div class="dialog-actions">
        <button type="button" class="secondary" onClick=${onClose}>${texts.cancel}</button>
        <button aria-busy=${busy ? "true" : undefined}>${words.change}</button>
      </div>
    </form>
  <//>`;
}
