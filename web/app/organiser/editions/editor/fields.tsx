// Fields of the editor's forms, each bound to a value in a block of the draft.

import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { CardSymbol, SYMBOLS } from "../../../shared/cards";
import { LANGUAGES, texts } from "../../../shared/i18n";
import { Icon } from "../../../shared/icon";
import { announce } from "../../../shared/notices";
import { Checkbox, Field } from "../../forms";
import { slugOf } from "../slug";
import { type Mistake, mistakeAt, mistakesIn, textIn, useEditing } from "./model/context";
import { freeName, hyphenated, identifier, isNamed, isTaken, renamedPart, withoutReferences } from "./model/names";
import { changedBlock, isTable, type Path, textOf, type Value, valueAt } from "./model/toml-document";

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
type ChoiceProps = Place & {
  label: string;
  options: Option[];
  hint?: string;
  none?: string;
  onChoose?: (value: string) => void;
};

// A choice of one value. `none` is the option to have none; `onChoose` changes more than this value.
export function ChoiceField({ at, path, label, options, hint, none, onChoose }: ChoiceProps) {
  const { value, set, wrong } = useValue({ at, path });
  const shown = shownValue(value);
  const strange = shown && options.every((one) => one.value !== shown);
  return (
    <Field label={label} hint={hint} wrong={wrong}>
      {(more) => (
        <select
          {...more}
          value={shown}
          onChange={({ currentTarget: { value } }) => (onChoose ? onChoose(value) : set(value || undefined))}
        >
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

type ListProps = Place & { label: string; options: Option[]; empty?: boolean };

// A choice of several values of a list, which may be `empty` or is removed then.
export function ListField({ at, path, label, options, empty = false }: ListProps) {
  const { value, set, wrong } = useValue({ at, path });
  const chosen = Array.isArray(value) ? value : [];
  const has = (one: string) => chosen.some((other) => String(other) === one);
  const strange = chosen.map(String).filter((one) => options.every(({ value }) => value !== one));
  const toggle = (one: string) => {
    const next = has(one) ? chosen.filter((other) => String(other) !== one) : [...chosen, one];
    set(next.length || empty ? next : undefined);
  };
  return (
    <fieldset class="edition-part">
      <legend>{label}</legend>
      <div class="scroll">
        {[...options, ...strange.map((one) => ({ value: one, label: one }))].map((one) => (
          <Checkbox key={one.value} label={one.label} checked={has(one.value)} onChange={() => toggle(one.value)} />
        ))}
      </div>
      {wrong && <p class="wrong">{wrong}</p>}
    </fieldset>
  );
}

type TickProps = Place & { label: string; text?: string };

// A checkbox for true.
export function TickField({ at, path, label, text }: TickProps) {
  const { value, set } = useValue({ at, path });
  return <Checkbox label={label} text={text} checked={value === true} onChange={() => set(value === true ? undefined : true)} />;
}

type NamedProps = {
  at: number;
  label: string;
  field?: "name" | "label" | "title";
  slugField?: "slug" | "name";
  onRename?: (slug: string) => void;
};

// A field for each language. The slug follows the text in the first one while no formula names it.
export function NamedFields({ at, label, field = "name", slugField = "slug", onRename }: NamedProps) {
  const { blocks, setBlocks, languages } = useEditing();
  const [first = "en"] = languages;
  const { value, wrong } = useValue({ at, path: [field, first] });
  const { kind = "", data } = blocks[at] ?? {};
  const slug = String(data?.[slugField] ?? "");
  const nextSlug = (text: string) => {
    const [before, wanted] = [slugOf(textIn(data?.[field], [first])), slugOf(text)];
    const own = hyphenated(slug);
    const follows = own === before || own.startsWith(`${before}-`) || before.startsWith(`${own}-`);
    const others = blocks.filter((_, index) => index !== at);
    if (!wanted || !follows || isNamed(textOf(others.map(withoutReferences)), slug)) return slug;
    const taken = others.flatMap((one) => (one.kind === kind ? [hyphenated(String(one.data?.[slugField]))] : []));
    const next = taken.includes(wanted) ? freeName(taken, wanted) : wanted;
    return slugField === "name" ? identifier(next) : next;
  };
  const rename = (text: string) => {
    const next = kind === "categories" && slug === "rule" ? slug : nextSlug(text);
    const changed = blocks.map((block, index) =>
      index === at
        ? changedBlock(block, (table) => {
            table[field] = { ...(isTable(table[field]) && table[field]), [first]: text };
          })
        : block,
    );
    setBlocks(renamedPart(changed, at, slugField, next), `${at} ${field}`);
    if (next !== slug) onRename?.(next);
  };
  const labelIn = (language: string) => (languages.length > 1 ? `${label} (${LANGUAGES[language] ?? language})` : label);
  return (
    <>
      <Field label={labelIn(first)} wrong={wrong}>
        {(more) => (
          <input
            {...more}
            value={String(value ?? "")}
            autocomplete="off"
            onInput={({ currentTarget: one }) => rename(one.value)}
          />
        )}
      </Field>
      {languages.slice(1).map((one) => (
        <TextField key={one} at={at} path={[field, one]} label={labelIn(one)} />
      ))}
    </>
  );
}

// The field of a slug. The part is renamed when the field loses the focus: what is typed until then may be the slug of another.
export function ShortName({ at, path = "slug" }: { at: number; path?: "slug" | "name" }) {
  const { blocks, setBlocks } = useEditing();
  const words = texts.editions.editor;
  const { value, wrong } = useValue({ at, path: [path] });
  const { shown, setTyped } = useTyped(value);
  const inFormulas = blocks[at]?.kind !== "families";
  const rename = (slug: string) => {
    // The field then shows the former name, without the mistake.
    if (isTaken(blocks, at, path, slug)) announce(texts.editions.form.slugTaken);
    else setBlocks(renamedPart(blocks, at, path, slug));
  };
  return (
    <Field
      label={words.slug}
      hint={inFormulas && words.slugHint({ name: identifier(shown) })}
      wrong={isTaken(blocks, at, path, shown) ? texts.editions.form.slugTaken : wrong}
    >
      {(more) => (
        <input
          {...more}
          value={shown}
          autocomplete="off"
          onInput={({ currentTarget: one }) => setTyped(one.value)}
          onChange={({ currentTarget: one }) => rename(one.value.trim())}
          onBlur={() => setTyped(null)}
        />
      )}
    </Field>
  );
}

export const INKS = ["#C2242B", "#163A86", "#2A9159", "#F6CC1B", "#D9731A", "#D76A9A", "#5B3A8E", "#0F6B62"];

// Return the function that gives the outline of a symbol by its name: of a built-in one, or of one that the edition brings.
export function useOutlines(): (name: string) => string | undefined {
  const { report } = useEditing();
  return (name) => (name in SYMBOLS ? name : report?.symbols.find((one) => one.name === name)?.outline);
}

// The fields in the table at a path.
export function InkAndSymbol({ at, path }: Place) {
  const { report } = useEditing();
  const outlineOf = useOutlines();
  const ink = useValue({ at, path: [...path, "ink"] });
  const symbol = useValue({ at, path: [...path, "symbol"] });
  const names: Record<string, string> = texts.editions.symbols;
  const own = report?.symbols.map(({ name }) => name) ?? [];
  const options = [...Object.keys(SYMBOLS), ...own].map((name) => ({ value: name, label: names[name] ?? name }));
  const shown = typeof ink.value === "string" && /^#[0-9A-Fa-f]{6}$/.test(ink.value) ? ink.value : "#888888";
  return (
    <div class="field-row">
      <Field label={texts.editions.editor.ink} wrong={ink.wrong}>
        {(more) => (
          <input
            {...more}
            type="color"
            class="edition-ink"
            value={shown.toLowerCase()}
            onInput={({ currentTarget: one }) => ink.set(one.value.toUpperCase())}
          />
        )}
      </Field>
      <div class="row">
        <ChoiceField at={at} path={[...path, "symbol"]} label={texts.editions.editor.symbol} options={options} />
        <CardSymbol name={outlineOf(shownValue(symbol.value))} class="edition-symbol" />
      </div>
    </div>
  );
}

// Mistakes in a block that no field of a form shows.
export function OtherMistakes({ at, shown }: { at: number; shown: RegExp }) {
  const { blocks, report } = useEditing();
  const found = mistakesIn(blocks[at], report).filter(({ path }) => !shown.test(path));
  return found.length > 0 && <MistakeList mistakes={found} />;
}

export const MistakeList = ({ mistakes }: { mistakes: Mistake[] }) => (
  <ul class="bullets wrong">
    {mistakes.map(({ path, detail, hint }) => (
      <li class={hint ? "soft" : ""}>
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
  return others.length > 0 && <p class="caption">{texts.editions.editor.otherFields({ names: others.join(", ") })}</p>;
}

type RowButtonProps = {
  icon: "bin" | "add" | "open" | "less";
  label: string;
  onClick: () => void;
  disabled?: boolean;
};

// A button with an icon; its label is for screen readers and the mouse.
export const RowButton = ({ icon, label, onClick, disabled = false }: RowButtonProps) => (
  <button type="button" class="icon-button" aria-label={label} title={label} onClick={onClick} disabled={disabled}>
    <Icon name={icon} />
  </button>
);
