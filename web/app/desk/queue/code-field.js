import { html } from "htm/preact";
import { useEffect, useState } from "preact/hooks";
import { ask } from "../../shared/ask.js";
import { Symbol } from "../../shared/symbol.js";
import { texts } from "../../shared/texts.js";
import { cardText } from "./words.js";

const LENGTH = 5; // characters of a short code
const PAUSE = 120; // milliseconds after the last key
const bare = (text) => text.replace(/[\s.–-]/g, "");

// The field for the short code printed on a card. What is typed is looked up at once, so that a slip shows before it counts.
export function CodeField({ game, kinds, value, onInput, onCard, field }) {
  const [found, setFound] = useState(null);
  useEffect(() => {
    setFound(null);
    onCard?.(null);
    if (bare(value).length < LENGTH) return undefined;
    const run = new AbortController();
    const clock = setTimeout(() => {
      ask(`/api/v1/games/${game}/cards/${encodeURIComponent(value.trim())}`, { signal: run.signal }).then(
        (card) => {
          setFound({ card });
          onCard?.(card);
        },
        (problem) => run.signal.aborted || setFound({ problem }),
      );
    }, PAUSE);
    return () => {
      clearTimeout(clock);
      run.abort();
    };
  }, [value, game]);
  const short = value && bare(value).length < LENGTH;
  return html`<div class="code-field">
    <label>
      ${texts.queue.code.label}
      <input
        ref=${field}
        class="code-input"
        name="card"
        value=${value}
        onInput=${(event) => onInput(event.currentTarget.value)}
        autocomplete="off"
        autocapitalize="characters"
        spellcheck=${false}
        placeholder="0A-1F-X"
        aria-describedby="code-told"
        aria-invalid=${found?.problem ? "true" : found?.card ? "false" : undefined}
      />
    </label>
    <p id="code-told" class=${`code-told ${found?.problem ? "code-wrong" : ""}`} aria-live="polite">
      ${found?.card ? html`<${Card} card=${found.card} kind=${kinds?.get(found.card.kind)} />` : (found?.problem?.detail ?? (short ? texts.queue.code.more(LENGTH - bare(value).length) : texts.queue.code.hint))}
    </p>
  </div>`;
}

function Card({ card, kind }) {
  const where = card.envelope ? texts.queue.code.lies(card.envelope) : texts.queue.code.nowhere;
  return html`<span class="card-chip" style=${kind ? { "--ink": kind.ink, "--on": kind.on } : {}}>
      ${kind && html`<${Symbol} name=${kind.symbol} />`} ${cardText(card)}
    </span>
    ${" "}${where} ${texts.queue.code.dealt(card.dealt)}`;
}
