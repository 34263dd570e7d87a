import { html, render } from "htm/preact";
import { speak } from "../shared/texts.js";
import { App } from "./app.js";
import { keepFocus } from "./keep-focus.js";

await speak("shared", "desk");
const root = document.getElementById("app");
root.replaceChildren();
render(html`<${App} />`, root);
keepFocus();
