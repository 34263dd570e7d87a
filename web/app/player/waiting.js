import { html } from "htm/preact";
import { Icon } from "../shared/icon.js";
import { texts } from "../shared/texts.js";
import { clockTime } from "../shared/times.js";
import { useOffline } from "./network.js";
import { usePlace } from "./place.js";
import { useOutbox } from "./use-outbox.js";

// In words, on every screen: whether there is network, and what waits for it. Nothing where all is well.
export function Waiting() {
  const { seat, me } = usePlace();
  const offline = useOffline();
  const waiting = useOutbox(seat.token).filter((item) => item.state !== "refused");
  const count = (kind) => waiting.filter((item) => item.kind === kind).length;
  const things = [
    count("picture") && texts.waiting.pictures(count("picture")),
    count("confirm") && texts.waiting.confirms(count("confirm")),
    count("hand-in") && texts.waiting.handIn,
  ].filter(Boolean);
  const words = [
    offline && texts.waiting.offline,
    me?.asOf && texts.outbox.asOf(clockTime(me.asOf)),
    things.length > 0 && (offline ? texts.waiting.later : texts.waiting.now)(things.join(", ")),
  ];
  const said = words.filter(Boolean).join(" ");
  return html`<p class=${said ? `waiting ${offline ? "waiting-offline" : ""}` : "waiting unseen"} role="status">
    ${said && html`<${Icon} name=${offline ? "offline" : "send"} /><span>${said}</span>`}
  </p>`;
}
