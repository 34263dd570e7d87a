// The slides of the ceremony.

import type { TargetedMouseEvent } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { RevealLossModel, RevealModel } from "../../api";
import { CardSymbol, lineName, SUITS } from "../shared/cards";
import { formatGain, formatPoints, texts } from "../shared/i18n";
import { Notice } from "../shared/notices";
import type { Ceremony, Stands, Step } from "./ceremony";

// A step of the ceremony, also for screen readers.
export function Slide({ ceremony }: { ceremony: Ceremony }) {
  const step: Step = ceremony.steps[ceremony.at] ?? { kind: "title" };
  return (
    <div class="slide-frame" role="region" aria-live="polite" aria-label={texts.screen.results} data-step={ceremony.at}>
      <div class={`slide slide-${step.kind}`} key={ceremony.at}>
        {slideOf(step, ceremony)} {ceremony.problem && <Notice problem={ceremony.problem} />}
      </div>
    </div>
  );
}

function slideOf(step: Step, { reveal, published, photo }: Ceremony) {
  if (step.kind === "group") return <Group places={step.places} />;
  if (step.kind === "one") {
    const few = step.places.length > 1;
    const shown = step.places.map((place) => <SinglePlace place={place} podium={Boolean(step.podium)} few={few} />);
    return few ? <div class="ones">{shown}</div> : shown;
  }
  if (step.kind === "podium") return <Podium stands={step.stands} count={reveal.length} photo={photo} />;
  if (step.kind === "board") return <Board reveal={reveal} published={published} />;
  if (step.kind === "publish") return <h1>{texts.screen.look}</h1>; // the controls offer to publish
  return (
    <>
      <h1>{texts.screen.results}</h1>
      <p>{texts.screen.counted({ count: reveal.length })}</p>
    </>
  );
}

// A group of places.
type PlacesProps = { places: RevealModel[] };

function Group({ places }: PlacesProps) {
  const [first = 0, last = 0] = [places[0]?.rank, places.at(-1)?.rank];
  return (
    <>
      <h1 class="group-title">{first === last ? texts.screen.place({ rank: first }) : texts.screen.places({ first, last })}</h1>
      <ol class="group" style={{ "--count": places.length }}>
        {places.map((place, at) => (
          <li style={{ "--at": places.length - at }}>
            <span class="number group-rank">{place.rank}</span>
            <span class="clip strong group-name">{nameOf(place)}</span>
            <DifferenceBadges place={place} />
            <span class="group-cards">{place.cards !== null && texts.cards.total({ count: place.cards })}</span>
            <b class="number group-score">{scoreOf(place)}</b>
          </li>
        ))}
      </ol>
    </>
  );
}

// One place: name, points, and the lines that they consist of. On the podium the lines come one by one and add up.
type SinglePlaceProps = { place: RevealModel; podium: boolean; few: boolean };

function SinglePlace({ place, podium, few }: SinglePlaceProps) {
  const parts = podium && !few ? [...place.parts].reverse() : place.parts.slice(0, few ? FEW_PARTS : SHOWN_PARTS);
  const rest = place.eliminated || !parts.length ? 0 : rounded(Number(place.score) - sumOf(parts));
  const counts = podium && !few && parts.length > 1 && !place.eliminated;
  return (
    <div class={`one ${podium ? `one-podium one-rank-${place.rank}` : ""} ${few ? "one-few" : ""}`}>
      <div class="one-who">
        <p class="one-rank">{texts.screen.place({ rank: place.rank })}</p>
        <h1 class={`one-name ${lengthClass(nameOf(place))}`}>{nameOf(place)}</h1>
        <p class="one-score">
          {counts ? <CountedScore parts={parts} score={scoreOf(place)} /> : <b class="number">{scoreOf(place)}</b>}{" "}
          {!place.eliminated && texts.score.points({ count: Number(place.score) })}
        </p>
        <p class="one-cards">
          {[
            place.cards !== null && texts.cards.total({ count: place.cards }),
            place.decided_by && texts.score.tie({ tie: place.decided_by }),
          ]
            .filter(Boolean)
            .join(" · ")}
        </p>
      </div>
      <Parts parts={parts} rest={rest} lost={few ? undefined : place.void[0]} slow={counts} few={few} />
    </div>
  );
}

const START = 1100; // milliseconds until the first line comes, as in the styles
const PACE = 550; // milliseconds between two lines that add up

const isStill = () => matchMedia("(prefers-reduced-motion: reduce)").matches;
const rounded = (points: number) => Math.round(points * 1e6) / 1e6;
const sumOf = (parts: RevealLossModel[]) => rounded(parts.reduce((sum, { points }) => sum + Number(points), 0));

// A score that adds up with its lines.
function CountedScore({ parts, score }: { parts: RevealLossModel[]; score: string }) {
  const [at, setAt] = useState(() => (isStill() ? parts.length : 0));
  useEffect(() => {
    if (at === parts.length) return undefined;
    const timer = setTimeout(() => setAt(at + 1), at ? PACE : START);
    return () => clearTimeout(timer);
  }, [at]);
  return (
    <>
      <b class="number one-sum" aria-hidden="true" style={{ minWidth: `${score.length}ch` }}>
        {at === parts.length ? score : formatPoints(String(sumOf(parts.slice(0, at))))}
      </b>
      <span class="visually-hidden">{score}</span>
    </>
  );
}

const STAND_ORDER = [2, 1, 3]; // ranks from left to right
const NAMES_ON_STAND = 3; // names that fit on a stand

// The podium with the places revealed so far, and the winner's deck if there is a photo of it.
type PodiumProps = { stands: Stands; count: number; photo: string | null };

function Podium({ stands, count, photo }: PodiumProps) {
  const whole = stands[1];
  const deck = whole && photo;
  return (
    <>
      <h1 class="group-title">{whole ? texts.screen.winner({ count: whole.length }) : texts.screen.podium}</h1>
      {whole && !isStill() && <Burst />}
      <ol class={deck ? "podium podium-photo" : "podium"}>
        {STAND_ORDER.filter((rank) => rank <= count).map((rank) => (
          <Stand rank={rank} places={stands[rank]} gone={Boolean(whole && !stands[rank])} photo={rank === 1 ? deck : null} />
        ))}
      </ol>
    </>
  );
}

const SPARKS = 36;

// The six suits fly out of the middle, for two seconds.
function Burst() {
  return (
    <div class="burst" aria-hidden="true">
      {Array.from({ length: SPARKS }, (_, at) => {
        const [symbol, suit] = SUITS[at % SUITS.length] ?? [];
        return (
          <span style={{ "--turn": `${(at * 360) / SPARKS}deg`, "--distance": 24 + ((at * 7) % 18) }}>
            <CardSymbol name={symbol} class={`suit-${suit}`} />
          </span>
        );
      })}
    </div>
  );
}

// The background of a stand: a band for each colour in the hand, as wide as it has cards.
function bandsOf(inks: string[]) {
  const share = 100 / inks.length;
  return `linear-gradient(90deg, ${inks.map((ink, at) => `${ink} ${at * share}% ${(at + 1) * share}%`).join(", ")})`;
}

// A stand that stays empty, since a better place is shared, disappears once the winners are known.
type StandProps = { rank: number; places: RevealModel[] | undefined; gone: boolean; photo: string | null | undefined };

function Stand({ rank, places, gone, photo }: StandProps) {
  const more = places ? places.length - NAMES_ON_STAND : 0;
  return (
    <li class={`stand stand-${rank} ${places ? "stand-taken" : gone ? "stand-gone" : ""}`}>
      <div class="stand-who">
        {places?.slice(0, NAMES_ON_STAND).map((place) => (
          <b class="stand-name">{nameOf(place)}</b>
        ))}
        {more > 0 && <span>{texts.screen.more({ count: more })}</span>}
        {places?.[0] && <span class="number stand-score">{scoreOf(places[0])}</span>}{" "}
        {!places && <span class="number stand-wait">?</span>}
      </div>
      <div class="number stand-block" style={places?.[0]?.inks.length ? { background: bandsOf(places[0].inks) } : {}}>
        <span role="img" aria-label={texts.screen.place({ rank })}>
          {rank}
        </span>
        {photo && <img class="stand-photo" src={photo} alt={texts.screen.winnerDeck} />}
      </div>
    </li>
  );
}

const MAX_PLACES = 80; // places on a page that can be read from the back
const PHONE = "(max-width: 48rem)"; // where the list scrolls instead
const PAGE_TIME = 15_000; // milliseconds until the next page
const COLUMNS: [most: number, columns: number][] = [
  [10, 1],
  [24, 2],
  [60, 3],
];

// All places, as many as can be read from the back of a hall at once. The pages turn by themselves until somebody chooses one.
function Board({ reveal, published }: { reveal: RevealModel[]; published: boolean }) {
  const pages = paginate([...reveal].reverse(), matchMedia(PHONE).matches ? Infinity : MAX_PLACES);
  const [turned, setTurned] = useState(0);
  const [chosen, setChosen] = useState(false);
  const turning = pages.length > 1 && !chosen;
  useEffect(() => {
    if (!turning) return undefined;
    const timer = setInterval(() => setTurned((before) => before + 1), PAGE_TIME);
    return () => clearInterval(timer);
  }, [turning]);
  const at = turned % pages.length;
  const choose = (page: number) => (event: TargetedMouseEvent<HTMLButtonElement>) => {
    setChosen(true);
    setTurned(page);
    // After a click the keys are the ceremony's again.
    if (event.detail) event.currentTarget.blur();
  };
  return (
    <>
      <h1 class="group-title">{texts.screen.board}</h1>
      <Places key={at} places={pages[at] ?? []} quiet={turning} />
      <div class="row board-foot">
        <p>{published && texts.screen.look}</p>
        {pages.length > 1 && (
          <nav class="row board-pages" aria-label={texts.screen.board}>
            {pages.map((places, page) => (
              <button type="button" class="chip" aria-pressed={page === at ? "true" : "false"} onClick={choose(page)}>
                {places[0]?.rank}–{places.at(-1)?.rank}
              </button>
            ))}
          </nav>
        )}
      </div>
    </>
  );
}

// Pages that turn by themselves are not read out.
function Places({ places, quiet }: PlacesProps & { quiet: boolean }) {
  const columns = COLUMNS.find(([most]) => places.length <= most)?.[1] ?? 4;
  const rows = Math.ceil(places.length / columns);
  return (
    <ol class="board" style={{ "--columns": columns, "--rows": rows }} aria-live={quiet ? "off" : undefined}>
      {places.map((place) => (
        <li class={place.rank <= 3 ? "board-best" : ""}>
          <span class="number group-rank">{place.rank}</span>
          <span class="clip strong board-name" ref={wrapIfLong}>
            {nameOf(place)}
          </span>
          <b class="number board-score">{scoreOf(place)}</b>
        </li>
      ))}
    </ol>
  );
}

// A name that does not fit is set in two smaller lines, since clipped names may be the same.
function wrapIfLong(name: HTMLElement | null) {
  if (name && name.scrollWidth > name.clientWidth) name.classList.add("board-long");
}

// Return pages of about equal length.
function paginate(places: RevealModel[], most: number) {
  const size = Math.ceil(places.length / Math.ceil(places.length / most || 1));
  return Array.from({ length: Math.ceil(places.length / size) }, (_, page) => places.slice(page * size, (page + 1) * size));
}

const SHOWN_PARTS = 3; // lines of a place below the podium
const FEW_PARTS = 2; // lines of each of several hands side by side
const MAX_SENTENCES = 6; // lines up to which there is space for their sentences

// The lines of a score, everything else, and the largest void line. `slow` lines add up; those of a `few` hands have no sentences.
type PartsProps = {
  parts: RevealLossModel[];
  rest: number;
  lost: RevealModel["void"][number] | undefined;
  slow: boolean;
  few: boolean;
};

function Parts({ parts, rest, lost, slow, few }: PartsProps) {
  if (!parts.length && !lost) return null;
  const dense = parts.length > MAX_SENTENCES;
  return (
    <ul class={`difference ${slow ? "difference-slow" : ""} ${dense ? "difference-dense" : ""}`}>
      {parts.map((line, at) => (
        <li class={line.points.startsWith("-") ? "difference-losses" : ""} style={{ "--at": at }}>
          <Badge rule={line.rule} />
          <span class="difference-what">
            <b>{line.name ?? texts.screen.plain}</b>
            {!dense && !few && line.rule !== null && <span>{line.text}</span>}
          </span>
          <strong class="number difference-worth">{formatGain(line.points)}</strong>
        </li>
      ))}
      {rest !== 0 && (
        <li class="difference-rest" style={{ "--at": parts.length }}>
          <span class="difference-what">{texts.screen.rest}</span>
          <strong class="number difference-worth">{formatGain(String(rest))}</strong>
        </li>
      )}
      {lost && parts.length < MAX_SENTENCES && (
        <li class="difference-void" style={{ "--at": parts.length + 1 }}>
          <Badge rule={lost.rule} />
          <span class="difference-what">
            <b>{lost.name ?? texts.screen.plain}</b>
            <span>{texts.lines.void({ number: lost.voided_by ?? "" })}</span>
          </span>
          <strong class="number difference-worth">
            <s>{formatGain(lost.points)}</s>
          </strong>
        </li>
      )}
    </ul>
  );
}

// The same in a few symbols, for a row.
function DifferenceBadges({ place }: { place: RevealModel }) {
  const lines = [...place.parts.slice(0, 2), ...place.losses.slice(0, 1)];
  return (
    <span class="brief">
      {lines.map((line) => (
        <span class={line.points.startsWith("-") ? "chip brief-loss" : "chip"}>
          {line.rule === null ? texts.screen.plainShort : lineName(line.rule)} <b>{formatGain(line.points)}</b>
        </span>
      ))}
    </span>
  );
}

function Badge({ rule }: { rule: string | null }) {
  return (
    <span class="difference-badge" aria-hidden="true">
      {rule === null ? <Stack /> : <CardSymbol name="seal" />}
      {rule !== null && <b class="number">{rule}</b>}
    </span>
  );
}

// A stack of cards.
function Stack() {
  return (
    <svg class="symbol" viewBox="-50 -50 100 100" aria-hidden="true" focusable="false">
      <path
        d="M-34 -20v52a7 7 0 0 0 7 7h36M-21 -32v52a7 7 0 0 0 7 7h36M-1 -45h28a7 7 0 0 1 7 7v46a7 7 0 0 1 -7 7h-28a7 7 0 0 1 -7 -7v-46a7 7 0 0 1 7 -7z"
        fill="none"
        stroke="currentColor"
        stroke-width="6"
        stroke-linecap="round"
      />
    </svg>
  );
}

const nameOf = (place: RevealModel) => place.player ?? texts.player;
const scoreOf = ({ eliminated, score }: RevealModel) => (eliminated || score === null ? texts.score.out : formatPoints(score));

// Return the class for long names, which are set smaller.
const lengthClass = (name: string) => (name.length > 34 ? "name-longest" : name.length > 16 ? "name-long" : "");
