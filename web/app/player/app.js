import { html } from "htm/preact";
import { Masthead } from "../shared/masthead.js";
import { Said } from "../shared/said.js";
import { texts } from "../shared/texts.js";

// The players' page: whose envelope it is, then what that player can do now.
export function App() {
  return html`<${Masthead} edition=${texts.brand} /><main></main><${Said} />`;
}
