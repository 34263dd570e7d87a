// The overview tab.

import { useState } from "preact/hooks";
import type { EditionModel, EditionsModel, FullGameModel } from "../../../api";
import { request, useFetch } from "../../shared/http";
import { formatDateTime, formatDuration, language, serverNow, texts } from "../../shared/i18n";
import { Icon, type IconName } from "../../shared/icon";
import { announce } from "../../shared/notices";
import { Link, View } from "../../shared/router";
import { ConfirmDialog } from "../forms";
import { ScreenLink } from "../game-bar";
import { Menu } from "../layout";
import { NoWorkerNotice, type TabCounts } from "../live";
import { OpenPoints } from "../open-points";

type State = FullGameModel["state"];
type GameProps = { game: FullGameModel };
type CountedProps = GameProps & { counts: TabCounts };
type OverviewProps = CountedProps & { refetch: () => void };

const STAGES: State[] = ["draft", "printed", "open", "closed", "frozen", "published"];

// A game's overview: its stage, the next step, and the numbers so far.
export function Overview({ game, refetch, counts }: OverviewProps) {
  return (
    <View name="overview" title={texts.desk.tabs.overview}>
      <GameStages state={game.state} />
      <NoWorkerNotice is={counts.idle} />
      <div class="columns">
        <div>
          <NextStep game={game} refetch={refetch} counts={counts} />
          <Hints game={game} />
        </div>
        <div>
          <Numbers game={game} counts={counts} />
          <ProjectorPanel game={game} />
        </div>
      </div>
    </View>
  );
}

function GameStages({ state }: { state: State }) {
  const at = STAGES.indexOf(state);
  return (
    <ol class="stages" aria-label={texts.games.way.title}>
      {STAGES.map((name, place) => (
        <li
          key={name}
          class={place < at ? "stages-done" : place === at ? "stages-current" : ""}
          aria-current={place === at ? "step" : undefined}
        >
          <i aria-hidden="true">{place < at ? <Icon name="check" /> : place + 1}</i>
          <span>{texts.desk.states[name]}</span>
        </li>
      ))}
    </ol>
  );
}

// Numbers of envelopes by state, each with a link to the list.
function Numbers({ game, counts }: CountedProps) {
  const { pictures, queue } = texts.desk.counts;
  const words = { ...texts.games.counts, pictures, queue };
  const at = (tab: string, query = "") => `/desk/games/${game.id}/${tab}${query}`;
  const rows: [name: keyof typeof words, count: number, href: string][] = [
    ["envelopes", game.counts.envelopes, at("envelopes")],
    ["open", game.counts.open, at("envelopes", "?show=open")],
    ["joined", game.counts.joined, at("envelopes", "?show=joined")],
    ["claimed", game.counts.claimed, at("envelopes", "?show=claimed")],
    ["received", game.counts.received, at("envelopes", "?show=received")],
    ["missing", counts.missing ?? 0, at("envelopes", "?show=missing")],
    ["pictures", counts.pictures ?? 0, at("pictures")],
    ["queue", counts.queue ?? 0, at("queue")],
  ];
  // Before the first photo of an envelope nothing is missing yet.
  const isCounting = game.state !== "open" || game.counts.received > 0 || Boolean(counts.pictures || counts.queue);
  const shown = ["draft", "printed"].includes(game.state) ? rows.slice(0, 1) : isCounting ? rows : rows.slice(0, 4);
  return (
    <section class="panel numbers" aria-labelledby="numbers-title">
      <h2 id="numbers-title">{texts.games.numbers}</h2>
      <ul class="tiles">
        {shown.map(([name, count, href]) => (
          <li key={name} class={["missing", "queue"].includes(name) && count ? "numbers-open" : ""}>
            <Link href={href}>
              <b class="number">{count}</b> <span>{words[name]({ count })}</span>
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}

// The next steps in each state: an act, or a link to the tab where it is done.
type Act = "open" | "close";
type StepBack = "reopen" | "thaw" | "unpublish";
const STEPS: Record<State, { icon: IconName } & ({ tab: string; act?: undefined } | { act: "open"; tab?: undefined })> = {
  draft: { tab: "print/deal", icon: "print" },
  printed: { act: "open", icon: "next" },
  open: { tab: "envelopes/give-out", icon: "envelope" },
  closed: { tab: "results", icon: "trophy" },
  frozen: { tab: "results", icon: "trophy" },
  published: { tab: "results", icon: "trophy" },
};
const STEPS_BACK: Partial<Record<State, StepBack>> = { closed: "reopen", frozen: "thaw", published: "unpublish" };
// Acts that undo something visible and ask for a reason.
const REASONS: Partial<Record<Act | StepBack, "optional" | "needed">> = {
  reopen: "optional",
  thaw: "optional",
  unpublish: "needed",
};

// The next step as a large button, with what prevents it; steps back are in a menu.
function NextStep({ game, refetch, counts }: OverviewProps) {
  const [asking, setAsking] = useState<Act | StepBack | "">("");
  const words = texts.games.next;
  const own: { text?: string } | undefined = (words as Partial<Record<State, { text?: string }>>)[game.state];
  const step = STEPS[game.state];
  const back = STEPS_BACK[game.state];
  const stop = obstacleOf(game, step.act);
  const link = (main: boolean) => (
    <Link class={main ? "as-button" : "as-button secondary"} href={`/desk/games/${game.id}/${step.tab}`}>
      <Icon name={step.icon} />
      {linkText(game.state)}
    </Link>
  );
  const act = async (name: Act | StepBack, reason: string) => {
    const body = { act: name, reason };
    const { state } = await request<FullGameModel>(`/api/v1/games/${game.id}/acts`, { method: "POST", body });
    announce(texts.desk.named({ what: game.name, name: texts.desk.states[state] }));
  };
  return (
    <section class="panel framed next" aria-labelledby="next-title">
      <h2 id="next-title">{words.over}</h2>
      {own?.text && <p>{own.text}</p>}
      {stop && (
        <p class="note stop" role="note">
          {stop}
        </p>
      )}
      {game.state === "closed" ? (
        <OpenPoints game={game} count={link} />
      ) : (
        <div class="row next-actions above">
          {step.act ? (
            <button type="button" disabled={Boolean(stop)} onClick={() => setAsking(step.act)}>
              <Icon name={step.icon} />
              {words[step.act].button}
            </button>
          ) : (
            link(true)
          )}
          {game.state === "open" && (
            <button type="button" class={game.deadline ? "plain" : "secondary"} onClick={() => setAsking("close")}>
              {words.close.button}
            </button>
          )}
        </div>
      )}
      {back && (
        <Menu label={words.back}>
          <button type="button" onClick={() => setAsking(back)}>
            <Icon name="back" />
            {words[back].button}
          </button>
        </Menu>
      )}
      {asking && (
        <ConfirmDialog
          title={words[asking].button}
          confirm={words[asking].button}
          reason={REASONS[asking]}
          onConfirm={(reason) => act(asking, reason).finally(refetch)}
          onClose={() => setAsking("")}
        >
          <ul class="bullets">
            {consequencesOf(game, asking, counts).map((line) => (
              <li>{line}</li>
            ))}
          </ul>
        </ConfirmDialog>
      )}
    </section>
  );
}

function linkText(state: State): string {
  const words = texts.games.next;
  if (state === "draft") return words.draft.button;
  if (state === "open") return words.open.give;
  return state === "closed" ? words.closed.button : texts.desk.tabs.results;
}

// Return why the act is not possible now, "" if it is.
function obstacleOf(game: FullGameModel, act: Act | undefined): string {
  const over = game.deadline !== null && new Date(game.deadline).getTime() <= serverNow();
  const { title, detail } = texts.problems["deadline-passed"];
  return act === "open" && over ? `${title}. ${detail}` : "";
}

// Return the consequences of an act, line by line.
function consequencesOf(game: FullGameModel, act: Act | StepBack, counts: TabCounts): string[] {
  const { until, byHand, close } = texts.games.next;
  const { envelopes, pictures } = texts.desk.counts;
  const lines = [...texts.games.next[act].lines];
  if (act === "open" || act === "reopen") {
    lines.push(
      game.deadline
        ? until({
            time: formatDateTime(game.deadline, game.timezone),
            left: formatDuration(new Date(game.deadline).getTime() - serverNow()),
          })
        : byHand,
    );
  }
  if (act === "close") {
    if (counts.missing) lines.push(`${counts.missing} ${envelopes({ count: counts.missing })}.`);
    if (game.deadline) lines.push(close.early({ time: formatDateTime(game.deadline, game.timezone) }));
    if (counts.pictures) lines.push(`${counts.pictures} ${pictures({ count: counts.pictures })}.`);
  }
  return lines;
}

// Hints to read before going on; none of them prevents anything.
function Hints({ game }: GameProps) {
  const { data } = useFetch(
    (signal) => request<EditionsModel>(`/api/v1/editions?language=${language()}`, { signal }),
    "editions",
  );
  const edition = data?.editions.find(({ slug }) => slug === game.edition);
  const hints = edition ? hintsOn(game, edition) : [];
  if (!hints.length) return null;
  return (
    <section class="dashed below" aria-labelledby="game-hints">
      <h2 id="game-hints" class="row">
        <Icon name="light" />
        {texts.games.hints.title}
      </h2>
      <ul class="bullets">
        {hints.map((hint) => (
          <li>{hint}</li>
        ))}
      </ul>
      <p>
        <Link href={`/desk/games/${game.id}/settings`}>{texts.desk.tabs.settings}</Link>
      </p>
    </section>
  );
}

function hintsOn(game: FullGameModel, edition: EditionModel): string[] {
  const words = texts.games.hints;
  const hints = edition.settings
    .filter(({ name, confirm }) => confirm && !game.confirmed.includes(name))
    .map((setting) => words.unconfirmed({ label: setting.label, value: game.settings[setting.name] ?? "" }));
  if (game.players < edition.players_min || game.players > edition.players_max)
    hints.push(texts.games.form.playersOutside(edition));
  if (["draft", "printed", "open"].includes(game.state) && !game.deadline) hints.push(texts.games.next.byHand);
  return hints;
}

// The projector's page: with its link everybody sees the countdown, and the results once they are published.
function ProjectorPanel({ game }: GameProps) {
  const words = texts.games.screen;
  return (
    <section class="panel" aria-labelledby="screen-title">
      <h2 id="screen-title">{words.title}</h2>
      <p>{words.text}</p>
      <ScreenLink game={game} quiet />
    </section>
  );
}
