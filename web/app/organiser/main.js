import { html, render } from "htm/preact";
import { speak } from "../shared/i18n.js";
import { App } from "./app.js";
import { keepFocus } from "./keyboard.js";

await speak("shared", "organiser");
const root = document.getElementById("app");
root.replaceChildren();
render(html`<${App} />`, root);
keepFocus();
