// Entry of the live camera view, which the players' page loads when it is needed.

import { render } from "preact";
import type { GameKind } from "../shared/cards";
import { loadTexts } from "../shared/i18n";
import { Viewfinder } from "./viewfinder";

// Open the live view above the page; returns a function that closes it. Rejects if its texts cannot be loaded.
//   kinds      the game's kinds from `GET /me`, in the order of the codes     game       its id
//   envelope   the player's own, to warn about another player's label (optional)
//   onPhoto    gets the File of a photo that was taken or chosen; the view is closed then
//   onClose    is called once, however it is closed
export type CameraOptions = {
  kinds: GameKind[];
  game: string;
  envelope?: number;
  onPhoto: (file: File) => void;
  onClose?: () => void;
};

export async function openCamera({ kinds, game, envelope, onPhoto, onClose = () => {} }: CameraOptions): Promise<() => void> {
  await loadTexts("camera");
  const place = document.createElement("div");
  document.body.append(place);
  let open = true;
  const close = () => {
    if (!open) return;
    open = false;
    render(null, place);
    place.remove();
    onClose();
  };
  render(
    <Viewfinder
      kinds={kinds}
      game={game}
      envelope={envelope}
      onPhoto={(file: File) => {
        onPhoto(file);
        close();
      }}
      onClose={close}
    />,
    place,
  );
  return close;
}
