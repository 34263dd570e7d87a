// The presenter's window: the organisers' page of results, which shows how far the ceremony is and leads it while the big
// screen is another window of the same browser.

import { useEffect, useRef, useState } from "preact/hooks";

export type Presented = { at: number; all: number; offers: boolean };
export type PresenterAct = "forward" | "back" | "publish";
type Message = { screen?: Presented | null; presenter?: boolean; act?: PresenterAct };

const channelOf = (game: string) => new BroadcastChannel(`haggle-ceremony-${game}`);

// On the big screen: tell presenters about the ceremony, and do what they ask. Returns true while somebody sees their window.
export function usePresenter(game: string, presented: Presented | null, acts: Record<PresenterAct, () => unknown>): boolean {
  const [led, setLed] = useState(false);
  const channel = useRef<BroadcastChannel | null>(null);
  const latest = useRef({ presented, acts });
  latest.current = { presented, acts };
  useEffect(() => {
    const opened = channelOf(game);
    channel.current = opened;
    const tell = (screen: Presented | null) => opened.postMessage({ screen });
    opened.onmessage = ({ data: { presenter, act } }: MessageEvent<Message>) => {
      if (presenter !== undefined) setLed(presenter);
      if (presenter) tell(latest.current.presented);
      if (act) latest.current.acts[act]();
    };
    const leave = () => tell(null);
    addEventListener("pagehide", leave);
    return () => {
      removeEventListener("pagehide", leave);
      leave();
      opened.close();
    };
  }, [game]);
  useEffect(() => channel.current?.postMessage({ screen: latest.current.presented }), [JSON.stringify(presented)]);
  return led;
}

// On the presenter's page: return the ceremony that the big screen shows, and a function that leads it.
export function usePresented(game: string): [presented: Presented | null, lead: (act: PresenterAct) => void] {
  const [presented, setPresented] = useState<Presented | null>(null);
  const channel = useRef<BroadcastChannel | null>(null);
  useEffect(() => {
    const opened = channelOf(game);
    channel.current = opened;
    // Behind the big screen, on the same display, nobody sees this window.
    const tell = () => opened.postMessage({ presenter: !document.hidden });
    let known = false;
    opened.onmessage = ({ data: { screen } }: MessageEvent<Message>) => {
      if (screen === undefined) return;
      setPresented(screen);
      if (screen && !known) tell();
      known = screen !== null;
    };
    tell();
    document.addEventListener("visibilitychange", tell);
    return () => {
      document.removeEventListener("visibilitychange", tell);
      opened.postMessage({ presenter: false });
      opened.close();
    };
  }, [game]);
  return [presented, (act) => channel.current?.postMessage({ act })];
}
