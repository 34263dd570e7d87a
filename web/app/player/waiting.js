import { html } from "htm/preact";
import { Icon } from "../shared/icon.js";
import { texts } from "../shared/texts.js";
import { clockTime } from "../shared/times.js";
import { useOffline } from "./network.js";
import { usePlace } from "./place.js";
import { useOutbox, useStuck } from "./use-outbox.js";

// In words, on every screen: whether there is network, and what waits for it. Nothing where all is well.
export function Waiting() {
  const { seat, me } = usePlace();
  const offline = useOffline();
  const waiting = useOutbox(seat.token).filter((item) => item.state !== "refused");
  const stuck = useStuck(waiting);
  const count = (kind) => waiting.filter((item) => item.kind === kind).length;
  const { pictures, confirms, handIn } = offline || stuck ? texts.waiting : texts.waiting.sending;
  const says = offline ? texts.waiting.later : stuck ? texts.waiting.putOff : texts.waiting.now;
  const things = [
    count("picture") && pictures(count("picture")),
    count("confirm") && confirms(count("confirm")),
    count("hand-in") && handIn,
  ].filter(Boolean);
  const words = [
    offline && texts.waiting.offline,
    me?.asOf && texts.outbox.asOf(clockTime(me.asOf)),
    things.length > 0 && says(things.join(", ")),
  ];
  const said = words.filter(Boolean).join(" ");
  return html`<p class=${said ? `waiting ${offline ? "waiting-offline" : ""}` : "waiting unseen"} role="status">
    ${said && html`<${Icon} name=${offline ? "offline" : "send"} /><span>${said}</span>`}
  </p>`;
}
