import { html, render } from "htm/preact";
import { speak } from "../shared/texts.js";
import { App } from "./app.js";
import { takeToken } from "./token.js";

await speak("shared", "screen");
const root = document.getElementById("app");
root.replaceChildren();
render(html`<${App} token=${takeToken()} />`, root);
// Another link pasted into the same tab changes only what stands behind the `#`.
addEventListener("hashchange", () => location.hash.length > 1 && location.reload());
