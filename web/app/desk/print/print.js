import { html } from "htm/preact";
import { View } from "../../shared/view.js";
import { texts } from "../../shared/texts.js";

export default function Part() {
  return html`<${View} name="print" title=${texts.desk.tabs.print} />`;
}
