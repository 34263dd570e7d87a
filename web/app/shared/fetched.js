import { useCallback, useEffect, useRef, useState } from "preact/hooks";

// Something from the server that a screen shows: { data, problem, again }. `load` gets a signal and returns a promise;
// it is called when `key` changes and by `again`, and what was there stays until the new has come.
export function useFetched(load, key) {
  const [state, setState] = useState({ key, data: null, problem: null });
  const latest = useRef(load);
  latest.current = load;
  const running = useRef(null);

  const again = useCallback(() => {
    running.current?.abort();
    const run = (running.current = new AbortController());
    return latest.current(run.signal).then(
      (data) => run.signal.aborted || setState({ key, data, problem: null }),
      (problem) => run.signal.aborted || setState((before) => ({ ...before, key, problem })),
    );
  }, [key]);

  useEffect(() => {
    again();
    // What was refused to somebody who was not signed in is asked for anew.
    addEventListener("haggle-signed-in", again);
    return () => {
      removeEventListener("haggle-signed-in", again);
      running.current?.abort();
    };
  }, [again]);

  // What belongs to another key is not shown for a moment.
  const data = state.key === key ? state.data : null;
  const put = useCallback(
    (next) => setState((before) => ({ key, data: typeof next === "function" ? next(before.data) : next, problem: null })),
    [key],
  );
  return { data, problem: state.key === key ? state.problem : null, again, put };
}
