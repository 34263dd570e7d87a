// Names of the best players, asked for before the ceremony.

import type { TargetedEvent } from "preact";
import { useRef } from "preact/hooks";
import type { EnvelopesModel, FullGameModel, NewVersionModel, ResultModel, VersionModel } from "../../../api";
import { newIdempotencyKey, request } from "../../shared/http";
import { language, texts } from "../../shared/i18n";
import { announce, Notice } from "../../shared/notices";
import { Field, useSubmit } from "../forms";
import { useLiveData } from "../live";

const ONE_BY_ONE = 10; // places that the ceremony shows one by one
const MAX_NAME_LENGTH = 40;

// Fields for the names of the best players who have none. They are counted again with them. `open` is true if points were open
// at the count.
type MissingNamesProps = { game: FullGameModel; newest: VersionModel; open: boolean; onCounted: (version: number) => void };

export function MissingNames({ game, newest, open, onCounted }: MissingNamesProps) {
  const base = `/api/v1/games/${game.id}`;
  const { send, busy, problem } = useSubmit();
  const key = useRef("");
  const load = async (signal: AbortSignal) => {
    const [{ hands }, { envelopes }] = await Promise.all([
      request<ResultModel>(`${base}/results/${newest.version}?language=${language()}`, { signal }),
      request<EnvelopesModel>(`${base}/envelopes`, { signal }),
    ]);
    const named = new Set(envelopes.filter(({ name }) => name).map(({ number }) => number));
    return hands.filter(({ rank, hidden, envelope }) => rank <= ONE_BY_ONE && !hidden && !named.has(envelope));
  };
  const { data } = useLiveData(load, `names ${game.id} ${newest.version}`, ["envelopes", "results"]);
  const words = texts.results.names;
  if (!data?.length && !problem) return null;
  const save = (event: TargetedEvent<HTMLFormElement>) => {
    event.preventDefault();
    const names = [...new FormData(event.currentTarget)].map(([envelope, name]) => [envelope, String(name).trim()] as const);
    const given = names.filter(([, name]) => name);
    if (!given.length) return;
    key.current = newIdempotencyKey();
    const { reason } = words;
    send(async () => {
      for (const [envelope, name] of given)
        await request(`${base}/envelopes/${envelope}`, { method: "PATCH", body: { name, reason } });
      const body = { reason, override: open ? newest.override : "" };
      const made = await request<NewVersionModel>(`${base}/results`, { method: "POST", body, key: key.current });
      announce(texts.results.count.done({ version: made.version }));
      onCounted(made.version);
    });
  };
  return (
    <form class="tiles" onSubmit={save}>
      <p class="wide">
        <b>{words.title}</b>
      </p>
      {data?.map(({ envelope, rank }) => (
        <Field key={envelope} label={words.place({ rank, envelope })}>
          {(more) => <input {...more} name={String(envelope)} maxLength={MAX_NAME_LENGTH} autocomplete="off" />}
        </Field>
      ))}
      {problem && <Notice problem={problem} small />}
      <div class="row wide">
        <button class="secondary" aria-busy={busy ? "true" : undefined}>
          {words.save}
        </button>
      </div>
    </form>
  );
}
