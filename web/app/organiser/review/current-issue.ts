// The issue that is shown, and the way to others.

import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import type { IssueModel, QueueModel } from "../../../api";
import { request, useFetch } from "../../shared/http";
import { navigate } from "../../shared/router";
import type { Standing } from "./review";

export type CurrentIssue = ReturnType<typeof useCurrentIssue>;

// Return the current issue and functions to show others. `wanted` is the key in the address. `shown` counts what was shown.
export function useCurrentIssue(game: string, data: QueueModel | null, standing: Standing, wanted: string | undefined) {
  const items = data?.items ?? [];
  const [key, setKey] = useState<string | null>(wanted ?? null);
  const [shown, setShown] = useState(0);
  const [place, setPlace] = useState(0);
  const { item, successor, gone, others, restart } = useKeptIssue(game, data, key);
  // The issue after a decision, with the queue at that time: the next response may say that the decision settled it too.
  const reached = useRef<{ key: string; queue: QueueModel | null } | null>(null);
  const advancedAt = useRef(Number.NEGATIVE_INFINITY);
  const reset = (next: string | null) => {
    reached.current = null;
    setKey(next);
    setShown((before) => before + 1);
    setPlace(0);
  };
  const show = (next: { key: string } | null | undefined) => {
    reset(next?.key ?? null);
    restart();
    const path = `/desk/games/${game}/queue${next ? `/doubts/${encodeURIComponent(next.key)}` : ""}${location.search}`;
    navigate(path, { replace: true });
  };
  // At once: a delayed effect would show the issue again after a key has chosen an option.
  useLayoutEffect(() => {
    const next = items.find((one) => one.standing === "open") ?? (standing === "open" ? null : items[0]);
    if (!key && next) show(next);
  }, [data, key]);
  // After a key or a decision, the focus follows.
  const moved = useRef(false);
  useEffect(() => {
    if (moved.current && item) document.querySelector<HTMLElement>(".item-title")?.focus({ preventScroll: true });
    if (item) moved.current = false;
  }, [item?.key, item?.standing, shown]);
  const moveTo = (next: { key: string } | null | undefined) => {
    moved.current = true;
    show(next);
  };
  useEffect(() => {
    if (wanted && wanted !== key) reset(wanted);
  }, [wanted]);
  useEffect(() => {
    if (successor) show(successor);
  }, [successor]);

  const at = items.findIndex((one) => one.key === key);
  const step = (by: number) => {
    if (items.length) moveTo(items[(at < 0 ? 0 : at + by + items.length) % items.length]);
  };
  // Return the next open issue that is not `done`.
  const following = (done = new Set<string>()) => {
    const rest = [...items.slice(at + 1), ...items.slice(0, Math.max(0, at))].filter((one) => !done.has(one.key));
    return rest.find((one) => one.key !== key && one.standing === "open") ?? null;
  };
  // Show the next issue after a decision.
  const advance = (next: { key: string } | null) => {
    moveTo(next);
    advancedAt.current = performance.now();
    reached.current = next && { key: next.key, queue: null };
  };
  useEffect(() => {
    const before = reached.current;
    if (!before || before.key !== key) return;
    before.queue ??= data;
    if (before.queue === data) return;
    reached.current = null;
    if (items[at]?.standing !== "open") advance(following());
  }, [key, data]);
  return { key, item, items, gone, others, place, setPlace, show, moveTo, advance, advancedAt, step, following, shown };
}

// Return the current issue. It stays, even if somebody else decides it: then there are `others`. `successor` is the one that took
// its place, `gone` that it does not exist any more; `restart` forgets how it was first shown.
function useKeptIssue(game: string, data: QueueModel | null, key: string | null) {
  const listed = data?.items.find((item) => item.key === key);
  const kept = useRef<IssueModel | null>(null);
  // A card that was added changes the number of the same envelope, which stays until the number is right.
  const last = !listed && kept.current?.key === key && kept.current.kind === "count" ? kept.current : null;
  const successor =
    last &&
    data?.items.find(
      ({ kind, envelopes, standing }) => kind === "count" && envelopes[0] === last.envelopes[0] && standing === "open",
    );
  const seen = useFetch(
    (signal) =>
      key && data && !listed && !successor
        ? request<IssueModel>(`/api/v1/games/${game}/queue/${encodeURIComponent(key)}`, { signal })
        : Promise.resolve(null),
    `${key}/${Boolean(data)}/${Boolean(listed)}/${successor?.key}/${data?.open}`,
  );
  const gone = Boolean(key && data && !listed && seen.problem?.status === 404);
  const item = listed ?? seen.data ?? (kept.current?.key === key ? kept.current : null);
  if (item) kept.current = item;
  const first = useRef<IssueModel | null>(null); // the issue as it was first shown
  if (item && first.current?.key !== item.key) first.current = item;
  const others =
    item && item.revision !== first.current?.revision && item.standing !== "open" && first.current?.standing === "open";
  const restart = () => {
    first.current = null;
  };
  return { item, successor, gone, others, restart };
}
