import { useEffect, useState } from "preact/hooks";
import { ask } from "../../shared/ask.js";
import { pictureOf } from "../calls.js";
import { usePlace } from "../place.js";
import { urlOfSent } from "./own-pictures.js";

// The address of a picture's bytes: the ones that this page has sent, else the server's; null until they are there.
export function usePicture(deck, photo, item) {
  const { seat } = usePlace();
  const own = item ? urlOfSent(item) : null;
  const [url, setUrl] = useState(null);
  const wanted = !own && photo.image && photo.state !== "waiting";
  useEffect(() => {
    if (!wanted) return undefined;
    const ended = new AbortController();
    let made = null;
    ask(pictureOf(deck, photo.id), { token: seat.token, as: "blob", signal: ended.signal }).then(
      (blob) => setUrl((made = URL.createObjectURL(blob))),
      () => {},
    );
    return () => {
      ended.abort();
      if (made) URL.revokeObjectURL(made);
    };
  }, [wanted, deck, photo.id, photo.state]);
  return own ?? url;
}
