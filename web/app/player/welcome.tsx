// The welcome screen.

import type { TargetedEvent } from "preact";
import { useState } from "preact/hooks";
import type { Problem } from "../shared/http";
import { texts } from "../shared/i18n";
import { Notice } from "../shared/notices";
import { View } from "../shared/router";
import { changeMe, StateMessage, usePlayerState } from "./player-state";
import { canName, changesIn, NameFields, Ticket } from "./ticket";

// The first screen of a game: whose envelope this is, and how others will see the player.
export function Welcome() {
  const { player, me, put } = usePlayerState();
  const [problem, setProblem] = useState<Problem | null>(null);
  const [busy, setBusy] = useState(false);
  const words = texts.welcome;
  const join = async (event: TargetedEvent<HTMLFormElement>) => {
    event.preventDefault();
    setBusy(true);
    setProblem(null);
    try {
      put(await changeMe(player.token, changesIn(event.currentTarget, me)));
    } catch (error) {
      setProblem(error as Problem);
      setBusy(false);
    }
  };
  return (
    <View title={words.title} name="welcome">
      <Ticket me={me} />
      <form onSubmit={join}>
        {canName(me) ? <NameFields me={me} problem={problem} /> : <StateMessage me={me} />}
        {problem && !["wrong-name", "name-taken"].includes(problem.slug) && <Notice problem={problem} small />}
        <button type="submit" class="action" aria-busy={busy} disabled={busy}>
          {words.join}
        </button>
        <p class="aside">{words.private}</p>
      </form>
    </View>
  );
}
