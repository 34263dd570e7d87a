import { html } from "htm/preact";

// The big screen.
export function App() {
  return html`<main></main>`;
}
