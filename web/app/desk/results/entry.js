import { html } from "htm/preact";
import { Link } from "../../shared/router.js";
import { texts } from "../../shared/texts.js";
import { moment } from "../../shared/times.js";
import { kindOf } from "../queue/words.js";
import { differences } from "./values.js";

// One change: when, who, what of what, why, and what was before and after.
export function Entry({ entry, game, editions }) {
  const words = texts.audit;
  const changes = differences(entry.before, entry.after, game, editions);
  return html`<li class=${`entry entry-${entry.role}`}>
    <p class="entry-head">
      <time datetime=${entry.at}>${moment(entry.at, game.timezone)}</time>
      <b class="entry-who">${who(entry)}</b>
    </p>
    <p class="entry-what"><strong>${words.actions[entry.action] ?? entry.action}</strong> ${subject(entry, game)}</p>
    ${entry.reason && html`<p class="entry-why"><q>${(entry.role === "server" && words.reasons[entry.reason]) || entry.reason}</q></p>`}
    ${changes.length > 0 && short(changes) && html`<p class="entry-short">${changes.map(([name, before, after]) => html`<span>${name}: ${entry.before && html`${before} → `}${after}</span>`)}</p>`}
    ${changes.length > 0 &&
    !short(changes) &&
    html`<details>
      <summary>${words.changes(changes.length)}</summary>
      <table class="entry-changes">
        <thead><tr><th></th><th scope="col">${words.before}</th><th scope="col">${words.after}</th></tr></thead>
        <tbody>
          ${changes.map(
            ([name, before, after]) => html`<tr>
              <th scope="row">${name}</th>
              <td>${before}</td>
              <td>${after}</td>
            </tr>`,
          )}
        </tbody>
      </table>
    </details>`}
  </li>`;
}

// Few and short changes stand at once; longer ones are opened.
const short = (changes) => changes.length <= 3 && changes.every((change) => change.join("").length < 60);

function who({ role, who: name }) {
  if (role === "server") return texts.audit.server;
  return role === "player" ? texts.audit.player(name.replace(/\D/g, "")) : name;
}

// Of what: an envelope, a picture, a version, or an item of the queue, which opens there.
function subject({ subject: of, action }, game) {
  const words = texts.audit.subjects;
  if (!of) return "";
  const [, kind, number] = /^(envelope|run|version|photo|game) (.+)$/.exec(of) ?? [];
  if (kind === "photo") return html`<span title=${number}>${words.photo(number.slice(0, 6))}</span>`;
  if (kind) return words[kind](number);
  const [count] = /^\d+(?= photographs$)/.exec(of) ?? [];
  if (count) return words.photos(count);
  if (!["settle", "take-back"].includes(action)) return of;
  return html`<${Link} href=${`/desk/games/${game.id}/queue/doubts/${encodeURIComponent(of)}`}>${words.item(texts.queue.kinds[kindOf(of)] ?? of)}<//>`;
}
