import { html } from "htm/preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { ask } from "../../shared/ask.js";
import { Icon } from "../../shared/icon.js";
import { Notice } from "../../shared/notice.js";
import { say } from "../../shared/said.js";
import { texts } from "../../shared/texts.js";
import { useSending } from "../sending.js";
import { whyNot } from "./choices.js";
import { leave, settled } from "./left.js";

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
