import { html } from "htm/preact";
import { texts } from "../../shared/texts.js";
import { Tick } from "../fields.js";

// Which rules count, as a list to tick. `chosen` are their keys, null for all. The list is folded: organisers who play
// themselves do not want to read it.
export function Rules({ edition, players, chosen, disabled, wrong, onChange }) {
  const words = texts.games.rules;
  const keys = edition.rules.map(({ key }) => key);
  const counted = new Set(chosen ?? keys);
  const put = (wanted) => onChange(wanted.length === keys.length ? null : wanted);
  const dealt = Math.min(keys.length, edition.rule_cards * players || 0);
  const toggle = (key) => put(keys.filter((other) => (other === key ? !counted.has(key) : counted.has(other))));
  const lostWorth = edition.rules.filter(({ key, worth }) => worth && !counted.has(key));
  return html`<div class="rules">
    <p class="rules-count"><b>${words.count(counted.size, keys.length)}</b></p>
    ${wrong && html`<p class="field-wrong">${wrong}</p>`}
    <div class="row-actions">
      <button type="button" class="secondary" disabled=${disabled} onClick=${() => put(keys)}>${words.all}</button>
      ${dealt > 0 && dealt < keys.length && html`<button type="button" class="secondary" disabled=${disabled} onClick=${() => put(keys.slice(0, dealt))}>${words.dealt(dealt)}</button>`}
      <button type="button" class="secondary" disabled=${disabled} onClick=${() => onChange([])}>${words.none}</button>
    </div>
    ${lostWorth.length > 0 && html`<p class="field-hint"><b>${words.noWorth(lostWorth.map(({ key }) => key))}</b></p>`}
    ${disabled && html`<p class="field-hint">${words.fixed}</p>`}
    <details class="rules-list">
      <summary>${words.show}</summary>
      <p class="field-hint">${words.secret}</p>
      <div class="rules-ticks">
        ${edition.rules.map(
          ({ key, name, worth }) => html`<${Tick}
            key=${key}
            label=${html`<b>${key}</b> ${name}`}
            text=${worth && words.worth}
            checked=${counted.has(key)}
            disabled=${disabled}
            onChange=${() => toggle(key)}
          />`,
        )}
      </div>
    </details>
  </div>`;
}
