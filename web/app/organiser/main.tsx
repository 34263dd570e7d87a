// Entry of the organisers' page.

import "../../style/organiser.css";
import { render } from "preact";
import { loadTexts } from "../shared/i18n";
import { App } from "./app";
import { restoreFocus } from "./keyboard";

async function start() {
  await loadTexts("shared", "organiser");
  const root = document.getElementById("app") as HTMLElement;
  root.replaceChildren();
  render(<App />, root);
  restoreFocus();
}

start();
