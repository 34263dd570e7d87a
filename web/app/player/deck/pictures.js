import { html } from "htm/preact";
import { texts } from "../../shared/texts.js";
import { usePlace } from "../place.js";
import { TakePictures } from "../take-pictures.js";
import { Picture } from "./picture.js";
import { Upload } from "./upload.js";

// The pictures of a deck: those that are on the server, then those on their way there; and more may be added.
export function Pictures({ deck, id, kinds, items, sent, onChange }) {
  const { me } = usePlace();
  const open = deck.state === "open" && ["open", "closed"].includes(me.game.state) && !me.receipt;
  const uploads = items.filter(({ kind, state }) => kind === "picture" && state !== "refused");
  return html`
    ${deck.photos.map(
      (photo, at) => html`<${Picture} key=${photo.id} number=${at + 1} photo=${photo} deck=${id} kinds=${kinds} item=${sent[photo.id]} open=${open} onChange=${onChange} />`,
    )}
    ${uploads.map((item, at) => html`<${Upload} key=${item.id} number=${deck.photos.length + at + 1} item=${item} />`)}
    ${open && !(deck.photos.length || uploads.length) && html`<p class="lead">${texts.deck.first}</p>`}
    ${open && html`<${TakePictures} deck=${id} more=${deck.photos.length + uploads.length > 0} first />`}
  `;
}
