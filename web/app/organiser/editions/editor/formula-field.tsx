// A field for a formula, which completes names of cards, numbers and functions, and explains the function around the cursor.

import { useId, useRef, useState } from "preact/hooks";
import { texts } from "../../../shared/i18n";
import { Field } from "../../forms";
import { numberOrText, type Place, useTyped, useValue } from "./fields";
import { useEditing } from "./model/context";
import {
  type FormulaName,
  functionAround,
  identifier,
  matchingNames,
  type NameKind,
  namedIn,
  ownNames,
  rulesIn,
  wordBefore,
} from "./model/names";

const MOST = 8; // names that are offered at once

// Return all names that the formulas of a block can use.
function useNames(at: number): FormulaName[] {
  const { blocks, report } = useEditing();
  const cards = report?.cards ?? [];
  const given = (named: { slug: string; name: string }[], kind: NameKind) =>
    named.map(({ slug, name }) => ({ name: identifier(slug), kind, help: name, insert: identifier(slug) }));
  const functions = Object.entries(texts.editions.functions).map(([name, { call, help }]) => ({
    name,
    kind: "function" as const,
    help: `${call}: ${help}`,
    insert: `${name}(`,
  }));
  const others = Object.entries(texts.editions.constants).map(([name, help]) => ({
    name,
    kind: "other" as const,
    help,
    insert: name,
  }));
  const rules = rulesIn(blocks, cards).map(({ slug, name }) => ({ slug: `rule-${slug}`, name }));
  const kinds = namedIn(blocks, cards, "cards").filter(({ slug }) => !slug.startsWith("rule-"));
  return [
    ...ownNames(blocks, at),
    ...given(kinds, "card"),
    ...given(namedIn(blocks, report?.categories ?? [], "categories"), "category"),
    ...given(namedIn(blocks, report?.groups ?? [], "groups"), "group"),
    ...given(namedIn(blocks, [], "facts"), "fact"),
    ...given(namedIn(blocks, [], "parts"), "part"),
    ...functions,
    ...others,
    ...given(rules, "card"),
  ];
}

type FormulaProps = Place & { label: string; hint?: string; text?: boolean };

// A field for a formula. With `text` a number is written as a formula too.
export function FormulaField({ at, path, label, hint, text = false }: FormulaProps) {
  const { value, set, wrong } = useValue({ at, path });
  const names = useNames(at);
  const field = useRef<HTMLInputElement>(null);
  const [cursor, setCursor] = useState<number | null>(null);
  const [open, setOpen] = useState(false);
  const [chosen, setChosen] = useState(-1);
  const list = useId();
  const { shown, setTyped } = useTyped(value);
  const place = cursor ?? shown.length;
  const { word, start } = wordBefore(shown, place);
  // No name can follow a bracket that is closed.
  const offered = open && !/\)\s*$/.test(shown.slice(0, place)) ? matchingNames(names, word).slice(0, MOST) : [];
  const around = functionAround(shown, place);
  const functions: Record<string, { call: string; help: string }> = texts.editions.functions;
  const help = cursor === null ? undefined : functions[around];
  const kinds: Record<NameKind, string> = texts.editions.nameKinds;

  const write = (next: string) => {
    setTyped(next);
    const plain = numberOrText(next);
    set(next.trim() === "true" ? true : typeof plain === "number" && text ? next : plain);
  };
  const follow = () => setCursor(field.current?.selectionStart ?? null);
  const insert = ({ insert: words }: FormulaName) => {
    const next = shown.slice(0, start) + words + shown.slice(place);
    write(next);
    setOpen(words.endsWith("("));
    setChosen(-1);
    const end = start + words.length;
    requestAnimationFrame(() => {
      field.current?.focus();
      field.current?.setSelectionRange(end, end);
      setCursor(end);
    });
  };
  const keys = (event: KeyboardEvent) => {
    const { key } = event;
    if (key === "ArrowDown" && !open) {
      follow();
      setOpen(true);
      setChosen(0);
    } else if (!offered.length) return;
    else if (key === "ArrowDown") setChosen((chosen + 1) % offered.length);
    else if (key === "ArrowUp") setChosen((Math.max(chosen, 0) + offered.length - 1) % offered.length);
    else if (key === "Enter" && offered[chosen]) insert(offered[chosen]);
    else if (key === "Escape") setOpen(false);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <Field label={label} hint={hint} wrong={wrong}>
      {(more) => (
        <div class="formula-box">
          <input
            {...more}
            ref={field}
            role="combobox"
            aria-expanded={offered.length > 0 ? "true" : "false"}
            aria-controls={list}
            aria-autocomplete="list"
            aria-activedescendant={offered[chosen] ? `${list}-${chosen}` : undefined}
            value={shown}
            autocomplete="off"
            autocapitalize="none"
            spellcheck={false}
            onInput={({ currentTarget: one }) => {
              write(one.value);
              setCursor(one.selectionStart);
              setOpen(true);
              setChosen(-1);
            }}
            onKeyDown={keys}
            onKeyUp={follow}
            onClick={() => {
              follow();
              setOpen(true);
            }}
            onBlur={() => {
              setTyped(null);
              setOpen(false);
              setCursor(null);
            }}
          />
          <div id={list} role="listbox" aria-label={texts.editions.editor.names} class="formula-names" hidden={!offered.length}>
            {offered.map((one, index) => (
              <div
                key={one.name}
                id={`${list}-${index}`}
                role="option"
                tabIndex={-1}
                aria-selected={index === chosen ? "true" : "false"}
                onPointerDown={(event) => {
                  // The field keeps the focus.
                  event.preventDefault();
                  insert(one);
                }}
              >
                <code>{one.name}</code>
                <small>{kinds[one.kind]}</small>
                {one.help && <span>{one.help}</span>}
              </div>
            ))}
          </div>
          {help && (
            <p class="caption">
              <code>{help.call}</code> {help.help}
            </p>
          )}
        </div>
      )}
    </Field>
  );
}
