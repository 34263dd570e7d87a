import { html } from "htm/preact";
import { useEffect, useState } from "preact/hooks";
import { texts } from "../../shared/texts.js";
import { useOutbox } from "../use-outbox.js";
import { decline, install, offer, watchOffers } from "./install.js";

// What can be done with the page itself: load the new version, keep it as an app. Nothing most of the time. Installing
// is offered on quiet screens alone.
export function Offers({ quiet }) {
  const [what, setWhat] = useState(offer);
  useEffect(() => watchOffers(() => setWhat(offer())), []);
  const unkept = useOutbox().some((item) => item.unkept);
  const words = texts.offers;
  // Pictures that the browser had no room for would go with this page.
  if (what === "renew" && unkept) return null;
  if (what === "renew") {
    return html`<aside class="offer" role="status">
      <p>${words.renew}</p>
      <button type="button" class="secondary" onClick=${() => location.reload()}>${words.reload}</button>
    </aside>`;
  }
  if (!what || !quiet) return null;
  return html`<aside class="offer">
    <p>${what === "ios" ? words.ios : words.install}</p>
    <div class="offer-ways">
      ${what === "install" && html`<button type="button" class="secondary" onClick=${install}>${words.yes}</button>`}
      <button type="button" class="plain" onClick=${decline}>${words.no}</button>
    </div>
  </aside>`;
}
