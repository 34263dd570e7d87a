import { html, render } from "htm/preact";
import { speak } from "../shared/texts.js";
import { App } from "./app.js";

const root = document.getElementById("app");
// A label's link says it behind the #, as game.envelope.version.signature.
const envelope = Number(new URLSearchParams(location.search).get("envelope") ?? location.hash.split(".")[1]);

await speak("shared", "practice");
root.replaceChildren();
render(
  html`<${App} edition=${root.dataset.edition} home=${root.dataset.home} envelope=${Number.isInteger(envelope) && envelope > 0 ? envelope : null} />`,
  root,
);
