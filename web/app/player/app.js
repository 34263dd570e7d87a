import { html } from "htm/preact";
import { useEffect, useState } from "preact/hooks";
import { Notice, Skeleton } from "../shared/notice.js";
import { Said } from "../shared/said.js";
import { useRoute } from "../shared/router.js";
import { speak } from "../shared/texts.js";
import { Header } from "./header.js";
import { Home } from "./home/home.js";
import { lazy } from "./lazy.js";
import { Offers } from "./outbox/offers.js";
import { outbox } from "./outbox/outbox.js";
import { Shared, SharedLost, sharedLater } from "./outbox/use-shared.js";
import { PlaceProvider, useMyPlace } from "./place.js";
import { remember, seats, settle, watchSeats } from "./seats.js";
import { Waiting } from "./waiting.js";

const Welcome = lazy(() => import("./welcome.js").then(({ Welcome }) => Welcome));
const NoEnvelope = lazy(() => import("./no-envelope.js").then(({ NoEnvelope }) => NoEnvelope));
const Gone = lazy(() => import("./gone.js").then(({ Gone }) => Gone));
const Deck = lazy(() => Promise.all([import("./deck/deck.js"), speak("deck")]).then(([{ Deck }]) => Deck));
const Result = lazy(() => Promise.all([import("./result/result.js"), speak("deck", "result")]).then(([{ Result }]) => Result));

// The players' page: whose envelope it is, then what that player can do now.
export function App() {
  const [all, setAll] = useState(seats);
  useEffect(() => watchSeats(() => setAll(seats())), []);
  const [seat] = all;
  useEffect(() => void (!seat && sharedLater()), [seat]);
  return html`${seat ? html`<${Player} key=${seat.token} seat=${seat} others=${all.slice(1)} />` : html`<${Header} /><main><${NoEnvelope} /></main>`}
    <${SharedLost} />
    <${Said} />`;
}

function Player({ seat, others }) {
  const place = useMyPlace(seat);
  const { me, problem } = place;
  useEffect(() => me && remember(seat.id, me.game.name), [me?.game.name]);
  useEffect(() => {
    if (seat.former) outbox.move(seat.former, seat.token).then(() => settle(seat.id), () => {});
  }, [seat.former]);
  const [section] = useRoute();
  const gone = problem?.slug === "bad-token" || problem?.slug === "not-found";
  return html`<${PlaceProvider} value=${place}>
    <${Header} seat=${seat} others=${others} />
    <main>
      <${Waiting} />
      ${gone && html`<${Gone} seat=${seat} others=${others} problem=${problem} />`}
      ${!gone && (me || !problem) && html`<${Screens} me=${me} />`}
      ${!gone && !me && problem && html`<${Notice} problem=${problem} onAgain=${place.again} />`}
      ${me?.envelope.joined && html`<${Shared} seat=${seat} me=${me} />`}
      <${Offers} quiet=${Boolean(me?.envelope.joined) && section !== "p"} />
    </main>
  <//>`;
}

// Screens with addresses of their own begin before it is known whose place it is, and ask for what is theirs beside it: on a
// slow network a question that waits for the answer to another one costs half a second. They show it once `me` is there.
function Screens({ me }) {
  const [section, screen, id] = useRoute();
  if (me && !me.envelope.joined) return html`<${Welcome} />`;
  if (section === "p" && screen === "deck" && id) return html`<${Deck} key=${id} id=${id} />`;
  if (section === "p" && screen === "result") return html`<${Result} />`;
  return me ? html`<${Home} />` : html`<${Skeleton} rows=${4} />`;
}
