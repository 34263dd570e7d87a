// The cards of an edition: their list, and the form of one.

import { useState } from "preact/hooks";
import { CardSymbol, SYMBOLS, type SymbolName } from "../../../shared/cards";
import { texts } from "../../../shared/i18n";
import { Icon } from "../../../shared/icon";
import { Field } from "../../forms";
import { slugOf } from "../new-edition";
import { ChoiceField, ListField, type Option, OtherFields, OtherMistakes, TextField, TextsField, useValue } from "./fields";
import { ImportCards } from "./import-cards";
import { freeName, type Item, ItemForm, ItemList, useItems } from "./item-list";
import { textIn, useEditing } from "./model/context";
import { identifier, isNamed, namedIn } from "./model/names";
import { isTable, lastOf, newBlock, type Table, textOf, withBlock } from "./model/toml-document";

export const INKS = ["#C2242B", "#163A86", "#2A9159", "#F6CC1B", "#D9731A", "#D76A9A", "#5B3A8E", "#0F6B62"];
const FIELDS = ["slug", "category", "name", "text", "groups", "worth", "ink", "symbol", "motif"];
const SHOWN = /^(slug|category|(name|text)\.\w+|groups|worth|ink|symbol|motif)$/;

// Return a new card with a look that no other card has, as far as there is one.
export function newCard(taken: Table[], name: string, category: string, languages: string[], slug = "", more: Table = {}): Table {
  const used = (field: string) => taken.map((card) => String(card[field] ?? ""));
  const free = (all: string[], field: string) => all.find((one) => !used(field).includes(one)) ?? all[taken.length % all.length];
  const wanted = slug || slugOf(name) || "card";
  return {
    slug: used("slug").includes(wanted) ? freeName(used("slug"), wanted) : wanted,
    category,
    name: Object.fromEntries(languages.map((one) => [one, name])),
    ...(more.motif === undefined && {
      ink: free(INKS, "ink") ?? "#163A86",
      symbol:
        free(
          Object.keys(SYMBOLS).filter((one) => one !== "seal"),
          "symbol",
        ) ?? "star",
    }),
    ...more,
  };
}

export function CardsForm() {
  const { blocks, setBlocks, languages, report, show, open, setOpen } = useEditing();
  const [importing, setImporting] = useState(false);
  const items = useItems("cards");
  const words = texts.editions.editor;
  const categories = namedIn(blocks, languages, report?.categories ?? [], "categories").filter(({ slug }) => slug !== "rule");
  const cards = items.flatMap(({ block }) => (block.data ? [block.data] : []));
  const look = (at: number | null) => {
    setOpen(at);
    const slug = at === null ? undefined : blocks[at]?.data?.slug;
    if (slug) show(String(slug));
  };
  const add = () => {
    const card = newCard(cards, words.newCard, categories[0]?.slug ?? "card", languages);
    const next = withBlock(blocks, newBlock("cards", card));
    setBlocks(next);
    setOpen(lastOf(next, "cards"));
  };
  const item = items.find(({ at }) => at === open);
  if (item) {
    const copied = (card: Table) => ({
      ...card,
      slug: freeName(
        cards.map((one) => String(one.slug)),
        String(card.slug),
      ),
    });
    return (
      <ItemForm key={item.at} item={item} copied={copied} onOpen={look} back={words.allCards}>
        <CardFields item={item} categories={categories.map(({ slug, name }) => ({ value: slug, label: name }))} />
      </ItemForm>
    );
  }
  return (
    <>
      <div class="row-actions edition-actions">
        <button type="button" onClick={add}>
          <Icon name="add" />
          {words.addCard}
        </button>
        <button type="button" class="secondary" onClick={() => setImporting(true)}>
          <Icon name="list" />
          {words.importCards}
        </button>
      </div>
      <ItemList items={items} onOpen={look} none={words.noCards} mark={({ block }) => <Mark card={block.data} />} />
      {importing && <ImportCards categories={categories} cards={cards} onClose={() => setImporting(false)} />}
    </>
  );
}

// The symbol of a card in its ink.
function Mark({ card }: { card: Table | null }) {
  const symbol = String(card?.symbol ?? "");
  return (
    <span class="edition-mark" style={{ color: String(card?.ink ?? "") }}>
      {symbol in SYMBOLS && <CardSymbol name={symbol as SymbolName} />}
    </span>
  );
}

function CardFields({ item: { at, block }, categories }: { item: Item; categories: Option[] }) {
  const { blocks, languages, change, show } = useEditing();
  const words = texts.editions.editor;
  const card = block.data ?? {};
  const slug = String(card.slug ?? "");
  const groups = namedIn(blocks, languages, [], "groups").map(({ slug, name }) => ({ value: slug, label: name }));
  // The slug follows the name while no other part of the edition names the card.
  const rest = textOf(blocks.filter((_, index) => index !== at));
  const named = isNamed(rest, slug);
  const [first = "en"] = languages;
  const rename = (name: string) =>
    change(
      at,
      (table) => {
        if (!isTable(table.name)) table.name = {};
        const own = slugOf(textIn(table.name, [first]));
        (table.name as Table)[first] = name;
        const next = slugOf(name);
        if (named || !next || (own !== slug && !slug.startsWith(`${own}-`))) return;
        const taken = blocks.flatMap(({ kind, data }, index) => (kind === "cards" && index !== at ? [String(data?.slug)] : []));
        table.slug = taken.includes(next) ? freeName(taken, next) : next;
        show(table.slug);
      },
      "name",
    );
  return (
    <>
      <Field label={languages.length > 1 ? `${words.name} (${first})` : words.name}>
        {(more) => (
          <input
            {...more}
            value={textIn(card.name, [first])}
            autocomplete="off"
            onInput={({ currentTarget: one }) => rename(one.value)}
          />
        )}
      </Field>
      {languages.slice(1).map((one) => (
        <TextField key={one} at={at} path={["name", one]} label={`${words.name} (${one})`} />
      ))}
      <div class="field-row">
        <ChoiceField at={at} path={["category"]} label={words.category} options={categories} />
        <TextField at={at} path={["worth"]} label={words.worth} hint={words.worthHint} number />
      </div>
      <div class="field-row">
        <InkField at={at} />
        <SymbolField at={at} />
      </div>
      {card.motif !== undefined && <TextField at={at} path={["motif"]} label={words.motif} />}
      <TextsField at={at} path={["text"]} label={words.cardText} hint={words.optional} lines={2} />
      {groups.length > 0 && <ListField at={at} path={["groups"]} label={words.groups} options={groups} />}
      <TextField at={at} path={["slug"]} label={words.slug} hint={words.slugHint({ name: identifier(slug) })} />
      <OtherMistakes at={at} shown={SHOWN} />
      <OtherFields at={at} known={FIELDS} />
    </>
  );
}

function InkField({ at }: { at: number }) {
  const { value, set, wrong } = useValue({ at, path: ["ink"] });
  const shown = typeof value === "string" && /^#[0-9A-Fa-f]{6}$/.test(value) ? value : "#888888";
  return (
    <Field label={texts.editions.editor.ink} wrong={wrong}>
      {(more) => (
        <input
          {...more}
          type="color"
          class="edition-ink"
          value={shown.toLowerCase()}
          onInput={({ currentTarget: one }) => set(one.value.toUpperCase())}
        />
      )}
    </Field>
  );
}

function SymbolField({ at }: { at: number }) {
  const { report } = useEditing();
  const { value } = useValue({ at, path: ["symbol"] });
  const names: Record<string, string> = texts.editions.symbols;
  const options = [...Object.keys(SYMBOLS), ...(report?.symbols ?? [])].map((name) => ({
    value: name,
    label: names[name] ?? name,
  }));
  const known = typeof value === "string" && value in SYMBOLS;
  return (
    <div class="edition-symbol">
      <ChoiceField at={at} path={["symbol"]} label={texts.editions.editor.symbol} options={options} />
      {known && <CardSymbol name={value as SymbolName} />}
    </div>
  );
}
