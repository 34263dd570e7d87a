// The form of what concerns the whole edition: title, players, categories with what each player gets, and tie-breaks.

import { LANGUAGES, texts } from "../../../shared/i18n";
import { Icon } from "../../../shared/icon";
import { slugOf } from "../new-edition";
import { OtherFields, OtherMistakes, TextField, TextsField, TickField } from "./fields";
import { FormulaField } from "./formula-field";
import { freeName, useItems } from "./item-list";
import { textIn, useEditing } from "./model/context";
import { withLanguage, withoutLanguage } from "./model/languages";
import { newBlock, withBlock } from "./model/toml-document";

const CATEGORY_FIELDS = ["slug", "name", "each", "each_kind", "worth", "valued"];
const CATEGORY_SHOWN = /^(slug|name\.\w+|each|each_kind|worth)$/;
const TIE_FIELDS = ["name", "label", "by"];

export function EditionForm() {
  const { blocks } = useEditing();
  const words = texts.editions.editor;
  const variant = blocks[0]?.data?.extends;
  return (
    <div class="edition-form">
      {typeof variant === "string" && <p class="edition-note">{words.variantNote({ base: variant })}</p>}
      <TextsField at={0} path={["title"]} label={texts.editions.form.title} />
      <TextsField at={0} path={["summary"]} label={words.summary} lines={2} />
      <div class="field-row">
        <TextField at={0} path={["players", "min"]} label={words.playersMin} number />
        <TextField at={0} path={["players", "max"]} label={words.playersMax} number />
      </div>
      <Languages />
      <OtherMistakes at={0} shown={/^((title|summary)\.\w+|players\.\w+)$/} />
      <Categories />
      <Ties />
      <p class="field-hint">{words.restInText}</p>
    </div>
  );
}

// The languages of the edition. A new one begins with the texts of the first.
function Languages() {
  const { blocks, setBlocks, languages } = useEditing();
  const words = texts.editions.editor;
  const [first = "en"] = languages;
  const missing = Object.keys(LANGUAGES).filter((one) => !languages.includes(one));
  const add = (language: string) => setBlocks(withLanguage(blocks, language, first));
  const remove = (language: string) => setBlocks(withoutLanguage(blocks, language));
  return (
    <fieldset class="edition-part">
      <legend>{words.languages}</legend>
      <p class="field-hint">{words.languagesHint}</p>
      <div class="row-actions">
        {languages.slice(1).map((one) => (
          <button key={one} type="button" class="secondary" onClick={() => remove(one)}>
            <Icon name="bin" />
            {LANGUAGES[one] ?? one}
          </button>
        ))}
        {missing.map((one) => (
          <button key={one} type="button" class="secondary" onClick={() => add(one)}>
            <Icon name="add" />
            {LANGUAGES[one]}
          </button>
        ))}
      </div>
    </fieldset>
  );
}

function Categories() {
  const { blocks, setBlocks, languages } = useEditing();
  const items = useItems("categories");
  const words = texts.editions.editor;
  const slugs = items.map(({ block }) => String(block.data?.slug ?? ""));
  const add = () => {
    const wanted = slugOf(words.newCategory);
    const slug = slugs.includes(wanted) ? freeName(slugs, wanted) : wanted;
    const name = Object.fromEntries(languages.map((one) => [one, words.newCategory]));
    setBlocks(withBlock(blocks, newBlock("categories", { slug, name, each: 5, valued: true })));
  };
  return (
    <>
      <h2>{words.categories}</h2>
      <p class="field-hint">{words.categoriesHint}</p>
      {items.map(({ at, block, title }) => (
        <fieldset class="edition-part" key={at}>
          <legend>{title}</legend>
          <TextsField at={at} path={["name"]} label={words.name} />
          <div class="field-row">
            <TextField at={at} path={["each"]} label={words.eachPlayer} hint={words.eachPlayerHint} number />
            <TextField at={at} path={["each_kind"]} label={words.eachKind} hint={words.eachKindHint} number />
          </div>
          {block.data?.slug !== "rule" && (
            <>
              <TextField at={at} path={["worth"]} label={words.worth} hint={words.categoryWorthHint} number />
              <TickField at={at} path={["valued"]} label={words.valued} />
            </>
          )}
          <OtherMistakes at={at} shown={CATEGORY_SHOWN} />
          <OtherFields at={at} known={CATEGORY_FIELDS} />
          <RemoveBlock at={at} name={title} />
        </fieldset>
      ))}
      <button type="button" class="plain" onClick={add}>
        {words.addCategory}
      </button>
    </>
  );
}

function Ties() {
  const { blocks, setBlocks, languages } = useEditing();
  const items = useItems("ties");
  const words = texts.editions.editor;
  const add = () => {
    const names = items.map(({ block }) => String(block.data?.name ?? ""));
    const label = Object.fromEntries(languages.map((one) => [one, words.newTie]));
    const wanted = slugOf(words.newTie);
    const name = names.includes(wanted) ? freeName(names, wanted) : wanted;
    // The time of the hand-in decides last.
    const first = items.find(({ block }) => block.data?.name === "earlier-hand-in")?.at;
    setBlocks(withBlock(blocks, newBlock("ties", { name, by: "total", label }), first === undefined ? undefined : first - 1));
  };
  return (
    <>
      <h2>{words.ties}</h2>
      <p class="field-hint">{words.tiesHint}</p>
      {items.map(({ at, block }) => {
        const title = textIn(block.data?.label, languages);
        return (
          <fieldset class="edition-part" key={at}>
            <legend>{title}</legend>
            <TextsField at={at} path={["label"]} label={words.name} />
            {block.data?.name !== "earlier-hand-in" && (
              <FormulaField at={at} path={["by"]} label={words.tieBy} hint={words.tieByHint} />
            )}
            <OtherMistakes at={at} shown={/^(label\.\w+|by)$/} />
            <OtherFields at={at} known={TIE_FIELDS} />
            <RemoveBlock at={at} name={title} />
          </fieldset>
        );
      })}
      <button type="button" class="plain" onClick={add}>
        {words.addTie}
      </button>
    </>
  );
}

function RemoveBlock({ at, name }: { at: number; name: string }) {
  const { blocks, setBlocks } = useEditing();
  return (
    <button type="button" class="plain" onClick={() => setBlocks(blocks.filter((_, index) => index !== at))}>
      {texts.editions.editor.removeRow({ name })}
    </button>
  );
}
