import { useImage } from "../../shared/use-image.js";
import { pictureOf } from "../calls.js";
import { usePlace } from "../place.js";
import { fileOfSent } from "./own-pictures.js";

const WIDTH = 800; // pixels of the server's small copy: two for each of a phone's own, and a fiftieth of the bytes

// A picture of a deck: the file that this page has sent, else the server's, which is small until it is looked at from near.
// As `useImage` gives it.
export function usePicture(deck, photo, item, near) {
  const { seat } = usePlace();
  const there = photo.image && photo.state !== "waiting";
  const whole = there ? pictureOf(deck, photo.id) : null;
  const shown = useImage({ file: item ? fileOfSent(item) : null, path: whole && photo.state === "done" ? `${whole}?width=${WIDTH}` : whole, token: seat.token });
  const close = useImage({ path: near && !shown.own ? whole : null, token: seat.token });
  return { ...shown, url: close.url ?? shown.url };
}
