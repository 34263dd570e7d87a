// A photo of a deck, on the server or being sent.

import type { ComponentChildren } from "preact";
import { useEffect, useMemo, useState } from "preact/hooks";
import type { DeckPhotoModel, HintModel } from "../../../api";
import type { CardKind } from "../../shared/cards";
import { Dialog } from "../../shared/dialog";
import { Problem, request } from "../../shared/http";
import { language, loadTexts, texts } from "../../shared/i18n";
import { Icon } from "../../shared/icon";
import { Notice } from "../../shared/notices";
import { hintText, Outlines, type Scan } from "../../shared/outlines";
import { lazy } from "../lazy";
import { type OutboxItem, outbox } from "../offline/outbox";
import { deletePhoto, photoPath, usePlayerState } from "../player-state";
import "../../../style/deck.css";

await loadTexts("hints").catch(() => {}); // without these texts the scanner's own ones are shown

const PhotoViewer = lazy(() => import("../../shared/photo-viewer").then(({ PhotoViewer }) => PhotoViewer));

// A photo on the server: what was read, what was not, and advice for a better one.
type DeckPhotoProps = {
  number: number;
  photo: DeckPhotoModel;
  deck: string;
  kinds: Map<string, CardKind>;
  item: string | undefined;
  open: boolean;
  onChange: () => void;
};

export function DeckPhoto({ number, photo, deck, kinds, item, open, onChange }: DeckPhotoProps) {
  const { player } = usePlayerState();
  const [near, setNear] = useState(false);
  const { url, preview, hidden } = useDeckPhoto(deck, photo, item, near);
  const scan = useMemo(() => toScan(photo), [photo]);
  const words = texts.picture;
  const done = photo.state === "done";
  const reading = ["waiting", "scanning"].includes(photo.state);
  const frame = (
    <Photo
      url={preview}
      width={photo.width}
      height={photo.height}
      label={texts.cards.titled({
        generic: words.name({ number }),
        name: texts.cards.total({ count: photo.cards.length }),
      })}
      blank={photo.image ? undefined : words.deleted}
    >
      {done && <Outlines scan={scan} kinds={kinds} />}
    </Photo>
  );
  return (
    <article class="picture" data-state={photo.state} aria-label={words.name({ number })}>
      <div
        class={`picture-frame ${reading ? "picture-busy" : ""}`}
        style={photo.width && photo.height ? { "--shape": photo.width / photo.height } : {}}
      >
        {done && preview ? (
          <button type="button" class="bare picture-open" onClick={() => setNear(true)}>
            {frame}
            <span class="chip strong picture-zoom">
              <Icon name="zoom" />
              {words.closer}
            </span>
          </button>
        ) : preview || hidden || !photo.image ? (
          frame
        ) : (
          <div class="picture-empty skeleton" style={photo.width ? { aspectRatio: `${photo.width} / ${photo.height}` } : {}} />
        )}
      </div>
      <div class="row between picture-words">
        <p class="strong">
          {reading
            ? words.reading
            : done
              ? words.found({ cards: photo.cards.filter(({ kind }) => kind).length, doubts: photo.doubts.length })
              : words.failed}
        </p>
        {open && <DeleteButton number={number} remove={() => deletePhoto(player.token, deck, photo.id)} onChange={onChange} />}
      </div>
      {photo.state === "failed" && <Notice small problem={reasonWords(photo.reason)} />}
      {photo.other_label && <Notice small problem={texts.problems["other-label"]} />}
      <Remarks photo={photo} />
      {near && (
        <PhotoViewer
          url={url}
          width={photo.width}
          height={photo.height}
          scan={scan}
          kinds={kinds}
          onClose={() => setNear(false)}
        />
      )}
    </article>
  );
}

type Words = { title: string; detail: string };

// Files that could not be read at all have the text of the problem with which an upload is rejected.
const reasonWords = (reason: string | null): Words =>
  (texts.reasons as Record<string, Words>)[reason ?? ""] ??
  (reason && reason in texts.problems ? new Problem(reason) : texts.reasons.crashed);

// Further remarks: foreign codes and advice.
function Remarks({ photo }: { photo: DeckPhotoModel }) {
  const remarks = [
    photo.strangers.length > 0 && texts.picture.strangers({ count: photo.strangers.length }),
    // The remark above already says that foreign codes do not count.
    ...usefulHints(
      photo.hints.filter(({ slug }) => slug !== "stranger"),
      photo.cards.length + photo.strangers.length + photo.doubts.length,
    ).map(adviceOf),
  ].filter(Boolean);
  if (!remarks.length) return null;
  return (
    <ul class="dashed bullets small picture-remarks">
      {remarks.map((remark) => (
        <li>{remark}</li>
      ))}
    </ul>
  );
}

// A button to delete a photo, with a question. `remove` deletes it, then `onChange` is called.
type DeleteButtonProps = { number: number; remove: () => Promise<unknown>; onChange: () => void };

function DeleteButton({ number, remove, onChange }: DeleteButtonProps) {
  const [asking, setAsking] = useState(false);
  const words = texts.picture;
  const onDelete = async () => {
    await remove().catch((problem: Problem) => {
      if (problem.slug !== "not-found") throw problem;
    });
    setAsking(false);
    onChange();
  };
  return (
    <>
      <button
        type="button"
        class="icon-button"
        aria-label={words.remove({ number })}
        title={words.remove({ number })}
        onClick={() => setAsking(true)}
      >
        <Icon name="bin" />
      </button>
      {asking && (
        <DeleteDialog
          title={words.remove({ number })}
          detail={words.removeDetail}
          onDelete={onDelete}
          onClose={() => setAsking(false)}
        />
      )}
    </>
  );
}

// A question before something is deleted. `onDelete` returns a promise; if it fails, the dialog shows the problem.
type DeleteDialogProps = Words & { onDelete: () => Promise<void>; onClose: () => void };

export function DeleteDialog({ title, detail, onDelete, onClose }: DeleteDialogProps) {
  const [problem, setProblem] = useState<Problem | null>(null);
  return (
    <Dialog title={title} onClose={onClose}>
      <p>{detail}</p>
      {problem && <Notice problem={problem} small />}
      <div class="pair">
        <button type="button" class="secondary" onClick={onClose}>
          {texts.cancel}
        </button>
        <button type="button" onClick={() => onDelete().catch(setProblem)}>
          {texts.deck.delete}
        </button>
      </div>
    </Dialog>
  );
}

// A photo that is still being sent.
export function PendingPhoto({ number, item }: { number: number; item: OutboxItem }) {
  const words = texts.picture;
  const { preview, hidden } = useImage({ file: fileOf(item) });
  const percent = Math.round(item.progress * 100);
  const waits = item.state === "waiting";
  return (
    <article class="picture" aria-label={words.name({ number })}>
      <div class="picture-frame picture-busy">
        {preview || hidden ? <Photo url={preview} label={words.name({ number })} /> : <div class="picture-empty skeleton" />}
      </div>
      {item.state !== "refused" && (
        <>
          <div class="row between picture-words">
            <p class="strong">{waits ? texts.outbox.waiting : words.sending({ percent })}</p>
            <DeleteButton number={number} remove={() => outbox.drop(item.id)} onChange={() => {}} />
          </div>
          <progress class="picture-progress" max="100" value={waits ? 0 : percent} aria-label={words.name({ number })} />
        </>
      )}
      {(item.slow || item.unkept) && <p role="status">{texts.outbox.stay}</p>}
    </article>
  );
}

const SMALL_COPY_WIDTH = 800; // pixels of the server's small copy: two for each CSS pixel of a phone

const THUMBNAIL_WIDTH = 160; // pixels of the server's copy

// A photo as decoration in the list of decks; nothing until it is there.
export function Thumbnail({ deck, photo }: { deck: string; photo: string }) {
  const { player } = usePlayerState();
  const { preview } = useImage({ path: `${photoPath(deck, photo)}?width=${THUMBNAIL_WIDTH}`, token: player.token });
  return preview && <img class="deck-thumbnail" src={preview} alt="" />;
}

// Return the images of a deck's photo, as `useImage` does: of the file if this page sent it, otherwise from the server, small
// until the viewer is open.
function useDeckPhoto(deck: string, photo: DeckPhotoModel, item: string | undefined, near: boolean) {
  const { player } = usePlayerState();
  const there = photo.image && photo.state !== "waiting";
  const whole = there ? photoPath(deck, photo.id) : null;
  const shown = useImage({
    file: item ? fileOfSent(item) : null,
    path: whole && photo.state === "done" ? `${whole}?width=${SMALL_COPY_WIDTH}` : whole,
    token: player.token,
  });
  const close = useImage({ path: near && !shown.own ? whole : null, token: player.token });
  return { ...shown, url: close.url ?? shown.url };
}

// A photo with `children` drawn over it. If the browser cannot show it, or there is none, an empty frame of the same shape with
// the text `blank` below.
type PhotoProps = {
  url: string | null;
  width?: number | null;
  height?: number | null;
  label: string;
  blank?: string | undefined;
  children?: ComponentChildren;
};

function Photo({ url, width, height, label, blank, children }: PhotoProps) {
  const [broken, setBroken] = useState<string | null>(null);
  const hidden = !url || url === broken;
  const shape = width && height ? { aspectRatio: `${width} / ${height}`, "--shape": width / height } : {};
  return (
    <>
      <figure
        class={`photo ${hidden ? "photo-blank" : ""}`}
        style={shape}
        role={hidden ? "img" : undefined}
        aria-label={hidden ? label : undefined}
      >
        {!hidden && (
          <img src={url} alt={label} width={width ?? undefined} height={height ?? undefined} onError={() => setBroken(url)} />
        )}
        {children}
      </figure>
      {hidden && <p class="caption center">{blank ?? texts.photo.noPreview}</p>}
    </>
  );
}

// The images of a photo: of this device's file, or from the server if the browser cannot show the file (such as HEIC) or there
// is none. Lists show small ones, since ten photos of 12 megapixels slow a phone down.

const PREVIEW_WIDTH = 1400; // pixels of a preview's width: three for each CSS pixel of a phone
const SMALL_FILE = 300_000; // bytes of a photo that needs no smaller copy
const QUALITY = 0.85;
const MAX_TRIES = 6;
const RETRY_DELAY = 2; // seconds before another try, if the server does not name any
const NO_IMAGE: { blob: Blob | null; gone: boolean } = { blob: null, gone: false };

// Return the images of the photo at `path` on the server, or of the `file` if this page has it: the object URLs `url` of the
// whole photo and `preview` of a small one, null until they are there; `hidden` if the browser can show neither, and `own` if
// they are of the file.
type ImageSource = { file?: Blob | null; path?: string | null; token?: string };

function useImage({ file = null, path = null, token }: ImageSource) {
  const [broken, setBroken] = useState<Blob | null>(null);
  const own = file !== broken ? file : null;
  const servers = useServerImage(own ? null : path, token);
  const blob = own ?? servers.blob;
  // Nearly everything that the server sends can be shown; <img> reports the rest.
  const ready = !own && blob && blob.size <= SMALL_FILE ? blob : null;
  const [small, setSmall] = useState<{ of: Blob | null; made: Blob | null }>({ of: null, made: null });
  useEffect(() => {
    if (!blob || ready) return undefined;
    let cancelled = false;
    shrinkInTurn(blob).then(
      (made) => cancelled || setSmall({ of: blob, made }),
      () => cancelled || setBroken(blob),
    );
    return () => {
      cancelled = true;
    };
  }, [blob]);
  const made = ready ?? (blob && small.of === blob ? small.made : null);
  return {
    url: useObjectUrl(blob),
    preview: useObjectUrl(made),
    own: Boolean(own),
    hidden: blob ? blob === broken : servers.gone || (file !== null && !path),
  };
}

// Return an object URL for a blob, revoked when another blob takes its place.
function useObjectUrl(blob: Blob | null): string | null {
  const [state, setState] = useState<{ of: Blob | null; url: string | null }>({ of: null, url: null });
  useEffect(() => {
    if (!blob) return undefined;
    const url = URL.createObjectURL(blob);
    setState({ of: blob, url });
    return () => URL.revokeObjectURL(url);
  }, [blob]);
  return blob && state.of === blob ? state.url : null;
}

// Fetch a photo from the server. One that is still being read is not available yet, so it tries again.
function useServerImage(path: string | null, token: string | undefined) {
  const [state, setState] = useState<{ of: string | null; blob: Blob | null; gone: boolean }>({ of: null, ...NO_IMAGE });
  useEffect(() => {
    if (!path) return undefined;
    const controller = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const load = (left: number) =>
      request(path, { token, as: "blob", signal: controller.signal }).then(
        (blob) => setState({ of: path, blob, gone: false }),
        (problem: Problem) => {
          if (controller.signal.aborted) return;
          const wait = problem.wait || (problem.passing ? RETRY_DELAY : 0);
          if (wait && left) timer = setTimeout(load, wait * 1000, left - 1);
          else setState({ of: path, blob: null, gone: true });
        },
      );
    load(MAX_TRIES);
    return () => {
      controller.abort();
      clearTimeout(timer);
    };
  }, [path, token]);
  return path && state.of === path ? state : NO_IMAGE;
}

let lastShrink: Promise<unknown> = Promise.resolve();

// Return a smaller copy of a photo, or the photo itself if it is small. Rejects if the browser cannot show it. One at a time,
// since each needs much memory.
function shrinkInTurn(blob: Blob): Promise<Blob> {
  const made = lastShrink.then(() => shrink(blob));
  lastShrink = made.catch(() => {});
  return made;
}

async function shrink(blob: Blob): Promise<Blob> {
  const bitmap = await createImageBitmap(blob, { resizeWidth: PREVIEW_WIDTH, resizeQuality: "medium" });
  try {
    if (blob.size <= SMALL_FILE) return blob;
    const canvas = document.createElement("canvas");
    [canvas.width, canvas.height] = [bitmap.width, bitmap.height];
    canvas.getContext("2d", { alpha: false })?.drawImage(bitmap, 0, 0);
    return (await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, "image/jpeg", QUALITY))) ?? blob;
  } finally {
    bitmap.close();
  }
}

// Files that this page has sent, by the id of the outbox item: shown instead of the server's copy.
const files = new Map<string, File>();

// Return the file of an outbox item.
function fileOf(item: OutboxItem): File | null {
  if (item.file) files.set(item.id, item.file);
  return files.get(item.id) ?? null;
}

const fileOfSent = (id: string) => files.get(id) ?? null;

// Convert a player's photo for Outlines: cards that count have names, all others are crosses.
function toScan(photo: DeckPhotoModel): Scan {
  const dead = photo.cards.filter(({ kind }) => !kind).map(({ outline }) => outline);
  return {
    width: photo.width ?? 0,
    height: photo.height ?? 0,
    seen: photo.cards.flatMap(({ kind, outline }) => (kind ? [{ kind, outline, quads: [] }] : [])),
    codes: [...photo.strangers, ...dead].map((quad) => ({ quad, status: "foreign" })),
    doubts: photo.doubts,
  };
}

// Return the useful hints: if nothing was found at all, the duration of the scan was not the problem.
const usefulHints = (hints: HintModel[], found: number) => hints.filter(({ slug }) => found > 0 || slug !== "time");

// Return a hint in the page's language. The server's English text is kept: it also says how many cards, and where.
const adviceOf = ({ slug, text }: HintModel) => (language() === "en" ? text : (hintText(slug) ?? text));
