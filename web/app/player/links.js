// The links on envelopes' labels: /j#TOKEN. The token goes where it is kept, and out of the address.

import { go } from "../shared/router.js";
import { take, tokenIn } from "./seats.js";

// Whether the page was opened by a link that is none of a label's, such as one that was cut off.
let wrong = false;
export const openedWrongly = () => wrong;

export function openLink() {
  if (location.pathname !== "/j") return;
  const token = tokenIn(location.hash);
  wrong = !token && location.hash.length > 1;
  if (token) take(token);
  go("/", { replace: true });
}
