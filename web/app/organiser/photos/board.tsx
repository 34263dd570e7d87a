// The board of photos: assignment to envelopes by dragging, by keys, and by a form.

import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import type { EnvelopeModel, FullGameModel, PhotoModel } from "../../../api";
import { texts } from "../../shared/i18n";
import { Link } from "../../shared/router";
import { CountField } from "../envelopes/changes";
import { type HelpRow, useShortcutHelp, useShortcuts } from "../keyboard";
import { envelopeText, kindText, reasonText } from "../review/issue-text";
import { type Act, ChosenPhotos } from "./chosen-photos";
import { startDrag, Thumbnail, useDropTarget } from "./thumbnail";

// All photos that were read, grouped by envelope. They are assigned by drag and drop, or by choosing them and typing the
// number. `fallen` are photos dropped on an envelope elsewhere on the page.
export type DroppedPhotos = { ids: string[]; envelope?: number | undefined };
type BoardProps = {
  game: FullGameModel;
  photos: PhotoModel[];
  envelopes: EnvelopeModel[];
  fallen: DroppedPhotos | null;
  onOpen: (id: string) => void;
  refetch: () => void;
};

export function PhotoBoard({ game, photos, envelopes, fallen, onOpen, refetch }: BoardProps) {
  const words = texts.pictures.board;
  const [filter, setFilter] = useState<Filter>("all");
  const [wanted, setWanted] = useState(() => new URLSearchParams(location.search).get("envelope") ?? "");
  const [dragging, setDragging] = useState(false);
  const groups = useMemo(() => groupsOf(photos, envelopes, filter, wanted.trim()), [photos, envelopes, filter, wanted]);
  const focus = usePhotoFocus();
  const selection = useSelection(photos, focus);
  const { chosen } = selection;
  useEffect(() => {
    if (fallen) selection.dropped(fallen);
  }, [fallen]);
  if (!photos.length) return <p class="panel">{words.none}</p>;
  return (
    <section
      class="board"
      aria-labelledby="board-title"
      ref={focus.box}
      onFocusIn={focus.onFocusIn}
      onDragStart={() => setTimeout(() => setDragging(true))}
      onDragEnd={() => setDragging(false)}
    >
      <BoardBar filter={filter} onFilter={setFilter} wanted={wanted} onWanted={setWanted} />
      {!groups.length && <p class="panel">{texts.queue.emptyFilter}</p>}
      <div class="groups tiles" onKeyDown={focus.onKeyDown}>
        {groups.map((group) => (
          <Group
            key={group.id}
            game={game}
            group={group}
            envelope={envelopes.find(({ number }) => number === group.envelope)}
            refetch={refetch}
            chosen={chosen}
            onToggle={selection.toggle}
            onOpen={onOpen}
            onDropped={selection.dropped}
          />
        ))}
      </div>
      {chosen.size > 0 && (
        <ChosenPhotos
          game={game}
          photos={photos.filter(({ id }) => chosen.has(id))}
          envelopes={envelopes}
          act={selection.act}
          typed={selection.typed}
          onAct={selection.setAct}
          onDone={selection.done}
          onNone={selection.none}
          refetch={refetch}
        />
      )}
      {dragging && <OtherEnvelope onDropped={(ids) => selection.dropped({ ids })} />}
    </section>
  );
}

// The chosen photos, and what is done with them: keys and drops choose photos and open the form of an act.
function useSelection(photos: PhotoModel[], { focused, focus, move, nextRemaining }: ReturnType<typeof usePhotoFocus>) {
  const words = texts.pictures.board;
  const [chosen, setChosen] = useState(() => new Set<string>());
  const [typed, setTyped] = useState<string | null>(null); // the form's envelope, started by a digit key
  const [act, setAct] = useState<Act | null>(null);
  const way = useRef<{ back?: string | undefined; on?: string | undefined }>({}); // photos to focus after the form, if it is cancelled or sent
  const there = useMemo(() => new Set(photos.map(({ id }) => id)), [photos]);
  useEffect(
    () =>
      setChosen((before) =>
        [...before].every((id) => there.has(id)) ? before : new Set([...before].filter((id) => there.has(id))),
      ),
    [there],
  );
  const toggle = (id: string) =>
    setChosen((before) => new Set(before.has(id) ? [...before].filter((one) => one !== id) : [...before, id]));
  // The chosen photos, otherwise the one with the focus.
  const aimed = () => {
    const one = focused();
    return chosen.size || !one ? chosen : new Set([one]);
  };
  const begun = (what: Act, ids = aimed()) => {
    way.current = { back: focused() ?? [...ids][0], on: nextRemaining(ids) };
    setAct(what);
  };
  const shut = () => {
    focus(way.current.back);
    setAct(null);
  };
  const leave = (id: string | null | undefined) => {
    focus(id);
    setChosen(new Set());
    setAct(null);
  };
  const begin = (what: Act, number = "", ids = aimed()) => {
    if (!ids.size) return;
    setChosen(ids);
    setTyped(number);
    begun(what, ids);
  };
  useShortcutHelp(texts.desk.tabs.pictures, words.keys as HelpRow[]);
  useShortcuts({
    ArrowRight: () => move(1),
    ArrowLeft: () => move(-1),
    x: () => {
      const one = focused();
      if (one) toggle(one);
    },
    i: () => begin("ignore"),
    r: () => begin("scan"),
    Delete: () => begin("delete"),
    Escape: () => leave(act && way.current.back),
    ...Object.fromEntries([..."123456789"].map((digit) => [digit, () => begin("assign", digit)])),
  });
  return {
    chosen,
    typed,
    act,
    toggle,
    setAct: (name: Act | null) => (name ? begun(name) : shut()),
    done: () => leave(way.current.on),
    none: () => leave([...chosen][0]),
    dropped: ({ ids, envelope }: DroppedPhotos) => begin("assign", String(envelope ?? ""), new Set(ids)),
  };
}

type BarProps = { filter: Filter; onFilter: (filter: Filter) => void; wanted: string; onWanted: (wanted: string) => void };

function BoardBar({ filter, onFilter, wanted, onWanted }: BarProps) {
  const words = texts.pictures.board;
  return (
    <div class="row above below">
      <h2 id="board-title">{words.title}</h2>
      <div class="row" role="group" aria-labelledby="board-title">
        {FILTERS.map((name) => (
          <button type="button" class="chip" aria-pressed={filter === name ? "true" : "false"} onClick={() => onFilter(name)}>
            {words.filters[name]}
          </button>
        ))}
      </div>
      <label class="grow">
        <span class="visually-hidden">{words.find}</span>
        <input type="search" placeholder={words.find} value={wanted} onInput={(event) => onWanted(event.currentTarget.value)} />
      </label>
    </div>
  );
}

// A drop target for envelopes that are far away: it asks for the number.
type OnIds = (ids: string[]) => void;

function OtherEnvelope({ onDropped }: { onDropped: OnIds }) {
  const { over, on } = useDropTarget(onDropped);
  return (
    <div class={`dashed other-envelope ${over ? "drop-target" : ""}`} {...on}>
      {texts.pictures.board.elsewhere}
    </div>
  );
}

type GroupProps = Pick<BoardProps, "game" | "onOpen" | "refetch"> & {
  group: PhotoGroup;
  envelope: EnvelopeModel | undefined;
  chosen: Set<string>;
  onToggle: (id: string) => void;
  onDropped: (photos: DroppedPhotos) => void;
};

function Group({ game, group, envelope, refetch, chosen, onToggle, onOpen, onDropped }: GroupProps) {
  const words = texts.pictures.board;
  const { over, on } = useDropTarget((ids) => onDropped({ ids, envelope: group.envelope }));
  const drag = (event: DragEvent, id: string) => startDrag(event, chosen.has(id) ? [...chosen] : [id]);
  // Some browsers cannot drag buttons, so this is none.
  const press = (event: KeyboardEvent, id: string) => {
    if (event.key !== "Enter" && event.key !== " ") return;
    event.preventDefault();
    onOpen(id);
  };
  const titles = { nobody: words.filters.nobody, failed: kindText("failed"), aside: words.aside };
  const title = group.name === "envelope" ? envelopeText(group.envelope ?? 0, group.player) : titles[group.name];
  return (
    <section
      class={`panel group ${group.name === "envelope" ? "" : "wide"} ${over ? "drop-target" : ""}`}
      aria-label={title}
      data-group={group.id}
      {...(group.name === "envelope" ? on : {})}
    >
      <h3 class="row">
        {group.envelope ? <Link href={`/desk/games/${game.id}/envelopes/${group.envelope}`}>{title}</Link> : title}{" "}
        <b class="badge">{group.photos.length}</b>
      </h3>
      {envelope && <CountField game={game} envelope={envelope} onChanged={refetch} />}
      <ul class="shots tiles">
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
              class="bare shot-open"
              role="button"
              tabIndex={0}
              onClick={() => onOpen(photo.id)}
              onKeyDown={(event) => press(event, photo.id)}
            >
              {photo.state === "done" && !photo.erased ? (
                <Thumbnail src={`/api/v1/games/${game.id}/photos/${photo.id}/image`} />
              ) : (
                <span class="thumb no-photo">{photo.erased ? texts.queue.erased : reasonText(photo.reason ?? "")}</span>
              )}
              <span class="row shot-facts">
                <span class="clip shot-name">{photo.name || photo.place}</span>{" "}
                <span>{texts.cards.total({ count: photo.cards })}</span>
                {photo.open > 0 && <mark>{words.doubts({ count: photo.open })}</mark>}
              </span>
            </div>
            <label class="shot-choose">
              <input
                type="checkbox"
                checked={chosen.has(photo.id)}
                onChange={() => onToggle(photo.id)}
                aria-label={words.choose({ name: photo.name || photo.place })}
              />
            </label>
          </li>
        ))}
      </ul>
    </section>
  );
}

// Groups of the board: photos of nobody, those that could not be read, by envelope, and ignored ones.
const FILTERS = ["all", "nobody", "doubtful"] as const;
type Filter = (typeof FILTERS)[number];

type PhotoGroup = {
  id: string;
  name: "nobody" | "failed" | "envelope" | "aside";
  envelope?: number;
  player?: string | null | undefined;
  photos: PhotoModel[];
};

// Return the groups. Unread and duplicate photos are in none.
function groupsOf(photos: PhotoModel[], envelopes: EnvelopeModel[], filter: Filter, wanted: string): PhotoGroup[] {
  const names = new Map(envelopes.map(({ number, name }) => [number, name]));
  const nobody: PhotoModel[] = [];
  const failed: PhotoModel[] = [];
  const aside: PhotoModel[] = [];
  const owned = new Map<number, PhotoModel[]>();
  // Three are uploaded at once, so the order of arrival is not the order of photos.
  const batches = new Map<string | null, number>();
  for (const { batch } of photos) if (!batches.has(batch)) batches.set(batch, batches.size);
  const batchOf = ({ batch }: PhotoModel) => batches.get(batch) ?? 0;
  const taken = (a: PhotoModel, b: PhotoModel) => batchOf(a) - batchOf(b) || a.place - b.place;
  for (const photo of photos) {
    if (photo.same_as || photo.state === "waiting" || photo.state === "scanning") continue;
    if (photo.decided === "ignore") aside.push(photo);
    else if (photo.state === "failed") failed.push(photo);
    else if (!photo.envelopes.length) nobody.push(photo);
    else for (const number of photo.envelopes) owned.set(number, [...(owned.get(number) ?? []), photo]);
  }
  const all: PhotoGroup[] = [
    { id: "nobody", name: "nobody", photos: nobody },
    { id: "failed", name: "failed", photos: failed },
    ...[...owned.entries()]
      .sort(([a], [b]) => a - b)
      .map(
        ([envelope, some]): PhotoGroup => ({
          id: `envelope-${envelope}`,
          name: "envelope",
          envelope,
          player: names.get(envelope),
          photos: some.sort(taken),
        }),
      ),
    { id: "aside", name: "aside", photos: aside },
  ];
  return all.filter((group) => {
    if (!group.photos.length) return false;
    if (wanted) return group.envelope === Number(wanted) || group.player?.toLowerCase().includes(wanted.toLowerCase());
    return (
      filter === "all" ||
      (filter === "nobody" ? group.name === "nobody" || group.name === "failed" : group.photos.some(({ open }) => open))
    );
  });
}

// Focus on the photos: movement by keys, and the photo that follows those that are removed.
function usePhotoFocus() {
  const box = useRef<HTMLElement>(null);
  const last = useRef(-1); // index of the last focused photo
  const shots = () => photoElements(box.current);
  return {
    box,
    // Return the photo with the focus, and the one to focus when some are removed.
    focused: () => idOf(box.current?.querySelector<HTMLElement>(".shot-open:focus")),
    nextRemaining: (gone: Set<string>) => nextRemaining(shots(), gone),
    focus: (id: string | null | undefined) =>
      id &&
      shots()
        .find((shot) => idOf(shot) === id)
        ?.focus(),
    move: (by: number) => {
      const all = shots();
      const at = focusedAt(all);
      all[Math.max(0, Math.min(all.length - 1, (at < 0 ? last.current : at) + by))]?.focus();
    },
    onFocusIn: () => {
      const at = focusedAt(shots());
      if (at >= 0) last.current = at;
    },
    // These keys scroll the page unless a photo has the focus.
    onKeyDown: (event: KeyboardEvent) => {
      const all = shots();
      const at = focusedAt(all);
      const moves: Record<string, (() => number) | undefined> = {
        ArrowUp: () => neighbourInRow(all, at, -1),
        ArrowDown: () => neighbourInRow(all, at, 1),
        Home: () => 0,
        End: () => all.length - 1,
      };
      const to = moves[event.key];
      if (!to || at < 0 || event.ctrlKey || event.metaKey || event.altKey) return;
      event.preventDefault();
      all[to()]?.focus();
    },
  };
}

const photoOf = (shot: HTMLElement | null | undefined) => shot?.closest<HTMLElement>("[data-photo]");
const idOf = (shot: HTMLElement | null | undefined) => photoOf(shot)?.dataset.photo;
const photoElements = (box: HTMLElement | null) => [...(box?.querySelectorAll<HTMLElement>(".shot-open") ?? [])];

// Return the index of the focused photo, or of the one whose checkbox has the focus; -1 if there is none.
const focusedAt = (shots: HTMLElement[]) => shots.findIndex((shot) => photoOf(shot)?.contains(document.activeElement));

// Return the nearest photo in the row above (-1) or below (1), or the same one.
function neighbourInRow(shots: HTMLElement[], at: number, way: number): number {
  const places = shots.map((shot) => shot.getBoundingClientRect());
  const here = places[at];
  if (!here) return at;
  const beyond = places
    .map(({ top, left }, index) => ({ index, far: (top - here.top) * way, aside: Math.abs(left - here.left) }))
    .filter(({ far }) => far > here.height / 2);
  const nearest = Math.min(...beyond.map(({ far }) => far));
  const row = beyond.filter(({ far }) => far < nearest + here.height / 2).sort((a, b) => a.aside - b.aside);
  return row[0]?.index ?? at;
}

// Return the photo to focus when some are removed: the next one that stays, otherwise the last one before.
function nextRemaining(shots: HTMLElement[], gone: Set<string>) {
  const stays = (shot: HTMLElement) => !gone.has(idOf(shot) ?? "");
  const last = shots.map(stays).lastIndexOf(false);
  return idOf(shots.slice(last + 1).find(stays) ?? shots.slice(0, Math.max(0, last)).filter(stays).at(-1));
}
