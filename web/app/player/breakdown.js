import { html } from "htm/preact";
import { Symbol } from "../shared/cards.js";
import { gain, texts } from "../shared/i18n.js";
import { Icon } from "../shared/icon.js";

// One line: who gave the points, how many, why; and behind it the wording of the rule. A void line stays, struck. Points
// that are not known are null, and a line without rule and kind tells of cards in its words.
export function Line({ line, rules, kinds }) {
  const kind = line.kind && kinds.get(line.kind);
  const key = line.rule ?? line.worth_rule;
  const rule = key && rules[key];
  const title = kind ? texts.lines.cards(kind.name) : line.rule ? rule?.name : texts.lines.plain;
  const opening = line.open && texts.lines.open;
  const struck = (text) => (line.void ? html`<s>${text}</s>` : text);
  const head = html`
    <span class="line-badge" style=${kind ? { "--ink": kind.ink, "--on": kind.on } : {}}>
      ${kind ? html`<${Symbol} name=${kind.symbol} />` : html`<${Symbol} name="seal" /><b aria-hidden="true">${line.rule}</b>`}
    </span>
    <span class="line-title">
      ${line.rule && !kind && html`<small>${texts.lines.rule(line.rule)}</small>`} ${title && struck(title)}
    </span>
    <span class="line-points">${line.points === null ? texts.lines.unknown : struck(gain(line.points))}</span>
    <span class="line-text">${line.text}</span>
    ${(line.void || line.organiser || opening) &&
    html`<span class="line-tags">
      ${line.void && html`<mark class="tag-void">${texts.lines.void(line.voided_by)}</mark>`}
      ${line.organiser && html`<mark class="tag-organiser">${texts.lines.organiser}</mark>`}
      ${opening && html`<mark class="tag-open">${opening}</mark>`}
    </span>`}
  `;
  const name = `line ${line.void ? "line-void" : ""} ${line.points === "0" || line.points === null ? "line-quiet" : ""}`;
  return html`<li class=${name} data-rule=${line.rule ?? ""} data-kind=${line.kind ?? ""}>
    ${rule
      ? html`<details>
          <summary>
            ${head}
            <span class="line-open">${texts.lines.wording}<${Icon} name="open" /></span>
          </summary>
          <blockquote>
            ${kind && html`<cite>${texts.lines.worth(key, rule.name)}</cite>`}
            <p>${rule.text}</p>
          </blockquote>
        </details>`
      : html`<div class="line-plain">${head}</div>`}
  </li>`;
}

// The deck by kind, with counts.
export function CardList({ cards, kinds }) {
  const held = [...kinds.values()].filter((kind) => cards[kind.slug]);
  if (!held.length) return null;
  return html`<section class="cards" aria-labelledby="cards-title">
    <h2 id="cards-title">${texts.cards.title}</h2>
    <ul>
      ${held.map(
        (kind) => html`<li class="kind" key=${kind.slug} data-kind=${kind.slug} style=${{ "--ink": kind.ink, "--on": kind.on }}>
          <span class="kind-symbol">
            ${kind.number ? html`<b aria-hidden="true">${kind.number}</b>` : html`<${Symbol} name=${kind.symbol} />`}
          </span>
          <span class="kind-count">${texts.cards.count(cards[kind.slug])}</span>
          <span class="kind-name">${kind.title}</span>
        </li>`,
      )}
    </ul>
  </section>`;
}
