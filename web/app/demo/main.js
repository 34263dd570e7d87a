import { html, render } from "htm/preact";
import { speak, texts } from "../shared/i18n.js";
import { Landing } from "./landing.js";

// Where a link on this page did not lead: the desk on another machine, or a game that was deleted.
const missed = location.search.slice(1);
history.replaceState(null, "", location.pathname);

await speak("shared", "demo");
document.title = `${document.title} · Demo`;
const root = document.getElementById("app");
root.replaceChildren();
render(html`<${Landing} missed=${texts.demo.missed[missed]} />`, root);
