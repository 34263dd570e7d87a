// Checks of a draft on the server: mistakes, a card, its rule, and the scores of decks.

import { useEffect, useRef, useState } from "preact/hooks";
import type { DraftModel, DraftScoreModel, DraftScoresModel } from "../../../../../api";
import { Problem, request } from "../../../../shared/http";
import { language } from "../../../../shared/i18n";

const CHECK_DELAY = 700; // milliseconds after the last change before a check
export const CHECK_TIMEOUT = 150_000; // milliseconds to check an edition
export const OCTETS = "application/octet-stream";

// Ask the server some time after the last change of `key`. While a request is under way, only the newest one waits for it: the
// server would go on with an older one even if it were cancelled.
function useLatest<Result>(key: string, ask: (signal: AbortSignal) => Promise<Result>) {
  const [state, setState] = useState<{ key: string; result: Result | null; problem: Problem | null }>({
    key: "",
    result: null,
    problem: null,
  });
  const wanted = useRef({ key, ask });
  wanted.current = { key, ask };
  const running = useRef(false);
  const closed = useRef(new AbortController());
  useEffect(() => {
    const work = async () => {
      if (running.current) return;
      running.current = true;
      for (let asked = ""; asked !== wanted.current.key && !closed.current.signal.aborted; ) {
        asked = wanted.current.key;
        try {
          const result = await wanted.current.ask(closed.current.signal);
          setState({ key: asked, result, problem: null });
        } catch (error) {
          if (!(error instanceof Problem)) break;
          setState((before) => ({ ...before, key: asked, problem: error }));
        }
      }
      running.current = false;
    };
    const timer = setTimeout(work, state.key ? CHECK_DELAY : 0);
    return () => clearTimeout(timer);
  }, [key]);
  useEffect(() => {
    closed.current = new AbortController();
    return () => closed.current.abort();
  }, []);
  return { result: state.result, problem: state.problem, busy: state.key !== key };
}

// Check a text with the files that the edition has beside it, and show a card. The report on the last text without mistakes stays for its card, names and rule.
export function useCheck(slug: string, text: string, card: string) {
  const before = useRef<DraftModel | null>(null);
  const { result, problem, busy } = useLatest(`${card} ${text}`, async (signal) => {
    const query = new URLSearchParams({ slug, language: language(), ...(card && { card }) });
    const path = `/api/v1/editions/checks?${query}`;
    const body = new Blob([text], { type: OCTETS });
    const found = await request<DraftModel>(path, { method: "POST", body, signal, timeout: CHECK_TIMEOUT });
    if (found.card === null && before.current) return { ...before.current, findings: found.findings };
    before.current = found;
    return found;
  });
  return { report: result, problem, checking: busy };
}

// Score decks by a text, as `useCheck` does.
type Facts = Record<string, number | boolean>;

export function useScores(slug: string, text: string, decks: Record<string, number>[], facts: Facts[]) {
  const { result, problem, busy } = useLatest<DraftScoreModel[]>(JSON.stringify([text, decks, facts]), async (signal) => {
    if ([...decks, ...facts].every((one) => Object.keys(one).length === 0)) return [];
    const options = {
      method: "POST",
      body: { text, decks, facts, slug, language: language() },
      signal,
      timeout: CHECK_TIMEOUT,
    } as const;
    return (await request<DraftScoresModel>("/api/v1/editions/checks/scores", options)).decks;
  });
  return { scores: result, problem, scoring: busy };
}
