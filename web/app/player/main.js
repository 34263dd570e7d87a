import { html, render } from "htm/preact";
import { speak } from "../shared/texts.js";
import { App } from "./app.js";
import { openLink } from "./links.js";
import { keepPage } from "./outbox/install.js";

openLink();
addEventListener("hashchange", openLink);
await speak("shared", "player", "outbox");
const root = document.getElementById("app");
root.replaceChildren();
render(html`<${App} />`, root);
keepPage();
