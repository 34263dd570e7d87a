// Counting envelopes with a phone: a photo of each, and at once what was read in it.

import { useEffect, useReducer, useRef, useState } from "preact/hooks";
import type { EnvelopeModel, FullGameModel, IssueModel, PhotoDetailModel, QueueModel } from "../../../api";
import { type Series, type View, Viewfinder } from "../../camera/viewfinder";
import type { CardKind } from "../../shared/cards";
import { newIdempotencyKey, request } from "../../shared/http";
import { loadTexts, texts } from "../../shared/i18n";
import { useTopics } from "../live";
import { type Upload, uploadsOf } from "../photos/photo-uploads";
import { kindText } from "../review/issue-text";
import { envelopeIn, isRetake, type Verdict, verdictOf } from "./verdict";

await loadTexts("camera");

const BUZZ = { fine: [40], retake: [120, 80, 120] };
const POLL_INTERVAL = 3000; // milliseconds
const SHOWN = 20; // photos in the list, besides those that wait or need a retake

// A photo of this session: its upload, what the live view saw, and the server's verdict.
type Shot = { upload: Upload; view: View; verdict: Verdict | null; asked: boolean; asking: boolean; stale: boolean };
type Tone = "wait" | "fine" | "retake";

type CountProps = {
  game: FullGameModel;
  kinds: Map<string, CardKind>;
  envelopes: EnvelopeModel[];
  onClose: () => void;
};

// The full-screen view. Every phone has a batch of its own.
export function CountEnvelopes({ game, kinds, envelopes, onClose }: CountProps) {
  const words = texts.pictures.count;
  const uploads = uploadsOf(game.id);
  const batch = useRef(newIdempotencyKey());
  const place = useRef(0);
  const shots = useRef<Shot[]>([]);
  const [retaken, setRetaken] = useState<Shot | null>(null);
  const [round, setRound] = useState(0);
  const [, draw] = useReducer<number, void>((count) => count + 1, 0);

  // Fetch a photo's verdict: once when it was sent, and `again` after events, since another photo may show what it lacks.
  const read = async (shot: Shot, again = false) => {
    const id = shot.upload.photo;
    if (!id || (shot.asked && !again) || (shot.verdict && !shot.verdict.advice)) return;
    shot.stale = shot.asked;
    shot.asked = true;
    if (shot.asking) return;
    shot.asking = true;
    const before = shot.verdict;
    do {
      shot.stale = false;
      try {
        const photo = await request<PhotoDetailModel>(`/api/v1/games/${game.id}/photos/${id}`);
        shot.verdict = verdictOf(photo, await countIssues(game.id, photo));
      } catch {
        // The next event asks again.
      }
      // An event came while the response was on its way.
    } while (shot.stale && (!shot.verdict || shot.verdict.advice));
    shot.asking = false;
    if (shot.verdict && !before) navigator.vibrate?.(BUZZ[shot.verdict.advice ? "retake" : "fine"]);
    draw();
  };
  const readAll = (again: boolean) => {
    draw();
    for (const shot of shots.current) {
      shot.upload = uploads.find(shot.upload.id) ?? shot.upload;
      read(shot, again);
    }
  };
  useEffect(() => uploads.subscribe(() => readAll(false)), [uploads]);
  useTopics(["photos", "queue"], () => readAll(true));
  useEffect(() => {
    // Events are lost with the network.
    const timer = setInterval(() => {
      for (const shot of shots.current) if (!shot.verdict) read(shot, true);
    }, POLL_INTERVAL);
    return () => clearInterval(timer);
  }, []);

  const take = async (file: File, view: View) => {
    place.current += 1;
    const before = retaken && isRetake(retaken, view) ? retaken : null;
    if (before) setRetaken(null);
    const upload = await uploads.addCaptured(file, {
      batch: batch.current,
      place: place.current,
      replaces: before?.upload.id,
    });
    shots.current = [
      { upload, view, verdict: null, asked: false, asking: false, stale: false },
      ...shots.current.filter((shot) => shot !== before),
    ];
    draw();
  };
  const retake = (shot: Shot) => {
    if (shot !== retaken) setRound(round + 1);
    setRetaken(shot === retaken ? null : shot);
  };
  const names = new Map(envelopes.map(({ number, name }) => [number, name]));
  const [last] = shots.current;
  const listed = shots.current.filter((shot, at) => at < SHOWN || toneOf(shot) !== "fine");
  const series: Series = {
    title: shots.current.length ? words.title({ count: shots.current.length }) : words.open,
    said: last ? Object.values(textOf(last, names)).join(". ") : "",
    round,
    children: (
      <ol class="stack count-list" aria-label={texts.desk.tabs.pictures} tabIndex={0}>
        {!last && <li>{words.lead}</li>}
        {listed.map((shot) => {
          const { title, detail } = textOf(shot, names);
          const tone = toneOf(shot);
          return (
            <li key={shot.upload.id} class="row" data-tone={tone}>
              <p class="grow">
                <strong>{title}</strong>
                {tone === "fine" && " ✓"} <span>{shot === retaken ? words.retaking : detail}</span>
              </p>
              {tone === "retake" && (
                <button type="button" class="secondary" onClick={() => retake(shot)}>
                  {shot === retaken ? words.keep : words.retake}
                  <span class="visually-hidden">{title}</span>
                </button>
              )}
            </li>
          );
        })}
      </ol>
    ),
  };
  return <Viewfinder kinds={[...kinds.values()]} game={game.id} series={series} onPhoto={take} onClose={onClose} />;
}

// Return the issues about the number of cards in a photo's envelopes; those of the photo itself do not include them.
async function countIssues(game: string, { state, envelopes }: PhotoDetailModel): Promise<IssueModel[]> {
  if (state !== "done") return [];
  const path = `/api/v1/games/${game}/queue?kind=count`;
  const queues = await Promise.all(envelopes.map((number) => request<QueueModel>(`${path}&envelope=${number}`)));
  return queues.flatMap(({ items }) => items);
}

// Without a verdict yet, the live view knows whether there was a label.
const isWithoutLabel = ({ view, verdict }: Shot) => !verdict && view.cards.length > 0 && !view.labels.length;

const toneOf = (shot: Shot): Tone =>
  shot.upload.state === "refused" || shot.verdict?.advice || isWithoutLabel(shot) ? "retake" : shot.verdict ? "fine" : "wait";

// Return the words about a photo: whose it is and how many cards it shows, and what to do.
function textOf(shot: Shot, names: Map<number, string | null>): { title: string; detail: string } {
  const words = texts.pictures.count;
  const { upload, view, verdict } = shot;
  const envelope = envelopeIn({ view, verdict });
  const owner = envelope === null ? "" : [envelope, names.get(envelope)].filter(Boolean).join(" ");
  const join = (what: string) => [owner, what].filter(Boolean).join(" · ");
  if (upload.state === "refused") return { title: join(words.refused), detail: upload.problem?.detail ?? "" };
  if (isWithoutLabel(shot)) return { title: kindText("no-label"), detail: words.advice["no-label"] };
  if (!verdict) {
    const { sending, reading } = texts.pictures;
    const state =
      upload.state === "sent"
        ? reading.states.scanning
        : upload.unkept
          ? sending.unkept({ count: 1 })
          : upload.state === "sending"
            ? sending.states.sending
            : words.sending;
    return { title: join(texts.cards.total({ count: view.cards.length })), detail: state };
  }
  const { cards, expected, advice, desk } = verdict;
  const number = expected === null ? texts.cards.total({ count: cards }) : words.of({ seen: cards, expected });
  if (advice) return { title: join(advice === "count" ? number : kindText(advice)), detail: words.advice[advice] };
  return { title: join(number), detail: desk.length ? words.desk({ kinds: desk.map(kindText).join(", ") }) : "" };
}
