// The slides of the ceremony.

import type { JSX, TargetedMouseEvent } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { RevealLineModel, RevealLossModel, RevealModel, RevealVoidModel } from "../../api";
import { CardSymbol } from "../shared/cards";
import { formatGain, formatPoints, texts } from "../shared/i18n";
import { Notice } from "../shared/notices";
import { type Ceremony, GUARD_TIME, type Stands, type Step } from "./ceremony";

// A step of the ceremony, also for screen readers.
export function Slide({ ceremony }: { ceremony: Ceremony }) {
  const step: Step = ceremony.steps[ceremony.at] ?? { kind: "title" };
  return (
    <div class="slide-frame" role="region" aria-live="polite" aria-label={texts.screen.reveal} data-step={ceremony.at}>
      <div class={`slide slide-${step.kind}`} key={ceremony.at}>
        {slideOf(step, ceremony)} {ceremony.problem && <Notice problem={ceremony.problem} />}
      </div>
    </div>
  );
}

function slideOf(step: Step, { reveal, published, sure, publish }: Ceremony) {
  if (step.kind === "group") return <Group places={step.places} />;
  if (step.kind === "one") {
    const few = step.places.length > 1;
    const shown = step.places.map((place) => <SinglePlace place={place} podium={Boolean(step.podium)} few={few} />);
    return few ? <div class="ones">{shown}</div> : shown;
  }
  if (step.kind === "podium") return <Podium stands={step.stands} count={reveal.length} />;
  if (step.kind === "board") return <Board reveal={reveal} published={published} />;
  if (step.kind === "publish") return <PublishOffer key={String(sure)} sure={sure} onPublish={publish} />;
  return (
    <>
      <h1>{texts.screen.results}</h1>
      <p class="slide-words">{texts.screen.counted(reveal.length)}</p>
    </>
  );
}

// A group of places.
type PlacesProps = { places: RevealModel[] };

function Group({ places }: PlacesProps) {
  const [first, last] = [places[0]?.rank, places.at(-1)?.rank];
  return (
    <>
      <h1 class="group-title">{texts.screen.places(first, last)}</h1>
      <ol class="group" style={{ "--count": places.length }}>
        {places.map((place, at) => (
          <li style={{ "--at": places.length - at }}>
            <span class="group-rank">{place.rank}</span>
            <span class="group-name">{nameOf(place)}</span>
            <DifferenceBadges place={place} />
            <span class="group-cards">{place.cards !== null && texts.screen.cards(place.cards)}</span>
            <b class="group-score">{scoreOf(place)}</b>
          </li>
        ))}
      </ol>
    </>
  );
}

// One place: name, points, and what made the difference.
function SinglePlace({ place, podium, few }: { place: RevealModel; podium: boolean; few: boolean }) {
  return (
    <article class={`one ${podium ? `one-podium one-rank-${place.rank}` : ""} ${few ? "one-few" : ""}`}>
      <div class="one-who">
        <p class="one-rank">{texts.screen.place(place.rank)}</p>
        <h1 class={`one-name ${lengthClass(nameOf(place))}`}>{nameOf(place)}</h1>
        <p class="one-score">
          <b>{scoreOf(place)}</b> {!place.eliminated && texts.screen.points(place.score)}
        </p>
        <p class="one-cards">
          {[place.cards !== null && texts.screen.cards(place.cards), place.decided_by && texts.screen.tie(place.decided_by)]
            .filter(Boolean)
            .join(" · ")}
        </p>
      </div>
      <Difference place={place} few={few} />
    </article>
  );
}

// The last steps: the offer to publish, then a question. Each key's effect is announced before it is pressed.
function PublishOffer({ sure, onPublish }: { sure: boolean; onPublish: () => void }) {
  const [ready, setReady] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setReady(true), GUARD_TIME);
    return () => clearTimeout(timer);
  }, []);
  const words = texts.screen.publish;
  return (
    <>
      <h1>{sure ? words.sure : words.title}</h1>
      <p class="slide-words">{words.detail}</p>
      <p>
        <button type="button" class="publish" disabled={!ready} onClick={onPublish}>
          {words.button}
        </button>
      </p>
      <p class="slide-words publish-keys">{ready ? (sure ? words.keysSure : words.keys) : "\u00a0"}</p>
    </>
  );
}

const STAND_ORDER = [2, 1, 3]; // ranks from left to right
const NAMES_ON_STAND = 3; // names that fit on a stand

// The podium with the places revealed so far.
function Podium({ stands, count }: { stands: Stands; count: number }) {
  const whole = stands[1];
  return (
    <>
      <h1 class="group-title">{whole ? texts.screen.winner(whole.length) : texts.screen.podium}</h1>
      <ol class="podium">
        {STAND_ORDER.filter((rank) => rank <= count).map((rank) => (
          <Stand rank={rank} places={stands[rank]} gone={Boolean(whole && !stands[rank])} />
        ))}
      </ol>
    </>
  );
}

// A stand stays empty if a better place is shared.
type StandProps = { rank: number; places: RevealModel[] | undefined; gone: boolean };

function Stand({ rank, places, gone }: StandProps) {
  const more = places ? places.length - NAMES_ON_STAND : 0;
  return (
    <li class={`stand stand-${rank} ${places ? "stand-taken" : ""}`}>
      <div class="stand-who">
        {places?.slice(0, NAMES_ON_STAND).map((place) => (
          <b class="stand-name">{nameOf(place)}</b>
        ))}
        {more > 0 && <span>{texts.screen.more(more)}</span>}
        {places?.[0] && <span class="stand-score">{scoreOf(places[0])}</span>}{" "}
        {!places && !gone && <span class="stand-wait">?</span>}
      </div>
      <div class="stand-block">
        <span role="img" aria-label={texts.screen.place(rank)}>
          {rank}
        </span>
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
      <div class="board-foot">
        <p class="board-note">{published && texts.screen.onPhones}</p>
        {pages.length > 1 && (
          <nav class="board-pages" aria-label={texts.screen.board}>
            {pages.map((places, page) => (
              <button type="button" class="icon-button" aria-pressed={page === at ? "true" : "false"} onClick={choose(page)}>
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
        <li class={place.rank <= 3 ? `board-best board-rank-${place.rank}` : ""}>
          <span class="board-rank">{place.rank}</span>
          <span class="board-name">{nameOf(place)}</span>
          <b class="board-score">{scoreOf(place)}</b>
        </li>
      ))}
    </ol>
  );
}

// Return pages of about equal length.
function paginate(places: RevealModel[], most: number) {
  const size = Math.ceil(places.length / Math.ceil(places.length / most || 1));
  return Array.from({ length: Math.ceil(places.length / size) }, (_, page) => places.slice(page * size, (page + 1) * size));
}

// The lines that made the difference: more than one place below, the greatest losses, and void lines.
type Line = RevealLineModel | RevealLossModel | RevealVoidModel;

function Difference({ place, few }: { place: RevealModel; few: boolean }) {
  const most = few ? 1 : 3;
  const parts: [kind: string, lines: Line[], worth: (line: Line) => JSX.Element | string][] = [
    ["gains", place.lines.slice(0, most), (line) => formatGain(line.points)],
    ["losses", place.losses.slice(0, few ? 1 : 2), (line) => formatGain(line.points)],
    ["void", place.void.slice(0, few ? 0 : 1), (line) => <s>{formatGain(line.points)}</s>],
  ];
  if (!parts.some(([, lines]) => lines.length)) return null;
  return (
    <ul class="difference">
      {parts.flatMap(([kind, lines, worth]) =>
        lines.map((line, at) => (
          <li class={`difference-${kind}`} style={{ "--at": at }}>
            <Badge rule={line.rule} />
            <span class="difference-what">
              <b>{line.name ?? texts.screen.plain}</b>
              <span>
                {kind === "void"
                  ? texts.screen.voided("voided_by" in line ? line.voided_by : null)
                  : line.rule === null
                    ? ""
                    : line.text}
              </span>
            </span>
            <strong class="difference-worth">{worth(line)}</strong>
          </li>
        )),
      )}
    </ul>
  );
}

// The same in a few symbols, for a row.
function DifferenceBadges({ place }: { place: RevealModel }) {
  const lines = [...place.lines.slice(0, 2), ...place.losses.slice(0, 1)];
  return (
    <span class="brief">
      {lines.map((line) => (
        <span class={line.points.startsWith("-") ? "brief-loss" : ""}>
          {line.rule === null ? texts.screen.plainShort : texts.lines.rule(line.rule)} <b>{formatGain(line.points)}</b>
        </span>
      ))}
    </span>
  );
}

function Badge({ rule }: { rule: string | null }) {
  return (
    <span class="difference-badge" aria-hidden="true">
      <CardSymbol name={rule === null ? "star" : "seal"} />
      {rule !== null && <b>{rule}</b>}
    </span>
  );
}

const nameOf = (place: RevealModel) => place.player ?? texts.screen.aPlayer;
const scoreOf = ({ eliminated, score }: RevealModel) => (eliminated || score === null ? texts.screen.out : formatPoints(score));

// Return the class for long names, which are set smaller.
const lengthClass = (name: string) => (name.length > 34 ? "name-longest" : name.length > 16 ? "name-long" : "");
