// The player's envelope: ticket, time left, and the fields for the name.

import { useEffect } from "preact/hooks";
import type { Problem } from "../shared/http";
import { formatDateTime, formatDuration, texts, useTimeLeft } from "../shared/i18n";
import { type Me, usePlayerState } from "./player-state";

// The player's envelope in the form of its label: number, game, name and time left. `onName` makes the name a button.
export function Ticket({ me, onName }: { me: Me; onName?: () => void }) {
  const { game, envelope } = me;
  const { nameless, unnamed, hidden, change } = texts.ticket;
  const free = canName(me);
  return (
    <section class="ink-card ticket" aria-label={texts.envelope({ number: envelope.number })}>
      <p class="number ticket-game">{game.name}</p>
      <p class="small ticket-game">{game.edition}</p>
      <p class="ticket-number">
        <span class="over">{texts.ticket.envelope}</span> <strong class="number">{envelope.number}</strong>
      </p>
      <div>
        {onName && (
          <p>
            <button type="button" class="ticket-name" onClick={onName}>
              <span>{envelope.name ?? (free ? nameless : unnamed)}</span> {envelope.hidden && <small>{hidden}</small>}
              <small class={envelope.hidden ? "visually-hidden" : undefined}>{change}</small>
            </button>
          </p>
        )}
        {!me.receipt && <Countdown game={game} />}
      </div>
    </section>
  );
}

const JITTER = 3000; // milliseconds over which phones spread their requests

// The end of the game and the time left, while the game is open.
function Countdown({ game }: { game: Me["game"] }) {
  if (game.state !== "open") return null;
  if (!game.deadline) return <p class="countdown small">{texts.countdown.none}</p>;
  return <TimeLeft deadline={game.deadline} timezone={game.timezone} />;
}

function TimeLeft({ deadline, timezone }: { deadline: string; timezone: string }) {
  const left = useTimeLeft(deadline);
  const { refetch } = usePlayerState();
  const over = left <= 0;
  useEffect(() => {
    if (!over) return undefined;
    // The game closes now. Not all phones fetch at the same moment.
    const timer = setTimeout(refetch, JITTER * Math.random() + 500);
    return () => clearTimeout(timer);
  }, [over]);
  return (
    <p class="countdown">
      <small>{left > 0 ? texts.countdown.left : texts.state.titles.ended}</small>
      <strong class="number" role="timer">
        {formatDuration(left)}
      </strong>
      <small>{texts.countdown.until({ time: formatDateTime(deadline, timezone) })}</small>
    </p>
  );
}

const MAX_NAME_LENGTH = 40;

// Return true if the player may choose a name now.
export const canName = ({ game, envelope }: Me) =>
  game.state === "open" ? envelope.opened : game.state === "printed" && !envelope.spare;

// Fields for how others see the player: a name or none. `problem` is the server's about the name; with `fixed` the name cannot
// change.
type NameFieldsProps = { me: Me; problem: Problem | null; fixed?: boolean };

export function NameFields({ me, problem, fixed = false }: NameFieldsProps) {
  const words = texts.name;
  const wrong = problem && ["wrong-name", "name-taken"].includes(problem.slug) ? problem : null;
  return (
    <fieldset>
      {!fixed && (
        <>
          <label for="name">{words.label}</label>
          <input
            id="name"
            name="name"
            type="text"
            autocomplete="nickname"
            maxLength={MAX_NAME_LENGTH}
            defaultValue={me.envelope.name ?? ""}
            placeholder={texts.envelope({ number: me.envelope.number })}
            aria-invalid={wrong ? "true" : undefined}
            aria-describedby={wrong ? "name-help" : undefined}
          />
        </>
      )}
      {(wrong || fixed) && (
        <p id="name-help" class={wrong ? "wrong" : "caption below"} role={wrong ? "alert" : undefined}>
          {wrong ? `${wrong.title}. ${wrong.detail}` : words.fixed}
        </p>
      )}
      <label class="tick">
        <input type="checkbox" name="hidden" defaultChecked={me.envelope.hidden} /> <span>{words.hidden}</span>
      </label>
    </fieldset>
  );
}

// Return the changes in a form with these fields; an empty name is none.
export function changesIn(form: HTMLFormElement, me: Me) {
  const given = new FormData(form);
  const name = String(given.get("name") ?? "").trim();
  const changes = { hidden: given.get("hidden") !== null };
  return name && name !== me.envelope.name ? { ...changes, name } : changes;
}
