// The dialog that adds cards from a spreadsheet: a file, or copied cells.

import { useState } from "preact/hooks";
import { Dialog } from "../../../shared/dialog";
import { formatList, texts } from "../../../shared/i18n";
import { announce } from "../../../shared/notices";
import { Field } from "../../forms";
import { newCard } from "./cards-form";
import { numberOrText } from "./fields";
import { useEditing } from "./model/context";
import { cardsOf, type ImportedCard } from "./model/spreadsheet";
import { newBlock, type Table, withBlock } from "./model/toml-document";

type ImportProps = { categories: { slug: string; name: string }[]; cards: Table[]; onClose: () => void };

export function ImportCards({ categories, cards, onClose }: ImportProps) {
  const { blocks, setBlocks, languages } = useEditing();
  const [text, setText] = useState("");
  const [first = "en"] = languages;
  const words = texts.editions.editor.import;
  const found = cardsOf(text, first);
  const category = (name: string | undefined) =>
    categories.find((one) => [one.slug, one.name].some((known) => known.toLowerCase() === name?.toLowerCase()))?.slug;
  const cardFrom = ({ name, text, fields }: ImportedCard, taken: Table[]): Table => {
    const given = Object.values(name)[0] ?? "";
    const worth = fields.worth ? numberOrText(fields.worth) : undefined;
    const ink = fields.ink?.toUpperCase();
    const card = newCard(taken, given, category(fields.category) ?? categories[0]?.slug ?? "card", languages, fields.slug, {
      ...(worth !== undefined && { worth }),
      ...(Object.keys(text).length && { text }),
      ...(ink && { ink: ink.startsWith("#") ? ink : `#${ink}` }),
      ...(fields.symbol && { symbol: fields.symbol.toLowerCase() }),
      ...(fields.motif && { motif: fields.motif }),
    });
    return { ...card, name: Object.fromEntries(languages.map((one) => [one, name[one] ?? given])) };
  };
  const insert = () => {
    const all = [...cards];
    let next = blocks;
    for (const card of found.cards) {
      const made = cardFrom(card, all);
      all.push(made);
      next = withBlock(next, newBlock("cards", made));
    }
    setBlocks(next);
    announce(words.done({ count: found.cards.length }));
    onClose();
  };
  return (
    <Dialog title={texts.editions.editor.importCards} onClose={onClose} wide>
      <p>{words.text}</p>
      <Field label={words.file}>
        {(more) => (
          <input
            {...more}
            type="file"
            accept=".csv,.tsv,.txt,text/csv,text/tab-separated-values"
            onChange={async ({ currentTarget: { files } }) => {
              const [file] = files ?? [];
              if (file) setText(await file.text());
            }}
          />
        )}
      </Field>
      <Field label={words.cells} hint={words.columns}>
        {(more) => (
          <textarea
            {...more}
            rows={6}
            wrap="off"
            value={text}
            placeholder={words.example}
            onInput={({ currentTarget: one }) => setText(one.value)}
          />
        )}
      </Field>
      {text && (
        <p role="status">
          {words.found({ count: found.cards.length })}
          {found.unknown.length > 0 && ` ${words.unknown({ names: formatList(found.unknown) })}`}
        </p>
      )}
      <div class="row dialog-actions">
        <button type="button" class="secondary" onClick={onClose}>
          {texts.cancel}
        </button>
        <button type="button" disabled={found.cards.length === 0} onClick={insert}>
          {words.insert({ count: found.cards.length })}
        </button>
      </div>
    </Dialog>
  );
}
