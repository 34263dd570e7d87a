import { html } from "htm/preact";
import { useState } from "preact/hooks";
import { Symbol } from "../../shared/symbol.js";
import { texts } from "../../shared/texts.js";

// All rules of the game with their wordings, to search by number or word.
export function Rules({ rules }) {
  const [wanted, setWanted] = useState("");
  const words = texts.result;
  const found = rules.filter((rule) => fits(rule, wanted.trim()));
  return html`<section class="rules" aria-labelledby="rules-title">
    <h2 id="rules-title">${words.rules}</h2>
    <input type="search" aria-label=${words.search} placeholder=${words.search} value=${wanted} onInput=${(event) => setWanted(event.currentTarget.value)} />
    <p class="field-help" role="status">${words.found(found.length, rules.length)}</p>
    <ul>
      ${found.map(
        (rule) => html`<li key=${rule.key} class=${rule.active ? "rule" : "rule rule-idle"}>
          <span class="line-badge"><${Symbol} name="seal" /><b aria-hidden="true">${rule.number ?? ""}</b></span>
          <div>
            <h3>${rule.number !== null && html`<small>${texts.lines.rule(rule.number)}</small>`} ${rule.name}</h3>
            <p>${rule.text}</p>
            ${!rule.active && html`<p class="rule-note">${words.idle}</p>`}
          </div>
        </li>`,
      )}
    </ul>
  </section>`;
}

// A number finds the rule of that number, words find all rules that have them.
function fits(rule, wanted) {
  if (!wanted) return true;
  if (/^\d+$/.test(wanted)) return String(rule.number) === wanted;
  return `${rule.name} ${rule.text}`.toLocaleLowerCase().includes(wanted.toLocaleLowerCase());
}
