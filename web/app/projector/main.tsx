// Entry of the projector's page.

import "../../style/projector.css";
import { render } from "preact";
import { loadTexts } from "../shared/i18n";
import { App, takeToken } from "./app";

async function start() {
  await loadTexts("shared", "projector");
  const root = document.getElementById("app") as HTMLElement;
  root.replaceChildren();
  render(<App token={takeToken()} />, root);
  // Another link pasted into the same tab changes only the fragment.
  addEventListener("hashchange", () => location.hash.length > 1 && location.reload());
}

start();
