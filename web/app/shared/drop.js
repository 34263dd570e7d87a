// Pictures that are dragged onto the page or pasted into it.

import { useEffect, useRef, useState } from "preact/hooks";

// Call `onPicture` with the first file that is dropped or pasted; tell whether one hovers over the page.
export function usePictureDrop(onPicture) {
  const [over, setOver] = useState(false);
  const latest = useRef(onPicture);
  latest.current = onPicture;

  useEffect(() => {
    const carriesFile = (event) => [...(event.dataTransfer?.types ?? [])].includes("Files");
    const drag = (event) => {
      if (!carriesFile(event)) return;
      event.preventDefault();
      setOver(true);
    };
    const leave = (event) => {
      if (!event.relatedTarget) setOver(false);
    };
    const take = (event, data) => {
      const file = data?.files?.[0];
      if (!file) return;
      event.preventDefault();
      setOver(false);
      latest.current(file);
    };
    const drop = (event) => take(event, event.dataTransfer);
    const paste = (event) => take(event, event.clipboardData);
    const listeners = { dragenter: drag, dragover: drag, dragleave: leave, drop, paste };
    for (const [name, listener] of Object.entries(listeners)) window.addEventListener(name, listener);
    return () => {
      for (const [name, listener] of Object.entries(listeners)) window.removeEventListener(name, listener);
    };
  }, []);
  return over;
}
