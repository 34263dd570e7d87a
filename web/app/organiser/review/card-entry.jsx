// Entry of cards by hand.

import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { CardSymbol, kindsBySlug } from "../../shared/cards";
import { newIdempotencyKey, request, useFetch } from "../../shared/http";
import { formatDateTime, texts } from "../../shared/i18n";
import { Icon } from "../../shared/icon";
import { announce, Notice, Skeleton } from "../../shared/notices";
import { EnvelopeField, ReasonField } from "../forms";
import { useLiveData } from "../live";
import { cardText, envelopeText } from "./issue-text";

// Cards that organisers enter by hand: a whole envelope code by code, without leaving the keyboard, and all entered cards,
// each with a button to remove it.
export function CardEntry({ game }) {
  const kinds = useKinds(game.id);
  const list = useLiveData((signal) => request(`/api/v1/games/${game.id}/cards`, { signal }), game.id, ["queue"]);
  const [envelope, setEnvelope] = useState("");
  const [code, setCode] = useState("");
  const [act, setAct] = useState("add");
  const [reason, setReason] = useState(texts.queue.byHand.usual);
  const [problem, setProblem] = useState(null);
  const [busy, setBusy] = useState(false);
  const field = useRef(null);
  const key = useRef(newIdempotencyKey());

  const send = async (event) => {
    event.preventDefault();
    if (busy) return;
    setBusy(true);
    setProblem(null);
    try {
      const body = { code: code.trim(), envelope: Number(envelope), do: act, reason: reason.trim() };
      const response = await request(`/api/v1/games/${game.id}/cards`, { method: "POST", body, key: key.current });
      announce(texts.queue.byHand.said[act](response.item ? cardText(response.item.cards[0]) : code, envelope));
      setCode("");
      list.refetch();
    } catch (error) {
      setProblem(error);
    }
    key.current = newIdempotencyKey();
    setBusy(false);
    field.current?.focus();
  };

  return (
    <section class="by-hand">
      <p>{texts.queue.byHand.lead}</p>
      <form class="panel by-hand-form" onSubmit={send}>
        <EnvelopeField value={envelope} onInput={setEnvelope} />
        <CodeField game={game.id} kinds={kinds} value={code} onInput={setCode} field={field} />
        <label>
          {texts.queue.byHand.act}
          <select name="do" value={act} onChange={(event) => setAct(event.currentTarget.value)}>
            {["add", "remove"].map((name) => (
              <option value={name} selected={name === act}>
                {texts.queue.byHand.acts[name]}
              </option>
            ))}
          </select>
        </label>
        <ReasonField value={reason} onInput={setReason} />
        <button disabled={busy}>{texts.queue.byHand.send}</button>
        {problem && <Notice problem={problem} small />}
      </form>
      <h2>{texts.queue.byHand.entered}</h2>
      {!list.data && !list.problem && <Skeleton />}
      {list.problem && !list.data && <Notice problem={list.problem} onRetry={list.refetch} />}
      {list.data && !list.data.entered.length && <p class="panel">{texts.queue.byHand.none}</p>}
      <ul class="rows">
        {list.data?.entered.map((item) => (
          <EnteredCards key={item.key} game={game} item={item} refetch={list.refetch} />
        ))}
      </ul>
    </section>
  );
}

function EnteredCards({ game, item, refetch }) {
  const [problem, setProblem] = useState(null);
  const back = () => {
    const query = new URLSearchParams({ reason: texts.queue.reasons.takeBack });
    request(`/api/v1/games/${game.id}/queue/${encodeURIComponent(item.key)}/ruling?${query}`, {
      method: "DELETE",
      revision: item.revision,
    }).then(() => {
      announce(texts.queue.takenBack);
      refetch();
    }, setProblem);
  };
  const { ruling } = item;
  return (
    <li class="panel row">
      <p>
        <strong>{cardText(item.cards[0])}</strong> {texts.queue.byHand.did[ruling?.decision.do ?? "add"]}{" "}
        {envelopeText(item.envelopes[0], item.players[0])}
        {ruling && (
          <span>
            {texts.queue.decidedBy(ruling.who, formatDateTime(ruling.at))} <q>{ruling.reason}</q>
          </span>
        )}
      </p>
      <button type="button" class="secondary" onClick={back}>
        {texts.queue.takeBack}
        <span class="visually-hidden">{cardText(item.cards[0])}</span>
      </button>
      {problem && <Notice problem={problem} small />}
    </li>
  );
}

// A button to enter a card that is already known.
export function AddCardButton({ game, card, envelope, act }) {
  const [problem, setProblem] = useState(null);
  const key = useRef(newIdempotencyKey());
  const send = () => {
    setProblem(null);
    const body = { code: card.card, envelope, do: act, reason: texts.queue.byHand.reasons[act] };
    request(`/api/v1/games/${game}/cards`, { method: "POST", body, key: key.current }).then(
      () => announce(texts.queue.byHand.said[act](cardText(card), envelope)),
      setProblem,
    );
  };
  return (
    <span class="card-row">
      <span>{cardText(card)}</span>
      <button type="button" class="secondary" onClick={send}>
        <Icon name={act === "add" ? "add" : "close"} />
        {texts.queue.byHand.buttons[act]}
        <span class="visually-hidden">{cardText(card)}</span>
      </button>
      {problem && <Notice problem={problem} small />}
    </span>
  );
}

// A field to enter a card of an envelope by its short code.
export function AddCardField({ game, kinds, envelope }) {
  const [code, setCode] = useState("");
  const [problem, setProblem] = useState(null);
  const key = useRef(newIdempotencyKey());
  const send = (event) => {
    event.preventDefault();
    setProblem(null);
    const body = { code: code.trim(), envelope, do: "add", reason: texts.queue.byHand.reasons.add };
    request(`/api/v1/games/${game}/cards`, { method: "POST", body, key: key.current }).then(({ item }) => {
      announce(texts.queue.byHand.said.add(item ? cardText(item.cards[0]) : code, envelope));
      setCode("");
    }, setProblem);
    key.current = newIdempotencyKey();
  };
  return (
    <form class="add-typed" onSubmit={send}>
      <CodeField game={game} kinds={kinds} value={code} onInput={setCode} />
      <button class="secondary" disabled={!code.trim()}>
        <Icon name="add" />
        {texts.queue.byHand.buttons.add}
      </button>
      {problem && <Notice problem={problem} small />}
    </form>
  );
}

const CODE_LENGTH = 5; // characters of a short code
const LOOKUP_DELAY = 120; // milliseconds after the last key
const bare = (text) => text.replace(/[\s.–-]/g, "");

// A field for a short code. The card is looked up while typing, so that a typo shows at once.
export function CodeField({ game, kinds, value, onInput, onCard, field }) {
  const [found, setFound] = useState(null);
  useEffect(() => {
    setFound(null);
    onCard?.(null);
    if (bare(value).length < CODE_LENGTH) return undefined;
    const controller = new AbortController();
    const timer = setTimeout(() => {
      request(`/api/v1/games/${game}/cards/${encodeURIComponent(value.trim())}`, { signal: controller.signal }).then(
        (card) => {
          setFound({ card });
          onCard?.(card);
        },
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
    <div class="code-field">
      <label>
        {texts.queue.code.label}
        <input
          ref={field}
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
      <p id="code-told" class={`code-result ${found?.problem ? "code-wrong" : ""}`} aria-live="polite">
        {found?.card ? (
          <Card card={found.card} kind={kinds?.get(found.card.kind)} />
        ) : (
          (found?.problem?.detail ?? (short ? texts.queue.code.more(CODE_LENGTH - bare(value).length) : texts.queue.code.hint))
        )}
      </p>
    </div>
  );
}

function Card({ card, kind }) {
  const where = card.envelope ? texts.queue.code.lies(card.envelope) : texts.queue.code.nowhere;
  return (
    <>
      <span class="card-chip" style={kind ? { "--ink": kind.ink, "--on": kind.on } : {}}>
        {kind && <CardSymbol name={kind.symbol} />} {cardText(card)}
      </span>{" "}
      {where} {texts.queue.code.dealt(card.dealt)}
    </>
  );
}

// Return the kinds of a game's cards by slug, null until they are loaded.
export function useKinds(game) {
  const { data } = useFetch((signal) => request(`/api/v1/games/${game}/kinds`, { signal }), game);
  return useMemo(() => data && kindsBySlug(data), [data]);
}
