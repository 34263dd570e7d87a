import { useCallback, useEffect, useRef, useState } from "preact/hooks";

// Something that is sent to the server at a press of a button: { send, busy, problem }. `send` takes what makes the
// promise, and gives true if it went well; nothing is sent a second time while it is under way.
export function useSending() {
  const [state, setState] = useState({ busy: false, problem: null });
  const shown = useRef(true);
  const busy = useRef(false);
  useEffect(() => () => (shown.current = false), []);
  const send = useCallback(async (work) => {
    if (busy.current) return false;
    busy.current = true;
    setState({ busy: true, problem: null });
    let problem = null;
    try {
      await work();
    } catch (error) {
      problem = error;
    }
    busy.current = false;
    if (shown.current) setState({ busy: false, problem });
    return !problem;
  }, []);
  const forget = useCallback(() => setState({ busy: false, problem: null }), []);
  return { ...state, send, forget };
}
