import { html } from "htm/preact";
import { go } from "../../shared/router.js";
import { texts } from "../../shared/texts.js";

const STANDINGS = ["open", "ruled", "settled"];

// Which items are listed: by where they stand, and by kind. The choice stands in the address.
export function Filters({ game, data, standing, kind, onFilter }) {
  const filter = (next) => {
    const query = new URLSearchParams();
    const wanted = { standing, kind, ...next };
    if (wanted.standing !== "open") query.set("standing", wanted.standing);
    if (wanted.kind) query.set("kind", wanted.kind);
    go(`/desk/games/${game.id}/queue${query.size ? `?${query}` : ""}`, { replace: true });
    onFilter();
  };
  const open = Object.entries(data.kinds);
  return html`<div class="filters">
    <fieldset class="filter">
      <legend class="unseen">${texts.queue.standing}</legend>
      ${STANDINGS.map(
        (name) => html`<button type="button" class="chip" aria-pressed=${standing === name ? "true" : "false"} onClick=${() => filter({ standing: name, kind: "" })}>
          ${texts.queue.standings[name]} <b>${data[name]}</b>
        </button>`,
      )}
    </fieldset>
    ${standing === "open" &&
    open.length > 1 &&
    html`<fieldset class="filter">
      <legend class="unseen">${texts.queue.byKind}</legend>
      <button type="button" class="chip" aria-pressed=${kind ? "false" : "true"} onClick=${() => filter({ kind: "" })}>${texts.queue.allKinds}</button>
      ${open.map(
        ([name, count]) => html`<button type="button" class="chip" aria-pressed=${kind === name ? "true" : "false"} onClick=${() => filter({ kind: name })}>
          <span class="kind-dot" data-kind=${name} aria-hidden="true"></span>${texts.queue.kinds[name]} <b>${count}</b>
        </button>`,
      )}
    </fieldset>`}
  </div>`;
}
