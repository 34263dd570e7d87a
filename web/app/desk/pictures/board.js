import { html } from "htm/preact";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { texts } from "../../shared/texts.js";
import { useDeskKeys, useHelp } from "../keys.js";
import { Counted } from "../envelopes/counted.js";
import { envelopeText } from "../queue/words.js";
import { carry, useTarget } from "./dragging.js";
import { FILTERS, groupsOf } from "./groups.js";
import { Hand } from "./hand.js";
import { focusedAt, following, idOf, inRow, shotsOf } from "./steps.js";
import { Thumb } from "./thumb.js";

// All pictures that were read, by whose they are. They are given to envelopes by dragging, or by choosing them and typing
// the number. `fallen`, { ids, envelope }, are pictures that were dropped on an envelope elsewhere on the page.
export function Board({ game, photos, envelopes, fallen, onOpen, again }) {
  const words = texts.pictures.board;
  const [filter, setFilter] = useState("all");
  const [wanted, setWanted] = useState(() => new URLSearchParams(location.search).get("envelope") ?? "");
  const [chosen, setChosen] = useState(() => new Set());
  const [typed, setTyped] = useState(null); // the form's envelope, as begun by a key
  const [act, setAct] = useState(null);
  const [dragging, setDragging] = useState(false);
  const box = useRef(null);
  const last = useRef(-1); // which picture had the focus
  const way = useRef({}); // the pictures to go back to, and on to, when the form goes
  const groups = useMemo(() => groupsOf(photos, envelopes, filter, wanted.trim()), [photos, envelopes, filter, wanted]);
  const there = useMemo(() => new Set(photos.map(({ id }) => id)), [photos]);
  useEffect(() => setChosen((before) => (([...before].every((id) => there.has(id))) ? before : new Set([...before].filter((id) => there.has(id))))), [there]);

  const toggle = (id) => setChosen((before) => new Set(before.has(id) ? [...before].filter((one) => one !== id) : [...before, id]));
  const shots = () => shotsOf(box.current);
  const focused = () => idOf(box.current?.querySelector(".shot-open:focus"));
  const focus = (id) => id && shots().find((shot) => idOf(shot) === id)?.focus();
  const aim = () => chosen.size || (focused() && setChosen(new Set([focused()])), focused());
  const move = (by) => {
    const all = shots();
    const at = focusedAt(all);
    all[Math.max(0, Math.min(all.length - 1, (at < 0 ? last.current : at) + by))]?.focus();
  };
  const noticed = () => {
    const at = focusedAt(shots());
    if (at >= 0) last.current = at;
  };
  // Keys that scroll the page unless a picture has the focus.
  const walk = (event) => {
    const all = shots();
    const at = focusedAt(all);
    const to = { ArrowUp: () => inRow(all, at, -1), ArrowDown: () => inRow(all, at, 1), Home: () => 0, End: () => all.length - 1 }[event.key];
    if (!to || at < 0 || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    all[to()].focus();
  };
  const begun = (what, ids = chosen.size ? chosen : new Set([focused()])) => {
    way.current = { back: focused() ?? [...ids][0], on: following(shots(), ids) };
    setAct(what);
  };
  const shut = () => {
    focus(way.current.back);
    setAct(null);
  };
  const leave = (id) => {
    focus(id);
    setChosen(new Set());
    setAct(null);
  };
  const begin = (what, number = "") => {
    if (!aim()) return;
    setTyped(number);
    begun(what);
  };
  useHelp(words.keysTitle, words.keys);
  useDeskKeys({
    ArrowRight: () => move(1),
    ArrowLeft: () => move(-1),
    x: () => focused() && toggle(focused()),
    i: () => begin("ignore"),
    r: () => begin("scan"),
    Delete: () => begin("delete"),
    Escape: () => leave(act && way.current.back),
    ...Object.fromEntries([..."123456789"].map((digit) => [digit, () => begin("assign", digit)])),
  });

  const dropped = (ids, group) => {
    setChosen(new Set(ids));
    setTyped(String(group.envelope ?? ""));
    begun("assign", new Set(ids));
  };
  useEffect(() => {
    if (fallen) dropped(fallen.ids, fallen);
  }, [fallen]);
  if (!photos.length) return html`<p class="panel none-yet">${words.none}</p>`;
  return html`<section class="board" aria-labelledby="board-title" ref=${box} onFocusIn=${noticed} onDragStart=${() => setTimeout(() => setDragging(true))} onDragEnd=${() => setDragging(false)}>
    <div class="board-bar">
      <h2 id="board-title">${words.title}</h2>
      <fieldset class="filter">
        <legend class="unseen">${words.filter}</legend>
        ${FILTERS.map((name) => html`<button type="button" class="chip" aria-pressed=${filter === name ? "true" : "false"} onClick=${() => setFilter(name)}>${words.filters[name]}</button>`)}
      </fieldset>
      <label class="find"><span class="unseen">${words.find}</span><input type="search" placeholder=${words.find} value=${wanted} onInput=${(event) => setWanted(event.currentTarget.value)} /></label>
    </div>
    ${!groups.length && html`<p class="panel none-yet">${words.noneHere}</p>`}
    <div class="groups" onKeyDown=${walk}>
      ${groups.map((group) => html`<${Group} key=${group.id} game=${game} group=${group} seat=${envelopes.find(({ number }) => number === group.envelope)} again=${again} chosen=${chosen} onToggle=${toggle} onOpen=${onOpen} onDropped=${dropped} />`)}
    </div>
    ${chosen.size > 0 && html`<${Hand} game=${game} photos=${photos.filter(({ id }) => chosen.has(id))} envelopes=${envelopes} act=${act} typed=${typed} onAct=${(name) => (name ? begun(name) : shut())} onDone=${() => leave(way.current.on)} onNone=${() => leave([...chosen][0])} again=${again} />`}
    ${dragging && html`<${Elsewhere} onDropped=${(ids) => dropped(ids, {})} />`}
  </section>`;
}

// Where an envelope is far away, or not on the page: its number is asked then.
function Elsewhere({ onDropped }) {
  const { over, on } = useTarget(onDropped);
  return html`<div class=${`elsewhere ${over ? "group-over" : ""}`} ...${on}>${texts.pictures.board.elsewhere}</div>`;
}

function Group({ game, group, seat, again, chosen, onToggle, onOpen, onDropped }) {
  const words = texts.pictures.board;
  const { over, on } = useTarget((ids) => onDropped(ids, group));
  const drag = (event, id) => carry(event, chosen.has(id) ? [...chosen] : [id]);
  // Some browsers drag nothing that begins on a button, so what opens a picture is none.
  const press = (event, id) => {
    if (event.key !== "Enter" && event.key !== " ") return;
    event.preventDefault();
    onOpen(id);
  };
  const open = group.photos.reduce((sum, photo) => sum + photo.open, 0);
  const title = group.envelope ? envelopeText(group.envelope, group.player) : words.groups[group.name];
  return html`<section class=${`group group-${group.name} ${over ? "group-over" : ""}`} aria-label=${title} data-group=${group.id} ...${group.name === "envelope" ? on : {}}>
    <h3>${title} <small>${words.pictures(group.photos.length)}</small>${open > 0 && html` <small class="group-open">${words.doubts(open)}</small>`}</h3>
    ${seat && html`<${Counted} game=${game} envelope=${seat} onChanged=${again} />`}
    <ul class="shots">
      ${group.photos.map(
        (photo) => html`<li key=${photo.id} class="shot" data-photo=${photo.id} data-chosen=${chosen.has(photo.id)} draggable=${true} onDragStart=${(event) => drag(event, photo.id)}>
          <div class="shot-open" role="button" tabindex="0" onClick=${() => onOpen(photo.id)} onKeyDown=${(event) => press(event, photo.id)}>
            ${photo.state === "done" && !photo.erased ? html`<${Thumb} src=${`/api/v1/games/${game.id}/photos/${photo.id}/image`} />` : html`<span class="thumb thumb-none">${photo.erased ? words.erased : texts.queue.why[photo.reason] ?? words.unread}</span>`}
            <span class="shot-facts">
              <span class="shot-name"><span class="unseen">${words.open}</span> ${photo.name || photo.place}</span> <span>${words.cards(photo.cards)}</span>
              ${photo.open > 0 && html`<mark>${words.doubts(photo.open)}</mark>`}
            </span>
          </div>
          <label class="shot-choose"><input type="checkbox" checked=${chosen.has(photo.id)} onChange=${() => onToggle(photo.id)} aria-label=${words.choose(photo.name || photo.place)} /></label>
        </li>`,
      )}
    </ul>
  </section>`;
}
