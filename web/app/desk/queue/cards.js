import { ask } from "../../shared/ask.js";
import { useFetched } from "../../shared/fetched.js";
import { kindsOf } from "../../shared/kinds.js";
import { useMemo } from "preact/hooks";

// The kinds of a game's cards by slug, with what they look like; null until they have come.
export function useKinds(game) {
  const { data } = useFetched((signal) => ask(`/api/v1/games/${game}/kinds`, { signal }), game);
  return useMemo(() => data && kindsOf(data), [data]);
}
