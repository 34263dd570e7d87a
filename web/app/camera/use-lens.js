import { useEffect, useState } from "preact/hooks";
import { openLens } from "./lens.js";

// The camera while the page is in sight: { lens, problem, choose, again }. It is given back when the page is hidden, since other
// programs may want it and phones take it away then anyhow.
export function useLens() {
  const shown = useShown();
  const [chosen, choose] = useState(null);
  const [round, setRound] = useState(0);
  const [state, setState] = useState({ lens: null, problem: null });

  useEffect(() => {
    if (!shown) return;
    let gone = false;
    let opened = null;
    setState({ lens: null, problem: null });
    openLens(chosen).then(
      (lens) => {
        if (gone) return lens.stop();
        opened = lens;
        lens.track.addEventListener("ended", () => gone || setState({ lens: null, problem: "busy" }));
        setState({ lens, problem: null });
      },
      (error) => gone || setState({ lens: null, problem: error.reason ?? "busy" }),
    );
    return () => {
      gone = true;
      opened?.stop();
      setState({ lens: null, problem: null });
    };
  }, [shown, chosen, round]);

  useAwake(Boolean(state.lens));
  return { ...state, choose, again: () => setRound(round + 1) };
}

function useShown() {
  const [shown, setShown] = useState(!document.hidden);
  useEffect(() => {
    const look = () => setShown(!document.hidden);
    document.addEventListener("visibilitychange", look);
    return () => document.removeEventListener("visibilitychange", look);
  }, []);
  return shown;
}

// Keep the screen from going dark while this holds.
function useAwake(wanted) {
  useEffect(() => {
    if (!wanted || !navigator.wakeLock) return;
    const lock = navigator.wakeLock.request("screen").catch(() => null);
    return () => lock.then((held) => held?.release());
  }, [wanted]);
}
