import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import { useOn } from "./live.js";

const PAUSE = 700; // milliseconds between two fetches

// Something from the server that changes while it is shown: { data, problem, again, put }. It is fetched when `key` changes,
// when something happens under one of the topics, and by `again`. Never twice at once, and with a pause in between: where
// things happen in swarms, each fetch is let finish, and one more follows the last of them.
export function useSteady(load, key, topics) {
  const [state, setState] = useState({ key, data: null, problem: null });
  const latest = useRef(load);
  latest.current = load;
  const keeper = useRef(null);
  const puts = useRef(0);

  useEffect(() => {
    const ended = new AbortController();
    let busy = false;
    let wanted = false;
    const again = async () => {
      wanted = true;
      if (busy) return;
      busy = true;
      while (wanted && !ended.signal.aborted) {
        wanted = false;
        const before = puts.current;
        try {
          const data = await latest.current(ended.signal);
          // What was asked for before a change of one's own is older than what is shown.
          if (before !== puts.current) wanted = true;
          else if (!ended.signal.aborted) setState({ key, data, problem: null });
        } catch (problem) {
          if (!ended.signal.aborted) setState((before) => ({ key, data: before.key === key ? before.data : null, problem }));
        }
        await new Promise((resolve) => setTimeout(resolve, PAUSE));
      }
      busy = false;
    };
    keeper.current = { again };
    again();
    return () => ended.abort();
  }, [key]);

  const again = useCallback(() => keeper.current?.again(), []);
  const put = useCallback(
    (next) => {
      puts.current += 1;
      setState((before) => ({ key, data: next(before.data), problem: null }));
    },
    [key],
  );
  useOn(topics, again);
  const own = state.key === key;
  return { data: own ? state.data : null, problem: own ? state.problem : null, again, put };
}
