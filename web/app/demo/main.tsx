// Entry of the demo's landing page.

import "../../style/demo.css";
import { render } from "preact";
import { loadTexts } from "../shared/i18n";
import { Landing } from "./landing";

async function start() {
  // A link to a game that was deleted leads here.
  const gone = location.search === "?gone";
  history.replaceState(null, "", location.pathname + location.hash);
  await loadTexts("shared", "demo");
  document.title = `${document.title} · Demo`;
  const root = document.getElementById("app") as HTMLElement;
  root.replaceChildren();
  render(<Landing gone={gone} />, root);
}

start();
