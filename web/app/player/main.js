// Entry of the players' page.

import "../../style/pages/player.css";
import { html, render } from "htm/preact";
import { loadTexts } from "../shared/i18n.js";
import { App } from "./app.js";
import { openLink } from "./envelopes.js";
import { registerServiceWorker } from "./install.js";

async function start() {
  openLink();
  addEventListener("hashchange", openLink);
  await loadTexts("shared", "player", "outbox");
  const root = document.getElementById("app");
  root.replaceChildren();
  render(html`<${App} />`, root);
  registerServiceWorker();
}

start();
