import { html, render } from "htm/preact";
import { speak } from "../shared/i18n.js";
import { App, takeToken } from "./app.js";

await speak("shared", "projector");
const root = document.getElementById("app");
root.replaceChildren();
render(html`<${App} token=${takeToken()} />`, root);
// Another link pasted into the same tab changes only what stands behind the `#`.
addEventListener("hashchange", () => location.hash.length > 1 && location.reload());
