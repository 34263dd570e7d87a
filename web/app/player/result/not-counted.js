import { html } from "htm/preact";
import { texts } from "../../shared/texts.js";

// Where the count differs from the list that the player confirmed: by kind, what is missing and what came on top.
export function NotCounted({ own, listed }) {
  if (!listed) return null;
  const counted = new Map(own.map(({ kind, count }) => [kind, count]));
  const wanted = new Map(listed.map(({ kind, count }) => [kind, count]));
  const more = (kinds, than) => kinds.map((kind) => ({ ...kind, count: kind.count - (than.get(kind.kind) ?? 0) })).filter(({ count }) => count > 0);
  const missing = more(listed, counted);
  const extra = more(own, wanted);
  const words = texts.result;
  if (!missing.length && !extra.length) return html`<p class="list-note">${words.asListed}</p>`;
  const named = (kinds) => kinds.map(({ name, count }) => `${count} × ${name}`).join(", ");
  return html`<div class="notice notice-small not-counted">
    <strong>${words.differs}</strong>
    ${missing.length > 0 && html`<p>${words.missing} ${named(missing)}</p>`}
    ${extra.length > 0 && html`<p>${words.extra} ${named(extra)}</p>`}
    <p>${words.askWhy}</p>
  </div>`;
}
