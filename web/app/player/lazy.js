import { html } from "htm/preact";
import { useEffect, useState } from "preact/hooks";
import { Problem } from "../shared/http.js";
import { Notice, Skeleton } from "../shared/notices.js";

// A screen that is loaded when it is first wanted; `load` returns a promise of the component. Until then there is a
// skeleton of it; nothing where it is `small`, such as a dialog.
export function lazy(load, { small = false } = {}) {
  let Loaded = null;
  return function Lazy(props) {
    const [failed, setFailed] = useState(false);
    const [, setReady] = useState(Boolean(Loaded));
    const begin = () => {
      setFailed(false);
      load().then(
        (component) => {
          Loaded = component;
          setReady(true);
        },
        () => setFailed(true),
      );
    };
    useEffect(() => {
      if (!Loaded) begin();
    }, []);
    if (failed) return html`<${Notice} problem=${new Problem("network")} onAgain=${begin} small=${small} />`;
    return Loaded ? html`<${Loaded} ...${props} />` : small ? null : html`<${Skeleton} />`;
  };
}
