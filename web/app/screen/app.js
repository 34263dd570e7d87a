import { html } from "htm/preact";
import { useEffect, useLayoutEffect } from "preact/hooks";
import { Notice } from "../shared/notice.js";
import { texts } from "../shared/texts.js";
import { useCeremony } from "./ceremony.js";
import { Controls, clickable, recallLight, useKeys } from "./controls.js";
import { Countdown, useLeft } from "./countdown.js";
import { Slide } from "./slides.js";
import { useScreen } from "./screen.js";
import { Suits } from "./suits.js";
import { gameOf } from "./token.js";
import { PencilsDown, Soon } from "./waiting.js";

export function App({ token }) {
  useLayoutEffect(recallLight, []);
  useLit();
  if (token) return html`<${Screen} token=${token} />`;
  return html`<main class="stage stage-words">
    <h1>${texts.screen.none.title}</h1>
    <p>${texts.screen.none.detail}</p>
    <p><a role="button" href="/desk">${texts.screen.none.desk}</a></p>
  </main>`;
}

// One game: the clock, then the wait, then the ceremony.
function Screen({ token }) {
  const { data, problem, again, connected } = useScreen(token);
  const ceremony = useCeremony(gameOf(token), data, again);
  const left = useLeft(data?.state === "open" ? data.deadline : null, again);
  const [blank, uncover] = useKeys({ forward: () => ceremony?.forward(), back: () => ceremony?.back(), end: () => ceremony?.end() });
  useEffect(() => {
    if (data) document.title = data.name;
  }, [data?.name]);

  if (!data) return html`<main class="stage stage-words">${problem && html`<${Notice} problem=${problem} onAgain=${again} />`}</main>`;
  const step = (event) => clickable(event) || ceremony?.forward();
  return html`<main class="stage" data-state=${data.state} onClick=${step}>
      <header class="stage-head">
        <span class="stage-name">${data.name}</span>
        <${Suits} />
        <span class="stage-edition">${data.edition}</span>
      </header>
      ${part(data, left, ceremony)}
    </main>
    <${Controls} ceremony=${ceremony} connected=${connected} />
    ${blank && html`<div class="blank" onClick=${uncover}></div>`}`;
}

function part(data, left, ceremony) {
  if (ceremony) return html`<${Slide} ceremony=${ceremony} />`;
  if (data.state === "draft" || data.state === "printed") return html`<${Soon} screen=${data} />`;
  if (data.state === "open" && (left === null || left > 0)) return html`<${Countdown} screen=${data} left=${left} />`;
  return html`<${PencilsDown} screen=${data} />`;
}

// Keep the screen lit where the browser can.
function useLit() {
  useEffect(() => {
    const hold = () => document.hidden || navigator.wakeLock?.request("screen").catch(() => {});
    hold();
    document.addEventListener("visibilitychange", hold);
    return () => document.removeEventListener("visibilitychange", hold);
  }, []);
}
