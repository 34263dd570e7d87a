// The rules of an edition: their list, and the form of one.

import { useState } from "preact/hooks";
import { texts } from "../../../shared/i18n";
import { Icon } from "../../../shared/icon";
import { EFFECT_FIELDS, EFFECT_PATHS, EffectFields, NamedValues } from "./effect-fields";
import { ListField, OtherFields, OtherMistakes, TextField, TextsField, TickField } from "./fields";
import { FormulaField } from "./formula-field";
import { Gallery } from "./gallery";
import { type Item, ItemForm, ItemList, useItems } from "./item-list";
import { textIn, useEditing } from "./model/context";
import { inEach } from "./model/languages";
import { freeName, namedIn } from "./model/names";
import { lastOf, newBlock, type Table, withBlock } from "./model/toml-document";

const FIELDS = [
  "key",
  "name",
  "text",
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
  `^(key|settings|(name|text|says\\.line)\\.\\w+|(numbers|define)\\.\\w+|((case|also)\\.no\\. \\d+\\.)*(each|but|${EFFECT_PATHS}))$`,
);

// Return the key of the next rule: a number if all keys are numbers.
export const nextKey = (keys: string[]) =>
  keys.every((key) => /^\d+$/.test(key)) ? String(Math.max(0, ...keys.map(Number)) + 1) : freeName(keys, "rule");

export function RulesForm() {
  const { blocks, setBlocks, languages, show, open, setOpen } = useEditing();
  const [choosing, setChoosing] = useState(false);
  const items = useItems("rules");
  const words = texts.editions.editor;
  const keys = items.map(({ block }) => String(block.data?.key ?? ""));
  const look = (at: number | null) => {
    setOpen(at);
    const key = at === null ? undefined : blocks[at]?.data?.key;
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
  const item = items.find(({ at }) => at === open);
  if (item) {
    const copied = (rule: Table) => ({ ...rule, key: nextKey(keys) });
    return (
      <ItemForm key={item.at} item={item} copied={copied} onOpen={look} back={words.allRules}>
        <RuleFields item={item} />
      </ItemForm>
    );
  }
  return (
    <>
      <div class="row-actions edition-actions">
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
        none={words.noRules}
        mark={({ block }) => <span class="edition-mark">{String(block.data?.key ?? "?")}</span>}
      />
      {choosing && <Gallery onClose={() => setChoosing(false)} onChoose={insert} />}
    </>
  );
}

function RuleFields({ item: { at, block } }: { item: Item }) {
  const { blocks, set } = useEditing();
  const words = texts.editions.editor;
  const settings = namedIn(blocks, [], "settings").map(({ slug, name }) => ({ value: slug, label: name }));
  const rule = block.data ?? {};
  const numbers = Object.keys((rule.numbers as Table | undefined) ?? {});
  const braces = numbers.map((name) => `{${name}}`).join(" ");
  const also = Array.isArray(rule.also) ? rule.also : [];
  return (
    <>
      <TextsField at={at} path={["name"]} label={words.ruleName} />
      <TextsField at={at} path={["text"]} label={words.wording} hint={braces && words.wordingHint({ names: braces })} lines={3} />
      <NamedValues at={at} path={["numbers"]} label={words.numbers} hint={words.numbersHint} add={words.addNumber} start={1} />
      <fieldset class="edition-part">
        <legend>{words.does}</legend>
        <EffectFields at={at} path={[]} cases />
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
      <details class="edition-more" open={rule.each !== undefined || rule.define !== undefined}>
        <summary>{words.more}</summary>
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
          formulas
        />
        <TextsField at={at} path={["says", "line"]} label={words.line} hint={words.lineHint} />
        {settings.length > 0 && <ListField at={at} path={["settings"]} label={words.settings.used} options={settings} />}
        <TickField at={at} path={["informs"]} label={words.informs} />
        <TickField at={at} path={["puzzle"]} label={words.puzzle} />
        <TextField at={at} path={["key"]} label={words.key} hint={words.keyHint({ title: textIn(rule.name) })} />
      </details>
      <OtherMistakes at={at} shown={SHOWN} />
      <OtherFields at={at} known={FIELDS} />
    </>
  );
}
