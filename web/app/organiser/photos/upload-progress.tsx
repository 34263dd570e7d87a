// The progress of uploads, and what can be done about those that wait or were rejected.

import { useEffect, useMemo, useReducer, useRef, useState } from "preact/hooks";
import type { Problem } from "../../shared/http";
import { texts } from "../../shared/i18n";
import { Icon } from "../../shared/icon";
import { ConfirmDialog } from "../forms";
import type { PhotoUploads, Upload } from "./photo-uploads";

const FILE_PROBLEMS = new Set(["not-a-picture", "truncated", "empty", "too-many-bytes", "too-many-pixels"]); // of the file itself

// The progress of this page's uploads, in total and by file. Only this component renders with each progress event. `taken` is
// false if the game takes no photos now.
type Shown = Exclude<Upload["state"], "asleep">;
type ProgressProps = { uploads: PhotoUploads; taken: boolean };

export function UploadProgress({ uploads, taken }: ProgressProps) {
  const [, draw] = useReducer<number, void>((count) => count + 1, 0);
  useEffect(() => uploads.subscribe(draw), [uploads]);
  const all = uploads.items;
  const shown = all.filter((item): item is Upload & { state: Shown } => !item.old && item.state !== "asleep");
  const asleep = all.filter(({ state }) => state === "asleep");
  if (!shown.length && !asleep.length) return null;
  const count = (state: Upload["state"]) => shown.filter((item) => item.state === state).length;
  const sent = count("sent");
  const refused = shown.filter(({ state }) => state === "refused");
  const share = shown.reduce((sum, item) => sum + (item.state === "sent" ? 1 : item.progress), 0) / Math.max(1, shown.length);
  const waiting = all.filter(({ state }) => state === "waiting" || state === "sending");
  const unkept = waiting.filter((item) => item.unkept && item.captured);
  const over = !waiting.length;
  const words = texts.pictures.sending;
  const title = words.title({ sent, all: shown.length });
  return (
    <section class="panel sending" aria-labelledby="sending-title">
      {shown.length > 0 && (
        <>
          <div class="row">
            <h2 id="sending-title" class="grow">
              {title}
            </h2>
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
          {!over && <progress aria-labelledby="sending-title" max="1" value={share} />}
          <ProgressAnnouncer done={sent} all={shown.length} over={over} words={title} />
        </>
      )}
      {uploads.trouble && uploads.busy && <UploadTrouble uploads={uploads} trouble={uploads.trouble} />}
      {unkept.length > 0 && <p>{words.unkept({ count: unkept.length })}</p>}
      {(uploads.paused || !taken) && waiting.length > 0 && (
        <div class="row">
          <ForgetUploads uploads={uploads} items={waiting} />
        </div>
      )}
      {refused.length > 0 && <RejectedUploads uploads={uploads} items={refused} />}
      {asleep.length > 0 && <InterruptedUploads uploads={uploads} items={asleep} titled={!shown.length} />}
      {shown.length > 0 && (
        <details>
          <summary>{words.each}</summary>
          <ol class="scroll ruled each-list" tabIndex={0} aria-label={words.each}>
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
type RowProps = { path: string; state: Shown | "twin"; progress: number };

function UploadRow({ path, state, progress }: RowProps) {
  return useMemo(
    () => (
      <li class="row between nowrap" data-state={state}>
        <span class="clip">{path}</span>
        <span class="fixed small">
          {texts.pictures.sending.states[state]}
          {state === "sending" ? ` ${progress} %` : ""}
        </span>
      </li>
    ),
    [path, state, progress],
  );
}

function UploadTrouble({ uploads, trouble }: { uploads: PhotoUploads; trouble: Problem }) {
  const words = texts.pictures.sending;
  return (
    <div class="notice notice-small" role="status">
      <strong>{trouble.title}</strong>
      <p>{uploads.paused ? trouble.detail : words.byItself}</p>
      {!uploads.paused && (
        <button type="button" class="secondary" onClick={() => uploads.resume()}>
          <Icon name="again" />
          {texts.again}
        </button>
      )}
    </div>
  );
}

// Forgets uploads that were not sent.
function ForgetUploads({ uploads, items }: { uploads: PhotoUploads; items: Upload[] }) {
  const [asking, setAsking] = useState(false);
  const words = texts.pictures.sending;
  const count = items.length;
  const files = items.filter(({ captured }) => !captured).length;
  return (
    <>
      <button type="button" class="secondary" onClick={() => setAsking(true)}>
        {words.forget}
      </button>
      {asking && (
        <ConfirmDialog
          title={words.forgetTitle({ count })}
          confirm={words.forget}
          danger
          onConfirm={() => uploads.drop(items)}
          onClose={() => setAsking(false)}
        >
          {files > 0 && <p>{words.forgetFiles}</p>}
          {files < count && <p>{words.forgetCaptured}</p>}
        </ConfirmDialog>
      )}
    </>
  );
}

// Files that the server rejected.
function RejectedUploads({ uploads, items }: { uploads: PhotoUploads; items: Upload[] }) {
  const words = texts.pictures.sending;
  return (
    <div>
      <h3>{words.refused({ count: items.length })}</h3>
      <ul>
        {items.map((item) => (
          <li key={item.id} class="row">
            <p class="grow">
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
  );
}

// Files whose upload was interrupted by a reload.
type InterruptedProps = { uploads: PhotoUploads; items: Upload[]; titled: boolean };

function InterruptedUploads({ uploads, items, titled }: InterruptedProps) {
  const words = texts.pictures.sending;
  const held = items.some(({ handle }) => handle);
  return (
    <div>
      <h3 id={titled ? "sending-title" : undefined}>{words.asleep({ count: items.length })}</h3>
      <p>{held ? words.wakeLead : words.dropAgain}</p>
      <div class="row">
        {held && (
          <button type="button" onClick={() => uploads.reopenFiles()}>
            {words.goOn}
          </button>
        )}
        <ForgetUploads uploads={uploads} items={items} />
      </div>
      <details>
        <summary>{words.each}</summary>
        <ul class="scroll ruled each-list" tabIndex={0} aria-label={words.asleep({ count: items.length })}>
          {items.map((item) => (
            <li key={item.id}>{item.path}</li>
          ))}
        </ul>
      </details>
    </div>
  );
}

const ANNOUNCED_PARTS = 4;
const SETTLE_TIME = 2500; // milliseconds after which the end is announced: while files trickle in, it is reached again and again

// Announces progress to screen readers at each quarter and at the end. `words` is what is said. What is there when the page
// opens is not read out.
type AnnouncerProps = { done: number; all: number; over: boolean; words: string };

export function ProgressAnnouncer({ done, all, over, words }: AnnouncerProps) {
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
