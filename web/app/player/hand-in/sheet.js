import { html } from "htm/preact";
import { useState } from "preact/hooks";
import { Dialog } from "../../shared/dialog.js";
import { Notice } from "../../shared/notice.js";
import { go } from "../../shared/router.js";
import { texts } from "../../shared/texts.js";
import { outbox } from "../outbox/outbox.js";
import { usePlace } from "../place.js";
import { useOutbox } from "../use-outbox.js";
import { Hold } from "./hold.js";

// What handing in means, and the second, deliberate step. `cards` is the number on the list, null without a list.
export function HandInSheet({ deck, cards, onClose }) {
  const { seat, me } = usePlace();
  const [item, setItem] = useState(null);
  const words = texts.handIn;
  // What follows is the page's (`useReceipt`). Until it is there, nothing more is asked here.
  const items = useOutbox(seat.token, ({ sent }) => sent?.kind === "hand-in" && onClose());
  const now = items.find(({ id }) => id === item);
  const handIn = async () => {
    const begun = await outbox.handIn({ token: seat.token, deck });
    setItem(begun.id);
    if (!navigator.onLine) {
      onClose();
      go("/");
    }
  };
  const close = () => {
    if (now?.state === "refused") outbox.drop(now.id);
    onClose();
  };
  const facts = [
    cards === null ? words.noList : cards === 1 ? words.card : words.cards(cards),
    cards !== null && words.frozen,
    words.back,
    me.game.state === "closed" && words.late,
    !navigator.onLine && words.offline,
  ].filter(Boolean);
  return html`<${Dialog} title=${words.title} onClose=${close}>
    <ul class="facts">
      ${facts.map((fact) => html`<li>${fact}</li>`)}
    </ul>
    ${now?.state === "refused" && html`<${Notice} problem=${now.problem} small />`}
    ${now && now.state !== "refused"
      ? html`<p class="hold-sent" role="status">${words.sending}</p>`
      : html`<${Hold} label=${words.hold} second=${words.again} help=${words.holdHelp} onDone=${handIn} />`}
    <button type="button" class="plain wide" onClick=${close}>${texts.cancel}</button>
  <//>`;
}
