// A player's own place in a game: what the server tells of it, kept fresh as long as the page is open.

import { html } from "htm/preact";
import { createContext } from "preact";
import { useCallback, useContext, useEffect, useRef, useState } from "preact/hooks";
import { ask, listen, useFetched } from "../shared/http.js";
import { language, setClock, texts } from "../shared/i18n.js";
import { say } from "../shared/notices.js";
import { go } from "../shared/router.js";
import { outbox } from "./offline/offline-queue.js";
import { keep, orKept } from "./offline/storage.js";

const Place = createContext(null);
export const PlaceProvider = Place.Provider;

// { seat, me, problem, again, put, pulse, connected }: `pulse` is another number after every change in the game.
export const usePlace = () => useContext(Place);

const GATHER = 150; // milliseconds: changes come in swarms, and one look is enough for all of them
const WITHOUT = 10_000; // milliseconds between looks while no live events reach this phone

export function useMyPlace(seat) {
  const { data, problem, again, put } = useFetched((signal) => readMe(seat.token, signal), seat.token);
  const { pulse, connected } = usePulse(seat.token);
  useEveryPulse(pulse, again);
  // A deck that was made for this phone is the player's from then on, whatever becomes of the network.
  useEffect(() => outbox.subscribe((change = {}) => change.mapped && again()), [again]);
  return { seat, me: data, problem, again, put, pulse, connected };
}

// Something else of the player's that a screen shows, as `useFetched`, fetched anew after every change in the game.
export function useFresh(load, key) {
  const { seat, pulse } = usePlace();
  const unchanged = useUnchanged();
  const fetched = useFetched((signal) => load(seat.token, signal).then(unchanged), `${seat.token} ${key}`);
  useEveryPulse(pulse, fetched.again);
  return fetched;
}

// Gives a function that returns what was told before in place of the same told again: what was worked out from it stays.
function useUnchanged() {
  const told = useRef({});
  return useCallback((data) => {
    const text = JSON.stringify(data);
    if (text !== told.current.text) told.current = { text, data };
    return told.current.data;
  }, []);
}

function useEveryPulse(pulse, again) {
  const before = useRef(pulse);
  useEffect(() => {
    if (pulse !== before.current) again();
    before.current = pulse;
  }, [pulse]);
}

// Counts what happens: live events, and the moments at which a phone wakes up or has network again.
function usePulse(token) {
  const [pulse, setPulse] = useState(0);
  const [connected, setConnected] = useState(true);
  useEffect(() => {
    let gathering;
    let looking;
    let stood = true;
    const beat = () => {
      clearTimeout(gathering);
      gathering = setTimeout(() => setPulse((before) => before + 1), GATHER);
    };
    const woken = () => document.visibilityState === "visible" && beat();
    const end = listen("/api/v1/me/events", {
      token,
      onEvent: beat,
      onState: (stands) => {
        if (stands === stood) return;
        stood = stands;
        setConnected(stands);
        clearInterval(looking);
        if (!stands) looking = setInterval(woken, WITHOUT);
      },
    });
    document.addEventListener("visibilitychange", woken);
    addEventListener("online", beat);
    return () => {
      end();
      clearTimeout(gathering);
      clearInterval(looking);
      document.removeEventListener("visibilitychange", woken);
      removeEventListener("online", beat);
    };
  }, [token]);
  return { pulse, connected };
}

// What the players' page asks of the server, in one place.

const ME = "/api/v1/me";
const at = (deck) => `${ME}/decks/${deck}`;

async function readMe(token, signal) {
  return orKept(`me ${token}`, async () => {
    const me = await ask(ME, { token, signal });
    setClock(me.now);
    return me;
  });
}

export async function changeMe(token, body) {
  const me = await ask(ME, { method: "PATCH", token, body });
  keep(`me ${token}`, me);
  return me;
}

export const readDeck = (token, deck, signal) => orKept(`deck ${token} ${deck}`, () => ask(`${at(deck)}?language=${language()}`, { token, signal }));
export const dropDeck = (token, deck) => ask(at(deck), { method: "DELETE", token });
export const dropPicture = (token, deck, photo) => ask(`${at(deck)}/photos/${photo}`, { method: "DELETE", token });
export const pictureOf = (deck, photo) => `${at(deck)}/photos/${photo}/image`;
export const check = (token, deck, mode) => ask(`${at(deck)}/check?language=${language()}&mode=${mode}`, { method: "POST", token });
export const readResult = (token, signal) =>
  orKept(`result ${token} ${language()}`, () => ask(`${ME}/result?language=${language()}`, { token, signal }));

const LULL = 600; // milliseconds between two things, or before the first, that are no waiting yet

// What waits to be sent for a player; `onChange` hears of each thing that arrives or is refused.
export function useOutbox(token, onChange = () => {}) {
  const [items, setItems] = useState(() => outbox.items(token));
  const latest = useRef(onChange);
  latest.current = onChange;
  useEffect(() => {
    const take = (change = {}) => {
      setItems(outbox.items(token));
      latest.current(change);
    };
    const end = outbox.subscribe(take);
    outbox.start().then(() => setItems(outbox.items(token)));
    return end;
  }, [token]);
  return items;
}

// Once a hand-in has got through: the receipt, on the first page. For pages alone: the news of a hand-in may come before its
// own answer, and takes whatever asked for it from the screen.
export function useReceipt() {
  const { seat, again } = usePlace();
  return useOutbox(seat.token, ({ sent }) => {
    if (sent?.kind !== "hand-in") return;
    say(texts.receipt.title, { shown: false });
    again().then(() => location.pathname === "/" || go("/"));
  });
}

// Whether none of these is being sent, and has not been for a while, as when the server has put them off.
export function useStuck(items) {
  const idle = items.length > 0 && !items.some(({ state }) => state === "sending");
  const [lasts, setLasts] = useState(false);
  useEffect(() => {
    setLasts(false);
    const clock = idle && setTimeout(setLasts, LULL, true);
    return () => clearTimeout(clock);
  }, [idle]);
  return idle && lasts;
}

// Whether a hand-in is among what waits.
export const handsIn = (items) => items.some(({ kind, state }) => kind === "hand-in" && state !== "refused");

const UNREACHED = ["network", "timeout", "server"];

// Whether the last thing that was sent did not reach the server. The outbox tries again and again; this stays as it is
// until a try has gone well. It hears of it before any component does.
let failing = false;
outbox.subscribe(({ idle, sent, problem }) => {
  if (idle) failing = UNREACHED.includes(problem);
  if (sent) failing = false;
});

// Whether what this page sends has to wait: without network, or while the server does not answer. For components that
// use the outbox, with whose changes it changes.
export function useOffline() {
  const { me, problem } = usePlace();
  const online = useOnline();
  return !online || failing || Boolean(me?.asOf) || problem?.slug === "network";
}

function useOnline() {
  const [online, setOnline] = useState(navigator.onLine);
  useEffect(() => {
    const look = () => setOnline(navigator.onLine);
    for (const name of ["online", "offline"]) addEventListener(name, look);
    return () => {
      for (const name of ["online", "offline"]) removeEventListener(name, look);
    };
  }, []);
  return online;
}

// What a player can do now, and the sentence that says so.

// Whether a player does anything with decks now; `waits` is whether the hand-in is on its way.
export const isPlaying = ({ game, envelope, receipt }, waits) =>
  ["open", "closed"].includes(game.state) && envelope.opened && !receipt && !waits;

// Whether pictures of decks are taken now.
export const takesPictures = (me, waits) => isPlaying(me, waits) && me.provisional.mode !== "off";

// The name of the sentence in `texts.state` for each state of a game and of an envelope. Before the game opens, an envelope
// that opens with it counts as opened. No player sees a draft.
export const SENTENCES = {
  printed: { sealed: "beforeSealed", opened: "before", sending: "before", handedIn: "before" },
  open: { sealed: "openSealed", opened: "open", sending: "sending", handedIn: "handedIn" },
  closed: { sealed: "closedSealed", opened: "closed", sending: "closedSending", handedIn: "counting" },
  frozen: { sealed: "counted", opened: "counted", sending: "counted", handedIn: "counted" },
  published: { sealed: "published", opened: "published", sending: "published", handedIn: "published" },
};

export function Sentence({ me: { game, envelope, receipt, provisional }, waits = false }) {
  const opens = game.state === "printed" && !envelope.spare;
  const standing = receipt ? "handedIn" : !envelope.opened && !opens ? "sealed" : waits ? "sending" : "opened";
  const words = texts.state[SENTENCES[game.state][standing]];
  // While the game is played, the sentence says how much phones tell.
  const { title, detail } = words[provisional.mode] ?? words;
  return html`<section class="state" aria-live="polite">
    <h2>${title}</h2>
    <p>${detail}</p>
  </section>`;
}
