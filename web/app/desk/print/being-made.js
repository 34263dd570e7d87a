import { html } from "htm/preact";
import { useEffect, useState } from "preact/hooks";
import { ask } from "../../shared/ask.js";
import { texts } from "../../shared/texts.js";
import { leftOf, onLeft } from "./left.js";
import { Made } from "./made.js";

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
