// The board of photos: assignment to envelopes by dragging, by keys, and by a form.

import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { Problem, request } from "../../shared/http";
import { texts } from "../../shared/i18n";
import { Icon } from "../../shared/icon";
import { announce, Notice } from "../../shared/notices";
import { CountField } from "../envelopes/changes";
import { useShortcutHelp, useShortcuts } from "../keyboard";
import { envelopeText } from "../review/issue-text";
import { Thumbnail } from "./thumbnail";

// All photos that were read, grouped by envelope. They are assigned by drag and drop, or by choosing them and typing the
// number. `fallen`, { ids, envelope }, are photos dropped on an envelope elsewhere on the page.
export function PhotoBoard({ game, photos, envelopes, fallen, onOpen, refetch }) {
  const words = texts.pictures.board;
  const [filter, setFilter] = useState("all");
  const [wanted, setWanted] = useState(() => new URLSearchParams(location.search).get("envelope") ?? "");
  const [chosen, setChosen] = useState(() => new Set());
  const [typed, setTyped] = useState(null); // the form's envelope, started by a digit key
  const [act, setAct] = useState(null);
  const [dragging, setDragging] = useState(false);
  const box = useRef(null);
  const last = useRef(-1); // index of the last focused photo
  const way = useRef({}); // photos to focus after the form, if it is cancelled or sent
  const groups = useMemo(() => groupsOf(photos, envelopes, filter, wanted.trim()), [photos, envelopes, filter, wanted]);
  const there = useMemo(() => new Set(photos.map(({ id }) => id)), [photos]);
  useEffect(
    () =>
      setChosen((before) =>
        [...before].every((id) => there.has(id)) ? before : new Set([...before].filter((id) => there.has(id))),
      ),
    [there],
  );

  const toggle = (id) =>
    setChosen((before) => new Set(before.has(id) ? [...before].filter((one) => one !== id) : [...before, id]));
  const shots = () => photoElements(box.current);
  const focused = () => idOf(box.current?.querySelector(".shot-open:focus"));
  const focus = (id) =>
    id &&
    shots()
      .find((shot) => idOf(shot) === id)
      ?.focus();
  const aim = () => {
    if (!chosen.size && focused()) setChosen(new Set([focused()]));
    return chosen.size || focused();
  };
  const move = (by) => {
    const all = shots();
    const at = focusedAt(all);
    all[Math.max(0, Math.min(all.length - 1, (at < 0 ? last.current : at) + by))]?.focus();
  };
  const noticed = () => {
    const at = focusedAt(shots());
    if (at >= 0) last.current = at;
  };
  // These keys scroll the page unless a photo has the focus.
  const walk = (event) => {
    const all = shots();
    const at = focusedAt(all);
    const to = {
      ArrowUp: () => neighbourInRow(all, at, -1),
      ArrowDown: () => neighbourInRow(all, at, 1),
      Home: () => 0,
      End: () => all.length - 1,
    }[event.key];
    if (!to || at < 0 || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    all[to()].focus();
  };
  const begun = (what, ids = chosen.size ? chosen : new Set([focused()])) => {
    way.current = { back: focused() ?? [...ids][0], on: nextRemaining(shots(), ids) };
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
  useShortcutHelp(words.keysTitle, words.keys);
  useShortcuts({
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
  if (!photos.length) return <p class="panel none-yet">{words.none}</p>;
  return (
    <section
      class="board"
      aria-labelledby="board-title"
      ref={box}
      onFocusIn={noticed}
      onDragStart={() => setTimeout(() => setDragging(true))}
      onDragEnd={() => setDragging(false)}
    >
      <div class="board-bar">
        <h2 id="board-title">{words.title}</h2>
        <fieldset class="filter">
          <legend class="visually-hidden">{words.filter}</legend>
          {FILTERS.map((name) => (
            <button type="button" class="chip" aria-pressed={filter === name ? "true" : "false"} onClick={() => setFilter(name)}>
              {words.filters[name]}
            </button>
          ))}
        </fieldset>
        <label class="find">
          <span class="visually-hidden">{words.find}</span>
          <input
            type="search"
            placeholder={words.find}
            value={wanted}
            onInput={(event) => setWanted(event.currentTarget.value)}
          />
        </label>
      </div>
      {!groups.length && <p class="panel none-yet">{words.noneHere}</p>}
      <div class="groups" onKeyDown={walk}>
        {groups.map((group) => (
          <Group
            key={group.id}
            game={game}
            group={group}
            envelope={envelopes.find(({ number }) => number === group.envelope)}
            refetch={refetch}
            chosen={chosen}
            onToggle={toggle}
            onOpen={onOpen}
            onDropped={dropped}
          />
        ))}
      </div>
      {chosen.size > 0 && (
        <ChosenPhotos
          game={game}
          photos={photos.filter(({ id }) => chosen.has(id))}
          envelopes={envelopes}
          act={act}
          typed={typed}
          onAct={(name) => (name ? begun(name) : shut())}
          onDone={() => leave(way.current.on)}
          onNone={() => leave([...chosen][0])}
          refetch={refetch}
        />
      )}
      {dragging && <OtherEnvelope onDropped={(ids) => dropped(ids, {})} />}
    </section>
  );
}

// A drop target for envelopes that are far away: it asks for the number.
function OtherEnvelope({ onDropped }) {
  const { over, on } = useDropTarget(onDropped);
  return (
    <div class={`other-envelope ${over ? "drop-target" : ""}`} {...on}>
      {texts.pictures.board.elsewhere}
    </div>
  );
}

function Group({ game, group, envelope, refetch, chosen, onToggle, onOpen, onDropped }) {
  const words = texts.pictures.board;
  const { over, on } = useDropTarget((ids) => onDropped(ids, group));
  const drag = (event, id) => startDrag(event, chosen.has(id) ? [...chosen] : [id]);
  // Some browsers cannot drag buttons, so this is none.
  const press = (event, id) => {
    if (event.key !== "Enter" && event.key !== " ") return;
    event.preventDefault();
    onOpen(id);
  };
  const open = group.photos.reduce((sum, photo) => sum + photo.open, 0);
  const title = group.envelope ? envelopeText(group.envelope, group.player) : words.groups[group.name];
  return (
    <section
      class={`group group-${group.name} ${over ? "drop-target" : ""}`}
      aria-label={title}
      data-group={group.id}
      {...(group.name === "envelope" ? on : {})}
    >
      <h3>
        {title} <small>{words.pictures(group.photos.length)}</small>
        {open > 0 && (
          <>
            {" "}
            <small class="group-open">{words.doubts(open)}</small>
          </>
        )}
      </h3>
      {envelope && <CountField game={game} envelope={envelope} onChanged={refetch} />}
      <ul class="shots">
        {group.photos.map((photo) => (
          <li
            key={photo.id}
            class="shot"
            data-photo={photo.id}
            data-chosen={chosen.has(photo.id)}
            draggable={true}
            onDragStart={(event) => drag(event, photo.id)}
          >
            <div
              class="shot-open"
              role="button"
              tabIndex={0}
              onClick={() => onOpen(photo.id)}
              onKeyDown={(event) => press(event, photo.id)}
            >
              {photo.state === "done" && !photo.erased ? (
                <Thumbnail src={`/api/v1/games/${game.id}/photos/${photo.id}/image`} />
              ) : (
                <span class="thumb thumb-none">
                  {photo.erased ? words.erased : (texts.queue.why[photo.reason] ?? words.unread)}
                </span>
              )}
              <span class="shot-facts">
                <span class="shot-name">
                  <span class="visually-hidden">{words.open}</span> {photo.name || photo.place}
                </span>{" "}
                <span>{words.cards(photo.cards)}</span>
                {photo.open > 0 && <mark>{words.doubts(photo.open)}</mark>}
              </span>
            </div>
            <label class="shot-choose">
              <input
                type="checkbox"
                checked={chosen.has(photo.id)}
                onChange={() => onToggle(photo.id)}
                aria-label={words.choose(photo.name || photo.place)}
              />
            </label>
          </li>
        ))}
      </ul>
    </section>
  );
}

const ACTS_WITH_REASON = new Set(["assign", "ignore", "delete"]);

// Acts on the chosen photos: a bar at the foot of the page, and a small form for the act.
function ChosenPhotos({ game, photos, envelopes, act, typed, onAct, onDone, onNone, refetch }) {
  const words = texts.pictures.hand;
  const [envelope, setEnvelope] = useState(typed ?? "");
  const [reason, setReason] = useState("");
  const [done, setDone] = useState(null);
  const [problems, setProblems] = useState([]);
  const form = useRef(null);
  // Focus in a layout effect, so that the next key goes into the field.
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
    refetch();
    if (wrong.length) {
      setProblems(wrong);
      return;
    }
    announce(words.said[act](photos.length, envelope));
    onDone();
  };
  const leave = (event) => {
    if (event.key !== "Escape") return;
    event.stopPropagation();
    onAct(null);
  };
  const target = envelopes.find(({ number }) => String(number) === envelope);
  return (
    <section class="selection-bar" aria-label={words.title(photos.length)}>
      <div class="selection-acts">
        <strong>{words.title(photos.length)}</strong>
        {["assign", "ignore", "scan", "delete"].map((name) => (
          <button
            type="button"
            class="secondary"
            aria-pressed={act === name ? "true" : "false"}
            onClick={() => onAct(act === name ? null : name)}
          >
            {words.acts[name]}
          </button>
        ))}
        <button type="button" class="icon-button" aria-label={words.none} onClick={onNone}>
          <Icon name="close" />
        </button>
      </div>
      {act && (
        <form ref={form} onSubmit={send} onKeyDown={leave}>
          {act === "assign" && (
            <label>
              {texts.queue.envelope}
              <input
                name="envelope"
                type="text"
                inputmode="numeric"
                pattern="[0-9]+"
                maxLength={7}
                required
                autocomplete="off"
                value={envelope}
                onInput={(event) => setEnvelope(event.currentTarget.value)}
              />
              <small aria-live="polite">
                {envelope ? (target ? envelopeText(target.number, target.name) : words.noSuch) : words.type}
              </small>
            </label>
          )}
          {ACTS_WITH_REASON.has(act) && (
            <label>
              {texts.queue.reason}
              <input
                name="reason"
                required
                maxLength={1000}
                value={reason}
                onInput={(event) => setReason(event.currentTarget.value)}
              />
            </label>
          )}
          <button disabled={done !== null || (act === "assign" && !target)}>
            {done === null ? words.does[act](photos.length) : words.doing(done, photos.length)}
          </button>
        </form>
      )}
      {problems.map(({ photo, problem }) => (
        <Notice key={photo.id} problem={{ title: `${photo.name}: ${problem.title}`, detail: problem.detail }} small />
      ))}
    </section>
  );
}

const isEqual = (a, b) => a.length === b.length && a.every((one, at) => one === b[at]);

// Do something with several photos, one after the other; `onDone` is called after each. Resolves to the problems by photo;
// what succeeded is not undone.
async function toEach(game, photos, act, body, onDone) {
  const problems = [];
  for (const photo of photos) {
    try {
      await PHOTO_ACTS[act](`/api/v1/games/${game}/photos/${photo.id}`, photo, body);
    } catch (problem) {
      problems.push({ photo, problem });
    }
    onDone();
  }
  return problems;
}

async function decideOwner(path, photo, body) {
  const now = await request(path);
  // The revision must be of what the organiser saw: a new owner is somebody else's decision.
  if (!isEqual(now.envelopes, photo.envelopes) || now.decided !== photo.decided)
    throw new Problem("changed", texts.problems.changed);
  return request(path, { method: "PATCH", body, revision: now.revision ?? "0" });
}

const PHOTO_ACTS = {
  assign: (path, photo, { envelope, reason }) => decideOwner(path, photo, { do: "assign", envelope, reason }),
  ignore: (path, photo, { reason }) => decideOwner(path, photo, { do: "ignore", reason }),
  scan: (path) => request(`${path}/scan`, { method: "POST" }),
  delete: (path, _, { reason }) => request(`${path}?${new URLSearchParams({ reason })}`, { method: "DELETE" }),
};

// Groups of the board: photos of nobody, those that could not be read, by envelope, and ignored ones.
const FILTERS = ["all", "nobody", "doubtful"];

// Return the groups: { name, envelope, player, photos } with the name nobody, failed, envelope or aside. Unread and duplicate
// photos are in none.
function groupsOf(photos, envelopes, filter, wanted) {
  const names = new Map(envelopes.map(({ number, name }) => [number, name]));
  const nobody = [];
  const failed = [];
  const aside = [];
  const owned = new Map();
  // Three are uploaded at once, so the order of arrival is not the order of photos.
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
    ...[...owned.entries()]
      .sort(([a], [b]) => a - b)
      .map(([envelope, some]) => ({ name: "envelope", envelope, player: names.get(envelope), photos: some.sort(taken) })),
    { name: "aside", photos: aside },
  ];
  const kept = all.filter((group) => {
    if (!group.photos.length) return false;
    if (wanted) return group.envelope === Number(wanted) || group.player?.toLowerCase().includes(wanted.toLowerCase());
    return (
      filter === "all" ||
      (filter === "nobody" ? group.name === "nobody" || group.name === "failed" : group.photos.some(({ open }) => open))
    );
  });
  return kept.map((group) => ({ ...group, id: group.envelope ? `envelope-${group.envelope}` : group.name }));
}

// Movement between photos by keys.

const photoOf = (shot) => shot.closest("[data-photo]");
const idOf = (shot) => shot && photoOf(shot).dataset.photo;
const photoElements = (box) => [...(box?.querySelectorAll(".shot-open") ?? [])];

// Return the index of the focused photo, or of the one whose checkbox has the focus; -1 if there is none.
const focusedAt = (shots) => shots.findIndex((shot) => photoOf(shot).contains(document.activeElement));

// Return the nearest photo in the row above (-1) or below (1), or the same one.
function neighbourInRow(shots, at, way) {
  const places = shots.map((shot) => shot.getBoundingClientRect());
  const here = places[at];
  const beyond = places
    .map(({ top, left }, index) => ({ index, far: (top - here.top) * way, aside: Math.abs(left - here.left) }))
    .filter(({ far }) => far > here.height / 2);
  const nearest = Math.min(...beyond.map(({ far }) => far));
  const row = beyond.filter(({ far }) => far < nearest + here.height / 2).sort((a, b) => a.aside - b.aside);
  return row[0]?.index ?? at;
}

// Return the photo to focus when some are removed: the next one that stays, otherwise the last one before.
function nextRemaining(shots, gone) {
  const last = shots.map((shot) => gone.has(idOf(shot))).lastIndexOf(true);
  const stays = (shot) => !gone.has(idOf(shot));
  return idOf(shots.slice(last + 1).find(stays) ?? shots.slice(0, Math.max(0, last)).filter(stays).at(-1));
}

// Drag and drop of photos onto envelopes.

const DRAG_TYPE = "application/x-haggle-pictures";

// Put the ids of photos into a drag.
const startDrag = (event, ids) => event.dataTransfer.setData(DRAG_TYPE, JSON.stringify(ids));

// A drop target for photos: { over, on }, whether photos are above it, and its event handlers. `onDropped` gets the ids.
export function useDropTarget(onDropped) {
  const [over, setOver] = useState(false);
  const carries = (event) => event.dataTransfer.types.includes(DRAG_TYPE);
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
      onDropped(JSON.parse(event.dataTransfer.getData(DRAG_TYPE)));
    },
  };
  return { over, on };
}
