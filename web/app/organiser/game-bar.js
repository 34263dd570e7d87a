import { html } from "htm/preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { duration, moment, serverNow, texts } from "../shared/i18n.js";
import { Icon } from "../shared/icon.js";
import { Notice, say } from "../shared/notices.js";
import { Link } from "../shared/router.js";
import { useConnected } from "./live.js";

const SECOND = 1000;
const LONG = 2 * 86_400 * SECOND; // so far ahead the moment says more than the time that is left

// Which game it is, how it stands, how long it lasts, and whether changes of others reach this page.
export function GameBar({ game, gone }) {
  const connected = useConnected();
  const words = texts.desk.bar;
  return html`<div class="game-bar">
      <p class="game-name">
        <${Link} href="/desk" class="game-back"><${Icon} name="back" /><span class="unseen">${texts.desk.games}: </span><//>
        <strong>${game.name}</strong> <span class="game-id">${game.id}</span>
      </p>
      <p class="game-facts">
        <${State} state=${game.state} />
        <${Deadline} game=${game} />
        <span class=${connected ? "live live-on" : "live live-off"} role="status"><i aria-hidden="true"></i>${connected ? words.live : words.away}</span>
      </p>
    </div>
    ${gone && html`<${Notice} problem=${{ title: words.gone, detail: words.goneDetail }} />`}`;
}

// A game's state in a word, with its sign.
export function State({ state }) {
  return html`<span class=${`state state-${state}`}>${texts.desk.states[state]}</span>`;
}

function Deadline({ game }) {
  const left = useLeft(game.state === "open" ? game.deadline : null);
  const words = texts.desk.bar;
  if (game.state !== "open" || !game.deadline) {
    return html`<span class="deadline"><${Icon} name="clock" />${game.deadline ? moment(game.deadline, game.timezone) : words.noDeadline}</span>`;
  }
  const text = left > LONG ? moment(game.deadline, game.timezone) : words.left(duration(left));
  return html`<span class=${left < 600 * SECOND ? "deadline deadline-near" : "deadline"} role="timer"><${Icon} name="clock" />${text}</span>`;
}

// The milliseconds that are left until a moment by the server's clock, each second anew.
function useLeft(until) {
  const [now, setNow] = useState(serverNow());
  useEffect(() => {
    if (!until) return undefined;
    const clock = setInterval(() => setNow(serverNow()), SECOND);
    return () => clearInterval(clock);
  }, [until]);
  return new Date(until) - now;
}

// Opens the big screen or copies its link. `open` are words for opening it, children are more buttons of the row.
export function ScreenLink({ game, open, quiet, children }) {
  const words = texts.desk.screenLink;
  const address = `${location.origin}/screen#${game.projector}`;
  const [byHand, setByHand] = useState(false);
  const field = useRef(null);
  useEffect(() => field.current?.focus(), [byHand]);
  const show = () => {
    setByHand(true);
    field.current?.focus();
    say(words.notCopied);
  };
  // Over plain http browsers let no page copy anything.
  const copy = () => navigator.clipboard?.writeText(address).then(() => say(words.copied), show) ?? show();
  return html`<div class="row-actions">
      <a class=${quiet ? "as-button secondary" : "as-button"} href=${address} target="_blank" rel="noopener"><${Icon} name="screen" /> ${open ?? words.open}</a>
      <button type="button" class="secondary" onClick=${copy}><${Icon} name="link" /> ${words.copy}</button>
      ${children}
    </div>
    ${byHand && html`<input ref=${field} type="text" readonly value=${address} aria-label=${words.address} onFocus=${(event) => event.currentTarget.select()} />`}`;
}
