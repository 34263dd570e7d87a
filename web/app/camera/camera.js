// The camera as the player's pages open it: `await (await import("../camera/camera.js")).openCamera({ … })`.

import { html } from "htm/preact";
import { render } from "preact";
import { speak } from "../shared/i18n.js";
import { Viewfinder } from "./viewfinder.js";

// Open the live viewfinder over the page; gives a function that closes it. Rejects where its words cannot be loaded.
//   kinds      the game's kinds as `GET /me` tells them, in the order of the codes     game       its id
//   envelope   the own one, so that another player's label is told at once (optional)
//   onPicture  gets the File of a picture that was taken or chosen; the camera closes itself then
//   onClose    is called once, however it closes
export async function openCamera({ kinds, game, envelope, onPicture, onClose = () => {} }) {
  await speak("camera");
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
    html`<${Viewfinder}
      kinds=${kinds}
      game=${game}
      envelope=${envelope}
      onPicture=${(file) => {
        onPicture(file);
        close();
      }}
      onClose=${close}
    />`,
    place,
  );
  return close;
}
