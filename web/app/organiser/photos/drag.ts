// Drag and drop of photos onto envelopes.

import type { TargetedDragEvent } from "preact";
import { useState } from "preact/hooks";

const DRAG_TYPE = "application/x-haggle-pictures";

// Put the ids of photos into a drag.
export const startDrag = (event: DragEvent, ids: string[]) => event.dataTransfer?.setData(DRAG_TYPE, JSON.stringify(ids));

// A drop target for photos: { over, on }, whether photos are above it, and its event handlers. `onDropped` gets the ids.
export function useDropTarget(onDropped: (ids: string[]) => void) {
  const [over, setOver] = useState(false);
  const carries = (event: DragEvent) => event.dataTransfer?.types.includes(DRAG_TYPE);
  const on = {
    onDragOver: (event: DragEvent) => {
      if (!carries(event)) return;
      event.preventDefault();
      setOver(true);
    },
    onDragLeave: (event: TargetedDragEvent<HTMLElement>) =>
      event.currentTarget.contains(event.relatedTarget as Node | null) || setOver(false),
    onDrop: (event: DragEvent) => {
      if (!carries(event)) return;
      event.preventDefault();
      event.stopPropagation();
      setOver(false);
      onDropped(JSON.parse(event.dataTransfer?.getData(DRAG_TYPE) ?? "[]"));
    },
  };
  return { over, on };
}
