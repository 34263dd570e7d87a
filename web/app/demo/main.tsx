// Entry of the demo's landing page.

import "../../style/demo.css";
import { render } from "preact";
import { loadTexts, texts } from "../shared/i18n";
import { Landing } from "./landing";

async function start() {
  // The target of a link that led here instead: the organisers' page on another device, or a game that was deleted.
  const missed = location.search.slice(1);
  history.replaceState(null, "", location.pathname + location.hash);
  await loadTexts("shared", "demo");
  document.title = `${document.title} · Demo`;
  const root = document.getElementById("app") as HTMLElement;
  root.replaceChildren();
  render(<Landing missed={(texts.demo.missed as Record<string, string>)[missed]} />, root);
}

start();
