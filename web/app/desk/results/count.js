import { html } from "htm/preact";
import { useRef, useState } from "preact/hooks";
import { ask, freshKey } from "../../shared/ask.js";
import { Icon } from "../../shared/icon.js";
import { Link } from "../../shared/router.js";
import { say } from "../../shared/said.js";
import { texts } from "../../shared/texts.js";
import { Confirm } from "../confirm.js";
import { Open } from "../games/open-points.js";

// What can be done next with the result: count it, count it anew, publish it, take the publication back.
export function Count({ game, results, again, onCounted }) {
  const [asking, setAsking] = useState("");
  const key = useRef("");
  const words = texts.results.count;
  const open = results.open.length;
  const newest = results.versions[0]?.version;
  const counted = ["frozen", "published"].includes(game.state);
  // The game's new state may come before the version that goes with it.
  const unseen = counted && newest !== undefined && newest !== game.published_version;
  const begin = (what) => {
    key.current = freshKey();
    setAsking(what);
  };

  const count = async (said) => {
    const reason = counted ? said : "";
    // Where something is open the reason says why it is counted all the same.
    const body = { reason, override: open ? said : "" };
    const made = await ask(`/api/v1/games/${game.id}/results`, { method: "POST", body, key: key.current }).finally(() => void again());
    say(words.done(made.version));
    onCounted(made.version);
  };
  const act = async (name, reason) => {
    await ask(`/api/v1/games/${game.id}/acts`, { method: "POST", body: { act: name, reason } }).finally(() => void again());
    say(words[name].done(newest));
  };

  return html`<section class="panel" aria-labelledby="count-title">
    <h2 id="count-title">${words.titles[game.state]}</h2>
    <p>${words.texts[game.state]}</p>
    ${game.state === "closed" && html`<${Open} game=${game} />`}
    ${counted && open > 0 && html`<${Open} game=${game} />`}
    ${counted && results.stale && html`<p class="results-stale" role="status"><${Icon} name="again" /> <span>${words.stale}</span></p>`}
    <div class="row-actions">
      ${game.state === "closed" && html`<button type="button" onClick=${() => begin("count")}><${Icon} name="trophy" /> ${words.button}</button>`}
      ${unseen && html`<button type="button" class=${results.stale ? "secondary" : ""} onClick=${() => begin("publish")}><${Icon} name="people" /> ${words.publish.button(newest)}</button>`}
      ${counted && html`<button type="button" class=${results.stale ? "" : "secondary"} onClick=${() => begin("correct")}><${Icon} name="again" /> ${words.correct}</button>`}
      ${game.state === "published" && html`<button type="button" class="secondary" onClick=${() => begin("unpublish")}><${Icon} name="back" /> ${words.unpublish.button()}</button>`}
      ${!counted && game.state !== "closed" && html`<${Link} class="as-button secondary" href=${`/desk/games/${game.id}/overview`}>${texts.desk.tabs.overview}<//>`}
    </div>
    ${counted && html`<${Seen} state=${game.state} />`}
    ${(asking === "count" || asking === "correct") &&
    html`<${Confirm}
      title=${asking === "count" ? words.ask : words.askAnew}
      confirm=${asking === "count" ? words.button : words.correct}
      reason=${open || counted ? "needed" : undefined}
      onConfirm=${count}
      onClose=${() => setAsking("")}
    >
      <p>${asking === "count" ? words.consequence : words.consequenceAnew}</p>
      ${open > 0 && html`<p class="results-stale"><span>${words.override(open)}</span></p>`}
    <//>`}
    ${(asking === "publish" || asking === "unpublish") &&
    html`<${Confirm}
      title=${words[asking].ask(newest)}
      confirm=${words[asking].button(newest)}
      danger=${asking === "unpublish"}
      reason=${asking === "unpublish" ? "needed" : "optional"}
      onConfirm=${(reason) => act(asking, reason)}
      onClose=${() => setAsking("")}
    >
      <ul class="consequences">${words[asking].lines.map((line) => html`<li>${line}</li>`)}</ul>
      ${asking === "publish" && results.stale && html`<p class="results-stale"><span>${words.stale}</span></p>`}
    <//>`}
  </section>`;
}

// What players see before and after publication.
function Seen({ state }) {
  const words = texts.results.seen;
  return html`<details class="results-seen">
    <summary>${words.title}</summary>
    <p>${words[state]}</p>
    <ul>${words.lines.map((line) => html`<li>${line}</li>`)}</ul>
  </details>`;
}
