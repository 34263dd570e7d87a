// Print jobs: files that the server renders in the background.

import { useEffect, useRef, useState } from "preact/hooks";
import type { FullGameModel, PrintJobModel, PrintJobsModel, RunModel } from "../../../api";
import { type Problem, request } from "../../shared/http";
import { formatBytes, texts } from "../../shared/i18n";
import { Icon, type IconName } from "../../shared/icon";
import { announce, Notice } from "../../shared/notices";
import { useSubmit } from "../forms";
import { obstacleOf } from "./print-options";

// Print jobs started before this page was opened, here or by another organiser, with progress and a button to cancel. Files of
// jobs started in this tab are saved when they are ready.
type ShownJob = { job: PrintJobModel; ours?: boolean };
type UnsavedJob = { game: string; job: PrintJobModel; ours: true };

export function PrintJobs({ game }: { game: FullGameModel }) {
  const [jobs, setJobs] = useState<ShownJob[]>([]);
  useEffect(() => {
    const controller = new AbortController();
    const add = (more: ShownJob[]) =>
      setJobs((before) => [...before, ...more.filter(({ job }) => !before.some((other) => other.job.id === job.id))]);
    setJobs(unsavedJobsOf(game.id));
    const deaf = onJobLeft((print) => void (print.game === game.id && add([print])));
    const begun = ({ state }: PrintJobModel) => state === "waiting" || state === "working";
    // If the list cannot be loaded, the button of the file finds its job again.
    request<PrintJobsModel>(`/api/v1/games/${game.id}/prints`, { signal: controller.signal }).then(
      ({ prints }) => add(prints.filter(begun).map((job) => ({ job }))),
      () => {},
    );
    return () => {
      deaf();
      controller.abort();
    };
  }, [game.id]);
  if (!jobs.length) return null;
  return (
    <section class="panel" aria-label={texts.print.made.title}>
      <h2>{texts.print.made.title}</h2>
      <ul>
        {jobs.map(({ job, ours }) => (
          <li key={job.id} class="row">
            <b>{job.name}</b>
            <PrintJobButton
              game={game}
              found={job}
              ours={ours ?? false}
              title={job.name}
              onCancelled={() => setJobs((before) => before.filter((other) => other.job.id !== job.id))}
            />
          </li>
        ))}
      </ul>
    </section>
  );
}

const POLL_INTERVAL = 1000; // milliseconds between polls

type PrintJobButtonProps = {
  game: FullGameModel;
  run?: RunModel | undefined;
  body?: Record<string, string | number> | undefined;
  found?: PrintJobModel | null;
  ours?: boolean;
  title: string;
  about?: string | undefined;
  onCancelled?: () => void;
  icon?: IconName;
  plain?: boolean;
};

// A button for a file that takes long: the server renders it in the background. `body` are the options, or `found` is an
// existing job; with `ours` it was started in this tab, and the file is saved. `about` as for Download.
export function PrintJobButton({
  game,
  run,
  body,
  found = null,
  ours = !found,
  title,
  about,
  onCancelled = () => {},
  icon = "download",
  plain = false,
}: PrintJobButtonProps) {
  const { job, begun, failed, busy, link, address, start, cancel } = usePrintJob({
    game,
    run,
    body,
    found,
    ours,
    title,
    onCancelled,
  });
  const words = texts.print.made;
  const kind = plain ? "secondary" : "";
  const of = about && <span class="visually-hidden">{about}</span>;
  if (job?.state === "done")
    return (
      <a ref={link} class={`as-button ${kind}`} href={`${address}/file`} download>
        <Icon name="download" /> {texts.desk.named({ what: title, name: formatBytes(job.bytes ?? 0) })}
        {of}
      </a>
    );
  if (job && begun)
    return (
      <div class="row print-job grow">
        <progress max={job.of || 1} {...(job.of ? { value: job.done } : {})} aria-label={title} />
        <span>
          {!found && <>{title}: </>}
          {job.of ? words.at({ done: job.done, all: job.of }) : job.state === "working" ? words.begun : words.waiting}
        </span>
        <button
          type="button"
          class="secondary"
          aria-label={[texts.cancel, title, about].filter(Boolean).join(", ")}
          onClick={cancel}
        >
          {texts.cancel}
        </button>
      </div>
    );
  return (
    <>
      {body && (
        <button type="button" class={kind} aria-busy={busy ? "true" : undefined} onClick={start}>
          <Icon name={icon} /> {title}
          {of}
        </button>
      )}
      {failed && <Notice problem={failed} small />}
      {job?.state === "failed" && (
        <p class="wrong" role="alert">
          {words.failed} {obstacleOf(job)}
        </p>
      )}
    </>
  );
}

// Return a job, which is polled until it is over, and functions to start and to cancel it.
type PrintJobProps = Pick<PrintJobButtonProps, "game" | "run" | "body" | "title"> & {
  found: PrintJobModel | null;
  ours: boolean;
  onCancelled: () => void;
};

function usePrintJob({ game, run, body, found, ours, title, onCancelled }: PrintJobProps) {
  const [job, setJob] = useState<PrintJobModel | null>(found);
  const [lost, setLost] = useState<Problem | null>(null);
  const { send, busy, problem } = useSubmit();
  const link = useRef<HTMLAnchorElement>(null); // to the file
  const unsaved = useRef<PrintJobModel | null>(null);
  const shown = useRef(true);
  const words = texts.print.made;
  const bodyText = JSON.stringify(body);
  const address = `/api/v1/games/${game.id}/prints/${job?.id}`;
  const begun = job?.state === "waiting" || job?.state === "working";
  unsaved.current = begun && ours ? job : null;
  useEffect(() => {
    shown.current = true;
    return () => {
      shown.current = false;
      if (unsaved.current) leaveJob(game.id, unsaved.current);
    };
  }, []);
  useEffect(() => setJob(found), [bodyText]);
  useEffect(() => {
    if (!begun) return undefined;
    const watch = new AbortController();
    const timer = setTimeout(async () => {
      try {
        const now = await request<PrintJobModel>(address, { signal: watch.signal });
        setJob(now);
        if (now.state === "done") announce(words.ready({ title }));
      } catch (error) {
        if (watch.signal.aborted) return;
        const failure = error as Problem;
        if (failure.passing && job) setJob({ ...job });
        else gone(failure);
      }
    }, POLL_INTERVAL);
    return () => {
      clearTimeout(timer);
      watch.abort();
    };
  }, [job]);
  useEffect(() => {
    if (!job || begun) return;
    settleJob(job.id);
    if (job.state !== "done" || !ours) return;
    // The organiser has been waiting for it here.
    if (!found) link.current?.focus();
    link.current?.click();
  }, [job?.state]);
  const gone = (error: Problem) => {
    if (job) settleJob(job.id);
    setJob(null);
    setLost(error);
  };
  const start = () => {
    setLost(null);
    return send(async () => {
      const fresh = await request<PrintJobModel>(`/api/v1/games/${game.id}/runs/${run?.number}/prints`, { method: "POST", body });
      if (shown.current) setJob(fresh);
      else leaveJob(game.id, fresh);
    });
  };
  const cancel = () => {
    if (job) settleJob(job.id);
    unsaved.current = null;
    setJob(null);
    request(address, { method: "DELETE" }).catch(() => {}); // already deleted, or it expires
    onCancelled();
  };
  return { job, begun, failed: problem ?? lost, busy, link, address, start, cancel };
}

// Jobs of this tab that are not saved yet and whose button is gone, since a dialog was closed or another tab was opened.
const unsavedJobs = new Map<string, UnsavedJob>(); // by id
const listeners = new Set<(print: UnsavedJob) => void>();

function leaveJob(game: string, job: PrintJobModel) {
  const print: UnsavedJob = { game, job, ours: true };
  unsavedJobs.set(job.id, print);
  for (const listener of listeners) listener(print);
}

// Forget a job that was saved or failed.
const settleJob = (id: string) => unsavedJobs.delete(id);

const unsavedJobsOf = (game: string) => [...unsavedJobs.values()].filter((print) => print.game === game);

// Call a function with each such job from now on; returns a function to stop.
function onJobLeft(listener: (print: UnsavedJob) => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}
