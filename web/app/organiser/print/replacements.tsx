// The dialog to print replacements of lost cards.

import type { TargetedEvent } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import type { EditionKindModel, EditionsModel, FullGameModel, RunModel } from "../../../api";
import { Dialog } from "../../shared/dialog";
import { newIdempotencyKey, request, useFetch } from "../../shared/http";
import { language, texts } from "../../shared/i18n";
import { announce, Notice, Skeleton } from "../../shared/notices";
import { Checkbox, Field, focusFirstError, useSubmit } from "../forms";

// A dialog to print copies of lost cards, chosen from their envelope's list or by the short code on a torn card.
// A printed card; `code` is the short code on it.
type PrintedCard = { card: string; code: string; envelope: number; name: string };
type ReplacementsDialogProps = { game: FullGameModel; runs: RunModel[]; onDone: () => void; onClose: () => void };

export function ReplacementsDialog({ game, runs, onDone, onClose }: ReplacementsDialogProps) {
  const words = texts.print.replace;
  const [search, setSearch] = useState("");
  const [chosen, setChosen] = useState<string[]>([]);
  const [reason, setReason] = useState("");
  const [asked, setAsked] = useState(false);
  const key = useRef(newIdempotencyKey());
  const { send, busy, problem } = useSubmit();
  const { data: cards, problem: unread, refetch } = useFetch((signal) => fetchCards(game, runs, signal), runs.length);
  useEffect(() => {
    key.current = newIdempotencyKey();
  }, [chosen, reason]);
  const found = cards ? matchingCards(cards, search, chosen) : [];
  const submit = async (event: TargetedEvent<HTMLFormElement>) => {
    event.preventDefault();
    setAsked(true);
    if (!chosen.length || !reason.trim()) return focusFirstError(event.currentTarget);
    const body = { replace: chosen, reason: reason.trim() };
    if (await send(() => request(`/api/v1/games/${game.id}/runs`, { method: "POST", body, key: key.current }))) {
      announce(words.done);
      onDone();
      onClose();
    }
  };
  const toggle = (card: string) =>
    setChosen(chosen.includes(card) ? chosen.filter((other) => other !== card) : [...chosen, card]);
  return (
    <Dialog title={words.open} onClose={onClose}>
      <form onSubmit={submit} noValidate>
        <p>{words.text}</p>
        <Field
          label={words.look}
          hint={words.lookHint}
          wrong={asked && !chosen.length && texts.problems["wrong-number/cards"].detail}
        >
          {(more) => (
            <input
              {...more}
              autofocus
              autocomplete="off"
              value={search}
              onInput={(event) => setSearch(event.currentTarget.value)}
            />
          )}
        </Field>
        {unread && <Notice problem={unread} small onRetry={refetch} />}
        {!cards && !unread && <Skeleton rows={1} />}
        <div class="scroll below">
          {found.map((card) => (
            <Checkbox
              key={card.card}
              label={card.name}
              text={`${texts.envelope({ number: card.envelope })} · ${card.code}`}
              checked={chosen.includes(card.card)}
              onChange={() => toggle(card.card)}
            />
          ))}
          {cards && search.trim() && !found.length && <p class="caption">{words.notFound}</p>}
        </div>
        <Field label={texts.desk.confirm.why} wrong={asked && !reason.trim() && texts.problems["no-reason"].title}>
          {(more) => <input {...more} value={reason} maxLength={500} onInput={(event) => setReason(event.currentTarget.value)} />}
        </Field>
        {problem && <Notice problem={problem} small />}
        <div class="row dialog-actions">
          <button type="button" class="secondary" onClick={onClose}>
            {texts.cancel}
          </button>
          <button aria-busy={busy ? "true" : undefined}>{words.send({ count: chosen.length })}</button>
        </div>
      </form>
    </Dialog>
  );
}

// Fetch all cards of the game with their names from the lists of the print runs.
async function fetchCards(game: FullGameModel, runs: RunModel[], signal: AbortSignal): Promise<PrintedCard[]> {
  const lists = runs.map(({ number }) =>
    request(`/api/v1/games/${game.id}/runs/${number}/cards.csv`, { signal, as: "blob" }).then((file) => file.text()),
  );
  const [{ editions }, ...read] = await Promise.all([
    request<EditionsModel>(`/api/v1/editions?language=${language()}`, { signal }),
    ...lists,
  ]);
  const kinds = new Map(editions.find(({ slug }) => slug === game.edition)?.kinds.map((kind) => [kind.slug, kind]));
  return read.flatMap((list) =>
    list
      .trim()
      .split("\n")
      .slice(1)
      .map((line) => cardOf(line, kinds)),
  );
}

function cardOf(line: string, kinds: Map<string, EditionKindModel>): PrintedCard {
  const [card = "", slug = "", copy, , code = "", envelope] = line.split(",");
  const kind = kinds.get(slug);
  const name = kind?.number
    ? texts.cards.titled({ generic: texts.cards.rule({ number: kind.number }), name: kind.name })
    : `${kind?.name ?? slug} ${copy}`;
  return { card, code, envelope: Number(envelope), name };
}

// Return the cards that match the search, by envelope, short code or name, and all chosen ones.
function matchingCards(cards: PrintedCard[], search: string, chosen: string[]): PrintedCard[] {
  const text = search.trim().toLowerCase();
  const plain = text.replaceAll("-", "");
  const fits = ({ code, name, card, envelope }: PrintedCard) =>
    /^\d{1,3}$/.test(text)
      ? envelope === Number(text)
      : code.replaceAll("-", "").toLowerCase().startsWith(plain) || name.toLowerCase().startsWith(text) || card === text;
  return cards.filter((card) => chosen.includes(card.card) || (text && fits(card))).slice(0, 60);
}
