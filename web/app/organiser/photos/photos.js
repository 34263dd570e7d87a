import { html } from "htm/preact";
import { useEffect, useMemo, useReducer, useRef, useState } from "preact/hooks";
import { ask } from "../../shared/http.js";
import { speak, texts } from "../../shared/i18n.js";
import { Icon } from "../../shared/icon.js";
import { Notice, Skeleton, say } from "../../shared/notices.js";
import { View } from "../../shared/router.js";
import { NobodyReads, nobodyReads, useSteady } from "../live.js";
import { useKinds } from "../review/card-entry.js";
import { Board } from "./board.js";
import { Missing, useMissing } from "./missing.js";
import { PictureDialog } from "./photo-dialog.js";
import { ACCEPT, chosen, dropped, senderOf } from "./upload-queue.js";

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
export function Photos({ game, again }) {
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

// How far the pictures of this sitting are sent: all together, and each. It is drawn anew whenever the sender has something to
// tell, many times a second; the rest of the page is not.
function Sending({ sender }) {
  const [, draw] = useReducer((count) => count + 1, 0);
  useEffect(() => sender.subscribe(draw), [sender]);
  const shown = sender.items.filter(({ old }) => !old);
  const asleep = sender.items.filter(({ state }) => state === "asleep");
  if (!shown.length && !asleep.length) return null;
  const count = (state) => shown.filter((item) => item.state === state).length;
  const sent = count("sent");
  const refused = shown.filter(({ state }) => state === "refused");
  const share = shown.reduce((sum, item) => sum + (item.state === "sent" ? 1 : item.progress), 0) / Math.max(1, shown.length);
  const over = !sender.busy;
  const words = texts.pictures.sending;
  const title = over ? words.done(sent) : words.title(sent, shown.length);
  return html`<section class="panel sending" aria-labelledby="sending-title">
    ${shown.length > 0 &&
    html`<div class="sending-head">
        <h2 id="sending-title">${title}</h2>
        ${!over && (sender.paused ? html`<button type="button" onClick=${() => sender.goOn()}>${words.goOn}</button>` : html`<button type="button" class="secondary" onClick=${() => sender.stop()}>${words.pause}</button>`)}
        ${over && !refused.length && html`<button type="button" class="secondary" onClick=${() => sender.clear()}>${words.clear}</button>`}
      </div>
      <progress aria-labelledby="sending-title" max="1" value=${share}></progress>
      <${Quarters} done=${sent} all=${shown.length} over=${over} words=${title} />`}
    ${sender.trouble && html`<${Trouble} sender=${sender} />`}
    ${refused.length > 0 &&
    html`<div class="refused">
      <h3>${words.refused(refused.length)}</h3>
      <ul>
        ${refused.map(
          (item) => html`<li key=${item.id}>
            <p><strong>${item.path}</strong> ${item.problem.title}. ${item.problem.detail}</p>
            <button type="button" class="secondary" onClick=${() => sender.retry(item)}>${texts.again}<span class="unseen">${item.path}</span></button>
            <button type="button" class="secondary" onClick=${() => sender.drop([item])}>${words.leaveOut}<span class="unseen">${item.path}</span></button>
          </li>`,
        )}
      </ul>
    </div>`}
    ${asleep.length > 0 && html`<${Asleep} sender=${sender} items=${asleep} titled=${!shown.length} />`}
    ${shown.length > 0 &&
    html`<details class="each">
      <summary>${words.each}</summary>
      <ol class="each-list" tabindex="0" aria-label=${words.each}>
        ${shown.map((item) => html`<${Row} key=${item.id} path=${item.path} state=${item.twin ? "twin" : item.state} progress=${Math.round(item.progress * 100)} />`)}
      </ol>
    </details>`}
  </section>`;
}

// One file. Hundreds of them are drawn whenever one moves on, so each keeps its drawing while nothing about it changes.
function Row({ path, state, progress }) {
  return useMemo(
    () => html`<li data-state=${state}>
      <span class="each-name">${path}</span>
      <span class="each-state">${texts.pictures.sending.states[state]}${state === "sending" ? ` ${progress} %` : ""}</span>
    </li>`,
    [path, state, progress],
  );
}

function Trouble({ sender }) {
  const { trouble } = sender;
  const words = texts.pictures.sending;
  return html`<div class="notice notice-small" role="status">
    <strong>${trouble.title}</strong>
    <p>${sender.paused ? trouble.detail : words.byItself}</p>
    ${!sender.paused && html`<button type="button" class="secondary" onClick=${() => sender.goOn()}><${Icon} name="again" />${words.now}</button>`}
  </div>`;
}

// Files that were to be sent when the page was loaded anew.
function Asleep({ sender, items, titled }) {
  const words = texts.pictures.sending;
  const held = items.some(({ handle }) => handle);
  return html`<div class="asleep">
    <h3 id=${titled ? "sending-title" : undefined}>${words.asleep(items.length)}</h3>
    <p>${held ? words.wakeLead : words.dropAgain}</p>
    <div class="sending-ends">
      ${held && html`<button type="button" onClick=${() => sender.wake()}>${words.wake}</button>`}
      <button type="button" class="secondary" onClick=${() => sender.drop(items)}>${words.forget}</button>
    </div>
    <details>
      <summary>${words.which}</summary>
      <ul class="each-list" tabindex="0" aria-label=${words.which}>${items.map((item) => html`<li key=${item.id}>${item.path}</li>`)}</ul>
    </details>
  </div>`;
}

// Where pictures come in: dropped anywhere on the page, pasted, or chosen as files or as a folder. `onFiles` gets the
// entries of one drop.
function DropZone({ onFiles }) {
  const [over, setOver] = useState(false);
  const files = useRef(null);
  const folder = useRef(null);
  const latest = useRef(onFiles);
  latest.current = onFiles;

  useEffect(() => {
    const carries = (event) => [...(event.dataTransfer?.types ?? [])].includes("Files");
    const listeners = {
      dragover: (event) => {
        if (!carries(event)) return;
        event.preventDefault();
        setOver(true);
      },
      dragleave: (event) => event.relatedTarget || setOver(false),
      drop: (event) => {
        if (!carries(event)) return;
        event.preventDefault();
        setOver(false);
        dropped(event.dataTransfer).then(latest.current);
      },
      paste: (event) => event.clipboardData?.files.length && latest.current(chosen(event.clipboardData.files)),
    };
    for (const [name, listener] of Object.entries(listeners)) addEventListener(name, listener);
    return () => {
      for (const [name, listener] of Object.entries(listeners)) removeEventListener(name, listener);
    };
  }, []);

  const take = (event) => {
    const entries = chosen(event.currentTarget.files);
    // The same files may be chosen again, and must then count as a change.
    event.currentTarget.value = "";
    if (entries.length) onFiles(entries);
  };
  const words = texts.pictures.drop;
  return html`<section class=${`drop-zone ${over ? "drop-over" : ""}`} aria-labelledby="drop-title">
    <${Icon} name="picture" />
    <h2 id="drop-title">${over ? words.over : words.title}</h2>
    <p>${words.lead}</p>
    <div class="drop-buttons">
      <input ref=${files} type="file" accept=${ACCEPT} multiple hidden tabindex="-1" aria-label=${words.files} onChange=${take} />
      <input ref=${folder} type="file" webkitdirectory hidden tabindex="-1" aria-label=${words.folder} onChange=${take} />
      <button type="button" onClick=${() => files.current.click()}><${Icon} name="picture" />${words.files}</button>
      <button type="button" class="secondary" onClick=${() => folder.current.click()}><${Icon} name="list" />${words.folder}</button>
    </div>
  </section>`;
}

const PARTS = 4;
const STEADY = 2500; // milliseconds: what comes in bit by bit is at its end again and again

// Reads out how far something is that goes on in many small steps: at each quarter that it comes to, and once it is over for
// good. `words` is what is said then. What stands there when the page opens is not read out.
function Quarters({ done, all, over, words }) {
  const quarter = all ? Math.floor((done / all) * PARTS) : 0;
  const [said, setSaid] = useState("");
  const known = useRef({ quarter, end: over ? words : "" });
  useEffect(() => {
    const before = known.current.quarter;
    known.current.quarter = quarter;
    if (!over && quarter > before) setSaid(words);
    if (!over || known.current.end === words) return undefined;
    const clock = setTimeout(() => {
      known.current.end = words;
      setSaid(words);
    }, STEADY);
    return () => clearTimeout(clock);
  }, [quarter, over, words]);
  return html`<p class="unseen" role="status">${said}</p>`;
}
