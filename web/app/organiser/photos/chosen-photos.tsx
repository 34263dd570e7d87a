// Acts on the chosen photos of the board.

import { useLayoutEffect, useRef, useState } from "preact/hooks";
import type { EnvelopeModel, FullGameModel, PhotoDetailModel, PhotoModel } from "../../../api";
import { Problem, request } from "../../shared/http";
import { texts } from "../../shared/i18n";
import { Icon } from "../../shared/icon";
import { announce, Notice } from "../../shared/notices";
import { EnvelopeField, ReasonField } from "../forms";
import { envelopeText } from "../review/issue-text";

const ACTS = ["assign", "ignore", "scan", "delete"] as const;
export type Act = (typeof ACTS)[number];
type PhotoProblem = { photo: PhotoModel; problem: Problem };

// Acts on the chosen photos: a bar at the foot of the page, and a small form for the act.
type ChosenProps = {
  game: FullGameModel;
  photos: PhotoModel[];
  envelopes: EnvelopeModel[];
  refetch: () => void;
  act: Act | null;
  typed: string | null;
  onAct: (act: Act | null) => void;
  onDone: () => void;
  onNone: () => void;
};

export function ChosenPhotos({ game, photos, envelopes, act, typed, onAct, onDone, onNone, refetch }: ChosenProps) {
  const words = texts.pictures;
  const [envelope, setEnvelope] = useState(typed ?? "");
  const [reason, setReason] = useState("");
  const [done, setDone] = useState<number | null>(null);
  const [problems, setProblems] = useState<PhotoProblem[]>([]);
  const form = useRef<HTMLFormElement>(null);
  // Focus in a layout effect, so that the next key goes into the field.
  useLayoutEffect(() => {
    if (typed !== null) setEnvelope(typed);
  }, [typed]);
  useLayoutEffect(() => {
    if (!act) return;
    setReason(act === "scan" ? "" : REASONS[act]());
    setProblems([]);
    const field = form.current?.querySelector<HTMLInputElement | HTMLButtonElement>("input, button");
    field?.focus();
    if (field instanceof HTMLInputElement && field.name === "envelope")
      field.setSelectionRange(field.value.length, field.value.length);
  }, [act, typed]);

  const send = async (event: Event) => {
    event.preventDefault();
    if (done !== null || !act) return;
    setDone(0);
    const body = { envelope: Number(envelope), reason: reason.trim() };
    const wrong = await toEach(game.id, photos, act, body, () => setDone((before) => (before ?? 0) + 1));
    setDone(null);
    refetch();
    if (wrong.length) {
      setProblems(wrong);
      return;
    }
    announce(DONE[act](Number(envelope)));
    onDone();
  };
  const leave = (event: KeyboardEvent) => {
    if (event.key !== "Escape") return;
    event.stopPropagation();
    onAct(null);
  };
  const target = envelopes.find(({ number }) => String(number) === envelope);
  return (
    <section class="bar-bottom" aria-label={texts.queue.chosen({ count: photos.length })}>
      <div class="row">
        <strong>{texts.queue.chosen({ count: photos.length })}</strong>
        {ACTS.map((name) => (
          <button
            type="button"
            class="secondary"
            aria-pressed={act === name ? "true" : "false"}
            onClick={() => onAct(act === name ? null : name)}
          >
            {nameOf(name)}
          </button>
        ))}
        <button type="button" class="icon-button" aria-label={texts.queue.chooseNone} onClick={onNone}>
          <Icon name="close" />
        </button>
      </div>
      {act && (
        <form ref={form} onSubmit={send} onKeyDown={leave}>
          {act === "assign" && (
            <EnvelopeField value={envelope} onInput={setEnvelope}>
              <small aria-live="polite">
                {envelope ? (target ? envelopeText(target.number, target.name) : texts.queue.noEnvelope) : ""}
              </small>
            </EnvelopeField>
          )}
          {act !== "scan" && <ReasonField value={reason} onInput={setReason} />}
          <button disabled={done !== null || (act === "assign" && !target)}>
            {done === null
              ? act === "delete"
                ? texts.pictures.acts.deleteForGood
                : nameOf(act)
              : words.missing.doing({ done, all: photos.length })}
          </button>
        </form>
      )}
      {problems.map(({ photo, problem }) => (
        <Notice
          key={photo.id}
          problem={{ title: texts.desk.named({ what: photo.name, name: problem.title }), detail: problem.detail }}
          small
        />
      ))}
    </section>
  );
}

const nameOf = (act: Act) => (act === "ignore" ? texts.queue.choices.all.ignore : texts.pictures.acts[act]);

// Default reasons, and what is announced afterwards.
const REASONS = {
  assign: () => texts.queue.reasons.all.other,
  ignore: () => texts.queue.settledBy.elsewhere,
  delete: () => texts.queue.reasons.takeBack,
};
const DONE: Record<Act, (envelope: number) => string> = {
  assign: (envelope) => texts.queue.said({ what: texts.queue.choices.all.assign({ envelope }) }),
  ignore: () => texts.pictures.board.aside,
  scan: () => texts.pictures.reading.states.scanning,
  delete: () => texts.queue.erased,
};

const isEqual = (a: number[], b: number[]) => a.length === b.length && a.every((one, at) => one === b[at]);

// Do something with several photos, one after the other; `onDone` is called after each. Resolves to the problems by photo;
// what succeeded is not undone.
type ActBody = { envelope: number; reason: string };

async function toEach(game: string, photos: PhotoModel[], act: Act, body: ActBody, onDone: () => void) {
  const problems: PhotoProblem[] = [];
  for (const photo of photos) {
    try {
      await PHOTO_ACTS[act](`/api/v1/games/${game}/photos/${photo.id}`, photo, body);
    } catch (problem) {
      problems.push({ photo, problem: problem as Problem });
    }
    onDone();
  }
  return problems;
}

async function decideOwner(path: string, photo: PhotoModel, body: object) {
  const now = await request<PhotoDetailModel>(path);
  // The revision must be of what the organiser saw: a new owner is somebody else's decision.
  if (!isEqual(now.envelopes, photo.envelopes) || now.decided !== photo.decided) throw new Problem("changed");
  return request(path, { method: "PATCH", body, revision: now.revision ?? "0" });
}

const PHOTO_ACTS: Record<Act, (path: string, photo: PhotoModel, body: ActBody) => Promise<unknown>> = {
  assign: (path, photo, { envelope, reason }) => decideOwner(path, photo, { do: "assign", envelope, reason }),
  ignore: (path, photo, { reason }) => decideOwner(path, photo, { do: "ignore", reason }),
  scan: (path) => request(`${path}/scan`, { method: "POST" }),
  delete: (path, _, { reason }) => request(`${path}?${new URLSearchParams({ reason })}`, { method: "DELETE" }),
};
