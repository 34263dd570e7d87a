// Entry of cards by hand.

import type { RefObject } from "preact";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import type {
  CardFactsModel,
  CardNameModel,
  CardsModel,
  DecisionOutcomeModel,
  FullGameModel,
  IssueModel,
  KindsModel,
  ManualEntryBody,
} from "../../../api";
import { type CardKind, CardSymbol, type GameKind, kindsBySlug } from "../../shared/cards";
import { newIdempotencyKey, type Problem, request, useFetch } from "../../shared/http";
import { formatDateTime, texts } from "../../shared/i18n";
import { Icon } from "../../shared/icon";
import { announce, Notice, Skeleton } from "../../shared/notices";
import { EnvelopeField, ReasonField, useSubmit } from "../forms";
import { useLiveData } from "../live";
import { cardText, envelopesText } from "./issue-text";

// Cards that organisers enter by hand: a whole envelope code by code, without leaving the keyboard, and all entered cards,
// each with a button to remove it.
export function CardEntry({ game }: { game: FullGameModel }) {
  const kinds = useKinds(game.id);
  const list = useLiveData((signal) => request<CardsModel>(`/api/v1/games/${game.id}/cards`, { signal }), game.id, ["queue"]);
  const [envelope, setEnvelope] = useState("");
  const [code, setCode] = useState("");
  const [act, setAct] = useState<Act>("add");
  const [reason, setReason] = useState(texts.queue.byHand.usual);
  const { send, busy, problem } = useSubmit();
  const field = useRef<HTMLInputElement>(null);

  const submit = async (event: Event) => {
    event.preventDefault();
    await send(async () => {
      await enterCard(game.id, { code: code.trim(), envelope: Number(envelope), do: act, reason: reason.trim() });
      setCode("");
      list.refetch();
    });
    field.current?.focus();
  };

  return (
    <section class="by-hand">
      <form class="panel" onSubmit={submit}>
        <div class="tiles">
          <EnvelopeField value={envelope} onInput={setEnvelope} />
          <CodeField game={game.id} kinds={kinds} value={code} onInput={setCode} field={field} />
          <label>
            {texts.queue.byHand.act}
            <select name="do" value={act} onChange={(event) => setAct(event.currentTarget.value as Act)}>
              {(["add", "remove"] as const).map((name) => (
                <option key={name} value={name} selected={name === act}>
                  {texts.queue.choices.all[name]}
                </option>
              ))}
            </select>
          </label>
        </div>
        <ReasonField value={reason} onInput={setReason} />
        <button disabled={busy}>{texts.queue.byHand.send}</button>
        {problem && <Notice problem={problem} small />}
      </form>
      <h2>{texts.queue.byHand.entered}</h2>
      {!list.data && !list.problem && <Skeleton />}
      {list.problem && !list.data && <Notice problem={list.problem} onRetry={list.refetch} />}
      {list.data && !list.data.entered.length && <p class="panel">{texts.queue.emptyFilter}</p>}
      <ul class="stack">
        {list.data?.entered.map((item) => (
          <EnteredCards key={item.key} game={game} item={item} refetch={list.refetch} />
        ))}
      </ul>
    </section>
  );
}

function EnteredCards({ game, item, refetch }: { game: FullGameModel; item: IssueModel; refetch: () => void }) {
  const { send, problem } = useSubmit();
  const back = () =>
    send(async () => {
      await takeBackDecision(game.id, item.key, item.revision);
      refetch();
    });
  const { ruling } = item;
  const card = item.cards[0] ? cardText(item.cards[0]) : item.text;
  return (
    <li class="panel row between">
      <p class="grow">
        <strong>{card}</strong> {texts.queue.byHand.did[ruling?.decision.do === "remove" ? "remove" : "add"]}{" "}
        {envelopesText(item)}
        {ruling && (
          <small class="block">
            {texts.queue.decidedBy({ who: ruling.who, at: formatDateTime(ruling.at) })} <q>{ruling.reason}</q>
          </small>
        )}
      </p>
      <button type="button" class="secondary" onClick={back}>
        {texts.queue.takeBack}
        <span class="visually-hidden">{card}</span>
      </button>
      {problem && <Notice problem={problem} small />}
    </li>
  );
}

// A button to enter a card that is already known.
type AddCardProps = { game: string; card: CardNameModel; envelope: number; act: Act };

export function AddCardButton({ game, card, envelope, act }: AddCardProps) {
  const { send, problem } = useSubmit();
  const body = { code: card.card, envelope, do: act, reason: texts.queue.byHand.reasons[act] };
  return (
    <span class="row between">
      <span>{cardText(card)}</span>
      <button type="button" class="secondary" onClick={() => send(() => enterCard(game, body))}>
        <Icon name={act === "add" ? "add" : "close"} />
        {texts.queue.byHand.buttons[act]}
        <span class="visually-hidden">{cardText(card)}</span>
      </button>
      {problem && <Notice problem={problem} small />}
    </span>
  );
}

// A field to enter a card of an envelope by its short code.
type AddFieldProps = { game: string; kinds: Map<string, CardKind> | null; envelope: number };

export function AddCardField({ game, kinds, envelope }: AddFieldProps) {
  const [code, setCode] = useState("");
  const { send, problem } = useSubmit();
  const submit = (event: Event) => {
    event.preventDefault();
    const body = { code: code.trim(), envelope, do: "add" as const, reason: texts.queue.byHand.reasons.add };
    send(() => enterCard(game, body)).then((done) => done && setCode(""));
  };
  return (
    <form onSubmit={submit}>
      <CodeField game={game} kinds={kinds} value={code} onInput={setCode} />
      <button class="secondary" disabled={!code.trim()}>
        <Icon name="add" />
        {texts.queue.byHand.buttons.add}
      </button>
      {problem && <Notice problem={problem} small />}
    </form>
  );
}

// A decision of this page; `of` is the key of the issue for which a card was entered.
export type OwnDecision = { key: string; revision: string | undefined; of?: string };

// Enter a card and announce it.
type Act = "add" | "remove";

export async function enterCard(game: string, body: ManualEntryBody & { do: Act }): Promise<OwnDecision> {
  const key = newIdempotencyKey();
  const { item } = await request<DecisionOutcomeModel>(`/api/v1/games/${game}/cards`, { method: "POST", body, key });
  const card = item?.cards[0] ? cardText(item.cards[0]) : body.code;
  announce(`${card} ${texts.queue.byHand.did[body.do]} ${texts.envelope({ number: body.envelope })}`);
  return { key: item?.key ?? "", revision: item?.revision };
}

// Take a decision back and announce it.
export async function takeBackDecision(game: string, key: string, revision: string | null | undefined, reason?: string) {
  const query = new URLSearchParams({ reason: reason ?? texts.queue.reasons.takeBack });
  const path = `/api/v1/games/${game}/queue/${encodeURIComponent(key)}/ruling?${query}`;
  await request<DecisionOutcomeModel>(path, { method: "DELETE", revision: revision ?? "0" });
  announce(texts.queue.takenBack);
}

const CODE_LENGTH = 5; // characters of a short code
const LOOKUP_DELAY = 120; // milliseconds after the last key
const bare = (text: string) => text.replace(/[\s.–-]/g, "");

// A field for a short code. The card is looked up while typing, so that a typo shows at once.
type CodeFieldProps = {
  game: string;
  kinds: Map<string, CardKind> | null;
  value: string;
  onInput: (value: string) => void;
  field?: RefObject<HTMLInputElement>;
};

export function CodeField({ game, kinds, value, onInput, field }: CodeFieldProps) {
  const [found, setFound] = useState<{ card?: CardFactsModel; problem?: Problem } | null>(null);
  useEffect(() => {
    setFound(null);
    if (bare(value).length < CODE_LENGTH) return undefined;
    const controller = new AbortController();
    const timer = setTimeout(() => {
      const path = `/api/v1/games/${game}/cards/${encodeURIComponent(value.trim())}`;
      request<CardFactsModel>(path, { signal: controller.signal }).then(
        (card) => setFound({ card }),
        (problem) => controller.signal.aborted || setFound({ problem }),
      );
    }, LOOKUP_DELAY);
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, [value, game]);
  const short = value && bare(value).length < CODE_LENGTH;
  return (
    <div>
      <label>
        {texts.queue.code.label}
        <input
          {...(field && { ref: field })}
          class="code-input"
          name="card"
          value={value}
          onInput={(event) => onInput(event.currentTarget.value)}
          autocomplete="off"
          autocapitalize="characters"
          spellcheck={false}
          placeholder="0A-1F-X"
          aria-describedby="code-told"
          aria-invalid={found?.problem ? "true" : found?.card ? "false" : undefined}
        />
      </label>
      <p id="code-told" class={`caption code-result ${found?.problem ? "wrong" : ""}`} aria-live="polite">
        {found?.card ? (
          <Card card={found.card} kind={kinds?.get(found.card.kind)} />
        ) : (
          (found?.problem?.detail ??
          (short ? texts.queue.code.more({ count: CODE_LENGTH - bare(value).length }) : texts.queue.code.hint))
        )}
      </p>
    </div>
  );
}

function Card({ card, kind }: { card: CardFactsModel; kind: CardKind | undefined }) {
  const where = card.envelope ? texts.queue.code.lies({ envelope: card.envelope }) : texts.queue.code.nowhere;
  return (
    <>
      <span class="chip card-chip" style={kind ? { "--ink": kind.ink, "--on": kind.on } : {}}>
        {kind && <CardSymbol name={kind.symbol} class="disc" />} {cardText(card)}
      </span>{" "}
      {where} {texts.queue.code.dealt({ envelope: card.dealt })}
    </>
  );
}

// Return the kinds of a game's cards by slug, null until they are loaded.
export function useKinds(game: string): Map<string, CardKind> | null {
  const { data } = useFetch((signal) => request<KindsModel>(`/api/v1/games/${game}/kinds`, { signal }), game);
  return useMemo(() => data && kindsBySlug({ kinds: data.kinds as GameKind[] }), [data]);
}
