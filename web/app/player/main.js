import { html, render } from "htm/preact";
import { route } from "../shared/router.js";
import { speak } from "../shared/texts.js";
import { App } from "./app.js";
import { readAhead } from "./calls.js";
import { openLink } from "./links.js";
import { keepPage } from "./outbox/install.js";
import { seats } from "./seats.js";

openLink();
addEventListener("hashchange", openLink);
await speak("shared", "player", "outbox");
const [seat] = seats();
if (seat) readAhead(seat.token, route());
const root = document.getElementById("app");
root.replaceChildren();
render(html`<${App} />`, root);
keepPage();
