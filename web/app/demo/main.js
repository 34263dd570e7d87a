import { html, render } from "htm/preact";
import { speak } from "../shared/texts.js";
import { App } from "./app.js";
import { asksForDesk, openDesk } from "./desk.js";

// What a door says that did not open: the link to the desk was used, or is for another machine; or the game is gone.
const asked = new URLSearchParams(location.search);
const wish = asked.get("desk") ?? (asked.has("gone") ? "gone" : "");
history.replaceState(null, "", location.pathname);
const told = asksForDesk(wish) ? await openDesk() : wish;

await speak("shared", "demo");
document.title = `${document.title} · Demo`;
const root = document.getElementById("app");
root.replaceChildren();
render(html`<${App} told=${told} />`, root);
