// The dialog for the player's name.

import type { TargetedEvent } from "preact";
import { useState } from "preact/hooks";
import { Dialog } from "../shared/dialog";
import type { Problem } from "../shared/http";
import { texts } from "../shared/i18n";
import { announce, Notice } from "../shared/notices";
import { changeMe, usePlayerState } from "./player-state";
import { canName, changesIn, NameFields } from "./ticket";

// A dialog to change how others see the player.
export function NameDialog({ onClose }: { onClose: () => void }) {
  const { player, me, put } = usePlayerState();
  const [problem, setProblem] = useState<Problem | null>(null);
  const save = async (event: TargetedEvent<HTMLFormElement>) => {
    event.preventDefault();
    try {
      put(await changeMe(player.token, changesIn(event.currentTarget, me)));
      announce(texts.name.saved);
      onClose();
    } catch (error) {
      setProblem(error as Problem);
    }
  };
  return (
    <Dialog title={texts.name.title} onClose={onClose}>
      <form onSubmit={save}>
        <NameFields me={me} problem={problem} fixed={!canName(me)} />
        {problem && !["wrong-name", "name-taken"].includes(problem.slug) && <Notice problem={problem} small />}
        <button type="submit" class="action wide">
          {texts.name.save}
        </button>
      </form>
    </Dialog>
  );
}
