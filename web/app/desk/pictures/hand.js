import { html } from "htm/preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { Icon } from "../../shared/icon.js";
import { Notice } from "../../shared/notice.js";
import { say } from "../../shared/said.js";
import { texts } from "../../shared/texts.js";
import { envelopeText } from "../queue/words.js";
import { toEach } from "./acts.js";

const REASONED = new Set(["assign", "ignore", "delete"]);

// What is done with the chosen pictures: a bar at the foot of the page, and a small form for what the act has to know.
export function Hand({ game, photos, envelopes, act, typed, onAct, onDone, onNone, again }) {
  const words = texts.pictures.hand;
  const [envelope, setEnvelope] = useState(typed ?? "");
  const [reason, setReason] = useState("");
  const [done, setDone] = useState(null);
  const [problems, setProblems] = useState([]);
  const form = useRef(null);
  // Before the next key comes, however slow the machine: it belongs into the field, and the form has to be whole for Enter.
  useLayoutEffect(() => {
    if (typed !== null) setEnvelope(typed);
  }, [typed]);
  useLayoutEffect(() => {
    if (!act) return;
    setReason(words.reasons[act] ?? "");
    setProblems([]);
    const field = form.current?.querySelector("input, button");
    field?.focus();
    if (field?.name === "envelope") field.setSelectionRange(field.value.length, field.value.length);
  }, [act, typed]);

  const send = async (event) => {
    event.preventDefault();
    if (done !== null) return;
    setDone(0);
    const body = { envelope: Number(envelope), reason: reason.trim() };
    const wrong = await toEach(game.id, photos, act, body, () => setDone((before) => before + 1));
    setDone(null);
    again();
    if (wrong.length) {
      setProblems(wrong);
      return;
    }
    say(words.said[act](photos.length, envelope));
    onDone();
  };
  const seat = envelopes.find(({ number }) => String(number) === envelope);
  return html`<section class="hand-bar" aria-label=${words.title(photos.length)}>
    <div class="hand-acts">
      <strong>${words.title(photos.length)}</strong>
      ${["assign", "ignore", "scan", "delete"].map(
        (name) => html`<button type="button" class="secondary" aria-pressed=${act === name ? "true" : "false"} onClick=${() => onAct(act === name ? null : name)}>${words.acts[name]}</button>`,
      )}
      <button type="button" class="bare" aria-label=${words.none} onClick=${onNone}><${Icon} name="close" /></button>
    </div>
    ${act &&
    html`<form ref=${form} onSubmit=${send} onKeyDown=${(event) => event.key === "Escape" && (event.stopPropagation(), onAct(null))}>
      ${act === "assign" &&
      html`<label>${texts.queue.envelope}
        <input name="envelope" type="text" inputmode="numeric" pattern="[0-9]+" maxlength="7" required autocomplete="off" value=${envelope} onInput=${(event) => setEnvelope(event.currentTarget.value)} />
        <small aria-live="polite">${envelope ? (seat ? envelopeText(seat.number, seat.name) : words.noSuch) : words.type}</small>
      </label>`}
      ${REASONED.has(act) && html`<label>${texts.queue.reason}<input name="reason" required maxlength="1000" value=${reason} onInput=${(event) => setReason(event.currentTarget.value)} /></label>`}
      <button disabled=${done !== null || (act === "assign" && !seat)}>${done === null ? words.does[act](photos.length) : words.doing(done, photos.length)}</button>
    </form>`}
    ${problems.map(({ photo, problem }) => html`<${Notice} key=${photo.id} problem=${{ title: `${photo.name}: ${problem.title}`, detail: problem.detail }} small />`)}
  </section>`;
}
