import { html, render } from "htm/preact";
import { speak } from "../shared/i18n.js";
import { App } from "./app.js";
import { openLink } from "./envelopes.js";
import { keepPage } from "./install.js";

openLink();
addEventListener("hashchange", openLink);
await speak("shared", "player", "outbox");
const root = document.getElementById("app");
root.replaceChildren();
render(html`<${App} />`, root);
keepPage();
