import { useImage } from "../../shared/use-image.js";
import { pictureOf } from "../calls.js";
import { usePlace } from "../place.js";
import { fileOfSent } from "./own-pictures.js";

// A picture of a deck: the file that this page has sent, else the server's. As `useImage` gives it.
export function usePicture(deck, photo, item) {
  const { seat } = usePlace();
  const there = photo.image && photo.state !== "waiting";
  return useImage({ file: item ? fileOfSent(item) : null, path: there ? pictureOf(deck, photo.id) : null, token: seat.token });
}
