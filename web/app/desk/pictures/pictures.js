import { html } from "htm/preact";
import { useState } from "preact/hooks";
import { ask } from "../../shared/ask.js";
import { Icon } from "../../shared/icon.js";
import { Notice, Skeleton } from "../../shared/notice.js";
import { say } from "../../shared/said.js";
import { speak, texts } from "../../shared/texts.js";
import { View } from "../../shared/view.js";
import { useKinds } from "../queue/cards.js";
import { NobodyReads, nobodyReads } from "../nobody-reads.js";
import { Quarters } from "../quarters.js";
import { useSteady } from "../steady.js";
import { Board } from "./board.js";
import { DropZone } from "./drop-zone.js";
import { Missing, useMissing } from "./missing.js";
import { PictureDialog } from "./picture-dialog.js";
import { senderOf } from "./sender.js";
import { Sending } from "./sending.js";

await speak("pictures", "queue");

const PAGE = 1000;
const TAKEN = new Set(["open", "closed"]); // states in which pictures are taken

// All pictures that the list has, in as many requests as it takes.
async function allPhotos(game, signal) {
  const photos = [];
  for (;;) {
    const told = await ask(`/api/v1/games/${game}/photos?limit=${PAGE}&offset=${photos.length}`, { signal });
    photos.push(...told.photos);
    if (!told.photos.length || photos.length >= told.total) return { ...told, photos };
  }
}

// Pictures of envelopes: how they come in, how far they are read, and whose each is.
export default function Part({ game, again }) {
  const sender = senderOf(game.id);
  const kinds = useKinds(game.id);
  const list = useSteady((signal) => allPhotos(game.id, signal), game.id, ["photos", "queue"]);
  const envelopes = useSteady((signal) => ask(`/api/v1/games/${game.id}/envelopes`, { signal }), game.id, ["envelopes", "queue"]);
  const missing = useMissing(game.id);
  const [opened, setOpened] = useState(null);
  const [fallen, setFallen] = useState(null); // pictures that were dropped on an envelope without any
  const words = texts.pictures;

  const add = async (entries) => {
    const { fresh, again: twice, others } = await sender.add(entries);
    say(words.added(fresh, twice, others));
  };
  const problem = list.problem ?? envelopes.problem ?? missing.problem;
  const refresh = () => {
    list.again();
    if (envelopes.problem) envelopes.again();
    missing.again();
    again();
  };
  // All come before anything is drawn of them: else what came first would be pushed aside by the others.
  const photos = envelopes.data && missing.data && list.data?.photos;
  const shown = photos?.find(({ id }) => id === opened);
  return html`<${View} name="pictures" title=${words.title}>
    ${TAKEN.has(game.state) ? html`<${DropZone} onFiles=${add} />` : html`<p class="panel not-now"><${Icon} name="clock" />${words.notNow[game.state]}</p>`}
    <${Sending} sender=${sender} />
    ${problem && !photos && html`<${Notice} problem=${problem} onAgain=${refresh} />`}
    ${!photos && !problem && html`<${Skeleton} rows=${3} />`}
    ${photos && html`<${NobodyReads} is=${nobodyReads(list.data)} />`}
    ${photos?.length > 0 && html`<${Reading} states=${list.data.states} />`}
    ${photos && html`<${Missing} game=${game} envelopes=${envelopes.data.envelopes} missing=${missing.data} photos=${photos} onDropped=${(ids, envelope) => setFallen({ ids, envelope })} again=${refresh} />`}
    ${photos && html`<${Board} game=${game} photos=${photos} envelopes=${envelopes.data.envelopes} fallen=${fallen} onOpen=${setOpened} again=${refresh} />`}
    ${shown && html`<${PictureDialog} key=${shown.id} game=${game} kinds=${kinds} photo=${shown} photos=${photos} onOpen=${setOpened} onClose=${() => setOpened(null)} again=${refresh} />`}
  <//>`;
}

// How far all pictures are read.
function Reading({ states }) {
  const words = texts.pictures.reading;
  const all = Object.values(states).reduce((sum, count) => sum + count, 0);
  const over = states.done + states.failed;
  const title = over === all ? words.over(all) : words.title(over, all);
  return html`<section class="panel reading" aria-labelledby="reading-title">
    <h2 id="reading-title">${title}</h2>
    <progress aria-labelledby="reading-title" max=${all} value=${over}></progress>
    <${Quarters} done=${over} all=${all} over=${over === all} words=${title} />
    <ul class="states">
      ${["waiting", "scanning", "done", "failed"].map((state) => html`<li data-state=${state}><b>${states[state]}</b> ${words.states[state]}</li>`)}
    </ul>
  </section>`;
}
