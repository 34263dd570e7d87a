import { html, render } from "htm/preact";
import { App } from "./components/app.js";

const root = document.getElementById("app");
const envelope = Number(new URLSearchParams(location.search).get("envelope"));

root.replaceChildren();
render(
  html`<${App} edition=${root.dataset.edition} envelope=${Number.isInteger(envelope) && envelope > 0 ? envelope : null} />`,
  root,
);
