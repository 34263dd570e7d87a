import { html } from "htm/preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { ask } from "../../shared/http.js";
import { texts } from "../../shared/i18n.js";
import { Notice, say } from "../../shared/notices.js";
import { useSteady } from "../live.js";
import { envelopeText } from "../review/issue-text.js";
import { useTarget } from "./board.js";

const HERE = "missing"; // as the address names this part of the page
const WHEN = ["queue", "photos", "envelopes", "game"]; // what may change of it

// The items about envelopes that nobody has seen, kept fresh.
export const useMissing = (game) =>
  useSteady(
    async (signal) => {
      const kinds = await Promise.all(["missing", "unseen"].map((kind) => ask(`/api/v1/games/${game}/queue?kind=${kind}&limit=1000`, { signal })));
      return kinds.flatMap(({ items }) => items);
    },
    game,
    WHEN,
  );

// Envelopes that were given out and that nobody has seen. Once the game is closed they can be called absent, many at once;
// the server gets one decision after the other. Pictures can be dropped on each: `onDropped` gets their ids and its number.
export function Missing({ game, envelopes, missing, photos, onDropped, again }) {
  const words = texts.pictures.missing;
  const [chosen, setChosen] = useState(() => new Set());
  const [reason, setReason] = useState(texts.queue.reasons.missing.absent);
  const [done, setDone] = useState(null);
  const [problem, setProblem] = useState(null);
  const panel = useRef(null);
  useEffect(() => {
    // Whoever was led here by "never seen" wants these, not the top of the page.
    if (location.hash !== `#${HERE}` || !panel.current) return;
    panel.current.open = true;
    panel.current.scrollIntoView({ block: "start" });
    panel.current.querySelector("summary").focus({ preventScroll: true });
  }, []);
  const seen = new Set(photos.flatMap((photo) => photo.envelopes));
  const items = new Map(missing.map((item) => [item.envelopes[0], item]));
  const closed = game.state !== "open";
  const missed = envelopes.filter(({ number, opened }) => opened && (closed ? items.has(number) : !seen.has(number)));
  if (!missed.length || !["open", "closed", "frozen", "published"].includes(game.state)) return null;
  const picked = missed.filter(({ number }) => chosen.has(number));
  const toggle = (number) => setChosen(new Set(chosen.has(number) ? [...chosen].filter((one) => one !== number) : [...chosen, number]));
  const all = picked.length === missed.length;

  const send = async (event) => {
    event.preventDefault();
    if (done !== null) return;
    setProblem(null);
    setDone(0);
    const absent = new Set();
    for (const { number } of picked) {
      const item = items.get(number);
      try {
        await ask(`/api/v1/games/${game.id}/queue/${encodeURIComponent(item.key)}/ruling`, { method: "PUT", body: { do: "absent", reason: reason.trim() }, revision: item.revision });
        absent.add(number);
        setDone(absent.size);
      } catch (error) {
        // One that somebody has settled meanwhile needs no decision any more; anything else stops the row.
        if (!["changed", "not-found"].includes(error.slug)) {
          setProblem(error);
          break;
        }
      }
    }
    setDone(null);
    setChosen(new Set([...chosen].filter((number) => !absent.has(number))));
    if (absent.size) say(words.said(absent.size));
    again();
  };
  return html`<details class="panel missing" id=${HERE} ref=${panel} open=${closed}>
    <summary><h2>${words.title(missed.length)}</h2></summary>
    <p>${closed ? words.lead : words.leadOpen}</p>
    <form onSubmit=${send}>
      <ul class="missing-list">
        ${missed.map(({ number, name, claimed }) =>
          closed
            ? html`<${Chip} key=${number} number=${number} onDropped=${onDropped}><label><input type="checkbox" checked=${chosen.has(number)} onChange=${() => toggle(number)} />${envelopeText(number, name)}${claimed ? html` <small>${words.claimed}</small>` : ""}</label><//>`
            : html`<${Chip} key=${number} number=${number} onDropped=${onDropped}>${envelopeText(number, name)}${claimed ? html` <small>${words.claimed}</small>` : ""}<//>`,
        )}
      </ul>
      ${closed &&
      html`<div class="missing-ends">
        <button type="button" class="secondary" onClick=${() => setChosen(new Set(all ? [] : missed.map(({ number }) => number)))}>${all ? words.chooseNone : words.chooseAll}</button>
        ${picked.length > 0 && html`<label>${texts.queue.reason}<input name="reason" required maxlength="1000" value=${reason} onInput=${(event) => setReason(event.currentTarget.value)} /></label>
          <button disabled=${done !== null}>${done === null ? words.absent(picked.length) : words.doing(done, picked.length)}</button>`}
      </div>`}
      ${problem && html`<${Notice} problem=${problem} small />`}
    </form>
  </details>`;
}

function Chip({ number, onDropped, children }) {
  const { over, on } = useTarget((ids) => onDropped(ids, number));
  return html`<li class=${over ? "group-over" : ""} data-envelope=${number} ...${on}>${children}</li>`;
}
