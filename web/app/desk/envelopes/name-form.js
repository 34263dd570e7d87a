import { html } from "htm/preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { Notice } from "../../shared/notice.js";
import { say } from "../../shared/said.js";
import { texts } from "../../shared/texts.js";
import { Field } from "../fields.js";
import { useSending } from "../sending.js";
import { change } from "./changes.js";

const COUNTED = ["frozen", "published"];

// The name on an envelope. If somebody else, or its player, changes it while one types, that is said and nothing is lost.
export function NameForm({ game, envelope, onChanged }) {
  const now = envelope.name ?? "";
  const [name, setName] = useState(now);
  const [reason, setReason] = useState("");
  const base = useRef(now);
  const { send, busy, problem } = useSending();
  const words = texts.envelopes.one;
  const changed = name.trim() !== base.current;
  const theirs = now !== base.current && changed && now !== name.trim();
  useEffect(() => {
    // What nobody has touched follows.
    if (now === base.current || changed) return;
    base.current = now;
    setName(now);
  }, [now]);
  const needsWhy = COUNTED.includes(game.state);
  const submit = async (event) => {
    event.preventDefault();
    if (!changed || (needsWhy && !reason.trim())) return;
    const wanted = name.trim();
    const done = await send(async () => {
      const told = await change(game, envelope.number, { name: wanted || null, ...(reason.trim() && { reason: reason.trim() }) });
      base.current = told.name ?? "";
      setName(base.current);
      onChanged(told);
    });
    if (done) say(words.named(envelope.number, wanted));
  };
  return html`<form class="name-form" onSubmit=${submit}>
    <${Field} label=${words.name} hint=${words.nameHint}>
      ${(more) => html`<input ...${more} value=${name} maxlength="200" autocomplete="off" onInput=${(event) => setName(event.currentTarget.value)} />`}
    <//>
    ${needsWhy &&
    changed &&
    html`<${Field} label=${texts.desk.confirm.why} hint=${texts.desk.confirm.whyHint}>
      ${(more) => html`<input ...${more} value=${reason} required maxlength="500" onInput=${(event) => setReason(event.currentTarget.value)} />`}
    <//>`}
    ${theirs && html`<p class="field-wrong" role="alert">${words.theirs(now || texts.envelopes.nameless)}</p>`}
    ${problem && html`<${Notice} problem=${problem} small />`}
    <button class="secondary" disabled=${!changed} aria-busy=${busy ? "true" : undefined}>${words.saveName}</button>
  </form>`;
}
