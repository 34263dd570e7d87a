// Parts of the organisers' forms, and the dialog to confirm something.

import type { ComponentChildren, JSX, TargetedEvent } from "preact";
import { useCallback, useEffect, useId, useRef, useState } from "preact/hooks";
import { Dialog } from "../shared/dialog";
import type { Problem } from "../shared/http";
import { texts } from "../shared/i18n";
import { Notice } from "../shared/notices";

// Send something to the server at the press of a button: { send, busy, problem }. `send` takes a function that returns a
// promise, and resolves to true if it succeeded; it does nothing while another one is under way.
export function useSubmit() {
  const [state, setState] = useState<{ busy: boolean; problem: Problem | null }>({ busy: false, problem: null });
  const shown = useRef(true);
  const busy = useRef(false);
  useEffect(
    () => () => {
      shown.current = false;
    },
    [],
  );
  const send = useCallback(async (work: () => Promise<unknown>) => {
    if (busy.current) return false;
    busy.current = true;
    setState({ busy: true, problem: null });
    let problem: Problem | null = null;
    try {
      await work();
    } catch (error) {
      problem = error as Problem;
    }
    busy.current = false;
    if (shown.current) setState({ busy: false, problem });
    return !problem;
  }, []);
  const forget = useCallback(() => setState({ busy: false, problem: null }), []);
  return { ...state, send, forget };
}

// A field with label, hint and error. `children` renders the input from { id, … }.
type FieldAttributes = { id: string; "aria-describedby": string | undefined; "aria-invalid": "true" | undefined };
type FieldProps = {
  label: ComponentChildren;
  hint?: ComponentChildren;
  wrong?: string | false | undefined;
  unit?: string;
  children: (attributes: FieldAttributes) => ComponentChildren;
};

export function Field({ label, hint, wrong, unit, children }: FieldProps) {
  const id = useId();
  const describedBy = [wrong && `${id}-wrong`, hint && `${id}-hint`].filter(Boolean).join(" ");
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <div class={unit ? "row" : ""}>
        {children({ id, "aria-describedby": describedBy || undefined, "aria-invalid": wrong ? "true" : undefined })}
        {unit && <span>{unit}</span>}
      </div>
      {wrong && (
        <p class="wrong" id={`${id}-wrong`}>
          {wrong}
        </p>
      )}
      {hint && (
        <p class="caption" id={`${id}-hint`}>
          {hint}
        </p>
      )}
    </div>
  );
}

// Fields for an envelope's number and for the reason of a decision.
type TextFieldProps = { value: string; onInput: (value: string) => void; children?: ComponentChildren };

export const WHOLE_NUMBER = { type: "text", inputmode: "numeric", pattern: "[0-9]+", maxLength: 7, autocomplete: "off" } as const;

export function EnvelopeField({ value, onInput, children }: TextFieldProps) {
  return (
    <label>
      {texts.queue.envelope}
      <input name="envelope" {...WHOLE_NUMBER} required value={value} onInput={(event) => onInput(event.currentTarget.value)} />
      {children}
    </label>
  );
}

export function ReasonField({ value, onInput }: TextFieldProps) {
  return (
    <label>
      {texts.desk.confirm.why}
      <input name="reason" required maxLength={1000} value={value} onInput={(event) => onInput(event.currentTarget.value)} />
    </label>
  );
}

// A group of radio buttons; `options` are { value, title, text }.
type RadioGroupProps<Value extends string> = {
  legend: ComponentChildren;
  name: string;
  value: Value;
  options: { value: Value; title: ComponentChildren; text?: ComponentChildren }[];
  onChange: (value: Value) => void;
  disabled?: boolean;
  hint?: ComponentChildren;
};

export function RadioGroup<Value extends string>({
  legend,
  name,
  value,
  options,
  onChange,
  disabled = false,
  hint,
}: RadioGroupProps<Value>) {
  return (
    <fieldset class="choices" disabled={disabled}>
      <legend>{legend}</legend>
      {hint && <p class="caption">{hint}</p>}
      {options.map((option) => (
        <label class="choice" key={option.value}>
          <input
            type="radio"
            name={name}
            value={option.value}
            checked={option.value === value}
            onChange={() => onChange(option.value)}
          />
          <span>
            <b>{option.title}</b>
            {option.text && <small>{option.text}</small>}
          </span>
        </label>
      ))}
    </fieldset>
  );
}

// A checkbox with a label and an explanation.
type CheckboxProps = Omit<JSX.HTMLAttributes<HTMLInputElement>, "label"> & {
  label: ComponentChildren;
  text?: ComponentChildren;
  checked?: boolean;
  disabled?: boolean;
  name?: string;
};

export function Checkbox({ label, text, ...rest }: CheckboxProps) {
  return (
    <label class="tick">
      <input type="checkbox" {...rest} />
      <span>
        {label}
        {text && <small>{text}</small>}
      </span>
    </label>
  );
}

// A dialog to confirm something important.
//   confirm    label of the button                    children  what will happen
//   reason     "needed" or "optional" asks for one    typed     a text that has to be typed first
//   onConfirm  gets the reason and returns a promise; if it fails, the dialog stays and shows the problem
type ConfirmDialogProps = {
  title: string;
  confirm: string;
  danger?: boolean;
  reason?: "needed" | "optional" | undefined;
  typed?: string;
  onConfirm: (reason: string) => Promise<unknown>;
  onClose: () => void;
  children?: ComponentChildren;
};

export function ConfirmDialog({
  title,
  confirm,
  danger = false,
  reason,
  typed,
  onConfirm,
  onClose,
  children,
}: ConfirmDialogProps) {
  const [why, setWhy] = useState("");
  const [copy, setCopy] = useState("");
  const [asked, setAsked] = useState(false);
  const { send, busy, problem } = useSubmit();
  const words = texts.desk.confirm;
  const needsWhy = reason === "needed" && !why.trim();
  const needsCopy = typed !== undefined && copy.trim() !== typed;
  const submit = async (event: TargetedEvent<HTMLFormElement>) => {
    event.preventDefault();
    setAsked(true);
    if (needsWhy || needsCopy) return event.currentTarget.querySelector<HTMLElement>("[aria-invalid], input")?.focus();
    if (await send(() => onConfirm(why.trim()))) onClose();
  };
  return (
    <Dialog title={title} onClose={onClose}>
      <form onSubmit={submit} noValidate>
        {children}
        {typed !== undefined && (
          <Field label={words.type({ text: typed })} wrong={asked && needsCopy && words.typeWrong({ text: typed })}>
            {(more) => (
              <input {...more} value={copy} onInput={(event) => setCopy(event.currentTarget.value)} autocomplete="off" />
            )}
          </Field>
        )}
        {reason && (
          <Field
            label={reason === "needed" ? words.why : words.whyOptional}
            wrong={asked && needsWhy && texts.problems["no-reason"].title}
          >
            {(more) => <input {...more} value={why} maxLength={500} onInput={(event) => setWhy(event.currentTarget.value)} />}
          </Field>
        )}
        {problem && <Notice problem={problem} small />}
        <div class="row dialog-actions">
          <button type="button" class="secondary" onClick={onClose}>
            {texts.cancel}
          </button>
          <button class={danger ? "danger" : ""} aria-busy={busy ? "true" : undefined}>
            {confirm}
          </button>
        </div>
      </form>
    </Dialog>
  );
}

// Focus the first invalid field of a form, once it is marked.
export function focusFirstError(form: HTMLFormElement) {
  requestAnimationFrame(() => {
    const first = form.querySelector<HTMLElement>("[aria-invalid]");
    const folded = first?.closest("details");
    if (folded) folded.open = true;
    const shown = first ?? form.querySelector<HTMLElement>(".wrong");
    shown?.focus();
    shown?.scrollIntoView({ block: "center" });
  });
}
