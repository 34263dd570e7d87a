import { html } from "htm/preact";
import { useEffect, useRef } from "preact/hooks";
import { Symbol } from "../shared/symbol.js";
import { texts } from "../shared/texts.js";
import { byKind } from "./ticked.js";

// What was ticked off, by kind, with the codes that are printed on the cards, so that one sees which are done. The newest
// kind comes into sight by itself.
export function Ticked({ cards, fresh, kinds, slugs }) {
  const list = useRef(null);
  const held = byKind(cards, slugs);
  useEffect(() => {
    const [last] = list.current.getElementsByClassName("ticked-fresh");
    last?.scrollIntoView({ block: "nearest", inline: "center" });
  }, [cards]);
  return html`<ul ref=${list} class="ticked" aria-label=${texts.camera.ticked} tabindex="0">
    ${[...held].map(([slug, codes]) => {
      const kind = kinds.get(slug);
      return html`<li
        key=${`${slug} ${codes.length}`}
        class=${fresh.includes(slug) ? "ticked-fresh" : ""}
        data-kind=${slug}
        style=${{ "--ink": kind.ink, "--on": kind.on }}
      >
        <span class="ticked-symbol">
          ${kind.number || !kind.symbol ? html`<b aria-hidden="true">${kind.number ?? "·"}</b>` : html`<${Symbol} name=${kind.symbol} />`}
        </span>
        <span class="ticked-words">
          <strong>${texts.cards.count(codes.length)} ${kind.title}</strong>
          <small>${codes.join(", ")}</small>
        </span>
      </li>`;
    })}
  </ul>`;
}
