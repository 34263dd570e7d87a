import { html } from "htm/preact";
import { useEffect, useState } from "preact/hooks";
import { Notice, Skeleton } from "../shared/notice.js";
import { texts } from "../shared/texts.js";

// A part of the desk that is loaded when it is opened: `load` gives its module first, and then whatever its words are.
export function Part({ load, rows = 4, ...rest }) {
  const [part, setPart] = useState(null);
  const [broken, setBroken] = useState(false);
  useEffect(() => {
    let current = true;
    setBroken(false);
    load().then(
      ([module]) => current && setPart({ load, component: module.default }),
      () => current && setBroken(true),
    );
    return () => {
      current = false;
    };
  }, [load]);
  // A browser keeps a module that could not be loaded for lost, so the page begins anew.
  if (broken) return html`<${Notice} problem=${texts.problems.network} onAgain=${() => location.reload()} />`;
  if (part?.load !== load) return html`<${Skeleton} rows=${rows} />`;
  return html`<${part.component} ...${rest} />`;
}
