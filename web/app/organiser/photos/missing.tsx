// The envelopes that were not seen.

import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import type { EnvelopeModel, FullGameModel, IssueModel, PhotoModel, QueueModel } from "../../../api";
import { type Problem, request } from "../../shared/http";
import { texts } from "../../shared/i18n";
import { announce, Notice } from "../../shared/notices";
import { ReasonField } from "../forms";
import { useLiveData } from "../live";
import { envelopeText } from "../review/issue-text";
import { useDropTarget } from "./thumbnail";

const FRAGMENT = "missing"; // fragment of the address
const MISSING_TOPICS = ["queue", "photos", "envelopes", "game"]; // topics of events

// Fetch the issues about envelopes that were not seen, kept up to date.
export const useMissingIssues = (game: string) =>
  useLiveData(
    async (signal) => {
      const kinds = await Promise.all(
        ["missing", "unseen"].map((kind) =>
          request<QueueModel>(`/api/v1/games/${game}/queue?kind=${kind}&limit=1000`, { signal }),
        ),
      );
      return kinds.flatMap(({ items }) => items);
    },
    game,
    MISSING_TOPICS,
  );

// The missing envelopes. Once the game is closed they can be marked as absent, many at once, with a
// request for each. Photos can be dropped on each: `onDropped` gets their ids and the envelope's number.
type MissingProps = {
  game: FullGameModel;
  envelopes: EnvelopeModel[];
  missing: IssueModel[];
  photos: PhotoModel[];
  onDropped: (ids: string[], envelope: number) => void;
  refetch: () => void;
};

export function MissingEnvelopes({ game, envelopes, missing, photos, onDropped, refetch }: MissingProps) {
  const words = texts.pictures.missing;
  const [chosen, setChosen] = useState(() => new Set<number>());
  const [reason, setReason] = useState(texts.queue.reasons.all.absent);
  const [done, setDone] = useState<number | null>(null);
  const [problem, setProblem] = useState<Problem | null>(null);
  const panel = useRef<HTMLDetailsElement>(null);
  useEffect(() => {
    // Scroll here from a link to this part.
    if (location.hash !== `#${FRAGMENT}` || !panel.current) return;
    panel.current.open = true;
    panel.current.scrollIntoView({ block: "start" });
    panel.current.querySelector("summary")?.focus({ preventScroll: true });
  }, []);
  const items = new Map(missing.map((item) => [item.envelopes[0], item]));
  const closed = game.state !== "open";
  const missed = envelopes.filter((envelope) => envelope.missing);
  // Before the first photo nothing is missing yet.
  if (!missed.length || (!closed && !photos.length)) return null;
  const picked = missed.filter(({ number }) => chosen.has(number));
  const toggle = (number: number) =>
    setChosen(new Set(chosen.has(number) ? [...chosen].filter((one) => one !== number) : [...chosen, number]));
  const all = picked.length === missed.length;

  const send = async (event: Event) => {
    event.preventDefault();
    if (done !== null) return;
    setProblem(null);
    setDone(0);
    const absent = new Set<number>();
    for (const { number } of picked) {
      const item = items.get(number);
      if (!item) continue;
      try {
        await request(`/api/v1/games/${game.id}/queue/${encodeURIComponent(item.key)}/ruling`, {
          method: "PUT",
          body: { do: "absent", reason: reason.trim() },
          revision: item.revision,
        });
        absent.add(number);
        setDone(absent.size);
      } catch (error) {
        // An issue that somebody else has settled is done; any other problem stops the rest.
        if (!["changed", "not-found"].includes((error as Problem).slug)) {
          setProblem(error as Problem);
          break;
        }
      }
    }
    setDone(null);
    setChosen(new Set([...chosen].filter((number) => !absent.has(number))));
    if (absent.size) announce(texts.queue.said({ what: texts.queue.choices.all.absent }));
    refetch();
  };
  return (
    <details class="panel missing" id={FRAGMENT} ref={panel} open={closed}>
      <summary>
        <h2 class="grow">{words.title({ count: missed.length })}</h2>
      </summary>
      {closed && <p>{words.lead}</p>}
      <form onSubmit={send}>
        <ul class="tiles scroll missing-list">
          {missed.map(({ number, name, claimed }) => {
            const label = (
              <>
                {envelopeText(number, name)} {claimed && <small>{words.claimed}</small>}
              </>
            );
            return (
              <EnvelopeChip key={number} number={number} onDropped={onDropped}>
                {closed ? (
                  <label class="tick">
                    <input type="checkbox" checked={chosen.has(number)} onChange={() => toggle(number)} />
                    <span>{label}</span>
                  </label>
                ) : (
                  label
                )}
              </EnvelopeChip>
            );
          })}
        </ul>
        {closed && (
          <div class="row end">
            <button
              type="button"
              class="secondary"
              onClick={() => setChosen(new Set(all ? [] : missed.map(({ number }) => number)))}
            >
              {all ? texts.queue.chooseNone : texts.queue.chooseAll}
            </button>
            {picked.length > 0 && (
              <>
                <ReasonField value={reason} onInput={setReason} />
                <button disabled={done !== null}>
                  {done === null ? words.absent({ count: picked.length }) : words.doing({ done, all: picked.length })}
                </button>
              </>
            )}
          </div>
        )}
        {problem && <Notice problem={problem} small />}
      </form>
    </details>
  );
}

type ChipProps = Pick<MissingProps, "onDropped"> & { number: number; children: ComponentChildren };

function EnvelopeChip({ number, onDropped, children }: ChipProps) {
  const { over, on } = useDropTarget((ids) => onDropped(ids, number));
  return (
    <li class={over ? "drop-target" : ""} data-envelope={number} {...on}>
      {children}
    </li>
  );
}
