// The list of games, and the dialog to delete one.

import type { TargetedEvent } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import type { GameSummaryModel, GamesModel, ImportedGameModel } from "../../../api";
import { CardSymbol, type SymbolName } from "../../shared/cards";
import { newIdempotencyKey, request, useFetch } from "../../shared/http";
import { texts } from "../../shared/i18n";
import { Icon } from "../../shared/icon";
import { announce, Notice, Skeleton } from "../../shared/notices";
import { Link, navigate, View } from "../../shared/router";
import { ConfirmDialog, useSubmit } from "../forms";
import { endText, StateBadge } from "../game-bar";
import { useShortcutHelp, useShortcuts } from "../keyboard";
import { Menu } from "../layout";

const IMPORT_TIMEOUT = 15 * 60_000; // milliseconds to import a whole game
const DELETABLE = ["draft", "printed", "published"];
const PLAYED = ["open", "closed", "frozen", "published"];
const COUNTS = ["joined", "claimed", "received"] as const;
const EMPTY_SYMBOLS: SymbolName[] = ["heart", "drop", "clover"];

// The list of all games on this server.
export function Games() {
  const { data, problem, refetch } = useFetch((signal) => request<GamesModel>("/api/v1/games", { signal }), "games");
  const words = texts.games.list;
  useEffect(() => {
    const refresh = () => document.hidden || refetch();
    addEventListener("visibilitychange", refresh);
    return () => removeEventListener("visibilitychange", refresh);
  }, [refetch]);
  useShortcuts({ n: () => navigate("/desk/games/new") });
  useShortcutHelp(texts.desk.games, [["n", words.create]]);
  return (
    <View name="games" title={texts.desk.games}>
      <div class="row below">
        <Link class="as-button" href="/desk/games/new">
          <Icon name="add" />
          {words.create}
        </Link>
        <ImportButton />
        <Link class="as-button secondary" href="/desk/editions">
          <Icon name="list" />
          {texts.desk.editions}
        </Link>
      </div>
      {problem && <Notice problem={problem} onRetry={refetch} />}
      {!data && !problem && <Skeleton />}
      {data?.games.length === 0 && <Empty />}
      <ul class="games tiles">
        {data?.games.map((game) => (
          <GameCard key={game.id} game={game} refetch={refetch} />
        ))}
      </ul>
    </View>
  );
}

function Empty() {
  const words = texts.games.list;
  return (
    <div class="panel narrow center stack">
      <p class="row games-suits" aria-hidden="true">
        {EMPTY_SYMBOLS.map((name) => (
          <CardSymbol name={name} />
        ))}
      </p>
      <h2>{words.none}</h2>
    </div>
  );
}

function GameCard({ game, refetch }: { game: GameSummaryModel; refetch: () => void }) {
  const [deleting, setDeleting] = useState(false);
  const words = texts.games.list;
  const { counts } = game;
  const deletable = DELETABLE.includes(game.state);
  return (
    <li class="panel game-card">
      <div class="row between nowrap">
        <h2>
          <Link href={`/desk/games/${game.id}`}>{game.name}</Link>
        </h2>
        <Menu icon="menu" name={words.more({ name: game.name })} end>
          <Link href={`/desk/games/${game.id}/settings`}>
            <Icon name="gear" />
            {texts.desk.tabs.settings}
          </Link>
          <a href={`/api/v1/games/${game.id}/export`} download>
            <Icon name="download" />
            {words.exportAll}
          </a>
          <a href={`/api/v1/games/${game.id}/export?photos=false`} download>
            <Icon name="download" />
            {words.exportPlain}
          </a>
          <p>{words.exportNote}</p>
          <button type="button" class="menu-danger" disabled={!deletable} onClick={() => setDeleting(true)}>
            <Icon name="bin" />
            {words.delete}
          </button>
          {!deletable && <p>{words.notDeleted}</p>}
        </Menu>
      </div>
      <p>
        <StateBadge state={game.state} /> <span class="badge quiet fixed">{game.id}</span>
      </p>
      <p class="row nowrap soft">
        <Icon name="clock" />
        {endText(game)}
      </p>
      <p class="row soft">
        <Icon name="people" />
        {words.players({ count: game.players })}
      </p>
      {PLAYED.includes(game.state) && (
        <dl>
          {COUNTS.map((name) => (
            <div>
              <dt class="small">{texts.games.counts[name]({ count: counts[name] })}</dt>
              <dd class="number">{counts[name]}</dd>
            </div>
          ))}
        </dl>
      )}
      {deleting && <DeleteGame game={game} onClose={() => setDeleting(false)} onGone={refetch} />}
    </li>
  );
}

// A button to import a game from a file.
function ImportButton() {
  const input = useRef<HTMLInputElement>(null);
  const { send, busy, problem } = useSubmit();
  const words = texts.games.list;
  const take = async ({ currentTarget }: TargetedEvent<HTMLInputElement>) => {
    const [file] = currentTarget.files ?? [];
    if (!file) return;
    const key = newIdempotencyKey();
    const body = new Blob([file], { type: "application/zip" });
    await send(async () => {
      const { game } = await request<ImportedGameModel>("/api/v1/games/import", {
        method: "POST",
        body,
        key,
        timeout: IMPORT_TIMEOUT,
      });
      navigate(`/desk/games/${game}`);
    });
    currentTarget.value = "";
  };
  return (
    <>
      <input ref={input} type="file" accept=".zip,application/zip" hidden onChange={take} aria-label={words.import} />
      <button type="button" class="secondary" aria-busy={busy ? "true" : undefined} onClick={() => input.current?.click()}>
        <Icon name="download" />
        {words.import}
      </button>
      {problem && <Notice problem={problem} small />}
    </>
  );
}

// A dialog to delete a game; its id has to be typed.
type DeleteGameProps = { game: Pick<GameSummaryModel, "id" | "name">; onClose: () => void; onGone: () => void };

export function DeleteGame({ game, onClose, onGone }: DeleteGameProps) {
  const words = texts.games.list;
  const remove = async () => {
    await request(`/api/v1/games/${game.id}`, { method: "DELETE" });
    announce(words.deleted);
    onGone();
  };
  return (
    <ConfirmDialog
      title={words.deleteTitle({ name: game.name })}
      confirm={words.delete}
      danger
      typed={game.id}
      onConfirm={remove}
      onClose={onClose}
    >
      <p>{words.deleteText}</p>
      <p>
        <a href={`/api/v1/games/${game.id}/export`} download>
          {words.exportAll}
        </a>
      </p>
    </ConfirmDialog>
  );
}
