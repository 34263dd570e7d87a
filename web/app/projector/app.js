import { html } from "htm/preact";
import { useEffect, useLayoutEffect, useState } from "preact/hooks";
import { Symbol } from "../shared/cards.js";
import { ask, listen, useFetched } from "../shared/http.js";
import { language, setClock, texts } from "../shared/i18n.js";
import { Notice } from "../shared/notices.js";
import { useCeremony } from "./ceremony.js";
import { Controls, clickable, recallLight, useKeys } from "./controls.js";
import { Countdown, PencilsDown, Soon, useLeft } from "./countdown.js";
import { Slide } from "./slides.js";

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

// What the server tells the big screen, kept fresh.

const FRESH = 60_000; // milliseconds after which the clock is compared with the server's again

// The screen's facts: { data, problem, again, connected }.
function useScreen(token) {
  const { data, problem, again, put } = useFetched(async (signal) => {
    const told = await ask(`/api/v1/projector?language=${language()}`, { token, signal });
    setClock(told.now);
    return told;
  }, token);
  const [connected, setConnected] = useState(true);

  useEffect(
    () =>
      listen("/api/v1/projector/events", {
        token,
        onState: setConnected,
        onEvent: (event) => (event.topic === "hand-ins" ? put((before) => before && { ...before, hand_ins: event.hand_ins }) : again()),
      }),
    [token, again],
  );
  useEffect(() => {
    const clock = setInterval(again, FRESH);
    const look = () => document.hidden || again();
    document.addEventListener("visibilitychange", look);
    return () => {
      clearInterval(clock);
      document.removeEventListener("visibilitychange", look);
    };
  }, [again]);
  return { data, problem, again, connected };
}

const SUITS = { heart: "red", drop: "blue", clover: "green", sun: "orange", star: "yellow", flower: "pink" };

// The six suits, for the eye alone.
function Suits() {
  return html`<span class="suits" aria-hidden="true">
    ${Object.entries(SUITS).map(([symbol, suit]) => html`<${Symbol} name=${symbol} class=${`suit suit-${suit}`} />`)}
  </span>`;
}

// The token of the big screen's link. It leaves the address at once, so that no photograph of the wall has it; the tab
// keeps it, and the browser the newest one for a tab that is opened without.

const KEPT = "haggle-screen";

export function takeToken() {
  const token = location.hash.slice(1);
  if (!token) return read(sessionStorage) || read(localStorage);
  history.replaceState(null, "", location.pathname);
  for (const store of [sessionStorage, localStorage]) {
    try {
      store.setItem(KEPT, token);
    } catch {
      // A browser that keeps nothing needs the link again after a reload.
    }
  }
  return token;
}

// Every token begins with the game that it shows.
const gameOf = (token) => token.split(".")[0];

function read(store) {
  try {
    return store.getItem(KEPT) ?? "";
  } catch {
    return "";
  }
}
