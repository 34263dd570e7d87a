import { html } from "htm/preact";
import { useState } from "preact/hooks";
import { clockTime, moment, speak, texts } from "../shared/i18n.js";
import { Icon } from "../shared/icon.js";
import { Link, View } from "../shared/router.js";
import { lazy } from "./lazy.js";
import { TakePictures } from "./photo-upload.js";
import { Sentence, handsIn, isPlaying, takesPictures, useOutbox, usePlace, useReceipt } from "./player-state.js";
import { Ticket } from "./ticket.js";

const Name = lazy(() => import("./name-dialog.js").then(({ Name }) => Name), { small: true });
const OwnPlace = lazy(() => Promise.all([import("./result.js"), speak("result")]).then(([{ OwnPlace }]) => OwnPlace));
const HandInOnly = lazy(() => Promise.all([import("./hand-in.js"), speak("deck")]).then(([{ HandInOnly }]) => HandInOnly));

// What a player sees first: the own envelope, where the game stands, and the one thing to do next.
export function Home() {
  const { me } = usePlace();
  const [naming, setNaming] = useState(false);
  const waits = handsIn(useReceipt()) && !me.receipt;
  const takes = takesPictures(me, waits);
  return html`<${View} title=${texts.home.title(me.envelope.number)} name="home">
    <${Ticket} me=${me} onName=${() => setNaming(true)} />
    <div class="home-main">
      <${Sentence} me=${me} waits=${waits} />
      ${me.game.state === "published" && html`<${OwnPlace} />`}
      ${takes && html`<${TakePictures} first=${!me.decks.length} />`}
      ${!takes && isPlaying(me, waits) && html`<${HandInOnly} />`}
      ${waits && ["open", "closed"].includes(me.game.state) && html`<${ReceiptWaits} />`}
      ${me.receipt && html`<${Receipt} receipt=${me.receipt} game=${me.game} />`}
      <${Decks} />
    </div>
    ${naming && html`<${Name} onClose=${() => setNaming(false)} />`}
  <//>`;
}

// The player's decks, the newest first; among them those that only this phone knows yet.
function Decks() {
  const { seat, me } = usePlace();
  const items = useOutbox(seat.token);
  const known = new Set(me.decks.map(({ id }) => id));
  const local = [...new Map(items.filter(({ deck }) => !known.has(deck)).map((item) => [item.deck, item])).values()];
  const decks = [...me.decks, ...local.map(({ deck, at }) => ({ id: deck, state: "local", created: at, cards: null }))].reverse();
  const shown = me.provisional.mode === "off" ? decks.filter(({ state }) => state !== "open") : decks;
  if (!shown.length || (me.provisional.mode === "off" && !local.length)) return null;
  return html`<section class="decks" aria-labelledby="decks-title">
    <h2 id="decks-title">${texts.decks.title}</h2>
    <ol>
      ${shown.map(
        (deck) => html`<li key=${deck.id}>
          <${Row} deck=${deck} game=${me.game} receipt=${me.receipt} items=${items.filter((item) => item.deck === deck.id)} />
        </li>`,
      )}
    </ol>
  </section>`;
}

function Row({ deck, game, receipt, items }) {
  const words = texts.decks;
  // Beside "handed in" stands when that was, as on the receipt.
  const at = (deck.state === "handed-in" && receipt?.at) || deck.created;
  const refused = items.some(({ state }) => state === "refused");
  const waiting = items.filter(({ state, kind }) => state !== "refused" && kind === "picture").length;
  return html`<${Link} class=${`deck-row deck-row-${deck.state}`} href=${`/p/deck/${deck.id}`}>
    <span class="deck-cards" aria-hidden="true"><b>${deck.cards ?? (deck.state === "open" || deck.state === "local" ? "…" : "–")}</b></span>
    <span class="deck-words">
      <strong>${deck.cards === null ? words.unconfirmed : words.cards(deck.cards)}</strong>
      <small>${words.state[handsIn(items) ? "waits" : deck.state]} · ${moment(at, game.timezone)}</small>
      ${waiting > 0 && html`<small class="deck-note">${texts.waiting.pictures(waiting)}</small>`}
      ${refused && html`<small class="deck-note deck-refused">${words.refused}</small>`}
    </span>
    <${Icon} name="next" />
  <//>`;
}

// That the hand-in has reached the server, and when, by the server's clock.
function Receipt({ receipt, game }) {
  const words = texts.receipt;
  return html`<section class="receipt" aria-labelledby="receipt-title">
    <p class="receipt-mark" aria-hidden="true"><${Icon} name="check" /></p>
    <h2 id="receipt-title">${words.title}</h2>
    <p class="receipt-time">
      <time datetime=${receipt.at}>${clockTime(receipt.at, game.timezone)}</time>
      <small>${moment(receipt.at, game.timezone)}</small>
    </p>
    <p class=${receipt.late ? "receipt-late" : "receipt-in-time"}>${receipt.late ? words.late : words.inTime}</p>
    <dl>
      <div><dt>${words.cards}</dt><dd>${receipt.cards ?? words.noList}</dd></div>
      <div><dt>${words.code}</dt><dd class="receipt-code">${receipt.code}</dd></div>
    </dl>
    <p class="receipt-help">${words.help}</p>
  </section>`;
}

// What stands there until then.
function ReceiptWaits() {
  const words = texts.receipt.waits;
  return html`<section class="receipt" aria-labelledby="receipt-title">
    <p class="receipt-mark" aria-hidden="true"><${Icon} name="send" /></p>
    <h2 id="receipt-title">${words.title}</h2>
    <p>${words.detail}</p>
  </section>`;
}
