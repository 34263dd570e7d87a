// Entry of the players' page.

import "../../style/player.css";
import { render } from "preact";
import { loadTexts } from "../shared/i18n";
import { App } from "./app";
import { openLink } from "./envelopes";
import { registerServiceWorker } from "./install";

async function start() {
  openLink();
  addEventListener("hashchange", openLink);
  await loadTexts("shared", "player");
  const root = document.getElementById("app") as HTMLElement;
  root.replaceChildren();
  render(<App />, root);
  registerServiceWorker();
}

start();
