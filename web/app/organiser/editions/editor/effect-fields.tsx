// The form of an effect: when it acts, which one it is, and its own fields.

import { useState } from "preact/hooks";
import { texts } from "../../../shared/i18n";
import { Icon } from "../../../shared/icon";
import { Field } from "../../forms";
import { ChoiceField, ListField, type Option, type Place, RowButton, TextField, TickField } from "./fields";
import { FormulaField } from "./formula-field";
import { useEditing } from "./model/context";
import { identifier, namedIn, rulesIn } from "./model/names";
import { isTable, type Table, type Value, valueAt } from "./model/toml-document";

// Each effect with the places in its value that have a field, as a pattern.
const EFFECT_PLACES = {
  give: "",
  take: "",
  give_others: "",
  worth: "\\.[\\w-]+",
  zero: "",
  cap: "\\.[\\w-]+",
  at_least: "\\.[\\w-]+",
  multiply: "\\.(cards|by|number)",
  double: "",
  keep: "\\.[\\w-]+",
  cancel: "\\.rules",
  adjust: "\\.(rules|number|by)",
  void: "",
  shield: "\\.(rules|lines)",
  eliminate: null,
};
export type Effect = keyof typeof EFFECT_PLACES;
const EFFECTS = Object.keys(EFFECT_PLACES) as Effect[];
const MODIFIERS = ["number", "prefer"];

// The fields of an effect, and the paths in it that have a field of the form, as a pattern.
export const EFFECT_FIELDS = ["when", ...EFFECTS, ...MODIFIERS];
export const EFFECT_PATHS = EFFECT_FIELDS.flatMap((name) => {
  const places = name in EFFECT_PLACES ? EFFECT_PLACES[name as Effect] : "";
  return places === null ? [] : [name + places];
}).join("|");

// Return the effect of a table, "case" for several cases, or "" for none.
export function effectOf(table: Value | undefined): Effect | "case" | "" {
  if (!isTable(table)) return "";
  if (Array.isArray(table.case)) return "case";
  return EFFECTS.find((name) => table[name] !== undefined) ?? "";
}

// The names with which new effects begin.
type Begin = { card: string; category: string; rule: string };

function startOf(effect: Effect, { card, category, rule }: Begin): Value {
  const rules = rule ? [rule] : [];
  const starts: Record<Effect, Value> = {
    give: 1,
    take: 1,
    give_others: -1,
    worth: { [card]: 1 },
    zero: identifier(card),
    cap: { [card]: 3 },
    at_least: { [card]: 5 },
    multiply: { cards: identifier(card), by: 2 },
    double: 2,
    keep: { [category]: 9 },
    cancel: { rules },
    adjust: { rules, number: "limit", by: 1 },
    void: rules,
    shield: { rules, lines: 1 },
    eliminate: true,
  };
  return starts[effect];
}

// Give a table another effect.
export function withEffect(table: Table, effect: Effect | "case" | "", begin: Begin): void {
  for (const name of [...EFFECTS, ...MODIFIERS, "case"]) delete table[name];
  if (effect === "case") table.case = [{ when: `${identifier(begin.card)} > 3`, give: 3 }, { give: 1 }];
  else if (effect) table[effect] = startOf(effect, begin);
}

// Return the choices of names for effects: cards and categories by their names, and the other rules.
function useOptions(at: number) {
  const { blocks, report } = useEditing();
  const cards = report?.cards ?? [];
  const option = ({ slug, name }: { slug: string; name: string }): Option => ({ value: slug, label: name || slug });
  const own = String(blocks[at]?.data?.key ?? "");
  const kinds = namedIn(blocks, cards, "cards").filter(({ slug }) => !slug.startsWith("rule-"));
  const categories = namedIn(blocks, report?.categories ?? [], "categories").map(option);
  const rules = rulesIn(blocks, cards).filter(({ slug }) => slug !== own);
  return {
    cards: [...kinds.map(option), ...namedIn(blocks, report?.groups ?? [], "groups").map(option)],
    categories,
    rules: rules.map(({ slug, name }) => ({ value: slug, label: `${slug}. ${name}` })),
  };
}

// The fields of an effect at a place: the rule itself, a case, or a further effect.
// `none` is the name of no effect.
export function EffectFields({ at, path, cases = false, none }: Place & { cases?: boolean; none?: string | undefined }) {
  const { blocks, change } = useEditing();
  const { cards, categories, rules } = useOptions(at);
  const words = texts.editions.editor;
  const table = valueAt(blocks[at]?.data, path);
  const effect = effectOf(table);
  const begin = {
    card: cards[0]?.value ?? "card",
    category: categories[0]?.value ?? "category",
    rule: rules[0]?.value ?? "",
  };
  const choose = (name: string) =>
    change(at, (whole) => {
      const own = valueAt(whole, path);
      if (isTable(own)) withEffect(own, name as Effect, begin);
    });
  const names: Record<Effect, string> = texts.editions.effects;
  return (
    <>
      {effect !== "case" && <FormulaField at={at} path={[...path, "when"]} label={words.when} hint={words.whenHint} />}
      <Field label={words.effect}>
        {(more) => (
          <select {...more} value={effect} onChange={({ currentTarget: one }) => choose(one.value)}>
            <option value="">{none ?? words.noEffect}</option>
            {EFFECTS.map((name) => (
              <option key={name} value={name}>
                {names[name]}
              </option>
            ))}
            {cases && <option value="case">{words.cases}</option>}
          </select>
        )}
      </Field>
      {effect && effect !== "case" && (
        <OwnFields at={at} path={path} effect={effect} cards={cards} categories={categories} rules={rules} />
      )}
      {effect === "case" && <CaseFields at={at} path={[...path, "case"]} />}
    </>
  );
}

type OwnProps = Place & { effect: Effect; cards: Option[]; categories: Option[]; rules: Option[] };

function OwnFields({ at, path, effect, cards, categories, rules }: OwnProps) {
  const words = texts.editions.editor;
  const own = [...path, effect];
  switch (effect) {
    case "give":
    case "take":
    case "double":
      return <FormulaField at={at} path={own} label={effect === "double" ? words.times : words.points} />;
    case "give_others":
      return (
        <>
          <FormulaField at={at} path={own} label={words.points} hint={words.othersHint} />
          <FormulaField at={at} path={[...path, "number"]} label={words.shownNumber} hint={words.optional} />
        </>
      );
    case "zero":
      return <FormulaField at={at} path={own} label={words.whichCards} hint={words.zeroHint} />;
    case "worth":
    case "cap":
    case "at_least":
      return <TargetFields at={at} path={own} options={cards} label={words.amounts[effect]} />;
    case "keep":
      return (
        <>
          <TargetFields at={at} path={own} options={categories} label={words.amounts.keep} />
          <ChoiceField
            at={at}
            path={[...path, "prefer"]}
            label={words.prefer}
            none={words.drawn}
            options={[
              { value: "highest", label: words.highest },
              { value: "lowest", label: words.lowest },
            ]}
          />
        </>
      );
    case "multiply":
      return (
        <>
          <FormulaField at={at} path={[...own, "cards"]} label={words.whichCards} />
          <FormulaField at={at} path={[...own, "by"]} label={words.times} />
          <FormulaField at={at} path={[...own, "number"]} label={words.howMany} hint={words.howManyHint} />
        </>
      );
    case "cancel":
      return (
        <>
          <ListField at={at} path={[...own, "rules"]} label={words.otherRules} options={rules} />
          <TickField at={at} path={[...own, "everyone"]} label={words.everyone} />
          <TickField at={at} path={[...own, "chosen"]} label={words.chosen} />
        </>
      );
    case "adjust":
      return (
        <>
          <ListField at={at} path={[...own, "rules"]} label={words.otherRules} options={rules} />
          <TextField at={at} path={[...own, "number"]} label={words.itsNumber} />
          <FormulaField at={at} path={[...own, "by"]} label={words.by} />
        </>
      );
    case "void":
      return <ListField at={at} path={own} label={words.otherRules} options={rules} />;
    case "shield":
      return (
        <>
          <ListField at={at} path={[...own, "rules"]} label={words.otherRules} options={rules} />
          <FormulaField at={at} path={[...own, "lines"]} label={words.losses} />
        </>
      );
    case "eliminate":
      return null;
  }
}

type TargetProps = Place & { options: Option[]; label: string };

// A formula for each of some cards or categories.
function TargetFields({ at, path, options, label }: TargetProps) {
  const { blocks, change, set } = useEditing();
  const words = texts.editions.editor;
  const found = valueAt(blocks[at]?.data, path);
  const targets = isTable(found) ? Object.keys(found) : [];
  const free = options.filter(({ value }) => !targets.includes(value));
  const rename = (from: string, to: string) =>
    change(at, (whole) => {
      const table = valueAt(whole, path);
      if (!isTable(table) || table[from] === undefined) return;
      table[to] = table[from];
      delete table[from];
    });
  return (
    <>
      {targets.map((target) => {
        const known = options.find(({ value }) => value === target);
        return (
          <div class="row end below" key={target}>
            <label>
              {words.target}
              <select value={target} onChange={({ currentTarget: one }) => rename(target, one.value)}>
                <option value={target}>{known?.label ?? target}</option>
                {free.map((one) => (
                  <option key={one.value} value={one.value}>
                    {one.label}
                  </option>
                ))}
              </select>
            </label>
            <FormulaField at={at} path={[...path, target]} label={label} />
            {targets.length > 1 && (
              <RowButton
                icon="bin"
                label={words.removeRow({ name: known?.label ?? target })}
                onClick={() => set(at, [...path, target], undefined)}
              />
            )}
          </div>
        );
      })}
      {free[0] && (
        <button type="button" class="plain" onClick={() => free[0] && set(at, [...path, free[0].value], 1)}>
          {words.addTarget}
        </button>
      )}
    </>
  );
}

// The cases of a rule, of which the first that applies counts.
function CaseFields({ at, path }: Place) {
  const { blocks, set } = useEditing();
  const words = texts.editions.editor;
  const found = valueAt(blocks[at]?.data, path);
  const cases = Array.isArray(found) ? found : [];
  return (
    <>
      {cases.map((_, index) => (
        <fieldset class="edition-part" key={`${index}`}>
          <legend>{words.caseNumber({ number: index + 1 })}</legend>
          <EffectFields at={at} path={[...path, index]} />
          {cases.length > 1 && (
            <button type="button" class="plain" onClick={() => set(at, [...path, index], undefined)}>
              {words.removeCase({ number: index + 1 })}
            </button>
          )}
        </fieldset>
      ))}
      <button type="button" class="plain" onClick={() => set(at, [...path, cases.length], { give: 1 })}>
        {words.addCase}
      </button>
    </>
  );
}

type NamedValuesProps = Place & {
  label: string;
  hint: string;
  add: string;
  start: Value;
  kind?: "number" | "formula" | "cards";
};

// Values with names: the numbers of a rule, its definitions, or its lists of cards.
export function NamedValues({ at, path, label, hint, add, start, kind = "number" }: NamedValuesProps) {
  const { blocks, set } = useEditing();
  const { cards, categories } = useOptions(at);
  const options = [...cards, ...categories.filter(({ value }) => value !== "rule")];
  const [name, setName] = useState("");
  const words = texts.editions.editor;
  const found = valueAt(blocks[at]?.data, path);
  const names = isTable(found) ? Object.keys(found) : [];
  const wanted = identifier(name.trim().toLowerCase().replaceAll(" ", "_"));
  const wrong = name !== "" && (!/^[a-z][a-z0-9_]*$/.test(wanted) || names.includes(wanted));
  const create = () => {
    if (!wanted || wrong) return;
    set(at, [...path, wanted], start);
    setName("");
  };
  return (
    <fieldset class="edition-part stack">
      <legend>{label}</legend>
      <p class="caption">{hint}</p>
      {names.map((one) => (
        <div class="row end" key={one}>
          {kind === "number" && <TextField at={at} path={[...path, one]} label={one} number />}
          {kind === "formula" && <FormulaField at={at} path={[...path, one]} label={one} text />}
          {kind === "cards" && <ListField at={at} path={[...path, one]} label={one} options={options} empty />}
          <RowButton icon="bin" label={words.removeRow({ name: one })} onClick={() => set(at, [...path, one], undefined)} />
        </div>
      ))}
      <div class="row end">
        <Field label={add} wrong={wrong && words.nameWrong}>
          {(more) => (
            <input
              {...more}
              value={name}
              autocomplete="off"
              autocapitalize="none"
              onInput={({ currentTarget: one }) => setName(one.value)}
              onKeyDown={(event) => {
                if (event.key !== "Enter") return;
                event.preventDefault();
                create();
              }}
            />
          )}
        </Field>
        <button type="button" class="secondary" disabled={!wanted || wrong} onClick={create}>
          <Icon name="add" />
          {words.add}
        </button>
      </div>
    </fieldset>
  );
}
