import { useCallback, useEffect, useState } from "preact/hooks";
import { ask } from "../shared/ask.js";

const SPENT = 800; // milliseconds after which a link that was pressed is no good any more
const PLAIN = "/demo/desk"; // leads to the desk where somebody is signed in already, else back to here

// The link that opens the desk without a password. Each works once, so after every press there is a fresh one.
export function useDeskLink(offered) {
  const [link, setLink] = useState(PLAIN);
  const fresh = useCallback(() => {
    ask("/api/v1/demo/desk", { method: "POST" }).then(
      (told) => setLink(told.link),
      () => setLink(PLAIN),
    );
  }, []);
  useEffect(() => {
    if (offered) fresh();
  }, [offered, fresh]);
  return { link, used: () => setTimeout(fresh, SPENT) };
}
