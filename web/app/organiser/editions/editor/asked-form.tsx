// The forms of what is asked for each hand or game: facts, settings, and the parts into which a deck is divided.

import { texts } from "../../../shared/i18n";
import { slugOf } from "../slug";
import { ChoiceField, NamedFields, ShortName, TextField, TextsField, TickField } from "./fields";
import { PartList } from "./item-list";
import { useEditing } from "./model/context";
import { inEach } from "./model/languages";
import { identifier } from "./model/names";

const FACT = ["name", "label", "type", "minimum", "maximum", "default"];
const SETTING = ["name", "label", "text", "minimum", "maximum", "default", "confirm"];
const PART = ["slug", "name"];
const FACT_SHOWN = /^(name|type|label\.\w+|minimum|maximum|default)$/;
const SETTING_SHOWN = /^(name|(label|text)\.\w+|minimum|maximum|default)$/;
const PART_SHOWN = /^(slug|name\.\w+)$/;

export function Facts() {
  const { languages, change } = useEditing();
  const words = texts.editions.editor.facts;
  const label = inEach(languages, words.start);
  const choose = (at: number, type: string) =>
    change(at, (fact) => {
      for (const name of ["minimum", "maximum", "default"]) delete fact[name];
      Object.assign(fact, type === "whole" ? { type, minimum: 0, maximum: 10 } : { type });
    });
  return (
    <PartList
      kind="facts"
      slugField="name"
      title={words.title}
      hint={words.hint}
      add={words.add}
      fields={FACT}
      shown={FACT_SHOWN}
      made={(free) => ({ name: identifier(free(slugOf(words.start))), label, type: "whole", minimum: 0, maximum: 10 })}
    >
      {({ at, block }) => (
        <>
          <NamedFields at={at} label={words.question} field="label" slugField="name" />
          <ChoiceField
            at={at}
            path={["type"]}
            label={words.type}
            options={Object.entries(words.types).map(([value, label]) => ({ value, label }))}
            onChoose={(type) => choose(at, type)}
          />
          {block.data?.type === "whole" && <Range at={at} />}
          {block.data?.type === "yes-no" && <TickField at={at} path={["default"]} label={words.yes} />}
          <ShortName at={at} path="name" />
        </>
      )}
    </PartList>
  );
}

export function Settings() {
  const { languages } = useEditing();
  const words = texts.editions.editor.settings;
  return (
    <PartList
      kind="settings"
      slugField="name"
      title={words.title}
      hint={words.hint}
      add={words.add}
      fields={SETTING}
      shown={SETTING_SHOWN}
      made={(free) => ({
        name: identifier(free(slugOf(words.start))),
        label: inEach(languages, words.start),
        text: inEach(languages, words.startText),
        minimum: 0,
        maximum: 10,
        default: 1,
      })}
    >
      {({ at }) => (
        <>
          <NamedFields at={at} label={texts.editions.editor.name} field="label" slugField="name" />
          <TextsField at={at} path={["text"]} label={words.text} lines={2} />
          <Range at={at} />
          <TickField at={at} path={["confirm"]} label={words.confirm} />
          <ShortName at={at} path="name" />
        </>
      )}
    </PartList>
  );
}

export const DeckParts = () => <Labels kind="parts" words={texts.editions.editor.deckParts} />;
export const Groups = () => <Labels kind="groups" words={texts.editions.editor.groupParts} />;

type LabelsProps = { kind: string; words: { title: string; hint: string; add: string; start: string } };

// Things with a name alone: parts of a deck, and groups of cards.
function Labels({ kind, words }: LabelsProps) {
  const { languages } = useEditing();
  const name = inEach(languages, words.start);
  return (
    <PartList
      kind={kind}
      title={words.title}
      hint={words.hint}
      add={words.add}
      fields={PART}
      shown={PART_SHOWN}
      made={(free) => ({ slug: free(slugOf(words.start)), name })}
    >
      {({ at }) => (
        <>
          <NamedFields at={at} label={texts.editions.editor.name} />
          <ShortName at={at} path="slug" />
        </>
      )}
    </PartList>
  );
}

function Range({ at }: { at: number }) {
  const words = texts.editions.editor.range;
  return (
    <div class="field-row">
      <TextField at={at} path={["minimum"]} label={words.minimum} number />
      <TextField at={at} path={["maximum"]} label={words.maximum} number />
      <TextField at={at} path={["default"]} label={words.default} number />
    </div>
  );
}
