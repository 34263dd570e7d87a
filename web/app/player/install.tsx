// The page as an app: cached for use without network, offered for installation, and updated.

import { useEffect, useState } from "preact/hooks";
import { texts } from "../shared/i18n";
import { useOutbox } from "./player-state";

const OFFER_CHANGED = "haggle-offers";
const DECLINED_KEY = "haggle-not-installed";
const UPDATE_INTERVAL = 10 * 60_000; // milliseconds between two checks for a new version

// Not in TypeScript's types, since only some browsers have it.
type InstallPrompt = Event & { prompt: () => Promise<unknown> };

let installPrompt: InstallPrompt | null = null; // the browser's event, with which the page may ask for installation
let updateReady = false;

addEventListener("beforeinstallprompt", (event) => {
  event.preventDefault();
  installPrompt = event as InstallPrompt;
  dispatchEvent(new Event(OFFER_CHANGED));
});
addEventListener("appinstalled", () => {
  installPrompt = null;
  dispatchEvent(new Event(OFFER_CHANGED));
});

// Register the service worker, after everything else. Browsers allow it only over HTTPS or on localhost. The development server
// has none.
export function registerServiceWorker() {
  if (import.meta.env.DEV || !("serviceWorker" in navigator)) return;
  // The first worker has the version of this page; a later one is newer.
  let before = navigator.serviceWorker.controller;
  navigator.serviceWorker.addEventListener("controllerchange", () => {
    updateReady ||= Boolean(before);
    before = navigator.serviceWorker.controller;
    dispatchEvent(new Event(OFFER_CHANGED));
  });
  const begin = () => setTimeout(() => navigator.serviceWorker.register("/sw.js").then(checkForUpdates, () => {}), 1000);
  if (document.readyState === "complete") begin();
  else addEventListener("load", begin, { once: true });
}

// Check for a new version when somebody returns to the page: browsers check only when a page is opened.
function checkForUpdates(registration: ServiceWorkerRegistration) {
  let last = Date.now();
  document.addEventListener("visibilitychange", () => {
    if (document.visibilityState !== "visible" || Math.abs(Date.now() - last) < UPDATE_INTERVAL) return;
    last = Date.now();
    registration.update().catch(() => {});
  });
}

// Return the current offer: "renew" if there is a newer version, "install" if the browser can install the app, "ios" if people
// have to do it themselves, otherwise "".
function currentOffer() {
  if (updateReady) return "renew";
  if (isInstalled() || isDeclined()) return "";
  if (installPrompt) return "install";
  return "standalone" in navigator && navigator.maxTouchPoints > 1 ? "ios" : "";
}

async function install() {
  const question = installPrompt;
  installPrompt = null;
  dispatchEvent(new Event(OFFER_CHANGED));
  await question?.prompt();
}

function decline() {
  try {
    localStorage.setItem(DECLINED_KEY, "1");
  } catch {
    // It will be offered again.
  }
  dispatchEvent(new Event(OFFER_CHANGED));
}

function watchOffers(onChange: () => void) {
  addEventListener(OFFER_CHANGED, onChange);
  return () => removeEventListener(OFFER_CHANGED, onChange);
}

const isInstalled = () =>
  matchMedia("(display-mode: standalone)").matches || ("standalone" in navigator && navigator.standalone === true);

function isDeclined() {
  try {
    return localStorage.getItem(DECLINED_KEY) !== null;
  } catch {
    return false;
  }
}

// Offers to load the new version or to install the app, the latter on quiet screens only.
export function Offers({ quiet }: { quiet: boolean }) {
  const [what, setWhat] = useState(currentOffer);
  useEffect(() => watchOffers(() => setWhat(currentOffer())), []);
  const unkept = useOutbox().some((item) => item.unkept);
  const words = texts.offers;
  // Photos that exist only in this page's memory would be lost.
  if (what === "renew" && unkept) return null;
  if (what === "renew") {
    return (
      <aside class="panel note above" role="status">
        <p>{words.renew}</p>
        <button type="button" class="secondary" onClick={() => location.reload()}>
          {words.reload}
        </button>
      </aside>
    );
  }
  if (!what || !quiet) return null;
  return (
    <aside class="panel note above">
      <p>{what === "ios" ? words.ios : words.install}</p>
      <div class="row">
        {what === "install" && (
          <button type="button" class="secondary" onClick={install}>
            {texts.outbox.shared.yes}
          </button>
        )}
        <button type="button" class="plain" onClick={decline}>
          {words.no}
        </button>
      </div>
    </aside>
  );
}
