import { html } from "htm/preact";
import { useState } from "preact/hooks";
import { ask } from "../shared/ask.js";
import { Notice } from "../shared/notice.js";
import { View } from "../shared/view.js";
import { texts } from "../shared/texts.js";
import { Field } from "./fields.js";
import { useSending } from "./sending.js";

export const SHORTEST = 10; // characters of a password, as the server wants it

// Signing in with the organisers' password.
export function SignIn({ onIn }) {
  return html`<${View} name="sign-in" title=${texts.desk.signIn.title} lead=${texts.desk.signIn.lead}>
    <div class="panel"><${SignInForm} onIn=${onIn} /></div>
  <//>`;
}

export function SignInForm({ name = "", onIn }) {
  return html`<${Form} fields=${["name", "password"]} begun=${{ name }} path="/api/v1/session" send=${texts.desk.signIn.send} onIn=${onIn} />`;
}

// The first organiser of a new server chooses the password, with the code that the server has printed at its start.
export function SetUp({ onIn }) {
  const words = texts.desk.setUp;
  return html`<${View} name="set-up" title=${words.title} lead=${words.lead}>
    <div class="panel"><${Form} fields=${["code", "name", "password"]} fresh path="/api/v1/session/setup" send=${words.send} onIn=${onIn} /></div>
  <//>`;
}

function Form({ fields, begun = {}, path, send: label, fresh = false, onIn }) {
  const words = texts.desk.signIn;
  const [given, setGiven] = useState({ ...Object.fromEntries(fields.map((name) => [name, ""])), ...begun });
  const [asked, setAsked] = useState(false);
  const [shown, setShown] = useState(false);
  const { send, busy, problem } = useSending();
  const wrong = Object.fromEntries(fields.map((name) => [name, given[name].trim() ? "" : words.missing]));
  if (fresh && given.password && given.password.length < SHORTEST) wrong.password = words.short(SHORTEST);
  const submit = async (event) => {
    event.preventDefault();
    setAsked(true);
    const form = event.currentTarget;
    const first = fields.find((name) => wrong[name]);
    if (first) return form.elements[first].focus();
    await send(async () => onIn(await ask(path, { method: "POST", body: { ...given, name: given.name.trim() } })));
  };
  const type = (name) => (event) => setGiven({ ...given, [name]: event.currentTarget.value });
  const hints = { name: words.nameHint, code: texts.desk.setUp.codeHint, password: fresh ? words.passwordHint(SHORTEST) : undefined };
  const labels = { name: words.name, code: texts.desk.setUp.code, password: fresh ? texts.desk.setUp.password : words.password };
  const details = {
    name: { autocomplete: "name", maxlength: 60 },
    code: { autocomplete: "off", autocapitalize: "characters", spellcheck: false },
    password: { type: shown ? "text" : "password", autocomplete: fresh ? "new-password" : "current-password" },
  };
  return html`<form class="sign-in" onSubmit=${submit} novalidate>
    ${fields.map(
      (name) => html`<${Field} key=${name} label=${labels[name]} hint=${hints[name]} wrong=${asked && wrong[name]}>
        ${(more) => html`<input ...${more} name=${name} ...${details[name]} value=${given[name]} onInput=${type(name)} />`}
      <//>`,
    )}
    <label class="tick"><input type="checkbox" checked=${shown} onChange=${() => setShown(!shown)} /><span>${words.show}</span></label>
    ${problem && html`<${Notice} problem=${problem} small />`}
    <button class="action" aria-busy=${busy ? "true" : undefined}>${label}</button>
  </form>`;
}
