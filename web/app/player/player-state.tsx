// The player's data, kept up to date while the page is open, the API calls of the players' page, and the state of the outbox.

import { createContext } from "preact";
import { useCallback, useContext, useEffect, useRef, useState } from "preact/hooks";
import type { DeckModel, DecksModel, PlayerModel, PlayerResultModel, ProvisionalScoreModel } from "../../api";
import { type Fetched, listenToEvents, request, useFetch } from "../shared/http";
import { language, setServerTime, texts } from "../shared/i18n";
import { announce } from "../shared/notices";
import { navigate } from "../shared/router";
import type { StoredEnvelope } from "./envelopes";
import { type Change, type OutboxItem, outbox } from "./offline/outbox";
import { cacheResponse, type WithTime, withCache } from "./offline/storage";

export type Me = WithTime<PlayerModel>;
export type Deck = WithTime<DeckModel>;
export type Result = WithTime<PlayerResultModel>;

// `me` is null until it is loaded; `changeCount` changes with every change in the game.
type State = Omit<Fetched<Me>, "data"> & { player: StoredEnvelope; me: Me | null; changeCount: number; connected: boolean };

const PlayerState = createContext<State | null>(null);
export const PlayerStateProvider = PlayerState.Provider;

export function useLoadingPlayerState(): State {
  const state = useContext(PlayerState);
  if (!state) throw new Error("outside of the player's state");
  return state;
}

// For components that are rendered once `me` is loaded.
export function usePlayerState(): State & { me: Me } {
  const state = useLoadingPlayerState();
  if (!state.me) throw new Error("the player's state is not loaded");
  return { ...state, me: state.me };
}

const BATCH_TIME = 150; // milliseconds in which several events count as one
const POLL_INTERVAL = 10_000; // milliseconds between polls while there are no live events

export function useFetchedPlayerState(player: StoredEnvelope): State {
  const { data, problem, refetch, put } = useFetch((signal) => fetchMe(player.token, signal), player.token);
  const { changeCount, connected } = useChanges(player.token);
  useOnChange(changeCount, refetch);
  // A new deck is on the server now, even if the network fails.
  useEffect(() => outbox.subscribe((change) => void (change.mapped && refetch())), [refetch]);
  return { player, me: data, problem, refetch, put, changeCount, connected };
}

// Fetch something else for a screen, like `useFetch`, again after every change in the game.
export function usePlayerFetch<T extends object>(
  load: (token: string, signal: AbortSignal) => Promise<T>,
  key: string,
): Fetched<T> {
  const { player, changeCount } = useLoadingPlayerState();
  const stable = useStableData<T>();
  const fetched = useFetch((signal) => load(player.token, signal).then(stable), `${player.token} ${key}`);
  useOnChange(changeCount, fetched.refetch);
  return fetched;
}

// Return a function that returns the previous object for equal data, so that what was computed from it stays.
function useStableData<T>(): (data: T) => T {
  const previous = useRef<{ text: string; data: T } | null>(null);
  return useCallback((data: T) => {
    const text = JSON.stringify(data);
    if (previous.current?.text !== text) previous.current = { text, data };
    return previous.current.data;
  }, []);
}

function useOnChange(changeCount: number, refetch: () => unknown) {
  const before = useRef(changeCount);
  useEffect(() => {
    if (changeCount !== before.current) refetch();
    before.current = changeCount;
  }, [changeCount]);
}

// Count changes: live events, and moments at which the phone wakes up or is online again.
function useChanges(token: string) {
  const [changeCount, setChangeCount] = useState(0);
  const [connected, setConnected] = useState(true);
  useEffect(() => {
    let batchTimer: ReturnType<typeof setTimeout> | undefined;
    let pollTimer: ReturnType<typeof setInterval> | undefined;
    let wasOpen = true;
    const scheduleUpdate = () => {
      clearTimeout(batchTimer);
      batchTimer = setTimeout(() => setChangeCount((before) => before + 1), BATCH_TIME);
    };
    const onWake = () => document.visibilityState === "visible" && scheduleUpdate();
    const end = listenToEvents("/api/v1/me/events", {
      token,
      onEvent: scheduleUpdate,
      onState: (open) => {
        if (open === wasOpen) return;
        wasOpen = open;
        setConnected(open);
        clearInterval(pollTimer);
        if (!open) pollTimer = setInterval(onWake, POLL_INTERVAL);
      },
    });
    document.addEventListener("visibilitychange", onWake);
    addEventListener("online", scheduleUpdate);
    return () => {
      end();
      clearTimeout(batchTimer);
      clearInterval(pollTimer);
      document.removeEventListener("visibilitychange", onWake);
      removeEventListener("online", scheduleUpdate);
    };
  }, [token]);
  return { changeCount, connected };
}

const ME = "/api/v1/me";
const deckPath = (deck: string) => `${ME}/decks/${deck}`;

async function fetchMe(token: string, signal: AbortSignal): Promise<Me> {
  return withCache(`me ${token}`, async () => {
    const me = await request<PlayerModel>(ME, { token, signal });
    setServerTime(me.now);
    return me;
  });
}

export async function changeMe(token: string, body: { name?: string; hidden: boolean }): Promise<Me> {
  const me = await request<PlayerModel>(ME, { method: "PATCH", token, body });
  cacheResponse(`me ${token}`, me);
  return me;
}

export const fetchDecks = (token: string, signal: AbortSignal): Promise<DecksModel> =>
  withCache(`decks ${token}`, () => request<DecksModel>(`${ME}/decks`, { token, signal }));
export const fetchDeck = (token: string, deck: string, signal: AbortSignal): Promise<Deck> =>
  withCache(`deck ${token} ${deck}`, () => request<DeckModel>(`${deckPath(deck)}?language=${language()}`, { token, signal }));
export const deleteDeck = (token: string, deck: string) => request<null>(deckPath(deck), { method: "DELETE", token });
export const deletePhoto = (token: string, deck: string, photo: string) =>
  request<null>(`${deckPath(deck)}/photos/${photo}`, { method: "DELETE", token });
export const photoPath = (deck: string, photo: string) => `${deckPath(deck)}/photos/${photo}/image`;
type ScoreMode = PlayerModel["provisional"]["mode"];

export const requestScore = (token: string, deck: string, mode: ScoreMode) =>
  request<ProvisionalScoreModel>(`${deckPath(deck)}/check?language=${language()}&mode=${mode}`, { method: "POST", token });
export const fetchResult = (token: string, signal: AbortSignal): Promise<Result> =>
  withCache(`result ${token} ${language()}`, () =>
    request<PlayerResultModel>(`${ME}/result?language=${language()}`, { token, signal }),
  );

const STALL_TIME = 600; // milliseconds between two items, or before the first, that do not count as waiting

// Return the outbox items of a player; `onChange` is called with every event of the outbox.
export function useOutbox(token?: string, onChange: (change: Change) => void = () => {}): OutboxItem[] {
  const [items, setItems] = useState(() => outbox.items(token));
  const latest = useRef(onChange);
  latest.current = onChange;
  useEffect(() => {
    const take = (change: Change) => {
      setItems(outbox.items(token));
      latest.current(change);
    };
    const end = outbox.subscribe(take);
    outbox.start().then(() => setItems(outbox.items(token)));
    return end;
  }, [token]);
  return items;
}

// Return the player's items, and open the home screen with the receipt once a hand-in is accepted. For pages only: a dialog
// may be gone by then, since the event of a hand-in can come before its response.
export function useReceipt(): OutboxItem[] {
  const { player, refetch } = useLoadingPlayerState();
  return useOutbox(player.token, ({ sent }) => {
    if (sent?.kind !== "hand-in") return;
    announce(texts.decks.state["handed-in"], { shown: false });
    refetch().then(() => location.pathname === "/" || navigate("/"));
  });
}

// Return true if none of these items has been sent for a while, such as when the server has postponed them.
export function useStalled(items: OutboxItem[]): boolean {
  const idle = items.length > 0 && !items.some(({ state }) => state === "sending");
  const [stalled, setStalled] = useState(false);
  useEffect(() => {
    setStalled(false);
    const timer = idle ? setTimeout(setStalled, STALL_TIME, true) : undefined;
    return () => clearTimeout(timer);
  }, [idle]);
  return idle && stalled;
}

// Return true if a hand-in is queued.
export const hasHandIn = (items: OutboxItem[]) => items.some(({ kind, state }) => kind === "hand-in" && state !== "refused");

const NETWORK_PROBLEMS = ["network", "timeout", "server"];

// True if the last thing sent did not reach the server. The outbox retries; this stays until it succeeds. It is up to date
// before any component renders.
let unreachable = false;
outbox.subscribe(({ idle, sent, problem }) => {
  if (idle) unreachable = NETWORK_PROBLEMS.includes(problem ?? "");
  if (sent) unreachable = false;
});

// Return true if what this page sends has to wait: offline, or while the server does not respond. For components that use the
// outbox, since they render again with its changes.
export function useOffline() {
  const { me, problem } = useLoadingPlayerState();
  const online = useOnline();
  return !online || unreachable || Boolean(me?.asOf) || problem?.slug === "network";
}

function useOnline() {
  const [online, setOnline] = useState(navigator.onLine);
  useEffect(() => {
    const update = () => setOnline(navigator.onLine);
    for (const name of ["online", "offline"]) addEventListener(name, update);
    return () => {
      for (const name of ["online", "offline"]) removeEventListener(name, update);
    };
  }, []);
  return online;
}

// Return true if the player works on decks now; `waits` is true if the hand-in is queued.
export const isPlaying = ({ game, envelope, receipt }: Me, waits: boolean) =>
  ["open", "closed"].includes(game.state) && envelope.opened && !receipt && !waits;

// Return true if the player may add photos now.
export const takesPhotos = (me: Me, waits: boolean) => isPlaying(me, waits) && me.provisional.mode !== "off";

// The names of the texts in `texts.state`, a title and details, for each state of a game and of an envelope. Before the game
// opens, an envelope that opens with it counts as opened. Players never see a draft.
type StateWords = [
  title: keyof typeof texts.state.titles | "over" | "sealed",
  ...details: (keyof typeof texts.state.details | "ask")[],
];
type Standing = "sealed" | "opened" | "sending" | "handedIn";
const BEFORE: StateWords = ["before", "before"];
const COUNTED: StateWords = ["counted", "results"];
const PUBLISHED: StateWords = ["published"];
export const STATE_MESSAGES: Record<string, Record<Standing, StateWords>> = {
  printed: { sealed: ["before", "spare", "ask"], opened: BEFORE, sending: BEFORE, handedIn: BEFORE },
  open: { sealed: ["sealed", "ask"], opened: ["open"], sending: ["bring", "pack"], handedIn: ["bring", "pack"] },
  closed: {
    sealed: ["ended", "notGiven"],
    opened: ["over", "pack", "late"],
    sending: ["over", "pack"],
    handedIn: ["counting", "yours", "results"],
  },
  frozen: { sealed: COUNTED, opened: COUNTED, sending: COUNTED, handedIn: COUNTED },
  published: { sealed: PUBLISHED, opened: PUBLISHED, sending: PUBLISHED, handedIn: PUBLISHED },
};

// Return these texts; some are those of a problem, or consist of others.
export function stateWords() {
  const { titles, details } = texts.state;
  const { sealed } = texts.problems;
  return {
    titles: { ...titles, over: `${titles.ended} ${titles.bring}`, sealed: sealed.title },
    details: { ...details, ask: sealed.detail },
  };
}

export function StateMessage({ me: { game, envelope, receipt, provisional }, waits = false }: { me: Me; waits?: boolean }) {
  const opens = game.state === "printed" && !envelope.spare;
  const standing = receipt ? "handedIn" : !envelope.opened && !opens ? "sealed" : waits ? "sending" : "opened";
  const [title, ...named] = STATE_MESSAGES[game.state]?.[standing] ?? BEFORE;
  // During play the text depends on what phones may show.
  const details = title === "open" ? [provisional.mode] : named;
  const words = stateWords();
  return (
    <section class="state" aria-live="polite">
      <h2>{words.titles[title]}</h2>
      {details.length > 0 && <p class="soft">{details.map((name) => words.details[name]).join(" ")}</p>}
    </section>
  );
}
