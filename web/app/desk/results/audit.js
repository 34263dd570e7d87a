import { html } from "htm/preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { ask } from "../../shared/ask.js";
import { Notice, Skeleton } from "../../shared/notice.js";
import { useFetched } from "../../shared/fetched.js";
import { language, speak, texts } from "../../shared/texts.js";
import { View } from "../../shared/view.js";
import { useOn } from "../live.js";
import { Entry } from "./entry.js";

await speak("queue", "games");

const PAGE = 50;
const TYPING = 300; // milliseconds after the last key before the record is asked
const TOPICS = ["game", "envelopes", "photos", "queue", "results"];

// The record: who changed what, when and why; the newest first, and new ones as they come.
export default function Audit({ game }) {
  const [filter, setFilter] = useState({ action: "", envelope: "", who: "" });
  const { entries, more, problem, look, older } = useEntries(game.id, filter);
  // The names of what is in an edition: the record has their keys.
  const { data: names, problem: nameless } = useFetched((signal) => ask(`/api/v1/editions?language=${language()}`, { signal }), "editions");
  const ready = entries && (names || nameless);
  const words = texts.audit;
  const set = (name) => (event) => setFilter({ ...filter, [name]: event.currentTarget.value });
  const people = [...new Set((entries ?? []).map((entry) => entry.who))].sort();
  const actions = Object.entries(words.actions).sort(([, one], [, other]) => one.localeCompare(other));
  return html`<${View} name="audit" title=${texts.desk.tabs.audit} lead=${words.lead}>
    <form class="audit-filter" onSubmit=${(event) => event.preventDefault()}>
      <label>
        ${words.action}
        <select value=${filter.action} onChange=${set("action")}>
          <option value="">${words.all}</option>
          ${actions.map(([name, title]) => html`<option value=${name} selected=${name === filter.action}>${title}</option>`)}
        </select>
      </label>
      <label>${words.envelope}<input inputmode="numeric" pattern="[0-9]*" value=${filter.envelope} onInput=${set("envelope")} /></label>
      <label>${words.who}<input list="audit-people" value=${filter.who} onInput=${set("who")} autocomplete="off" /></label>
      <datalist id="audit-people">${people.map((name) => html`<option value=${name}></option>`)}</datalist>
      ${(filter.action || filter.envelope || filter.who) &&
      html`<button type="button" class="plain" onClick=${() => setFilter({ action: "", envelope: "", who: "" })}>${words.clear}</button>`}
    </form>
    ${problem && html`<${Notice} problem=${problem} onAgain=${look} />`} ${!ready && !problem && html`<${Skeleton} rows=${6} />`}
    ${entries?.length === 0 && html`<p>${words.none}</p>`}
    ${ready && entries.length > 0 && html`<ol class="audit">${entries.map((entry) => html`<${Entry} key=${entry.id} entry=${entry} game=${game} editions=${names?.editions} />`)}</ol>`}
    ${ready && more && html`<button type="button" class="secondary audit-more" onClick=${older}>${words.older}</button>`}
  <//>`;
}

// The entries that fit the filter, page by page.
function useEntries(game, filter) {
  const [state, setState] = useState({ entries: null, more: null, problem: null });
  const run = useRef(null);
  const page = (before, signal) => {
    const query = new URLSearchParams({ limit: PAGE });
    if (before) query.set("before", before);
    if (filter.action) query.set("action", filter.action);
    if (filter.envelope.trim()) query.set("subject", `envelope ${filter.envelope.trim()}`);
    if (filter.who.trim()) query.set("who", filter.who.trim());
    return ask(`/api/v1/games/${game}/audit?${query}`, { signal });
  };
  const asked = (before, take) => {
    run.current?.abort();
    const { signal } = (run.current = new AbortController());
    return page(before, signal).then(
      (told) => signal.aborted || setState((now) => ({ ...take(now, told), problem: null })),
      (problem) => signal.aborted || setState((now) => ({ ...now, problem })),
    );
  };
  const look = () => asked(null, (_, told) => ({ entries: told.entries, more: told.next }));
  // What is new goes on top; what was paged to stays.
  const fresh = () =>
    asked(null, (now, told) => {
      const last = told.entries.at(-1)?.id ?? 0;
      const rest = (now.entries ?? []).filter((entry) => entry.id < last);
      return { entries: [...told.entries, ...rest], more: rest.length ? now.more : told.next };
    });
  const older = () => asked(state.more, (now, told) => ({ entries: [...now.entries, ...told.entries], more: told.next }));
  const first = useRef(true);
  useEffect(() => {
    const clock = setTimeout(look, first.current ? 0 : TYPING);
    first.current = false;
    return () => clearTimeout(clock);
  }, [game, filter.action, filter.envelope, filter.who]);
  useEffect(() => () => run.current?.abort(), []);
  useOn(TOPICS, fresh);
  return { ...state, look, older };
}
