import { html } from "htm/preact";
import { useEffect, useState } from "preact/hooks";
import { texts } from "../shared/i18n.js";
import { useOutbox } from "./player-state.js";

// The page as an app: kept for times without network, offered for installing, renewed when there is a new version.

const CHANGED = "haggle-offers";
const DECLINED = "haggle-not-installed";
const RARELY = 10 * 60_000; // milliseconds between two looks for a new version

let asked = null; // the browser's own question, which it lets us put when it suits
let renewed = false;

addEventListener("beforeinstallprompt", (event) => {
  event.preventDefault();
  asked = event;
  dispatchEvent(new Event(CHANGED));
});
addEventListener("appinstalled", () => {
  asked = null;
  dispatchEvent(new Event(CHANGED));
});

// Keep the page for times without network, once it has nothing else to do. Only pages over https, or of this machine, may.
export function keepPage() {
  if (!("serviceWorker" in navigator)) return;
  // The first worker of a page comes with that page; any after it comes with a newer one.
  let before = navigator.serviceWorker.controller;
  navigator.serviceWorker.addEventListener("controllerchange", () => {
    renewed ||= Boolean(before);
    before = navigator.serviceWorker.controller;
    dispatchEvent(new Event(CHANGED));
  });
  const begin = () => setTimeout(() => navigator.serviceWorker.register("/sw.js").then(lookAgain, () => {}), 1000);
  if (document.readyState === "complete") begin();
  else addEventListener("load", begin, { once: true });
}

// Look for a new version whenever somebody comes back to the page: browsers by themselves only do so where a page is opened.
function lookAgain(registration) {
  let last = Date.now();
  document.addEventListener("visibilitychange", () => {
    if (document.visibilityState !== "visible" || Math.abs(Date.now() - last) < RARELY) return;
    last = Date.now();
    registration.update().catch(() => {});
  });
}

// What can be offered now: "renew" where this page is older than what is kept, "install" where the browser would do it,
// "ios" where people have to do it themselves, else "".
function offer() {
  if (renewed) return "renew";
  if (installed() || declined()) return "";
  if (asked) return "install";
  return "standalone" in navigator && navigator.maxTouchPoints > 1 ? "ios" : "";
}

async function install() {
  const question = asked;
  asked = null;
  dispatchEvent(new Event(CHANGED));
  await question.prompt();
}

function decline() {
  try {
    localStorage.setItem(DECLINED, "1");
  } catch {
    // Then it is offered again.
  }
  dispatchEvent(new Event(CHANGED));
}

function watchOffers(onChange) {
  addEventListener(CHANGED, onChange);
  return () => removeEventListener(CHANGED, onChange);
}

const installed = () => matchMedia("(display-mode: standalone)").matches || navigator.standalone === true;

function declined() {
  try {
    return localStorage.getItem(DECLINED) !== null;
  } catch {
    return false;
  }
}

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
