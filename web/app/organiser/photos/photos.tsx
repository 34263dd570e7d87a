// The photos tab: upload and progress. The board below it shows the photos.

import type { TargetedInputEvent } from "preact";
import { useEffect, useMemo, useReducer, useRef, useState } from "preact/hooks";
import type { EnvelopesModel, FullGameModel, PhotosModel } from "../../../api";
import { type Problem, request } from "../../shared/http";
import { loadTexts, texts } from "../../shared/i18n";
import { Icon } from "../../shared/icon";
import { announce, Notice, Skeleton } from "../../shared/notices";
import { Link, navigate, useRoute, View } from "../../shared/router";
import { LazyPart } from "../layout";
import { isWithoutWorker, NoWorkerNotice, type TabCounts, useLiveData } from "../live";
import { useKinds } from "../review/card-entry";
import { type DroppedPhotos, PhotoBoard } from "./board";
import { MissingEnvelopes, useMissingIssues } from "./missing";
import { PhotoDialog } from "./photo-dialog";
import { ACCEPT, chosenFiles, droppedFiles, type Upload, type UploadQueue, uploadQueueOf } from "./upload-queue";

await loadTexts("pictures", "queue", "games", "hints");

const PAGE_SIZE = 1000;
const loadCount = () => import("../count/count").then(({ CountEnvelopes }) => CountEnvelopes);
const FILE_PROBLEMS = new Set(["not-a-picture", "truncated", "empty", "too-many-bytes", "too-many-pixels"]); // of the file itself
const UPLOAD_STATES = new Set(["open", "closed"]); // states in which photos can be uploaded

// Fetch all photos, page by page.
async function allPhotos(game: string, signal: AbortSignal): Promise<PhotosModel> {
  const photos: PhotosModel["photos"] = [];
  for (;;) {
    const response = await request<PhotosModel>(`/api/v1/games/${game}/photos?limit=${PAGE_SIZE}&offset=${photos.length}`, {
      signal,
    });
    photos.push(...response.photos);
    if (!response.photos.length || photos.length >= response.total) return { ...response, photos };
  }
}

// The photos tab: upload, progress of reading, and the owner of each photo.
type PhotosProps = { game: FullGameModel; refetch: () => void; counts: TabCounts };

export function Photos({ game, refetch, counts }: PhotosProps) {
  const uploads = uploadQueueOf(game.id);
  const kinds = useKinds(game.id);
  const list = useLiveData((signal) => allPhotos(game.id, signal), game.id, ["photos", "queue"]);
  const envelopes = useLiveData((signal) => request<EnvelopesModel>(`/api/v1/games/${game.id}/envelopes`, { signal }), game.id, [
    "envelopes",
    "queue",
  ]);
  const missing = useMissingIssues(game.id);
  const [fallen, setFallen] = useState<DroppedPhotos | null>(null); // photos dropped on an envelope without photos
  const [, , , , part, opened] = useRoute();
  const words = texts.pictures;
  const at = `/desk/games/${game.id}/pictures`;
  const show = (path: string, replace = false) => navigate(`${at}${path}${location.search}`, { replace });
  const open = (id: string) => show(`/photos/${id}`, Boolean(opened));

  const add = async (entries: Parameters<typeof uploads.add>[0]) => {
    const { fresh, again: twice, others } = await uploads.add(entries);
    announce(words.added({ fresh, twice, others }));
  };
  const problem = list.problem ?? envelopes.problem ?? missing.problem;
  const refresh = () => {
    list.refetch();
    if (envelopes.problem) envelopes.refetch();
    missing.refetch();
    refetch();
  };
  // Wait for everything, so that nothing moves afterwards.
  const shown =
    list.data && envelopes.data && missing.data
      ? { ...list.data, envelopes: envelopes.data.envelopes, missing: missing.data }
      : null;
  const photo = shown?.photos.find(({ id }) => id === opened);
  return (
    <View name="pictures" title={words.title}>
      {UPLOAD_STATES.has(game.state) ? (
        <>
          <button type="button" class="count-open" disabled={!kinds || !envelopes.data} onClick={() => show("/count")}>
            <Icon name="camera" />
            {words.count.open}
          </button>
          <DropZone onFiles={add} />
        </>
      ) : (
        <p class="panel not-now">
          <Icon name="clock" />
          {words.notNow[game.state as keyof typeof words.notNow]}
        </p>
      )}
      {part === "count" && UPLOAD_STATES.has(game.state) && kinds && envelopes.data && (
        <LazyPart load={loadCount} game={game} kinds={kinds} envelopes={envelopes.data.envelopes} onClose={() => show("")} />
      )}
      <UploadProgress uploads={uploads} />
      {!shown && (problem ? <Notice problem={problem} onRetry={refresh} /> : <Skeleton rows={3} />)}
      {shown && (
        <>
          <NoWorkerNotice is={isWithoutWorker(shown)} />
          {shown.photos.length > 0 && <ReadingProgress game={game} states={shown.states} doubts={counts.queue ?? 0} />}
          <MissingEnvelopes
            game={game}
            envelopes={shown.envelopes}
            missing={shown.missing}
            photos={shown.photos}
            onDropped={(ids, envelope) => setFallen({ ids, envelope })}
            refetch={refresh}
          />
          <PhotoBoard
            game={game}
            photos={shown.photos}
            envelopes={shown.envelopes}
            fallen={fallen}
            onOpen={open}
            refetch={refresh}
          />
          {photo && (
            <PhotoDialog
              key={photo.id}
              game={game}
              kinds={kinds}
              photo={photo}
              photos={shown.photos}
              onOpen={open}
              onClose={() => show("")}
              refetch={refresh}
            />
          )}
        </>
      )}
    </View>
  );
}

// The number of photos that are read.
const READING_STATES = ["waiting", "scanning", "done", "failed"] as const;

type ReadingProps = Pick<PhotosModel, "states"> & { game: FullGameModel; doubts: number };

function ReadingProgress({ game, states, doubts }: ReadingProps) {
  const words = texts.pictures.reading;
  const all = Object.values(states).reduce((sum, count) => sum + count, 0);
  const over = (states.done ?? 0) + (states.failed ?? 0);
  const title = over === all ? words.over({ all }) : words.title({ over, all });
  return (
    <section class="panel reading" aria-labelledby="reading-title">
      <h2 id="reading-title">{title}</h2>
      <progress aria-labelledby="reading-title" max={all} value={over} />
      <ProgressAnnouncer done={over} all={all} over={over === all} words={title} />
      {over < all || states.failed ? (
        <ul class="states">
          {READING_STATES.map((state) => (
            <li key={state} data-state={state}>
              <b>{states[state]}</b> {words.states[state]}
            </li>
          ))}
        </ul>
      ) : null}
      {over === all && doubts > 0 && (
        <Link class="as-button" href={`/desk/games/${game.id}/queue`}>
          <Icon name="question" />
          {texts.games.open.settle({ count: doubts })}
        </Link>
      )}
    </section>
  );
}

// The progress of this page's uploads, in total and by file. Only this component renders with each progress event.
function UploadProgress({ uploads }: { uploads: UploadQueue }) {
  const [, draw] = useReducer<number, void>((count) => count + 1, 0);
  useEffect(() => uploads.subscribe(draw), [uploads]);
  const shown = uploads.items.filter(({ old }) => !old);
  const asleep = uploads.items.filter(({ state }) => state === "asleep");
  if (!shown.length && !asleep.length) return null;
  const count = (state: Upload["state"]) => shown.filter((item) => item.state === state).length;
  const sent = count("sent");
  const refused = shown.filter(({ state }) => state === "refused");
  const share = shown.reduce((sum, item) => sum + (item.state === "sent" ? 1 : item.progress), 0) / Math.max(1, shown.length);
  const over = !uploads.busy;
  const words = texts.pictures.sending;
  const title = over ? words.done({ sent }) : words.title({ sent, all: shown.length });
  return (
    <section class="panel sending" aria-labelledby="sending-title">
      {shown.length > 0 && (
        <>
          <div class="sending-head">
            <h2 id="sending-title">{title}</h2>
            {!over &&
              (uploads.paused ? (
                <button type="button" onClick={() => uploads.resume()}>
                  {words.goOn}
                </button>
              ) : (
                <button type="button" class="secondary" onClick={() => uploads.pause()}>
                  {words.pause}
                </button>
              ))}
            {over && !refused.length && (
              <button type="button" class="secondary" onClick={() => uploads.clear()}>
                {words.clear}
              </button>
            )}
          </div>
          <progress aria-labelledby="sending-title" max="1" value={share} />
          <ProgressAnnouncer done={sent} all={shown.length} over={over} words={title} />
        </>
      )}
      {uploads.trouble && uploads.busy && <UploadTrouble uploads={uploads} trouble={uploads.trouble} />}
      {refused.length > 0 && (
        <div class="refused">
          <h3>{words.refused({ count: refused.length })}</h3>
          <ul>
            {refused.map((item) => (
              <li key={item.id}>
                <p>
                  <strong>{item.path}</strong> {item.problem?.title}. {item.problem?.detail}
                </p>
                {!FILE_PROBLEMS.has(item.problem?.slug ?? "") && (
                  <button type="button" class="secondary" onClick={() => uploads.retry(item)}>
                    {texts.again}
                    <span class="visually-hidden">{item.path}</span>
                  </button>
                )}
                <button type="button" class="secondary" onClick={() => uploads.drop([item])}>
                  {words.leaveOut}
                  <span class="visually-hidden">{item.path}</span>
                </button>
              </li>
            ))}
          </ul>
        </div>
      )}
      {asleep.length > 0 && <InterruptedUploads uploads={uploads} items={asleep} titled={!shown.length} />}
      {shown.length > 0 && (
        <details class="each">
          <summary>{words.each}</summary>
          <ol class="each-list" tabIndex={0} aria-label={words.each}>
            {shown.map((item) => (
              <UploadRow
                key={item.id}
                path={item.path}
                state={item.twin ? "twin" : item.state}
                progress={Math.round(item.progress * 100)}
              />
            ))}
          </ol>
        </details>
      )}
    </section>
  );
}

// A file. There may be hundreds, so each renders only when its own state changes.
type RowProps = { path: string; state: Upload["state"] | "twin"; progress: number };

function UploadRow({ path, state, progress }: RowProps) {
  return useMemo(
    () => (
      <li data-state={state}>
        <span class="each-name">{path}</span>
        <span class="each-state">
          {texts.pictures.sending.states[state]}
          {state === "sending" ? ` ${progress} %` : ""}
        </span>
      </li>
    ),
    [path, state, progress],
  );
}

function UploadTrouble({ uploads, trouble }: { uploads: UploadQueue; trouble: Problem }) {
  const words = texts.pictures.sending;
  // After the count, waiting photos cannot be sent any more.
  const stuck = uploads.paused && trouble.slug === "wrong-state" ? uploads.items.filter(({ state }) => state === "waiting") : [];
  return (
    <div class="notice notice-small" role="status">
      <strong>{trouble.title}</strong>
      <p>{uploads.paused ? trouble.detail : words.byItself}</p>
      {!uploads.paused && (
        <button type="button" class="secondary" onClick={() => uploads.resume()}>
          <Icon name="again" />
          {words.now}
        </button>
      )}
      {stuck.length > 0 && (
        <button type="button" class="secondary" onClick={() => uploads.drop(stuck)}>
          {words.forget}
        </button>
      )}
    </div>
  );
}

// Files whose upload was interrupted by a reload.
type InterruptedProps = { uploads: UploadQueue; items: Upload[]; titled: boolean };

function InterruptedUploads({ uploads, items, titled }: InterruptedProps) {
  const words = texts.pictures.sending;
  const held = items.some(({ handle }) => handle);
  return (
    <div class="interrupted">
      <h3 id={titled ? "sending-title" : undefined}>{words.asleep({ count: items.length })}</h3>
      <p>{held ? words.wakeLead : words.dropAgain}</p>
      <div class="sending-ends">
        {held && (
          <button type="button" onClick={() => uploads.reopenFiles()}>
            {words.wake}
          </button>
        )}
        <button type="button" class="secondary" onClick={() => uploads.drop(items)}>
          {words.forget}
        </button>
      </div>
      <details>
        <summary>{words.which}</summary>
        <ul class="each-list" tabIndex={0} aria-label={words.which}>
          {items.map((item) => (
            <li key={item.id}>{item.path}</li>
          ))}
        </ul>
      </details>
    </div>
  );
}

// Where photos come in: dropped anywhere on the page, pasted, or chosen as files or as a folder. `onFiles` gets the files of
// one drop.
type OnFiles = (entries: ReturnType<typeof chosenFiles>) => void;

function DropZone({ onFiles }: { onFiles: OnFiles }) {
  const [over, setOver] = useState(false);
  const files = useRef<HTMLInputElement>(null);
  const folder = useRef<HTMLInputElement>(null);
  const latest = useRef(onFiles);
  latest.current = onFiles;

  useEffect(() => {
    const carries = (event: DragEvent) => [...(event.dataTransfer?.types ?? [])].includes("Files");
    const controller = new AbortController();
    const { signal } = controller;
    const above = (event: DragEvent) => {
      if (!carries(event)) return;
      event.preventDefault();
      setOver(event.type === "dragover");
      if (event.type === "drop" && event.dataTransfer) droppedFiles(event.dataTransfer).then(latest.current);
    };
    addEventListener("dragover", above, { signal });
    addEventListener("drop", above, { signal });
    addEventListener("dragleave", (event) => event.relatedTarget || setOver(false), { signal });
    const paste = ({ clipboardData: data }: ClipboardEvent) => data?.files.length && latest.current(chosenFiles(data.files));
    addEventListener("paste", paste, { signal });
    return () => controller.abort();
  }, []);

  const take = (event: TargetedInputEvent<HTMLInputElement>) => {
    const entries = chosenFiles(event.currentTarget.files ?? []);
    // Otherwise choosing the same files again would not be a change.
    event.currentTarget.value = "";
    if (entries.length) onFiles(entries);
  };
  const words = texts.pictures.drop;
  return (
    <section class={`drop-zone ${over ? "drop-over" : ""}`} aria-labelledby="drop-title">
      <Icon name="picture" />
      <h2 id="drop-title">{over ? words.over : words.title}</h2>
      <p>{words.lead}</p>
      <div class="drop-buttons">
        <input ref={files} type="file" accept={ACCEPT} multiple hidden tabIndex={-1} aria-label={words.files} onChange={take} />
        <input
          ref={folder}
          type="file"
          {...{ webkitdirectory: true }}
          hidden
          tabIndex={-1}
          aria-label={words.folder}
          onChange={take}
        />
        <button type="button" onClick={() => files.current?.click()}>
          <Icon name="picture" />
          {words.files}
        </button>
        <button type="button" class="secondary" onClick={() => folder.current?.click()}>
          <Icon name="list" />
          {words.folder}
        </button>
      </div>
    </section>
  );
}

const ANNOUNCED_PARTS = 4;
const SETTLE_TIME = 2500; // milliseconds after which the end is announced: while files trickle in, it is reached again and again

// Announces progress to screen readers at each quarter and at the end. `words` is what is said. What is there when the page
// opens is not read out.
type AnnouncerProps = { done: number; all: number; over: boolean; words: string };

function ProgressAnnouncer({ done, all, over, words }: AnnouncerProps) {
  const quarter = all ? Math.floor((done / all) * ANNOUNCED_PARTS) : 0;
  const [said, setSaid] = useState("");
  const known = useRef({ quarter, end: over ? words : "" });
  useEffect(() => {
    const before = known.current.quarter;
    known.current.quarter = quarter;
    if (!over && quarter > before) setSaid(words);
    if (!over || known.current.end === words) return undefined;
    const timer = setTimeout(() => {
      known.current.end = words;
      setSaid(words);
    }, SETTLE_TIME);
    return () => clearTimeout(timer);
  }, [quarter, over, words]);
  return (
    <p class="visually-hidden" role="status">
      {said}
    </p>
  );
}
