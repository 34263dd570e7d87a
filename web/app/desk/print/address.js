// The address that phones open by the code on a label.

import { texts } from "../../shared/texts.js";

const LONGEST = 100; // a longer one makes the code too fine

export function joinHint(join) {
  const words = texts.print.dealing;
  if (!join) return words.joinNone;
  if (!/^https?:\/\//.test(join)) return words.joinWrong;
  return join.startsWith("http:") ? words.joinPlain : words.joinHint;
}

export const isAddress = (text) => text.length <= LONGEST && /^https?:\/\/[^\s/?#]+(\/[^\s?#]*)?$/.test(text);
export const isLocal = (text) => /^https?:\/\/(localhost|127\.|\[::1\]|[^/]*\.localhost\b)/.test(text);

// What is filled in where no print run has one: none that only this computer opens.
export const usualAddress = (address) => address ?? (isLocal(location.origin) ? "" : location.origin);
