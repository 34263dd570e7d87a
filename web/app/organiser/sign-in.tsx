// Sign-in, the first password of a server, and its change.

import type { JSX, TargetedEvent } from "preact";
import { useState } from "preact/hooks";
import type { SessionModel } from "../../api";
import { Dialog } from "../shared/dialog";
import { request } from "../shared/http";
import { texts } from "../shared/i18n";
import { announce, Notice } from "../shared/notices";
import { View } from "../shared/router";
import { Field, useSubmit } from "./forms";

const MIN_PASSWORD_LENGTH = 10; // characters of a password; the server's minimum

// Sign-in with the organisers' password.
type SignedIn = { onIn: (session: SessionModel) => void };
type FieldName = "code" | "name" | "password";

export function SignIn({ onIn }: SignedIn) {
  return (
    <View name="sign-in" title={texts.desk.signIn.send}>
      <div class="panel">
        <SignInForm onIn={onIn} />
      </div>
    </View>
  );
}

export function SignInForm({ name = "", onIn }: SignedIn & { name?: string }) {
  return <Form fields={["name", "password"]} begun={{ name }} path="/api/v1/session" send={texts.desk.signIn.send} onIn={onIn} />;
}

// The first organiser of a new server chooses the password, with the code that the server printed at its start.
export function SetUp({ onIn }: SignedIn) {
  const words = texts.desk.setUp;
  return (
    <View name="set-up" title={words.title}>
      <div class="panel">
        <Form fields={["code", "name", "password"]} fresh path="/api/v1/session/setup" send={words.send} onIn={onIn} />
      </div>
    </View>
  );
}

type FormProps = SignedIn & {
  fields: FieldName[];
  begun?: Partial<Record<FieldName, string>>;
  path: string;
  send: string;
  fresh?: boolean;
};

function Form({ fields, begun = {}, path, send: label, fresh = false, onIn }: FormProps) {
  const words = texts.desk.signIn;
  const [given, setGiven] = useState<Partial<Record<FieldName, string>>>({
    ...Object.fromEntries(fields.map((name) => [name, ""])),
    ...begun,
  });
  const [asked, setAsked] = useState(false);
  const [shown, setShown] = useState(false);
  const { send, busy, problem } = useSubmit();
  const wrong: Partial<Record<FieldName, string>> = Object.fromEntries(
    fields.map((name) => [name, given[name]?.trim() ? "" : words.missing]),
  );
  if (fresh && given.password && given.password.length < MIN_PASSWORD_LENGTH)
    wrong.password = words.passwordHint({ least: MIN_PASSWORD_LENGTH });
  const submit = async (event: TargetedEvent<HTMLFormElement>) => {
    event.preventDefault();
    setAsked(true);
    const form = event.currentTarget;
    const first = fields.find((name) => wrong[name]);
    if (first) return form.querySelector<HTMLInputElement>(`[name=${first}]`)?.focus();
    await send(async () =>
      onIn(await request<SessionModel>(path, { method: "POST", body: { ...given, name: given.name?.trim() } })),
    );
  };
  const type = (name: FieldName) => (event: TargetedEvent<HTMLInputElement>) =>
    setGiven({ ...given, [name]: event.currentTarget.value });
  const hints = {
    name: words.nameHint,
    code: texts.desk.setUp.codeHint,
    password: fresh ? words.passwordHint({ least: MIN_PASSWORD_LENGTH }) : undefined,
  };
  const labels = { name: words.name, code: texts.desk.setUp.code, password: fresh ? texts.desk.setUp.password : words.password };
  const details: Record<FieldName, JSX.InputHTMLAttributes<HTMLInputElement>> = {
    name: { autocomplete: "name", maxLength: 60 },
    code: { autocomplete: "off", autocapitalize: "characters", spellcheck: false },
    password: { type: shown ? "text" : "password", autocomplete: fresh ? "new-password" : "current-password" },
  };
  return (
    <form class="sign-in" onSubmit={submit} noValidate>
      {fields.map((name) => (
        <Field key={name} label={labels[name]} hint={asked && wrong[name] ? undefined : hints[name]} wrong={asked && wrong[name]}>
          {(more) => <input {...more} name={name} {...details[name]} value={given[name]} onInput={type(name)} />}
        </Field>
      ))}
      <label class="tick">
        <input type="checkbox" checked={shown} onChange={() => setShown(!shown)} />
        <span>{words.show}</span>
      </label>
      {problem && <Notice problem={problem} small />}
      <button class="action wide" aria-busy={busy ? "true" : undefined}>
        {label}
      </button>
    </form>
  );
}

// A dialog to change the organisers' password.
export function ChangePassword({ onClose }: { onClose: () => void }) {
  const words = texts.desk.account;
  const [asked, setAsked] = useState(false);
  const [given, setGiven] = useState({ old: "", new: "" });
  const { send, busy, problem } = useSubmit();
  const short = given.new.length < MIN_PASSWORD_LENGTH;
  const submit = async (event: Event) => {
    event.preventDefault();
    setAsked(true);
    if (short || !given.old) return;
    if (await send(() => request("/api/v1/session/password", { method: "POST", body: given }))) {
      announce(words.changed);
      onClose();
    }
  };
  const field = (
    name: "old" | "new",
    label: string,
    wrong: string | false,
    complete: "current-password" | "new-password",
    hint?: string,
  ) => (
    <Field label={label} hint={asked && wrong ? undefined : hint} wrong={asked && wrong}>
      {(more) => (
        <input
          {...more}
          type="password"
          autocomplete={complete}
          value={given[name]}
          onInput={({ currentTarget }) => setGiven((before) => ({ ...before, [name]: currentTarget.value }))}
        />
      )}
    </Field>
  );
  return (
    <Dialog title={words.password} onClose={onClose}>
      <form class="sign-in" onSubmit={submit} noValidate>
        <p>{words.passwordNote}</p>
        {field("old", words.old, !given.old && texts.desk.signIn.missing, "current-password")}
        {field(
          "new",
          words.new,
          short && texts.desk.signIn.passwordHint({ least: MIN_PASSWORD_LENGTH }),
          "new-password",
          texts.desk.signIn.passwordHint({ least: MIN_PASSWORD_LENGTH }),
        )}
        {problem && <Notice problem={problem} small />}
        <div class="row dialog-actions">
          <button type="button" class="secondary" onClick={onClose}>
            {texts.cancel}
          </button>
          <button aria-busy={busy ? "true" : undefined}>{words.password}</button>
        </div>
      </form>
    </Dialog>
  );
}
