// The rules of an edition and their families: their lists, and the form of one.

import { useState } from "preact/hooks";
import { useFetch } from "../../../shared/http";
import { texts } from "../../../shared/i18n";
import { Icon } from "../../../shared/icon";
import { Notice } from "../../../shared/notices";
import { slugOf } from "../slug";
import { BaseRules, loadRules } from "./base-rules";
import { EFFECT_FIELDS, EFFECT_PATHS, EffectFields, NamedValues } from "./effect-fields";
import {
  ChoiceField,
  ListField,
  NamedFields,
  OtherFields,
  OtherMistakes,
  ShortName,
  TextField,
  TextsField,
  TickField,
} from "./fields";
import { FormulaField } from "./formula-field";
import { Gallery } from "./gallery";
import { type Item, ItemForm, ItemList, useItems } from "./item-list";
import { keysOf, shownKeys } from "./model/base-rules";
import { textIn, useEditing } from "./model/context";
import { inEach } from "./model/languages";
import { freeName, hyphenated, identifier, namedIn, numbered, rulesOf } from "./model/names";
import { type Block, isTable, lastOf, newBlock, type Table, withBlock } from "./model/toml-document";

const FIELDS = [
  "key",
  "name",
  "title",
  "text",
  "family",
  "acts",
  "lists",
  "numbers",
  "define",
  "each",
  "but",
  "case",
  "also",
  "says",
  "informs",
  "puzzle",
  "settings",
  ...EFFECT_FIELDS,
];
const SHOWN = new RegExp(
  `^(key|settings|family|acts|(name|title|text|says\\.line)\\.\\w+|(numbers|define|lists)\\.\\w+|((case|also)\\.no\\. \\d+\\.)*(each|but|${EFFECT_PATHS}))$`,
);

// Return the key of the next rule: a number if all keys are numbers.
export const nextKey = (keys: string[]) =>
  keys.every((key) => /^\d+$/.test(key)) ? String(Math.max(0, ...keys.map(Number)) + 1) : freeName(keys, "rule");

export function RulesForm() {
  const { blocks, setBlocks, languages, show, open, setOpen } = useEditing();
  const [choosing, setChoosing] = useState(false);
  const base = blocks[0]?.data?.extends;
  const load = async (signal: AbortSignal) => (typeof base === "string" ? loadRules(base, signal) : []);
  const { data: baseRules, problem, refetch } = useFetch(load, base);
  const families = useItems("families");
  const titles = new Map(families.map(({ block, title }) => [block.data?.name, title]));
  const items = useItems("rules").map((item) => {
    const { name, family } = item.block.data ?? {};
    const [key] = keysOf(item.block);
    const below = baseRules?.find(({ keys }) => key !== undefined && keys.includes(key));
    return name ? item : { ...item, title: (family && titles.get(family)) || below?.title || item.title };
  });
  const words = texts.editions.editor;
  // An entry with a key of the base would change its rule.
  const keys = [...items.flatMap(({ block }) => keysOf(block)), ...(baseRules ?? []).flatMap((rule) => rule.keys)];
  const look = (at: number | null, now = blocks) => {
    setOpen(at);
    const block = at === null ? undefined : now[at];
    const rule = block?.kind === "families" ? rulesOf(now, block.data?.name)[0] : block;
    const [key] = rule ? keysOf(rule) : [];
    if (key !== undefined) show(`rule-${key}`);
  };
  const insert = (rule: Table) => {
    const { key: _, ...rest } = rule;
    const key = nextKey(keys);
    const next = withBlock(blocks, newBlock("rules", { key, ...rest }));
    setBlocks(next);
    setOpen(lastOf(next, "rules"));
    show(`rule-${key}`);
  };
  const freeFamily = (wanted: string) => {
    const names = families.map(({ block }) => hyphenated(String(block.data?.name)));
    return identifier(names.includes(wanted) ? freeName(names, wanted) : wanted);
  };
  const insertFamily = () => {
    const text = inEach(languages, words.newRuleText({ points: "{points}" }));
    const family = {
      name: freeFamily(slugOf(words.families.start)),
      title: inEach(languages, words.families.start),
      text,
      give: "points",
    };
    const next = withBlock(blocks, newBlock("families", family), beforeRules(blocks));
    setBlocks(next);
    setOpen(next.findIndex(({ kind, data }) => kind === "families" && data?.name === family.name));
  };
  const item = [...items, ...families].find(({ at }) => at === open);
  if (item) {
    const isFamily = item.block.kind === "families";
    const copied = ({ keys: _, ...rule }: Table) => {
      if (!isFamily) return { ...rule, key: nextKey(keys) };
      const name = freeFamily(hyphenated(String(rule.name)));
      return { ...rule, name, ...(isTable(rule.title) && { title: numbered(rule.title, name) }) };
    };
    return (
      <ItemForm key={item.at} item={item} copied={copied} onOpen={look} back={words.allRules}>
        {isFamily ? <FamilyFields item={item} onOpen={look} onInsert={insert} /> : <RuleFields item={item} />}
      </ItemForm>
    );
  }
  return (
    <>
      <div class="row below">
        <button type="button" onClick={() => setChoosing(true)}>
          <Icon name="add" />
          {words.addCommonRule}
        </button>
        <button
          type="button"
          class="secondary"
          onClick={() =>
            insert({
              name: inEach(languages, words.newRule),
              text: inEach(languages, words.newRuleText({ points: "{points}" })),
              numbers: { points: 1 },
              give: "points",
            })
          }
        >
          <Icon name="add" />
          {words.addRule}
        </button>
      </div>
      <ItemList
        items={items}
        onOpen={look}
        none={base === undefined ? words.noRules : ""}
        mark={({ block }) => <span class="edition-mark">{shownKeys(keysOf(block))}</span>}
      />
      {problem && <Notice problem={problem} onRetry={refetch} small />}
      {typeof base === "string" && baseRules && <BaseRules base={base} rules={baseRules} />}
      <div>
        <h2>{words.families.title}</h2>
        <p class="caption">{words.families.hint}</p>
        <ItemList items={families} onOpen={look} mark={() => <FamilyMark />} />
        <button type="button" class="plain" onClick={insertFamily}>
          {words.families.add}
        </button>
      </div>
      {choosing && <Gallery onClose={() => setChoosing(false)} onChoose={insert} />}
    </>
  );
}

const FamilyMark = () => (
  <span class="edition-mark">
    <Icon name="list" />
  </span>
);

// Return the place of a new family: after the last one, or before the rules.
function beforeRules(blocks: Block[]): number | undefined {
  const first = blocks.findIndex(({ kind }) => kind === "rules");
  return lastOf(blocks, "families") < 0 && first > 0 ? first - 1 : undefined;
}

function RuleFields({ item: { at, block } }: { item: Item }) {
  const { blocks } = useEditing();
  const words = texts.editions.editor;
  const settings = namedIn(blocks, [], "settings").map(({ slug, name }) => ({ value: slug, label: name }));
  const families = blocks.flatMap(({ kind, data }) => (kind === "families" && data ? [data] : []));
  const rule = block.data ?? {};
  const inFamily = rule.family !== undefined;
  const numbers = Object.keys((rule.numbers as Table | undefined) ?? {});
  const lists = (
    <NamedValues
      at={at}
      path={["lists"]}
      label={words.lists.title}
      hint={words.lists.hint}
      add={words.lists.add}
      start={[]}
      kind="cards"
    />
  );
  return (
    <>
      <TextsField at={at} path={["name"]} label={words.ruleName} />
      <TextsField at={at} path={["text"]} label={words.wording} hint={wordingHint(numbers, words.wordingHint)} lines={3} />
      {(inFamily || families.length > 0) && (
        <ChoiceField
          at={at}
          path={["family"]}
          label={words.families.used}
          none={words.families.none}
          options={families.map(({ name, title }) => ({ value: String(name), label: textIn(title) || String(name) }))}
        />
      )}
      <NamedValues at={at} path={["numbers"]} label={words.numbers} hint={words.numbersHint} add={words.addNumber} start={1} />
      {inFamily && lists}
      <Effects at={at} block={block} none={inFamily ? words.families.effect : undefined} />
      <details class="above" open={isSpecial(rule) || (!inFamily && rule.lists !== undefined)}>
        <summary>{words.more}</summary>
        <MeaningFields at={at} />
        {!inFamily && lists}
        {settings.length > 0 && <ListField at={at} path={["settings"]} label={words.settings.used} options={settings} />}
        <TickField at={at} path={["informs"]} label={words.informs} />
        <TickField at={at} path={["puzzle"]} label={words.puzzle} />
        {rule.keys === undefined && <TextField at={at} path={["key"]} label={words.key} hint={words.keyHint} />}
      </details>
      <OtherMistakes at={at} shown={SHOWN} />
      <OtherFields at={at} known={FIELDS} />
    </>
  );
}

type FamilyProps = { item: Item; onOpen: (at: number) => void; onInsert: (rule: Table) => void };

function FamilyFields({ item: { at, block }, onOpen, onInsert }: FamilyProps) {
  const { blocks } = useEditing();
  const words = texts.editions.editor;
  const family = block.data?.name ?? "";
  const rules = useItems("rules").filter((item) => item.block.data?.family === family);
  const numbers = rules.flatMap((item) => Object.keys((item.block.data?.numbers as Table | undefined) ?? {}));
  // A further rule begins with the numbers and lists of the last one.
  const { numbers: own = { points: 1 }, lists } = rulesOf(blocks, family).at(-1)?.data ?? {};
  return (
    <>
      <NamedFields at={at} label={words.ruleName} field="title" slugField="name" />
      <TextsField
        at={at}
        path={["text"]}
        label={words.wording}
        hint={wordingHint([...new Set(numbers)], words.families.wordingHint)}
        lines={3}
      />
      <Effects at={at} block={block} />
      <fieldset class="edition-part">
        <legend>{words.families.rules}</legend>
        <ItemList
          items={rules.map((item) => ({ ...item, title: `${shownKeys(keysOf(item.block))}. ${item.title}` }))}
          onOpen={onOpen}
          mark={() => <FamilyMark />}
        />
        <button type="button" class="plain" onClick={() => onInsert({ family, numbers: own, ...(lists && { lists }) })}>
          {words.families.addRule}
        </button>
      </fieldset>
      <details class="above" open={isSpecial(block.data ?? {})}>
        <summary>{words.more}</summary>
        <MeaningFields at={at} />
        <ShortName at={at} path="name" />
      </details>
      <OtherMistakes at={at} shown={SHOWN} />
      <OtherFields at={at} known={FIELDS} />
    </>
  );
}

// Whether a rule or family has a value that few have.
const isSpecial = ({ each, define, acts }: Table) => [each, define, acts].some((value) => value !== undefined);

const wordingHint = (numbers: string[], hint: (values: { names: string }) => string) =>
  numbers.length > 0 && hint({ names: numbers.map((name) => `{${name}}`).join(" ") });

// The effect of a rule or family, with further ones.
function Effects({ at, block, none }: { at: number; block: Block; none?: string | undefined }) {
  const { set } = useEditing();
  const words = texts.editions.editor;
  const also = Array.isArray(block.data?.also) ? block.data.also : [];
  return (
    <>
      <fieldset class="edition-part">
        <legend>{words.does}</legend>
        <EffectFields at={at} path={[]} cases none={none} />
      </fieldset>
      {also.map((_, index) => (
        <fieldset class="edition-part" key={`${index}`}>
          <legend>{words.alsoNumber({ number: index + 1 })}</legend>
          <EffectFields at={at} path={["also", index]} cases />
          <button type="button" class="plain" onClick={() => set(at, ["also", index], undefined)}>
            {words.removeAlso}
          </button>
        </fieldset>
      ))}
      <button type="button" class="plain" onClick={() => set(at, ["also", also.length], { give: 1 })}>
        {words.addAlso}
      </button>
    </>
  );
}

// The fields of a meaning that few rules need.
function MeaningFields({ at }: { at: number }) {
  const words = texts.editions.editor;
  const { label, always, ...some } = words.acts;
  const scopes = Object.entries(some).map(([value, label]) => ({ value, label }));
  return (
    <>
      <ChoiceField at={at} path={["acts"]} label={label} none={always} options={scopes} />
      <div class="field-row">
        <FormulaField at={at} path={["each"]} label={words.each} hint={words.eachHint} />
        <FormulaField at={at} path={["but"]} label={words.but} hint={words.optional} />
      </div>
      <NamedValues
        at={at}
        path={["define"]}
        label={words.define}
        hint={words.defineHint}
        add={words.addDefinition}
        start="1"
        kind="formula"
      />
      <TextsField at={at} path={["says", "line"]} label={words.line} hint={words.lineHint} />
    </>
  );
}
