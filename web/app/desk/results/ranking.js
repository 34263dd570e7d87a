import { html } from "htm/preact";
import { useState } from "preact/hooks";
import { Icon } from "../../shared/icon.js";
import { points, texts } from "../../shared/texts.js";
import { HandLines } from "./hand-lines.js";

// The ranking; every hand opens to its lines.
export function Ranking({ hands }) {
  const [opened, setOpened] = useState(() => new Set());
  const [wanted, setWanted] = useState("");
  const words = texts.results.ranking;
  const plain = (text) => text.normalize("NFKD").toLowerCase();
  const found = hands.filter((hand) => !wanted || plain(hand.player).includes(plain(wanted)) || String(hand.envelope) === wanted.trim());
  const all = found.length > 0 && found.every((hand) => opened.has(hand.envelope));
  const turn = (envelope) => {
    const next = new Set(opened);
    if (!next.delete(envelope)) next.add(envelope);
    setOpened(next);
  };
  return html`<div class="ranking-tools">
      <input type="search" aria-label=${words.search} placeholder=${words.search} value=${wanted} onInput=${(event) => setWanted(event.currentTarget.value)} />
      <button type="button" class="secondary" onClick=${() => setOpened(new Set(all ? [] : found.map((hand) => hand.envelope)))}>${all ? words.closeAll : words.openAll}</button>
    </div>
    <table class="ranking">
      <thead>
        <tr>
          <th scope="col">${words.rank}</th>
          <th scope="col">${words.player}</th>
          <th scope="col" class="ranking-envelope">${words.envelope}</th>
          <th scope="col" class="ranking-number">${words.score}</th>
        </tr>
      </thead>
      <tbody>
        ${found.map((hand) => html`<${Hand} key=${hand.envelope} hand=${hand} open=${opened.has(hand.envelope)} onTurn=${() => turn(hand.envelope)} />`)}
      </tbody>
    </table>
    ${found.length === 0 && html`<p>${words.none}</p>`}`;
}

function Hand({ hand, open, onTurn }) {
  const words = texts.results.ranking;
  const lines = `lines-${hand.envelope}`;
  const row = html`<tr class=${open ? "ranking-open" : ""}>
    <td class="ranking-rank">${hand.rank}</td>
    <td>
      <button type="button" class="ranking-name" aria-expanded=${open ? "true" : "false"} aria-controls=${open ? lines : undefined} onClick=${onTurn}>
        <${Icon} name="open" /><span>${hand.player}</span>
      </button>
      ${hand.hidden && html`<small class="ranking-hidden">${words.hidden}</small>`}
      ${hand.decided_by && html`<small>${words.tie(hand.decided_by)}</small>`}
    </td>
    <td class="ranking-envelope">${hand.envelope}</td>
    <td class="ranking-number">${hand.eliminated ? words.out : points(hand.score)}</td>
  </tr>`;
  if (!open) return row;
  return html`${row}
    <tr class="ranking-lines" id=${lines}>
      <td colspan="4"><${HandLines} lines=${hand.lines} /></td>
    </tr>`;
}
