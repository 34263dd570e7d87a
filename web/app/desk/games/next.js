import { html } from "htm/preact";
import { useState } from "preact/hooks";
import { ask } from "../../shared/ask.js";
import { Icon } from "../../shared/icon.js";
import { Link } from "../../shared/router.js";
import { say } from "../../shared/said.js";
import { texts } from "../../shared/texts.js";
import { duration, moment, serverNow } from "../../shared/times.js";
import { Confirm } from "../confirm.js";
import { missing } from "../counts.js";
import { Menu } from "../menu.js";
import { Open } from "./open-points.js";

// What leads on from each state: an act that is done here, or the part of the desk where it is done.
const STEPS = {
  draft: { tab: "print", icon: "print" },
  printed: { act: "open", icon: "next" },
  open: { act: "close", icon: "check" },
  closed: { tab: "results", icon: "trophy" },
  frozen: { tab: "results", icon: "trophy" },
  published: { tab: "results", icon: "trophy" },
};
const BACK = { closed: "reopen", frozen: "thaw", published: "unpublish" };
// An act that undoes something which people may have seen needs a reason.
const REASON = { reopen: "optional", thaw: "optional", unpublish: "needed" };

// The next step as one large button, with what stops it; steps back lie in a menu.
export function Next({ game, again, counts }) {
  const [asking, setAsking] = useState("");
  const words = texts.games.next;
  const step = STEPS[game.state];
  const back = BACK[game.state];
  const stop = stopped(game, step.act);
  // Nothing is counted well before its pictures are there.
  const first = game.state === "closed" && counts.envelopes > 0;
  const act = async (name, reason) => {
    await ask(`/api/v1/games/${game.id}/acts`, { method: "POST", body: { act: name, reason } });
    say(words[name].done);
  };
  return html`<section class="panel next" aria-labelledby="next-title">
    <p class="next-over">${words.over}</p>
    <h2 id="next-title">${words[game.state].title}</h2>
    <p>${words[game.state].text}</p>
    ${game.state === "closed" && html`<${Open} game=${game} />`}
    ${stop && html`<p class="next-stop" role="note">${stop}</p>`}
    ${step.act
      ? html`<button type="button" class="action" disabled=${Boolean(stop)} onClick=${() => setAsking(step.act)}><${Icon} name=${step.icon} />${words[step.act].button}</button>`
      : html`${first && html`<${Link} class="as-button action" href=${`/desk/games/${game.id}/pictures`}><${Icon} name="picture" />${words.closed.pictures}<//>`}
          <${Link} class=${first ? "as-button secondary" : "as-button action"} href=${`/desk/games/${game.id}/${step.tab}`}><${Icon} name=${step.icon} />${words[game.state].button}<//>`}
    ${back &&
    html`<${Menu} label=${words.back}>
      <button type="button" onClick=${() => setAsking(back)}><${Icon} name="back" />${words[back].button}</button>
    <//>`}
    ${asking &&
    html`<${Confirm}
      title=${words[asking].ask}
      confirm=${words[asking].button}
      reason=${REASON[asking]}
      onConfirm=${(reason) => act(asking, reason).finally(again)}
      onClose=${() => setAsking("")}
    >
      <ul class="consequences">${consequences(game, asking, counts).map((line) => html`<li>${line}</li>`)}</ul>
    <//>`}
  </section>`;
}

// Why the act cannot be done now, in words; "" if it can.
function stopped(game, act) {
  const over = game.deadline && new Date(game.deadline) <= serverNow();
  return act === "open" && over ? texts.games.next.passed : "";
}

// What will happen, line by line.
function consequences(game, act, counts) {
  const words = texts.games.next[act];
  const lines = [...words.lines];
  if (act === "open" || act === "reopen") {
    lines.push(game.deadline ? words.until(moment(game.deadline, game.timezone), duration(new Date(game.deadline) - serverNow())) : words.byHand);
  }
  if (act === "close" && missing(game)) lines.push(words.missing(missing(game)));
  if (act === "close" && game.deadline) lines.push(words.early(moment(game.deadline, game.timezone)));
  if (act === "close" && counts.pictures) lines.push(words.reading(counts.pictures));
  return lines;
}
