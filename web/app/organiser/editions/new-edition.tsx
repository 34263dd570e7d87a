// The dialog to begin an edition.

import type { TargetedSubmitEvent } from "preact";
import { useRef, useState } from "preact/hooks";
import type { EditionModel, StoredEditionModel, UploadedEditionModel } from "../../../api";
import { Dialog } from "../../shared/dialog";
import { newIdempotencyKey, request } from "../../shared/http";
import { language, texts } from "../../shared/i18n";
import { Notice } from "../../shared/notices";
import { Field, focusFirstError, useSubmit } from "../forms";
import { MAX_SLUG_LENGTH, slugOf } from "./slug";

// The edition to begin with; null for the example.
export type Start = { base: string | null; variant: boolean };
type NewEditionProps = {
  start: Start;
  installed: EditionModel[];
  own: UploadedEditionModel[];
  onClose: () => void;
  onDone: (stored: StoredEditionModel) => void;
};

const SLUG = /^[a-z][a-z0-9-]*$/;

export function NewEditionDialog({ start, installed, own, onClose, onDone }: NewEditionProps) {
  const [title, setTitle] = useState("");
  const [chosen, setChosen] = useState<string | null>(null);
  const [from, setFrom] = useState(optionOf(start));
  const [asked, setAsked] = useState(false);
  const { send, busy, problem } = useSubmit();
  const key = useRef(newIdempotencyKey());
  const words = texts.editions.form;
  const slug = chosen ?? slugOf(title);
  const taken = [...installed, ...own].some((one) => one.slug === slug);
  const wrong = {
    title: !title.trim() && words.titleMissing,
    slug: (!SLUG.test(slug) && words.slugWrong) || (taken && words.slugTaken),
  };
  const submit = async (event: TargetedSubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    setAsked(true);
    if (wrong.title || wrong.slug) return focusFirstError(event.currentTarget);
    const [kind, base] = from.split(" ");
    const begun = { base: base ?? null, variant: kind === "variant", empty: kind === "empty" };
    const body = { slug, title: title.trim(), ...begun, language: language() };
    const done = await send(async () => {
      onDone(await request<StoredEditionModel>("/api/v1/editions", { method: "POST", body, key: key.current }));
    });
    if (done) onClose();
  };
  // Another request needs another key: the response to the previous one may have been lost.
  const changed = (change: () => void) => {
    key.current = newIdempotencyKey();
    change();
  };
  return (
    <Dialog title={texts.editions.create} onClose={onClose}>
      <form onSubmit={submit} noValidate>
        <Field label={words.title} wrong={asked && wrong.title}>
          {(more) => (
            <input
              {...more}
              autofocus
              value={title}
              maxLength={200}
              autocomplete="off"
              onInput={({ currentTarget: { value } }) => changed(() => setTitle(value))}
            />
          )}
        </Field>
        <Field label={words.slug} hint={words.slugHint} wrong={(asked || chosen !== null) && wrong.slug}>
          {(more) => (
            <input
              {...more}
              value={slug}
              maxLength={MAX_SLUG_LENGTH}
              autocomplete="off"
              autocapitalize="none"
              spellcheck={false}
              onInput={({ currentTarget: { value } }) => changed(() => setChosen(value))}
            />
          )}
        </Field>
        <Field label={words.from} hint={words.hints[from.split(" ")[0] as keyof typeof words.hints]}>
          {(more) => (
            <select {...more} value={from} onChange={({ currentTarget: { value } }) => changed(() => setFrom(value))}>
              <option value="example">{words.example}</option>
              <option value="empty">{words.empty}</option>
              {installed.map((one) => (
                <option key={one.slug} value={`variant ${one.slug}`}>
                  {words.variantOf({ title: one.title })}
                </option>
              ))}
              {[...installed, ...own].map((one) => (
                <option key={one.slug} value={`copy ${one.slug}`}>
                  {words.copyOf({ title: one.title })}
                </option>
              ))}
            </select>
          )}
        </Field>
        {problem && <Notice problem={problem} small />}
        <div class="row dialog-actions">
          <button type="button" class="secondary" onClick={onClose}>
            {texts.cancel}
          </button>
          <button aria-busy={busy ? "true" : undefined}>{words.send}</button>
        </div>
      </form>
    </Dialog>
  );
}

const optionOf = ({ base, variant }: Start) => (base ? `${variant ? "variant" : "copy"} ${base}` : "example");
