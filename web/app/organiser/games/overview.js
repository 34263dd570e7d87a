import { html } from "htm/preact";
import { useState } from "preact/hooks";
import { ask, useFetched } from "../../shared/http.js";
import { duration, language, moment, serverNow, texts } from "../../shared/i18n.js";
import { Icon } from "../../shared/icon.js";
import { say } from "../../shared/notices.js";
import { Link, View } from "../../shared/router.js";
import { Confirm } from "../forms.js";
import { ScreenLink } from "../game-bar.js";
import { Menu } from "../layout.js";
import { NobodyReads, missing } from "../live.js";
import { Open } from "../open-points.js";

const WAY = ["draft", "printed", "open", "closed", "frozen", "published"];

// Where a game stands on its way, what comes next, and how many have come how far.
export function Overview({ game, again, counts }) {
  return html`<${View} name="overview" title=${texts.desk.tabs.overview}>
    <${Way} state=${game.state} />
    <${NobodyReads} is=${counts.idle} />
    <div class="overview">
      <div>
        <${Next} game=${game} again=${again} counts=${counts} />
        <${Hints} game=${game} />
      </div>
      <div>
        <${Numbers} game=${game} counts=${counts} />
        <${Screen} game=${game} />
      </div>
    </div>
  <//>`;
}

function Way({ state }) {
  const at = WAY.indexOf(state);
  return html`<ol class="way" aria-label=${texts.games.way.title}>
    ${WAY.map(
      (name, place) => html`<li key=${name} class=${place < at ? "way-done" : place === at ? "way-here" : ""} aria-current=${place === at ? "step" : undefined}>
        <i aria-hidden="true">${place < at ? html`<${Icon} name="check" />` : place + 1}</i><span>${texts.desk.states[name]}</span>
      </li>`,
    )}
  </ol>`;
}

// How far the envelopes are; each number leads to where one sees which.
function Numbers({ game, counts }) {
  const words = texts.games.counts;
  const at = (tab, query = "") => `/desk/games/${game.id}/${tab}${query}`;
  const rows = [
    ["envelopes", game.counts.envelopes, at("envelopes")],
    ["open", game.counts.open, at("envelopes", "?show=open")],
    ["joined", game.counts.joined, at("envelopes", "?show=joined")],
    ["claimed", game.counts.claimed, at("envelopes", "?show=claimed")],
    ["received", game.counts.received, at("envelopes", "?show=received")],
    ["missing", game.state === "closed" ? counts.envelopes : missing(game), at("envelopes", "?show=missing")],
    ["reading", counts.pictures ?? 0, at("pictures")],
    ["doubts", counts.queue ?? 0, at("queue")],
  ];
  const shown = ["draft", "printed"].includes(game.state) ? rows.slice(0, 1) : rows;
  return html`<section class="panel numbers" aria-labelledby="numbers-title">
    <h2 id="numbers-title">${texts.games.numbers}</h2>
    <ul>
      ${shown.map(
        ([name, count, href]) => html`<li key=${name} class=${["missing", "doubts"].includes(name) && count ? "numbers-open" : ""}>
          <${Link} href=${href}><b>${count}</b> <span>${words[name]}</span><//>
        </li>`,
      )}
    </ul>
  </section>`;
}

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
function Next({ game, again, counts }) {
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

// What an organiser should know before going on; nothing of it stops anybody.
function Hints({ game }) {
  const { data } = useFetched((signal) => ask(`/api/v1/editions?language=${language()}`, { signal }), "editions");
  const edition = data?.editions.find(({ slug }) => slug === game.edition);
  const hints = edition ? hintsOn(game, edition) : [];
  if (!hints.length) return null;
  return html`<aside class="game-hints" aria-labelledby="game-hints">
    <h2 id="game-hints"><${Icon} name="light" />${texts.games.hints.title}</h2>
    <ul>${hints.map((hint) => html`<li>${hint}</li>`)}</ul>
    <p><${Link} href=${`/desk/games/${game.id}/settings`}>${texts.games.hints.settings}<//></p>
  </aside>`;
}

function hintsOn(game, edition) {
  const words = texts.games.hints;
  const hints = edition.settings
    .filter(({ name, confirm }) => confirm && !game.confirmed.includes(name))
    .map((setting) => words.unconfirmed(setting.label, game.settings[setting.name], setting.text));
  if (game.players < edition.players_min || game.players > edition.players_max) hints.push(words.players(edition, game.players));
  if (["draft", "printed", "open"].includes(game.state) && !game.deadline) hints.push(words.noDeadline);
  return hints;
}

// The big screen. Whoever has its link sees the countdown, and the results once they are published.
function Screen({ game }) {
  const words = texts.games.screen;
  return html`<section class="panel" aria-labelledby="screen-title">
    <h2 id="screen-title">${words.title}</h2>
    <p>${words.text}</p>
    <${ScreenLink} game=${game} quiet />
  </section>`;
}
