import { html } from "htm/preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { ask } from "../../shared/http.js";
import { texts } from "../../shared/i18n.js";
import { Icon } from "../../shared/icon.js";
import { Notice, say } from "../../shared/notices.js";
import { useSending } from "../forms.js";
import { whyNot } from "./print-options.js";

// What was begun before this page was opened, here or by another organiser: it can be followed and cancelled. What was
// begun in this tab, and left since, is saved as well.
export function BeingMade({ game }) {
  const [jobs, setJobs] = useState([]);
  useEffect(() => {
    const run = new AbortController();
    const add = (more) => setJobs((before) => [...before, ...more.filter(({ job }) => !before.some((other) => other.job.id === job.id))]);
    setJobs(leftOf(game.id));
    const deaf = onLeft((print) => print.game === game.id && add([print]));
    const begun = ({ state }) => state === "waiting" || state === "working";
    // Where nothing comes, the file is asked for again by its button: the server knows that it is the same.
    ask(`/api/v1/games/${game.id}/prints`, { signal: run.signal }).then(({ prints }) => add(prints.filter(begun).map((job) => ({ job }))), () => {});
    return () => {
      deaf();
      run.abort();
    };
  }, [game.id]);
  if (!jobs.length) return null;
  return html`<section class="panel being-made" aria-label=${texts.print.made.title}>
    <h2>${texts.print.made.title}</h2>
    <ul>
      ${jobs.map(
        ({ job, ours }) => html`<li key=${job.id}>
          <b>${job.name}</b>
          <${Made} game=${game} found=${job} ours=${ours} title=${job.name} onCancelled=${() => setJobs((before) => before.filter((other) => other.job.id !== job.id))} />
        </li>`,
      )}
    </ul>
  </section>`;
}

const PAUSE = 1000; // milliseconds between two looks at how far it is

// A file that takes long: the server makes it beside its other work and says how far it is. `body` is what is wanted, or
// `found` what is being made already; `ours` says that this tab has begun that, and saves it. `about` as for Download.
export function Made({ game, run, body, found = null, ours = !found, title, about, onCancelled = () => {}, icon = "download", plain = false }) {
  const [job, setJob] = useState(found);
  const [lost, setLost] = useState(null);
  const { send, busy, problem } = useSending();
  const link = useRef(null);
  const unsaved = useRef(null);
  const shown = useRef(true);
  const words = texts.print.made;
  const wish = JSON.stringify(body);
  const address = job && `/api/v1/games/${game.id}/prints/${job.id}`;
  const begun = job?.state === "waiting" || job?.state === "working";
  unsaved.current = begun && ours ? job : null;
  useEffect(() => {
    shown.current = true;
    return () => {
      shown.current = false;
      if (unsaved.current) leave(game.id, unsaved.current);
    };
  }, []);
  useEffect(() => setJob(found), [wish]);
  useEffect(() => {
    if (!begun) return undefined;
    const watch = new AbortController();
    const clock = setTimeout(async () => {
      try {
        const now = await ask(address, { signal: watch.signal });
        setJob(now);
        if (now.state === "done") say(words.ready(title));
      } catch (error) {
        if (watch.signal.aborted) return;
        if (error.passing) setJob({ ...job });
        else gone(error);
      }
    }, PAUSE);
    return () => {
      clearTimeout(clock);
      watch.abort();
    };
  }, [job]);
  useEffect(() => {
    if (!job || begun) return;
    settled(job.id);
    if (job.state !== "done" || !ours) return;
    // Whoever has asked for it here has waited for nothing else.
    if (!found) link.current?.focus();
    link.current?.click();
  }, [job?.state]);
  const gone = (error) => {
    settled(job.id);
    setJob(null);
    setLost(error);
  };
  const start = () => {
    setLost(null);
    return send(async () => {
      const fresh = await ask(`/api/v1/games/${game.id}/runs/${run.number}/prints`, { method: "POST", body });
      if (shown.current) setJob(fresh);
      else leave(game.id, fresh);
    });
  };
  const cancel = () => {
    settled(job.id);
    unsaved.current = null;
    setJob(null);
    ask(address, { method: "DELETE" }).catch(() => {}); // gone already, or it goes with its time
    onCancelled();
  };
  const kind = plain ? "secondary" : "";
  const of = about && html`<span class="unseen">${about}</span>`;
  if (job?.state === "done")
    return html`<a ref=${link} class=${`as-button ${kind}`} href=${`${address}/file`} download><${Icon} name="download" /> ${words.file(title, job.bytes)}${of}</a>`;
  if (begun)
    return html`<div class="made">
      <progress max=${job.of || 1} value=${job.of ? job.done : undefined} aria-label=${title}></progress>
      <span>${!found && html`${title}: `}${job.of ? words.at(job.done, job.of) : job.state === "working" ? words.begun : words.waiting}</span>
      <button type="button" class="secondary" aria-label=${[texts.cancel, title, about].filter(Boolean).join(", ")} onClick=${cancel}>${texts.cancel}</button>
    </div>`;
  return html`${body && html`<button type="button" class=${kind} aria-busy=${busy ? "true" : undefined} onClick=${start}><${Icon} name=${icon} /> ${title}${of}</button>`}
    ${(problem || lost) && html`<${Notice} problem=${problem ?? lost} small />`}
    ${job?.state === "failed" && html`<p class="field-wrong" role="alert">${words.failed} ${whyNot(job)}</p>`}`;
}

// Prints that were begun in this tab and are not saved yet, though their button has gone: a dialog was closed, or the page left.

const left = new Map(); // by id: { game, job, ours }
const listeners = new Set();

function leave(game, job) {
  const print = { game, job, ours: true };
  left.set(job.id, print);
  for (const hear of listeners) hear(print);
}

// It has been saved, or it comes no more.
const settled = (id) => left.delete(id);

const leftOf = (game) => [...left.values()].filter((print) => print.game === game);

// Hear of each that is left from now on; returns what ends it.
function onLeft(hear) {
  listeners.add(hear);
  return () => listeners.delete(hear);
}
