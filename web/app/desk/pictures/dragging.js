// Pictures that are dragged to the envelope they belong to.

import { useState } from "preact/hooks";

const DRAGGED = "application/x-haggle-pictures";

// Have these pictures, by their ids, go along with a drag that begins.
export const carry = (event, ids) => event.dataTransfer.setData(DRAGGED, JSON.stringify(ids));

// Something that pictures can be dropped on: { over, on }, whether they are above it now, and its handlers. `onDropped` gets
// the pictures' ids.
export function useTarget(onDropped) {
  const [over, setOver] = useState(false);
  const carries = (event) => event.dataTransfer.types.includes(DRAGGED);
  const on = {
    onDragOver: (event) => {
      if (!carries(event)) return;
      event.preventDefault();
      setOver(true);
    },
    onDragLeave: (event) => event.currentTarget.contains(event.relatedTarget) || setOver(false),
    onDrop: (event) => {
      if (!carries(event)) return;
      event.preventDefault();
      event.stopPropagation();
      setOver(false);
      onDropped(JSON.parse(event.dataTransfer.getData(DRAGGED)));
    },
  };
  return { over, on };
}
