import { html } from "htm/preact";
import { useEffect, useState } from "preact/hooks";
import { ask } from "../../shared/ask.js";
import { texts } from "../../shared/texts.js";
import { Made } from "./made.js";

// What was begun before this page was opened, here or by another organiser: it can be followed and cancelled.
export function BeingMade({ game }) {
  const [jobs, setJobs] = useState([]);
  useEffect(() => {
    const run = new AbortController();
    const begun = ({ state }) => state === "waiting" || state === "working";
    // Where nothing comes, the file is asked for again by its button: the server knows that it is the same.
    ask(`/api/v1/games/${game.id}/prints`, { signal: run.signal }).then(({ prints }) => setJobs(prints.filter(begun)), () => {});
    return () => run.abort();
  }, [game.id]);
  if (!jobs.length) return null;
  return html`<section class="panel being-made" aria-label=${texts.print.made.title}>
    <h2>${texts.print.made.title}</h2>
    <ul>
      ${jobs.map(
        (job) => html`<li key=${job.id}>
          <b>${job.name}</b>
          <${Made} game=${game} found=${job} title=${job.name} onCancelled=${() => setJobs((before) => before.filter(({ id }) => id !== job.id))} />
        </li>`,
      )}
    </ul>
  </section>`;
}
