import { html } from "htm/preact";
import { useState } from "preact/hooks";
import { ask } from "../shared/ask.js";
import { Notice } from "../shared/notice.js";
import { View } from "../shared/view.js";
import { texts } from "../shared/texts.js";

// Signing in with the organisers' password.
export function SignIn({ onIn }) {
  const [problem, setProblem] = useState(null);
  const send = (event) => {
    event.preventDefault();
    const { name, password } = Object.fromEntries(new FormData(event.currentTarget));
    ask("/api/v1/session", { method: "POST", body: { name, password } }).then(onIn, setProblem);
  };
  return html`<${View} name="sign-in" title=${texts.desk.signIn.title}>
    <form onSubmit=${send}>
      <label>${texts.desk.signIn.name}<input name="name" required autocomplete="name" /></label>
      <label>${texts.desk.signIn.password}<input name="password" type="password" required autocomplete="current-password" /></label>
      ${problem && html`<${Notice} problem=${problem} small />`}
      <button>${texts.desk.signIn.send}</button>
    </form>
  <//>`;
}
