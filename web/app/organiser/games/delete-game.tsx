// The dialog to delete a game.

import type { GameSummaryModel } from "../../../api";
import { request } from "../../shared/http";
import { texts } from "../../shared/i18n";
import { announce } from "../../shared/notices";
import { ConfirmDialog } from "../forms";

// A dialog to delete a game; its id has to be typed.
type DeleteGameProps = { game: Pick<GameSummaryModel, "id" | "name">; onClose: () => void; onGone: () => void };

export function DeleteGame({ game, onClose, onGone }: DeleteGameProps) {
  const words = texts.games.list;
  const remove = async () => {
    await request(`/api/v1/games/${game.id}`, { method: "DELETE" });
    announce(words.deleted({ name: game.name }));
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
