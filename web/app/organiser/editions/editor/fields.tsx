// Fields of the editor's forms, each bound to a value in a block of the draft.

import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { LANGUAGES, texts } from "../../../shared/i18n";
import { Icon } from "../../../shared/icon";
import { Checkbox, Field } from "../../forms";
import { type Mistake, mistakeAt, mistakesIn, useEditing } from "./model/context";
import { isTable, type Path, type Value, valueAt } from "./model/toml-document";

// The place of a value: a block by its number, and a path in its table.
export type Place = { at: number; path: Path };

// Return the value at a place, the function that sets it, and the mistake there.
export function useValue({ at, path }: Place) {
  const { blocks, report, set } = useEditing();
  const block = blocks[at];
  return {
    value: valueAt(block?.data, path),
    set: (value: Value | undefined) => set(at, path, value),
    wrong: mistakeAt(mistakesIn(block, report), path),
  };
}

// Return a number as one, anything else as text, and nothing for an empty field.
export function numberOrText(text: string): Value | undefined {
  const plain = text.trim().replace(/^[−–]/, "-").replace(",", ".");
  if (!plain) return undefined;
  return /^-?\d{1,15}(\.\d{1,9})?$/.test(plain) ? Number(plain) : text;
}

// Return whether a text can become a number with more digits, as "-" and "1." can.
export const isUnfinished = (text: string) => /^\s*(?=.)(?:[-−–]|[-−–]?\d{0,15}[.,])\s*$/.test(text);

export const shownValue = (value: Value | undefined) => (value === undefined || typeof value === "object" ? "" : String(value));

// Return the text to show in a field, and the function that keeps what was typed until it gets null as the field loses the focus:
// "1.0" is the number 1, and yet may become "1.05".
export function useTyped(value: Value | undefined) {
  const [typed, setTyped] = useState<string | null>(null);
  return { shown: typed ?? shownValue(value), setTyped };
}

type TextProps = Place & { label: string; hint?: ComponentChildren; number?: boolean; lines?: number };

// A field for a text or a number.
export function TextField({ at, path, label, hint, number = false, lines = 0 }: TextProps) {
  const { value, set, wrong } = useValue({ at, path });
  const { shown, setTyped } = useTyped(value);
  const typeNumber = (text: string) => {
    setTyped(text);
    if (!isUnfinished(text)) set(numberOrText(text));
  };
  return (
    <Field label={label} hint={hint} wrong={wrong}>
      {(more) =>
        lines ? (
          <textarea {...more} rows={lines} value={shown} onInput={({ currentTarget: one }) => set(one.value || undefined)} />
        ) : (
          <input
            {...more}
            value={shown}
            autocomplete="off"
            class={number ? "number-input" : ""}
            {...(number && { inputmode: "decimal" as const })}
            onInput={({ currentTarget: one }) => (number ? typeNumber(one.value) : set(one.value || undefined))}
            onBlur={() => setTyped(null)}
          />
        )
      }
    </Field>
  );
}

// Fields for a text in each language of the edition.
export function TextsField({ path, label, ...rest }: TextProps) {
  const { languages } = useEditing();
  return (
    <>
      {languages.map((one) => (
        <TextField
          key={one}
          {...rest}
          path={[...path, one]}
          label={languages.length > 1 ? `${label} (${LANGUAGES[one] ?? one})` : label}
        />
      ))}
    </>
  );
}

export type Option = { value: string; label: string };
type ChoiceProps = Place & { label: string; options: Option[]; hint?: string; none?: string };

// A choice of one value. `none` is the option to have none.
export function ChoiceField({ at, path, label, options, hint, none }: ChoiceProps) {
  const { value, set, wrong } = useValue({ at, path });
  const shown = shownValue(value);
  const strange = shown && options.every((one) => one.value !== shown);
  return (
    <Field label={label} hint={hint} wrong={wrong}>
      {(more) => (
        <select {...more} value={shown} onChange={({ currentTarget: one }) => set(one.value || undefined)}>
          {(none !== undefined || !shown) && <option value="">{none ?? ""}</option>}
          {strange && <option value={shown}>{shown}</option>}
          {options.map((one) => (
            <option key={one.value} value={one.value}>
              {one.label}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}

type ListProps = Place & { label: string; options: Option[] };

// A choice of several values of a list.
export function ListField({ at, path, label, options }: ListProps) {
  const { value, set, wrong } = useValue({ at, path });
  const chosen = Array.isArray(value) ? value : [];
  const has = (one: string) => chosen.some((other) => String(other) === one);
  const toggle = (one: string) => {
    const next = has(one) ? chosen.filter((other) => String(other) !== one) : [...chosen, one];
    set(next.length ? next : undefined);
  };
  return (
    <fieldset class="edition-list">
      <legend>{label}</legend>
      {options.map((one) => (
        <Checkbox key={one.value} label={one.label} checked={has(one.value)} onChange={() => toggle(one.value)} />
      ))}
      {wrong && <p class="field-wrong">{wrong}</p>}
    </fieldset>
  );
}

type TickProps = Place & { label: string; text?: string };

// A checkbox for true.
export function TickField({ at, path, label, text }: TickProps) {
  const { value, set } = useValue({ at, path });
  return <Checkbox label={label} text={text} checked={value === true} onChange={() => set(value === true ? undefined : true)} />;
}

// Mistakes in a block that no field of a form shows.
export function OtherMistakes({ at, shown }: { at: number; shown: RegExp }) {
  const { blocks, report } = useEditing();
  const found = mistakesIn(blocks[at], report).filter(({ path }) => !shown.test(path));
  return found.length > 0 && <MistakeList mistakes={found} />;
}

export const MistakeList = ({ mistakes }: { mistakes: Mistake[] }) => (
  <ul class="editions-mistakes edition-form-mistakes">
    {mistakes.map(({ path, detail, hint }) => (
      <li>
        {hint && <em>{texts.editions.hint} </em>}
        {path && <b>{path}: </b>}
        {detail}
      </li>
    ))}
  </ul>
);

// Names the fields of a block that its form does not have.
export function OtherFields({ at, known }: { at: number; known: string[] }) {
  const { blocks } = useEditing();
  const { data } = blocks[at] ?? {};
  const others = isTable(data) ? Object.keys(data).filter((name) => !known.includes(name)) : [];
  return others.length > 0 && <p class="field-hint">{texts.editions.editor.otherFields({ names: others.join(", ") })}</p>;
}

type RowButtonProps = {
  icon: "bin" | "add" | "open" | "less";
  label: string;
  onClick: () => void;
  class?: string;
  disabled?: boolean;
};

// A button with an icon; its label is for screen readers and the mouse.
export const RowButton = ({ icon, label, onClick, class: extra = "", disabled = false }: RowButtonProps) => (
  <button type="button" class={`icon-button ${extra}`} aria-label={label} title={label} onClick={onClick} disabled={disabled}>
    <Icon name={icon} />
  </button>
);
