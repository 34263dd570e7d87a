import { html, render } from "htm/preact";
import { speak } from "../shared/texts.js";
import { App } from "./app.js";

await speak("shared", "screen");
const root = document.getElementById("app");
root.replaceChildren();
render(html`<${App} token=${location.hash.slice(1)} />`, root);
