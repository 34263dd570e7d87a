// The form of what concerns the whole edition: title, players, categories with what each player gets, groups, facts, settings,
// parts of a deck, tie-breaks, and the hand-out.

import { LANGUAGES, texts } from "../../../shared/i18n";
import { Icon } from "../../../shared/icon";
import { slugOf } from "../slug";
import { DeckParts, Facts, Groups, Settings } from "./asked-form";
import { ChoiceField, NamedFields, OtherMistakes, ShortName, TextField, TextsField, TickField } from "./fields";
import { FormulaField } from "./formula-field";
import { PartList } from "./item-list";
import { textIn, useEditing } from "./model/context";
import { inEach, withLanguage, withoutLanguage } from "./model/languages";

const CATEGORY_FIELDS = ["slug", "name", "each", "each_kind", "worth", "valued"];
const CATEGORY_SHOWN = /^(slug|name\.\w+|each|each_kind|worth)$/;
const TIE_FIELDS = ["name", "label", "by"];
const TIE_SHOWN = /^(label\.\w+|by)$/;
const SECTION_FIELDS = ["name", "heading", "text"];
const SECTION_SHOWN = /^(name|(heading|text)\.\w+)$/;
// The time of the hand-in decides last.
const LAST_TIE = "earlier-hand-in";

export function EditionForm() {
  const { blocks } = useEditing();
  const words = texts.editions.editor;
  const variant = blocks[0]?.data?.extends;
  return (
    <div>
      {typeof variant === "string" && <p class="note">{words.variantNote({ base: variant })}</p>}
      <TextsField at={0} path={["title"]} label={texts.editions.form.title} />
      <TextsField at={0} path={["summary"]} label={words.summary} lines={2} />
      <div class="field-row">
        <TextField at={0} path={["players", "min"]} label={words.playersMin} number />
        <TextField at={0} path={["players", "max"]} label={words.playersMax} number />
      </div>
      <Languages />
      <OtherMistakes at={0} shown={/^((title|summary)\.\w+|players\.\w+)$/} />
      <Categories />
      <Groups />
      <Facts />
      <Settings />
      <DeckParts />
      <Ties />
      <Handout />
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
      <p class="caption">{words.languagesHint}</p>
      <div class="row">
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
  const { languages } = useEditing();
  const words = texts.editions.editor;
  const name = inEach(languages, words.newCategory);
  return (
    <PartList
      kind="categories"
      title={words.categories}
      hint={words.categoriesHint}
      add={words.addCategory}
      fields={CATEGORY_FIELDS}
      shown={CATEGORY_SHOWN}
      made={(free) => ({ slug: free(slugOf(words.newCategory)), name, each: 5, valued: true })}
      last="rule"
    >
      {({ at, block }) => (
        <>
          <NamedFields at={at} label={words.name} />
          <div class="field-row">
            <TextField at={at} path={["each"]} label={words.eachPlayer} hint={words.eachPlayerHint} number />
            <TextField at={at} path={["each_kind"]} label={words.eachKind} number />
          </div>
          {block.data?.slug !== "rule" && (
            <>
              <TextField at={at} path={["worth"]} label={words.worth} hint={words.categoryWorthHint} number />
              {block.data?.worth === undefined && <TickField at={at} path={["valued"]} label={words.valued} />}
              <ShortName at={at} />
            </>
          )}
        </>
      )}
    </PartList>
  );
}

function Ties() {
  const { languages } = useEditing();
  const words = texts.editions.editor;
  const label = inEach(languages, words.newTie);
  return (
    <PartList
      kind="ties"
      slugField="name"
      title={words.ties}
      hint={words.tiesHint}
      add={words.addTie}
      fields={TIE_FIELDS}
      shown={TIE_SHOWN}
      made={(free) => ({ name: free(slugOf(words.newTie)), by: "total", label })}
      last={LAST_TIE}
    >
      {({ at, block }) => (
        <>
          <TextsField at={at} path={["label"]} label={words.name} />
          {block.data?.name !== LAST_TIE && <FormulaField at={at} path={["by"]} label={words.tieBy} />}
        </>
      )}
    </PartList>
  );
}

// The sections of the hand-out, which replace those that all editions share, or are added to them.
function Handout() {
  const { languages } = useEditing();
  const words = texts.editions.editor.handout;
  const shared = Object.entries(words.sections).map(([value, label]) => ({ value, label }));
  return (
    <PartList
      kind="handout"
      slugField="name"
      title={words.title}
      hint={words.hint}
      add={words.add}
      fields={SECTION_FIELDS}
      shown={SECTION_SHOWN}
      made={(free) => ({
        name: free(slugOf(words.start)),
        heading: inEach(languages, words.start),
        text: inEach(languages, words.startText),
      })}
    >
      {({ at, block }) => {
        const name = String(block.data?.name ?? "");
        const wanted = slugOf(textIn(block.data?.heading)) || "section";
        // Otherwise a heading such as “Start” would give the name of a shared section.
        const free = wanted in words.sections ? `${wanted}-own` : wanted;
        const own = name in words.sections ? free : name;
        return (
          <>
            <ChoiceField at={at} path={["name"]} label={words.place} options={[{ value: own, label: words.own }, ...shared]} />
            <TextsField at={at} path={["heading"]} label={words.heading} />
            <TextsField
              at={at}
              path={["text"]}
              label={words.text}
              hint={words.textHint({ start: "{start}", ties: "{ties}" })}
              lines={5}
            />
          </>
        );
      }}
    </PartList>
  );
}
