// Many similar cards: the dialog that adds a pack of them, and the lists of values that fill their templates.

import { useState } from "preact/hooks";
import { SYMBOLS } from "../../../shared/cards";
import { Dialog } from "../../../shared/dialog";
import { texts } from "../../../shared/i18n";
import { Icon } from "../../../shared/icon";
import { announce } from "../../../shared/notices";
import { Field } from "../../forms";
import { slugOf } from "../slug";
import { INKS, InkAndSymbol, MistakeList, type Place, TextField } from "./fields";
import { mistakesIn, useEditing } from "./model/context";
import { inEach } from "./model/languages";
import { nameOfValue, nextValue, type Pack, sizeOf, valuesOf, withPack } from "./model/similar-cards";
import { isTable, newBlock, type Value, withBlock } from "./model/toml-document";

const MOST = 600; // cards that an edition may have
const KINDS = ["whole", "short", "numbers"] as const;
const LOWEST = { whole: 2, short: 7 };

type PackProps = { categories: { slug: string; name: string }[]; onClose: () => void };

export function PackDialog({ categories, onClose }: PackProps) {
  const { blocks, setBlocks, languages } = useEditing();
  const words = texts.editions.editor.pack;
  const [kind, setKind] = useState<(typeof KINDS)[number]>("whole");
  const [category, setCategory] = useState("");
  const [names, setNames] = useState<string>(words.colours);
  const [first, setFirst] = useState("1");
  const [last, setLast] = useState("9");
  const colours = names
    .split(",")
    .map((name) => name.trim())
    .filter(Boolean);
  // A category of their own has the name of the pack.
  const title = kind === "numbers" ? words.ownNumbers : words.ownPlaying;
  const own = slugOf(title);
  const pack: Pack = {
    category: category || own,
    ...(kind === "numbers"
      ? {
          kind,
          colours,
          first: Number.parseInt(first, 10),
          last: Number.parseInt(last, 10),
          inks: INKS,
          symbols: Object.keys(SYMBOLS).filter((one) => one !== "seal"),
        }
      : { kind: "playing", lowest: LOWEST[kind] }),
  };
  const size = sizeOf(pack);
  const insert = () => {
    const name = inEach(languages, title);
    const made = newBlock("categories", { slug: own, name, each: 5, valued: true });
    const known = category || categories.some(({ slug }) => slug === own);
    setBlocks(withPack(known ? blocks : withBlock(blocks, made), pack, languages));
    announce(texts.editions.editor.import.done({ count: size }));
    onClose();
  };
  return (
    <Dialog title={words.title} onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (size > 0 && size <= MOST) insert();
        }}
      >
        <Field label={words.kind}>
          {(more) => (
            <select {...more} value={kind} onChange={({ currentTarget: one }) => setKind(one.value as typeof kind)}>
              {KINDS.map((one) => (
                <option key={one} value={one}>
                  {words.kinds[one]}
                </option>
              ))}
            </select>
          )}
        </Field>
        {kind === "numbers" && (
          <>
            <Field label={words.names} hint={words.namesHint}>
              {(more) => <input {...more} value={names} onInput={({ currentTarget: one }) => setNames(one.value)} />}
            </Field>
            <div class="field-row">
              <Field label={words.first}>
                {(more) => (
                  <input {...more} type="number" value={first} onInput={({ currentTarget: one }) => setFirst(one.value)} />
                )}
              </Field>
              <Field label={words.last}>
                {(more) => (
                  <input {...more} type="number" value={last} onInput={({ currentTarget: one }) => setLast(one.value)} />
                )}
              </Field>
            </div>
          </>
        )}
        <Field label={texts.editions.editor.category}>
          {(more) => (
            <select {...more} value={category} onChange={({ currentTarget: one }) => setCategory(one.value)}>
              <option value="">{words.ownCategory({ name: title })}</option>
              {categories.map((one) => (
                <option key={one.slug} value={one.slug}>
                  {one.name}
                </option>
              ))}
            </select>
          )}
        </Field>
        {size > MOST && <p class="wrong">{words.tooMany({ most: MOST })}</p>}
        <div class="row dialog-actions">
          <button type="button" class="secondary" onClick={onClose}>
            {texts.cancel}
          </button>
          <button disabled={!(size > 0 && size <= MOST)}>{texts.editions.editor.import.insert({ count: size || 0 })}</button>
        </div>
      </form>
    </Dialog>
  );
}

// The lists of values, such as suits and ranks.
export function ValuesForm() {
  const { blocks, set, report } = useEditing();
  const words = texts.editions.editor.pack;
  const at = blocks.findIndex(({ kind }) => kind === "values");
  const lists = Object.entries(valuesOf(blocks));
  if (lists.length === 0) return null;
  return (
    <div>
      <h2>{words.values}</h2>
      <p class="caption">{words.valuesHint}</p>
      {lists.map(([name, list]) => (
        <fieldset class="edition-part" key={name}>
          <legend>{`{${name}}`}</legend>
          {list.map((value, index) => (
            <ValueFields key={`${index}`} at={at} path={[name, index]} value={value} only={list.length === 1} />
          ))}
          <div class="row">
            <button type="button" class="secondary" onClick={() => set(at, [name, list.length], nextValue(list))}>
              <Icon name="add" />
              {words.addValue}
            </button>
          </div>
        </fieldset>
      ))}
      <MistakeList mistakes={mistakesIn(blocks[at], report)} />
    </div>
  );
}

// A value: a number alone, or the fields that it has.
function ValueFields({ at, path, value, only }: Place & { value: Value; only: boolean }) {
  const { set, languages } = useEditing();
  const words = texts.editions.editor;
  const table = isTable(value) ? value : null;
  const name = nameOfValue(value);
  return (
    <details>
      <summary>{name}</summary>
      {table ? (
        <>
          {languages.map((one) => (
            <TextField
              key={one}
              at={at}
              path={[...path, one]}
              label={languages.length > 1 ? `${words.name} (${one})` : words.name}
            />
          ))}
          {table.ink !== undefined && <InkAndSymbol at={at} path={path} />}
          {table.motif !== undefined && <TextField at={at} path={[...path, "motif"]} label={words.motif} />}
          <div class="field-row">
            <TextField at={at} path={[...path, "worth"]} label={words.worth} number />
            <TextField at={at} path={[...path, "slug"]} label={words.slug} />
          </div>
        </>
      ) : (
        <TextField at={at} path={path} label={words.pack.number} number />
      )}
      {!only && (
        <button type="button" class="plain" onClick={() => set(at, path, undefined)}>
          {words.removeRow({ name })}
        </button>
      )}
    </details>
  );
}
