// The photos tab: upload and progress. The board below it shows the photos.

import type { TargetedInputEvent } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import type { EnvelopesModel, FullGameModel, PhotosModel } from "../../../api";
import { request } from "../../shared/http";
import { loadTexts, texts } from "../../shared/i18n";
import { Icon } from "../../shared/icon";
import { announce, Notice, Skeleton } from "../../shared/notices";
import { Link, navigate, useRoute, View } from "../../shared/router";
import { LazyPart } from "../layout";
import { isWithoutWorker, NoWorkerNotice, type TabCounts, useLiveData } from "../live";
import { useKinds } from "../review/card-entry";
import { type DroppedPhotos, PhotoBoard } from "./board";
import { ACCEPT, chosenFiles, droppedFiles } from "./dropped-files";
import { MissingEnvelopes, useMissingIssues } from "./missing";
import { PhotoDialog } from "./photo-dialog";
import { fetchAllPhotos, uploadsOf } from "./photo-uploads";
import { ProgressAnnouncer, UploadProgress } from "./upload-progress";

await loadTexts("pictures", "queue", "games", "hints");

const loadCount = () => import("../count/count").then(({ CountEnvelopes }) => CountEnvelopes);
const UPLOAD_STATES = new Set(["open", "closed"]); // states in which photos can be uploaded

// The photos tab: upload, progress of reading, and the owner of each photo.
type PhotosProps = { game: FullGameModel; refetch: () => void; counts: TabCounts };

export function Photos({ game, refetch, counts }: PhotosProps) {
  const uploads = uploadsOf(game.id);
  const kinds = useKinds(game.id);
  const list = useLiveData((signal) => fetchAllPhotos(game.id, signal), game.id, ["photos", "queue"]);
  const envelopes = useLiveData((signal) => request<EnvelopesModel>(`/api/v1/games/${game.id}/envelopes`, { signal }), game.id, [
    "envelopes",
    "game",
    "photos",
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
    envelopes.refetch();
    missing.refetch();
    refetch();
  };
  // Wait for everything, so that nothing moves afterwards.
  const shown =
    list.data && envelopes.data && missing.data
      ? { ...list.data, envelopes: envelopes.data.envelopes, missing: missing.data }
      : null;
  const photo = shown?.photos.find(({ id }) => id === opened);
  // As on the overview: photos come first, then doubts.
  const doubts = counts.queue ?? 0;
  const settles = game.state === "closed" && game.counts.received > 0 && doubts > 0 && !counts.pictures;
  return (
    <View name="pictures" title={texts.desk.tabs.pictures}>
      {UPLOAD_STATES.has(game.state) ? (
        <>
          <button
            type="button"
            class={settles ? "secondary below" : "below"}
            disabled={!kinds || !envelopes.data}
            onClick={() => show("/count")}
          >
            <Icon name="camera" />
            {words.count.open}
          </button>
          <DropZone onFiles={add} />
        </>
      ) : (
        <p class="panel row">
          <Icon name="clock" />
          {game.state === "frozen" || game.state === "published" ? words.notNow[game.state] : words.notNow.early}
        </p>
      )}
      {part === "count" && UPLOAD_STATES.has(game.state) && kinds && envelopes.data && (
        <LazyPart load={loadCount} game={game} kinds={kinds} envelopes={envelopes.data.envelopes} onClose={() => show("")} />
      )}
      <UploadProgress uploads={uploads} taken={UPLOAD_STATES.has(game.state)} />
      {!shown && (problem ? <Notice problem={problem} onRetry={refresh} /> : <Skeleton rows={3} />)}
      {shown && (
        <>
          <NoWorkerNotice is={isWithoutWorker(shown)} />
          {shown.photos.length > 0 && <ReadingProgress game={game} states={shown.states} doubts={doubts} main={settles} />}
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

type ReadingProps = Pick<PhotosModel, "states"> & { game: FullGameModel; doubts: number; main: boolean };

function ReadingProgress({ game, states, doubts, main }: ReadingProps) {
  const words = texts.pictures.reading;
  const all = Object.values(states).reduce((sum, count) => sum + count, 0);
  const over = (states.done ?? 0) + (states.failed ?? 0);
  const title = words.title({ over, all });
  return (
    <section class="panel reading" aria-labelledby="reading-title">
      <h2 id="reading-title">{title}</h2>
      {over < all && <progress aria-labelledby="reading-title" max={all} value={over} />}
      <ProgressAnnouncer done={over} all={all} over={over === all} words={title} />
      {over < all || states.failed ? (
        <ul class="row soft">
          {READING_STATES.map((state) => (
            <li key={state} data-state={state}>
              <b>{states[state]}</b> {words.states[state]}
            </li>
          ))}
        </ul>
      ) : null}
      {over === all && doubts > 0 && (
        <Link class={main ? "as-button" : "as-button secondary"} href={`/desk/games/${game.id}/queue`}>
          <Icon name="question" />
          {texts.games.open.settle}
        </Link>
      )}
    </section>
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
    <section class={`dashed stack center drop-zone ${over ? "drop-target" : ""}`} aria-labelledby="drop-title">
      <Icon name="picture" />
      <h2 id="drop-title">{words.title}</h2>
      <p>{words.lead}</p>
      <div class="row">
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
        <button type="button" class="secondary" onClick={() => files.current?.click()}>
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
