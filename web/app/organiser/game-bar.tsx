// The bar above a game, and links to the projector's page.

import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import type { FullGameModel, GameSummaryModel } from "../../api";
import { formatDateTime, formatDuration, texts, useTimeLeft } from "../shared/i18n";
import { Icon } from "../shared/icon";
import { announce, Notice } from "../shared/notices";
import { Link } from "../shared/router";
import { useConnected } from "./live";

const SECOND = 1000;
const FAR_AHEAD = 2 * 86_400 * SECOND; // beyond this, a date is more useful than the time left

// The bar above a game: name, state, deadline, and whether live events arrive.
export function GameBar({ game, gone }: { game: FullGameModel; gone: boolean }) {
  const connected = useConnected();
  const words = texts.desk.bar;
  return (
    <>
      <div class="row between below">
        <p class="row nowrap game-name">
          <Link href="/desk" class="game-back">
            <Icon name="back" />
            <span class="visually-hidden">{texts.desk.games}: </span>
          </Link>
          <strong class="display">{game.name}</strong> <span class="badge quiet fixed">{game.id}</span>
        </p>
        <p class="row small">
          <StateBadge state={game.state} />
          <Deadline game={game} />
          <span class={connected ? "row live live-on" : "row live wrong"} role="status">
            {connected ? words.live : words.away}
          </span>
        </p>
      </div>
      {gone && <Notice problem={{ title: words.gone, detail: "" }} />}
    </>
  );
}

// A game's state in a word, with an icon.
export function StateBadge({ state }: { state: FullGameModel["state"] }) {
  return <span class={`chip strong state state-${state}`}>{texts.desk.states[state]}</span>;
}

function Deadline({ game }: { game: FullGameModel }) {
  const left = useTimeLeft(game.state === "open" ? game.deadline : null);
  if (game.state !== "open" || !game.deadline) {
    return (
      <span class="row">
        <Icon name="clock" />
        {endText(game)}
      </span>
    );
  }
  return (
    <span class={left < 600 * SECOND ? "row wrong" : "row"} role="timer">
      <Icon name="clock" />
      {left > FAR_AHEAD ? endText(game) : texts.desk.bar.left({ time: formatDuration(left) })}
    </span>
  );
}

// Return when a game was closed, otherwise its deadline.
export function endText({ closed, deadline, timezone }: GameSummaryModel): string {
  if (closed) return texts.desk.bar.closed({ time: formatDateTime(closed, timezone) });
  return deadline ? texts.desk.bar.until({ time: formatDateTime(deadline, timezone) }) : texts.desk.bar.noDeadline;
}

// Buttons to open the projector's page and to copy its link. `open` is the label of the first; children are more buttons.
type ScreenLinkProps = { game: FullGameModel; open?: string; quiet?: boolean; children?: ComponentChildren };

export function ScreenLink({ game, open, quiet, children }: ScreenLinkProps) {
  const words = texts.desk.screenLink;
  const address = `${location.origin}/screen#${game.projector}`;
  const [byHand, setByHand] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.focus(), [byHand]);
  const show = () => {
    setByHand(true);
    field.current?.focus();
    announce(words.notCopied);
  };
  // Over plain HTTP browsers have no clipboard.
  const copy = () => navigator.clipboard?.writeText(address).then(() => announce(words.copied), show) ?? show();
  return (
    <>
      <div class="row">
        <a class={quiet ? "as-button secondary" : "as-button"} href={address} target="_blank" rel="noopener">
          <Icon name="screen" /> {open ?? words.open}
        </a>
        <button type="button" class="secondary" onClick={copy}>
          <Icon name="link" /> {words.copy}
        </button>
        {children}
      </div>
      {byHand && (
        <input
          ref={field}
          type="text"
          readOnly
          value={address}
          aria-label={words.address}
          onFocus={(event) => event.currentTarget.select()}
        />
      )}
    </>
  );
}
