// One issue with its options.

import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { DecisionBody, FullGameModel, IssueModel, PhotosModel } from "../../../api";
import type { CardKind } from "../../shared/cards";
import { request, useFetch } from "../../shared/http";
import { formatDateTime, texts } from "../../shared/i18n";
import { Icon } from "../../shared/icon";
import { Notice } from "../../shared/notices";
import { Link } from "../../shared/router";
import { AddCardButton, AddCardField } from "./card-entry";
import { DecisionForm } from "./decision";
import { Evidence, type Moves, PlaceButtons, WholePhoto } from "./evidence";
import {
  decisionText,
  envelopeText,
  KINDS_OF_ENVELOPES,
  kindText,
  type Option,
  optionsOf,
  sentenceOf,
  settledText,
} from "./issue-text";

// An issue with its options.
type Common = { game: FullGameModel; kinds: Map<string, CardKind> | null };
type IssueProps = Common & {
  item: IssueModel;
  chosen: number | null;
  onChoose: (chosen: number | null) => void;
  place: number;
  onPlace: (place: number) => void;
  onDecide: (body: DecisionBody, all: boolean, moves: Moves) => Promise<unknown>;
  others: (option: Option) => IssueModel[];
  onTakeBack: () => void;
  onNext: (() => void) | null;
  lead: ComponentChildren;
};

export function Issue(props: IssueProps) {
  const { game, kinds, item, chosen, onChoose, place, onPlace, onDecide, others, onTakeBack, onNext, lead } = props;
  const [envelope] = item.envelopes;
  const open = item.standing === "open";
  const [changing, setChanging] = useState(false);
  const [moves, setMoves] = useState<Moves>({});
  useEffect(() => setChanging(false), [item.key, item.revision]);
  const split = optionsOf(item).findIndex(({ choice }) => choice.do === "split");
  const move = (next: Moves) => {
    setMoves(next);
    if (chosen !== split) onChoose(split);
  };
  return (
    <div class="item" data-key={item.key} data-kind={item.kind} data-standing={item.standing}>
      <div>
        <p class="row strong">
          <span class="kind-dot" data-kind={item.kind} aria-hidden="true" />
          {kindText(item.kind)} {envelope && <EnvelopeLinks game={game} item={item} />}
        </p>
        <h2 tabIndex={-1} class="item-title">
          {sentenceOf(item)}
        </h2>
        {lead}
      </div>
      {item.standing === "ruled" && <DecisionNote item={item} onTakeBack={onTakeBack} />}
      {item.standing === "settled" && (
        <p class="row note below">
          <Icon name="check" />
          {settledText(item)}
        </p>
      )}
      <div class="item-body stack">
        <div>
          <Evidence
            game={game.id}
            kinds={kinds}
            item={item}
            at={place}
            onPlace={onPlace}
            moves={moves}
            onMoves={open && split >= 0 ? move : null}
          />
          {KINDS_OF_ENVELOPES.has(item.kind) && envelope && <EnvelopePhotos game={game} kinds={kinds} envelope={envelope} />}
        </div>
        <div class="item-choices">
          {open || changing || chosen !== null ? (
            <DecisionForm
              key={item.key}
              game={game.id}
              kinds={kinds}
              item={item}
              chosen={chosen}
              onChoose={onChoose}
              onDecide={(body, all) => onDecide(body, all, moves)}
              others={others}
            />
          ) : (
            <div>
              {onNext && (
                <button type="button" class="action" onClick={onNext}>
                  {texts.queue.next}
                  <Icon name="next" />
                </button>
              )}
              {item.choices.length > 0 && (
                <button type="button" class="secondary" onClick={() => setChanging(true)}>
                  {texts.queue.decideAnew}
                </button>
              )}
            </div>
          )}
          {item.kind === "count" && <Differences game={game} item={item} />}
          {open && envelope && item.expected !== null && <AddMissedCards game={game} kinds={kinds} envelope={envelope} />}
        </div>
      </div>
    </div>
  );
}

// The envelopes of an issue, each with a link to its page.
function EnvelopeLinks({ game, item }: { game: FullGameModel; item: IssueModel }) {
  return (
    <>
      {item.envelopes.map((number, at) => (
        <Link key={number} class="soft" href={`/desk/games/${game.id}/envelopes/${number}`}>
          {envelopeText(number, item.players[at])}
        </Link>
      ))}
    </>
  );
}

// A decision with organiser, time and reason, and a button to revoke it.
export function DecisionNote({ item, onTakeBack }: { item: IssueModel; onTakeBack: () => void }) {
  if (!item.ruling) return null;
  const { decision, who, at, reason } = item.ruling;
  return (
    <div class="row note below decided">
      <Icon name="check" />
      <p class="grow">
        <strong>{decisionText(item, decision)}</strong>
        <small class="block">
          {texts.queue.decidedBy({ who, at: formatDateTime(at) })} <q>{reason}</q>
        </small>
      </p>
      <button type="button" class="plain" onClick={onTakeBack}>
        {texts.queue.takeBack}
      </button>
    </div>
  );
}

// The difference between the player's list and what was read, with a button to enter each card.
function Differences({ game, item }: { game: FullGameModel; item: IssueModel }) {
  const group = (title: string, keys: string[], act: "add" | "remove") => {
    const cards = item.cards.filter(({ card }) => keys.includes(card));
    const [envelope] = item.envelopes;
    if (!cards.length || !envelope) return null;
    return (
      <section>
        <h3>{title}</h3>
        <ul class="stack">
          {cards.map((card) => (
            <li key={card.card}>
              <AddCardButton game={game.id} card={card} envelope={envelope} act={act} />
            </li>
          ))}
        </ul>
      </section>
    );
  };
  return (
    <div class="stack above">
      {group(texts.queue.missingCards, item.missing, "add")} {group(texts.queue.extraCards, item.extra, "remove")}
    </div>
  );
}

// Ways to add cards that were missed in an envelope.
function AddMissedCards({ game, kinds, envelope }: Common & { envelope: number }) {
  return (
    <section class="above">
      <h3>{texts.queue.missed}</h3>
      <AddCardField game={game.id} kinds={kinds} envelope={envelope} />
      <p>
        <Link href={`/desk/games/${game.id}/pictures?envelope=${envelope}`}>{texts.desk.tabs.pictures}</Link>
      </p>
    </section>
  );
}

// The photos of an envelope, two at a time.
function EnvelopePhotos({ game, kinds, envelope }: Common & { envelope: number }) {
  const { data, problem, refetch } = useFetch(
    (signal) => request<PhotosModel>(`/api/v1/games/${game.id}/photos?envelope=${envelope}`, { signal }),
    `${game.id}/${envelope}`,
  );
  const [at, setAt] = useState(0);
  if (problem && !data) return <Notice problem={problem} onRetry={refetch} small />;
  if (!data) return null;
  const { photos } = data;
  if (!photos.length) return null;
  return (
    <div class="evidence stack">
      {photos
        .slice(Math.min(at, Math.max(0, photos.length - 2)))
        .slice(0, 2)
        .map(({ id }) => (
          <WholePhoto key={id} game={game.id} kinds={kinds} photo={id} />
        ))}
      {photos.length > 2 && <PlaceButtons count={photos.length} at={at} label={texts.queue.pictureOf} onPlace={setAt} />}
    </div>
  );
}
