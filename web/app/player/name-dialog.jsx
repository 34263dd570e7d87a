// The dialog for the player's name.

import { useState } from "preact/hooks";
import { Dialog } from "../shared/dialog";
import { texts } from "../shared/i18n";
import { announce, Notice } from "../shared/notices";
import { changeMe, usePlayerState } from "./player-state";
import { canName, changesIn, NameFields } from "./ticket";

// A dialog to change how others see the player.
export function NameDialog({ onClose }) {
  const { player, me, put } = usePlayerState();
  const [problem, setProblem] = useState(null);
  const save = async (event) => {
    event.preventDefault();
    try {
      put(await changeMe(player.token, changesIn(event.currentTarget, me)));
      announce(texts.name.saved);
      onClose();
    } catch (error) {
      setProblem(error);
    }
  };
  return (
    <Dialog title={texts.name.title} onClose={onClose}>
      <form onSubmit={save}>
        <NameFields me={me} problem={problem} fixed={!canName(me)} />
        {problem && !["wrong-name", "name-taken"].includes(problem.slug) && <Notice problem={problem} small />}
        <button type="submit" class="action">
          {texts.name.save}
        </button>
      </form>
    </Dialog>
  );
}
