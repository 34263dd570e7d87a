import { html } from "htm/preact";
import { Notice } from "../../shared/notice.js";
import { texts } from "../../shared/texts.js";
import { outbox } from "../outbox/outbox.js";

// What the same file meets however often it is sent.
const OF_THE_FILE = ["not-a-picture", "too-many-bytes", "too-many-pixels", "several-pages", "truncated", "empty"];

// What the server did not take, and what to do about it.
export function Refused({ items, onLook }) {
  const drop = (item) => {
    outbox.drop(item.id);
    onLook();
  };
  return items
    .filter(({ state }) => state === "refused")
    .map(
      (item) => html`<${Notice} key=${item.id} problem=${item.problem}>
        <div class="pair">
          ${item.kind === "confirm"
            ? html`<button type="button" onClick=${() => drop(item)}>${texts.deck.lookAgain}</button>`
            : html`<button type="button" class=${hopeless(item) ? "" : "secondary"} onClick=${() => drop(item)}>${texts.deck.dropItem[item.kind]}</button>
                <button type="button" class=${hopeless(item) ? "secondary" : ""} onClick=${() => outbox.retry(item.id)}>${texts.again}</button>`}
        </div>
      <//>`,
    );
}

const hopeless = ({ problem }) => OF_THE_FILE.includes(problem.slug);
