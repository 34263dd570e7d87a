// Lazily loaded components.

import type { FunctionComponent } from "preact";
import { useEffect, useState } from "preact/hooks";
import { Problem } from "../shared/http";
import { Notice, Skeleton } from "../shared/notices";

// Return a component that is loaded when it is first rendered; `load` returns a promise of it. Meanwhile it is a skeleton, or
// nothing if it is `small`, such as a dialog.
export function lazy<Props extends object>(
  load: () => Promise<FunctionComponent<Props>>,
  { small = false } = {},
): FunctionComponent<Props> {
  let Loaded: FunctionComponent<Props> | null = null;
  return function Lazy(props: Props) {
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
    if (failed) return <Notice problem={new Problem("network")} onRetry={begin} small={small} />;
    return Loaded ? <Loaded {...props} /> : small ? null : <Skeleton />;
  };
}
