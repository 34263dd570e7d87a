// Entry of the organisers' page.

import "../../style/pages/organiser.css";
import { html, render } from "htm/preact";
import { loadTexts } from "../shared/i18n.js";
import { App } from "./app.js";
import { restoreFocus } from "./keyboard.js";

async function start() {
  await loadTexts("shared", "organiser");
  const root = document.getElementById("app");
  root.replaceChildren();
  render(html`<${App} />`, root);
  restoreFocus();
}

start();
