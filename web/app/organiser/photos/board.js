import { html } from "htm/preact";
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { Problem, ask } from "../../shared/http.js";
import { texts } from "../../shared/i18n.js";
import { Icon } from "../../shared/icon.js";
import { Notice, say } from "../../shared/notices.js";
import { Counted } from "../envelopes/changes.js";
import { useDeskKeys, useHelp } from "../keyboard.js";
import { envelopeText } from "../review/issue-text.js";

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

const REASONED = new Set(["assign", "ignore", "delete"]);

// What is done with the chosen pictures: a bar at the foot of the page, and a small form for what the act has to know.
function Hand({ game, photos, envelopes, act, typed, onAct, onDone, onNone, again }) {
  const words = texts.pictures.hand;
  const [envelope, setEnvelope] = useState(typed ?? "");
  const [reason, setReason] = useState("");
  const [done, setDone] = useState(null);
  const [problems, setProblems] = useState([]);
  const form = useRef(null);
  // Before the next key comes, however slow the machine: it belongs into the field, and the form has to be whole for Enter.
  useLayoutEffect(() => {
    if (typed !== null) setEnvelope(typed);
  }, [typed]);
  useLayoutEffect(() => {
    if (!act) return;
    setReason(words.reasons[act] ?? "");
    setProblems([]);
    const field = form.current?.querySelector("input, button");
    field?.focus();
    if (field?.name === "envelope") field.setSelectionRange(field.value.length, field.value.length);
  }, [act, typed]);

  const send = async (event) => {
    event.preventDefault();
    if (done !== null) return;
    setDone(0);
    const body = { envelope: Number(envelope), reason: reason.trim() };
    const wrong = await toEach(game.id, photos, act, body, () => setDone((before) => before + 1));
    setDone(null);
    again();
    if (wrong.length) {
      setProblems(wrong);
      return;
    }
    say(words.said[act](photos.length, envelope));
    onDone();
  };
  const seat = envelopes.find(({ number }) => String(number) === envelope);
  return html`<section class="hand-bar" aria-label=${words.title(photos.length)}>
    <div class="hand-acts">
      <strong>${words.title(photos.length)}</strong>
      ${["assign", "ignore", "scan", "delete"].map(
        (name) => html`<button type="button" class="secondary" aria-pressed=${act === name ? "true" : "false"} onClick=${() => onAct(act === name ? null : name)}>${words.acts[name]}</button>`,
      )}
      <button type="button" class="bare" aria-label=${words.none} onClick=${onNone}><${Icon} name="close" /></button>
    </div>
    ${act &&
    html`<form ref=${form} onSubmit=${send} onKeyDown=${(event) => event.key === "Escape" && (event.stopPropagation(), onAct(null))}>
      ${act === "assign" &&
      html`<label>${texts.queue.envelope}
        <input name="envelope" type="text" inputmode="numeric" pattern="[0-9]+" maxlength="7" required autocomplete="off" value=${envelope} onInput=${(event) => setEnvelope(event.currentTarget.value)} />
        <small aria-live="polite">${envelope ? (seat ? envelopeText(seat.number, seat.name) : words.noSuch) : words.type}</small>
      </label>`}
      ${REASONED.has(act) && html`<label>${texts.queue.reason}<input name="reason" required maxlength="1000" value=${reason} onInput=${(event) => setReason(event.currentTarget.value)} /></label>`}
      <button disabled=${done !== null || (act === "assign" && !seat)}>${done === null ? words.does[act](photos.length) : words.doing(done, photos.length)}</button>
    </form>`}
    ${problems.map(({ photo, problem }) => html`<${Notice} key=${photo.id} problem=${{ title: `${photo.name}: ${problem.title}`, detail: problem.detail }} small />`)}
  </section>`;
}

// What is done to pictures, each by the server's own way of it.

const same = (a, b) => a.length === b.length && a.every((one, at) => one === b[at]);

// Do something to each of several pictures, one after the other; `onDone` is called after each. Gives the problems by
// picture: what went well stays done.
async function toEach(game, photos, act, body, onDone) {
  const problems = [];
  for (const photo of photos) {
    try {
      await ACTS[act](`/api/v1/games/${game}/photos/${photo.id}`, photo, body);
    } catch (problem) {
      problems.push({ photo, problem });
    }
    onDone();
  }
  return problems;
}

async function decide(path, photo, body) {
  const now = await ask(path);
  // The revision has to be of what the organiser saw: another owner since then is somebody else's decision.
  if (!same(now.envelopes, photo.envelopes) || now.decided !== photo.decided) throw new Problem("changed", texts.problems.changed);
  return ask(path, { method: "PATCH", body, revision: now.revision ?? "0" });
}

const ACTS = {
  assign: (path, photo, { envelope, reason }) => decide(path, photo, { do: "assign", envelope, reason }),
  ignore: (path, photo, { reason }) => decide(path, photo, { do: "ignore", reason }),
  scan: (path) => ask(`${path}/scan`, { method: "POST" }),
  delete: (path, _, { reason }) => ask(`${path}?${new URLSearchParams({ reason })}`, { method: "DELETE" }),
};

const AT_ONCE = 3; // the server cuts few pictures at once, and the page has other things to ask
const TRIES = 4;
const PAUSE = 1500; // milliseconds; it doubles
const NEAR = "400px";

// Thumbnails in line for the server, in the order in which they came near the screen.
const line = [];
let loading = 0;
function next() {
  while (loading < AT_ONCE && line.length) {
    loading += 1;
    line.shift()();
  }
}

// A small picture from the server: asked for when it comes near the screen, and again if the server had no time.
function Thumb({ src, width = 240 }) {
  const box = useRef(null);
  const holds = useRef(false); // one of the places
  const [state, setState] = useState({ at: null, tries: 0, shown: false });

  useEffect(() => {
    if (state.at !== null || state.tries >= TRIES) return undefined;
    let clock;
    const turn = () => {
      holds.current = true;
      setState((before) => ({ ...before, at: before.tries }));
    };
    const watcher = new IntersectionObserver(
      ([entry]) => {
        if (!entry.isIntersecting) return;
        watcher.disconnect();
        clock = setTimeout(
          () => {
            line.push(turn);
            next();
          },
          state.tries && PAUSE * 2 ** (state.tries - 1),
        );
      },
      { rootMargin: NEAR },
    );
    watcher.observe(box.current);
    return () => {
      watcher.disconnect();
      clearTimeout(clock);
      const at = line.indexOf(turn);
      if (at >= 0) line.splice(at, 1);
    };
  }, [state.at, state.tries]);

  // One that goes away while it loads gives its turn back.
  useEffect(() => () => holds.current && release(), []);

  const done = (ok) => {
    holds.current = false;
    release();
    setState((before) => (ok ? { ...before, shown: true } : { at: null, tries: before.tries + 1, shown: false }));
  };
  return html`<span ref=${box} class="thumb" data-shown=${state.shown}>
    ${state.at !== null && html`<img key=${state.at} src=${`${src}?width=${width}`} alt="" draggable=${false} decoding="async" onLoad=${() => done(true)} onError=${() => done(false)} />`}
    ${state.tries >= TRIES && html`<span class="picture-none">${texts.queue.noImage}</span>`}
  </span>`;
}

function release() {
  loading -= 1;
  next();
}

// The board's groups: pictures that are nobody's first, then those that could not be read, then envelope by envelope, and
// last those that are set aside.

const FILTERS = ["all", "nobody", "doubtful"];

// Each group: { name, envelope, player, photos }. `name` is nobody, failed, envelope or aside. Pictures that are still to be
// read, or are the same file as another one, are in none.
function groupsOf(photos, envelopes, filter, wanted) {
  const names = new Map(envelopes.map(({ number, name }) => [number, name]));
  const nobody = [];
  const failed = [];
  const aside = [];
  const owned = new Map();
  // Three are sent at once, so what came first was not always taken first.
  const batches = new Map();
  for (const { batch } of photos) if (!batches.has(batch)) batches.set(batch, batches.size);
  const taken = (a, b) => batches.get(a.batch) - batches.get(b.batch) || a.place - b.place;
  for (const photo of photos) {
    if (photo.same_as || photo.state === "waiting" || photo.state === "scanning") continue;
    if (photo.decided === "ignore") aside.push(photo);
    else if (photo.state === "failed") failed.push(photo);
    else if (!photo.envelopes.length) nobody.push(photo);
    else for (const number of photo.envelopes) owned.set(number, [...(owned.get(number) ?? []), photo]);
  }
  const all = [
    { name: "nobody", photos: nobody },
    { name: "failed", photos: failed },
    ...[...owned.entries()].sort(([a], [b]) => a - b).map(([envelope, some]) => ({ name: "envelope", envelope, player: names.get(envelope), photos: some.sort(taken) })),
    { name: "aside", photos: aside },
  ];
  const kept = all.filter((group) => {
    if (!group.photos.length) return false;
    if (wanted) return group.envelope === Number(wanted) || group.player?.toLowerCase().includes(wanted.toLowerCase());
    return filter === "all" || (filter === "nobody" ? group.name === "nobody" || group.name === "failed" : group.photos.some(({ open }) => open));
  });
  return kept.map((group) => ({ ...group, id: group.envelope ? `envelope-${group.envelope}` : group.name }));
}

// From picture to picture by keys.

const pictureOf = (shot) => shot.closest("[data-photo]");
const idOf = (shot) => shot && pictureOf(shot).dataset.photo;
const shotsOf = (box) => [...(box?.querySelectorAll(".shot-open") ?? [])];

// Which of the pictures has the focus, its box to choose it included; -1: none.
const focusedAt = (shots) => shots.findIndex((shot) => pictureOf(shot).contains(document.activeElement));

// The picture above (-1) or below (1), in the next row the one that is least aside; the same one where there is none.
function inRow(shots, at, way) {
  const places = shots.map((shot) => shot.getBoundingClientRect());
  const here = places[at];
  const beyond = places.map(({ top, left }, index) => ({ index, far: (top - here.top) * way, aside: Math.abs(left - here.left) })).filter(({ far }) => far > here.height / 2);
  const nearest = Math.min(...beyond.map(({ far }) => far));
  const row = beyond.filter(({ far }) => far < nearest + here.height / 2).sort((a, b) => a.aside - b.aside);
  return row[0]?.index ?? at;
}

// The picture that comes after those that go away: the next one that stays, or else the last one before.
function following(shots, gone) {
  const last = shots.map((shot) => gone.has(idOf(shot))).lastIndexOf(true);
  const stays = (shot) => !gone.has(idOf(shot));
  return idOf(shots.slice(last + 1).find(stays) ?? shots.slice(0, Math.max(0, last)).filter(stays).at(-1));
}

// Pictures that are dragged to the envelope they belong to.

const DRAGGED = "application/x-haggle-pictures";

// Have these pictures, by their ids, go along with a drag that begins.
const carry = (event, ids) => event.dataTransfer.setData(DRAGGED, JSON.stringify(ids));

// Something that pictures can be dropped on: { over, on }, whether they are above it now, and its handlers. `onDropped` gets
// the pictures' ids.
export function useTarget(onDropped) {
  const [over, setOver] = useState(false);
  const carries = (event) => event.dataTransfer.types.includes(DRAGGED);
  const on = {
    onDragOver: (event) => {
      if (!carries(event)) return;
      event.preventDefault();
      setOver(true);
    },
    onDragLeave: (event) => event.currentTarget.contains(event.relatedTarget) || setOver(false),
    onDrop: (event) => {
      if (!carries(event)) return;
      event.preventDefault();
      event.stopPropagation();
      setOver(false);
      onDropped(JSON.parse(event.dataTransfer.getData(DRAGGED)));
    },
  };
  return { over, on };
}
