// The results tab.

import { useRef, useState } from "preact/hooks";
import type { EditionsModel, FullGameModel, NewVersionModel, ProjectorModel, VersionModel, VersionsModel } from "../../../api";
import { newIdempotencyKey, request, useFetch } from "../../shared/http";
import { formatDateTime, language, texts } from "../../shared/i18n";
import { Icon } from "../../shared/icon";
import { announce, Notice, Skeleton } from "../../shared/notices";
import { type Presented, type PresenterAct, usePresented } from "../../shared/presenter";
import { Link, navigate, useRoute, View } from "../../shared/router";
import { Checkbox, ConfirmDialog } from "../forms";
import { ScreenLink } from "../game-bar";
import { useLiveData, useTopics } from "../live";
import { OpenPoints } from "../open-points";
import { MissingNames } from "./missing-names";
import { Version } from "./version";

// The results tab: open points, versions of the count, one of them in full, and the projector.
export function Results({ game, refetch }: { game: FullGameModel; refetch: () => Promise<void> | undefined }) {
  const [, , , , wanted] = useRoute();
  const load = (signal: AbortSignal) => request<VersionsModel>(`/api/v1/games/${game.id}/results`, { signal });
  const {
    data,
    problem,
    refetch: look,
  } = useLiveData(load, `results ${game.id}`, ["game", "envelopes", "photos", "queue", "results"]);
  const fresh = () => Promise.all([look(), refetch()]);
  const versions = data?.versions ?? [];
  const shown = versions.find(({ version }) => String(version) === wanted) ?? versions[0];
  const choose = (version: number) => navigate(`/desk/games/${game.id}/results/${version}`, { replace: true });
  return (
    <View name="results" title={texts.desk.tabs.results}>
      {problem && !data && <Notice problem={problem} onRetry={look} />} {!data && !problem && <Skeleton rows={4} />}
      {data && (
        <>
          <div class="columns">
            <div>
              <CountPanel game={game} results={data} refetch={fresh} onCounted={choose} />
              {shown && <Versions game={game} versions={versions} shown={shown.version} onChoose={choose} refetch={fresh} />}
            </div>
            <ProjectorPanel game={game} quiet={hasNextStep(game, data)} />
          </div>
          {shown && <Version key={shown.version} game={game} version={shown.version} versions={versions} />}
        </>
      )}
    </View>
  );
}

// Return true if the panel of the count has a main button.
const hasNextStep = ({ state, published_version: published }: FullGameModel, { stale, versions }: VersionsModel) =>
  state === "closed" || state === "frozen" || stale || (versions[0] !== undefined && versions[0].version !== published);

type Question = "count" | "correct" | "publish" | "unpublish";

// The next act: count, count again, publish, or unpublish.
type CountPanelProps = {
  game: FullGameModel;
  results: VersionsModel;
  refetch: () => Promise<unknown>;
  onCounted: (version: number) => void;
};

function CountPanel({ game, results, refetch, onCounted }: CountPanelProps) {
  const [asking, setAsking] = useState<Question | "">("");
  const key = useRef("");
  const words = texts.results.count;
  const open = results.open.length;
  const newest = results.versions[0]?.version;
  const closed = game.state === "closed";
  const counted = ["frozen", "published"].includes(game.state);
  // The game's new state can arrive before its new version.
  const unseen = counted && newest !== undefined && newest !== game.published_version;
  const begin = (what: Question) => {
    key.current = newIdempotencyKey();
    setAsking(what);
  };

  const count = async (said: string, override: boolean, confirmed: string[]) => {
    const reason = counted ? said : "";
    if (confirmed.length) {
      const body = { confirmed: [...game.confirmed, ...confirmed].sort(), ...(reason && { reason }) };
      await request(`/api/v1/games/${game.id}`, { method: "PATCH", body, revision: game.revision });
    }
    // With open points, the reason says why the game is counted anyway.
    const body = { reason, override: override ? said : "" };
    const made = await request<NewVersionModel>(`/api/v1/games/${game.id}/results`, {
      method: "POST",
      body,
      key: key.current,
    }).finally(() => void refetch());
    announce(words.done({ version: made.version }));
    onCounted(made.version);
  };

  return (
    <section class="panel" aria-labelledby="count-title">
      <h2 id="count-title">
        {counted ? texts.desk.states[game.state] : closed ? texts.games.next.closed.button : words.nothing}
      </h2>
      {!counted && <p>{closed ? words.unseen : words.first}</p>}
      {closed && (
        <OpenPoints
          game={game}
          count={(main) => (
            <button type="button" class={main ? "" : "secondary"} onClick={() => begin("count")}>
              <Icon name="trophy" /> {texts.games.next.closed.button}
            </button>
          )}
        />
      )}
      {counted && open > 0 && <OpenPoints game={game} />}
      {counted && results.stale && (
        <p class="note warm row nowrap" role="status">
          <Icon name="again" /> <span>{words.stale}</span>
        </p>
      )}
      {game.state === "frozen" && results.versions[0] && (
        <MissingNames
          key={newest}
          game={game}
          newest={results.versions[0]}
          open={open > 0}
          onCounted={(version) => refetch().then(() => onCounted(version))}
        />
      )}
      <div class="row">
        {game.state === "frozen" && (
          <a
            class={results.stale ? "as-button secondary" : "as-button"}
            href={`/screen#${game.projector}`}
            target="_blank"
            rel="noopener"
          >
            <Icon name="screen" /> {texts.results.wall.begin}
          </a>
        )}
        {unseen && (
          <button
            type="button"
            class={results.stale || game.state === "frozen" ? "secondary" : ""}
            onClick={() => begin("publish")}
          >
            <Icon name="people" /> {words.publish({ version: newest })}
          </button>
        )}
        {counted && (
          <button type="button" class={results.stale ? "" : "secondary"} onClick={() => begin("correct")}>
            <Icon name="again" /> {words.correct}
          </button>
        )}
        {game.state === "published" && (
          <button type="button" class="secondary" onClick={() => begin("unpublish")}>
            <Icon name="back" /> {texts.games.next.unpublish.button}
          </button>
        )}
        {!counted && !closed && (
          <Link class="as-button secondary" href={`/desk/games/${game.id}/overview`}>
            {texts.desk.tabs.overview}
          </Link>
        )}
      </div>
      {(asking === "count" || asking === "correct") && (
        <CountDialog game={game} results={results} again={asking === "correct"} onCount={count} onClose={() => setAsking("")} />
      )}
      {(asking === "publish" || asking === "unpublish") && (
        <PublishDialog game={game} results={results} act={asking} refetch={refetch} onClose={() => setAsking("")} />
      )}
    </section>
  );
}

// The dialog to publish the newest version, or to unpublish it.
type PublishDialogProps = Omit<CountPanelProps, "onCounted"> & { act: "publish" | "unpublish"; onClose: () => void };

function PublishDialog({ game, results, act, refetch, onClose }: PublishDialogProps) {
  const newest = results.versions[0]?.version ?? 0;
  const { unpublish } = texts.games.next;
  const { publish, publishes, stale } = texts.results.count;
  const title = act === "publish" ? publish({ version: newest }) : unpublish.button;
  const lines = act === "publish" ? [publishes, texts.results.wall.texts.published] : unpublish.lines;
  const send = async (reason: string) => {
    const { state } = await request<FullGameModel>(`/api/v1/games/${game.id}/acts`, {
      method: "POST",
      body: { act, reason },
    }).finally(() => void refetch());
    announce(texts.desk.named({ what: game.name, name: texts.desk.states[state] }));
  };
  return (
    <ConfirmDialog
      title={title}
      confirm={title}
      danger={act === "unpublish"}
      reason={act === "unpublish" ? "needed" : "optional"}
      onConfirm={send}
      onClose={onClose}
    >
      <ul class="bullets">
        {lines.map((line) => (
          <li>{line}</li>
        ))}
      </ul>
      {act === "publish" && results.open.length > 0 && <OpenPoints game={game} />}
      {act === "publish" && results.stale && (
        <p class="note warm row nowrap">
          <span>{stale}</span>
        </p>
      )}
    </ConfirmDialog>
  );
}

// The dialog to count a game, or to count it again. Values of the edition can be confirmed in it.
type CountDialogProps = {
  game: FullGameModel;
  results: VersionsModel;
  again: boolean;
  onCount: (reason: string, override: boolean, confirmed: string[]) => Promise<unknown>;
  onClose: () => void;
};

function CountDialog({ game, results, again, onCount, onClose }: CountDialogProps) {
  const words = texts.results.count;
  const act = again ? words.correct : texts.games.next.closed.button;
  const [chosen, setChosen] = useState<string[]>([]);
  const { data } = useFetch(
    (signal) => request<EditionsModel>(`/api/v1/editions?language=${language()}`, { signal }),
    "editions",
  );
  const edition = data?.editions.find(({ slug }) => slug === game.edition);
  const values = edition?.settings.filter(({ name, confirm }) => confirm && !game.confirmed.includes(name)) ?? [];
  // Those that were confirmed before the count failed are no longer among the values.
  const right = chosen.filter((name) => values.some((one) => one.name === name));
  const open = results.open.length - right.length;
  const toggle = (name: string) => setChosen(right.includes(name) ? right.filter((one) => one !== name) : [...right, name]);
  return (
    <ConfirmDialog
      title={act}
      confirm={act}
      reason={open > 0 || again ? "needed" : undefined}
      onConfirm={(reason) => onCount(reason, open > 0, right)}
      onClose={onClose}
    >
      <p>{again ? words.unseen : words.consequence}</p>
      {values.map(({ name, label, text }) => (
        <Checkbox
          key={name}
          label={texts.desk.named({ what: label, name: texts.games.form.confirmed({ value: game.settings[name] ?? "" }) })}
          text={text}
          checked={right.includes(name)}
          onChange={() => toggle(name)}
        />
      ))}
      {open > 0 && (
        <p class="note warm row nowrap">
          <span>{words.override({ count: open })}</span>
        </p>
      )}
    </ConfirmDialog>
  );
}

// All versions, newest first. The chosen one is shown below; older ones can be published here.
type VersionsProps = {
  game: FullGameModel;
  versions: VersionModel[];
  shown: number;
  onChoose: (version: number) => void;
  refetch: () => Promise<unknown>;
};

function Versions({ game, versions, shown, onChoose, refetch }: VersionsProps) {
  const [asking, setAsking] = useState<number | null>(null);
  const words = texts.results.versions;
  const publish = async (reason: string) => {
    const body = { act: "publish", version: asking, reason };
    await request(`/api/v1/games/${game.id}/acts`, { method: "POST", body }).finally(() => void refetch());
    announce(texts.desk.named({ what: words.version({ number: asking ?? 0 }), name: texts.desk.states.published }));
  };
  const allowed = game.allowed.includes("publish");
  return (
    <section class="panel" aria-labelledby="versions-title">
      <h2 id="versions-title">{words.title}</h2>
      <ol class="versions stack">
        {versions.map((one) => (
          <li key={one.version} class="choice">
            <button
              type="button"
              class="bare version"
              aria-pressed={one.version === shown ? "true" : "false"}
              onClick={() => onChoose(one.version)}
            >
              <b class="display">{words.version({ number: one.version })}</b>
              <small>{words.made({ moment: formatDateTime(one.at, game.timezone), who: one.who, hands: one.hands })}</small>
              {one.reason && <q class="small">{one.reason}</q>}
              {one.override && (
                <span class="small">
                  {words.override} <q>{one.override}</q>
                </span>
              )}
            </button>
            {one.published ? (
              <mark class="badge fixed">{texts.desk.states.published}</mark>
            ) : (
              allowed &&
              one.version !== versions[0]?.version && (
                <button type="button" class="plain" onClick={() => setAsking(one.version)}>
                  {words.publish}
                  <span class="visually-hidden">{words.version({ number: one.version })}</span>
                </button>
              )
            )}
          </li>
        ))}
      </ol>
      {asking && (
        <ConfirmDialog
          title={texts.results.count.publish({ version: asking })}
          confirm={texts.results.count.publish({ version: asking })}
          reason="optional"
          onConfirm={publish}
          onClose={() => setAsking(null)}
        >
          <p>{words.older}</p>
        </ConfirmDialog>
      )}
    </section>
  );
}

const HERE_ONLY = ["localhost", "127.0.0.1", "[::1]"];

// The projector: its link, a preview, and how to present the ceremony.
function ProjectorPanel({ game, quiet }: { game: FullGameModel; quiet: boolean }) {
  const [code, setCode] = useState(false);
  const [presented, lead] = usePresented(game.id);
  const words = texts.results.wall;
  return (
    <section class="panel" aria-labelledby="wall-title">
      <h2 id="wall-title">{texts.games.screen.title}</h2>
      {presented ? <Presenter {...presented} lead={lead} /> : <ProjectorPreview game={game} />}
      <p>{(words.texts as Record<string, string>)[game.state] ?? texts.games.screen.text}</p>
      <ScreenLink game={game} quiet={quiet}>
        <button type="button" class="secondary" aria-expanded={code ? "true" : "false"} onClick={() => setCode(!code)}>
          <Icon name="qr" />
          {words.code}
        </button>
      </ScreenLink>
      {code && (
        <figure class="projector-code above">
          <img src={`/api/v1/games/${game.id}/screen.svg`} width="240" height="240" alt={words.code} />
          {HERE_ONLY.includes(location.hostname) && <figcaption class="caption">{words.hereOnly}</figcaption>}
        </figure>
      )}
    </section>
  );
}

// Leads the ceremony that the big screen shows in another window.
function Presenter({ at, all, offers, lead }: Presented & { lead: (act: PresenterAct) => void }) {
  const words = texts.results.wall.presenter;
  return (
    <div class="row framed">
      <p class="wide" role="status">
        <strong>{words.step({ at: at + 1, all })}</strong>
      </p>
      <button type="button" class="secondary" disabled={at === 0} onClick={() => lead("back")}>
        <Icon name="back" />
        {words.previous}
      </button>
      <button type="button" disabled={at === all - 1} onClick={() => lead("forward")}>
        <Icon name="next" />
        {words.next}
      </button>
      {offers && (
        <button type="button" onClick={() => lead("publish")}>
          <Icon name="people" />
          {texts.results.versions.publish}
        </button>
      )}
    </div>
  );
}

// The preview uses the projector's public data.
function ProjectorPreview({ game }: { game: FullGameModel }) {
  const words = texts.results.wall;
  const { data, refetch } = useFetch(
    (signal) => request<ProjectorModel>("/api/v1/projector", { token: game.projector, signal }),
    `wall ${game.id}`,
  );
  useTopics(["game", "envelopes"], refetch);
  const [head, line] = data ? shown(data, words.shows) : ["", ""];
  return (
    <div class="framed stack center projector-preview" {...(data && { role: "img", "aria-label": `${head} ${line}` })}>
      <span>{data?.name}</span>
      <b class="number">{head}</b>
      <small>{line}</small>
    </div>
  );
}

function shown(screen: ProjectorModel, words: typeof texts.results.wall.shows): [head: string, line: string] {
  const line = words.handIns({ count: screen.hand_ins, all: screen.envelopes });
  if (["draft", "printed"].includes(screen.state))
    return [words.soon, screen.deadline ? formatDateTime(screen.deadline, screen.timezone) : ""];
  if (screen.state === "open")
    return [screen.deadline ? words.until({ moment: formatDateTime(screen.deadline, screen.timezone) }) : words.playing, line];
  if (screen.state === "published")
    return [texts.desk.tabs.results, texts.results.versions.version({ number: screen.version ?? 0 })];
  return [words.over, line];
}
