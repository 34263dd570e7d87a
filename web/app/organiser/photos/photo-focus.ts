// Focus on the board's photos: movement by keys, and the photo that follows those that are removed.

import { useRef } from "preact/hooks";

export function usePhotoFocus() {
  const box = useRef<HTMLElement>(null);
  const last = useRef(-1); // index of the last focused photo
  const shots = () => photoElements(box.current);
  return {
    box,
    // Return the photo with the focus, and the one to focus when some are removed.
    focused: () => idOf(box.current?.querySelector<HTMLElement>(".shot-open:focus")),
    nextRemaining: (gone: Set<string>) => nextRemaining(shots(), gone),
    focus: (id: string | null | undefined) =>
      id &&
      shots()
        .find((shot) => idOf(shot) === id)
        ?.focus(),
    move: (by: number) => {
      const all = shots();
      const at = focusedAt(all);
      all[Math.max(0, Math.min(all.length - 1, (at < 0 ? last.current : at) + by))]?.focus();
    },
    onFocusIn: () => {
      const at = focusedAt(shots());
      if (at >= 0) last.current = at;
    },
    // These keys scroll the page unless a photo has the focus.
    onKeyDown: (event: KeyboardEvent) => {
      const all = shots();
      const at = focusedAt(all);
      const moves: Record<string, (() => number) | undefined> = {
        ArrowUp: () => neighbourInRow(all, at, -1),
        ArrowDown: () => neighbourInRow(all, at, 1),
        Home: () => 0,
        End: () => all.length - 1,
      };
      const to = moves[event.key];
      if (!to || at < 0 || event.ctrlKey || event.metaKey || event.altKey) return;
      event.preventDefault();
      all[to()]?.focus();
    },
  };
}

const photoOf = (shot: HTMLElement | null | undefined) => shot?.closest<HTMLElement>("[data-photo]");
const idOf = (shot: HTMLElement | null | undefined) => photoOf(shot)?.dataset.photo;
const photoElements = (box: HTMLElement | null) => [...(box?.querySelectorAll<HTMLElement>(".shot-open") ?? [])];

// Return the index of the focused photo, or of the one whose checkbox has the focus; -1 if there is none.
const focusedAt = (shots: HTMLElement[]) => shots.findIndex((shot) => photoOf(shot)?.contains(document.activeElement));

// Return the nearest photo in the row above (-1) or below (1), or the same one.
function neighbourInRow(shots: HTMLElement[], at: number, way: number): number {
  const places = shots.map((shot) => shot.getBoundingClientRect());
  const here = places[at];
  if (!here) return at;
  const beyond = places
    .map(({ top, left }, index) => ({ index, far: (top - here.top) * way, aside: Math.abs(left - here.left) }))
    .filter(({ far }) => far > here.height / 2);
  const nearest = Math.min(...beyond.map(({ far }) => far));
  const row = beyond.filter(({ far }) => far < nearest + here.height / 2).sort((a, b) => a.aside - b.aside);
  return row[0]?.index ?? at;
}

// Return the photo to focus when some are removed: the next one that stays, otherwise the last one before.
function nextRemaining(shots: HTMLElement[], gone: Set<string>) {
  const stays = (shot: HTMLElement) => !gone.has(idOf(shot) ?? "");
  const last = shots.map(stays).lastIndexOf(false);
  return idOf(shots.slice(last + 1).find(stays) ?? shots.slice(0, Math.max(0, last)).filter(stays).at(-1));
}
