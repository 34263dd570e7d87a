// The cards of an edition: their list, and the form of one.

import { useState } from "preact/hooks";
import { CardSymbol, SYMBOLS } from "../../../shared/cards";
import { texts } from "../../../shared/i18n";
import { Icon } from "../../../shared/icon";
import { slugOf } from "../slug";
import {
  ChoiceField,
  INKS,
  InkAndSymbol,
  ListField,
  NamedFields,
  type Option,
  OtherFields,
  OtherMistakes,
  ShortName,
  TextField,
  TextsField,
  useOutlines,
} from "./fields";
import { ImportCards } from "./import-cards";
import { type Item, ItemForm, ItemList, useItems } from "./item-list";
import { useEditing } from "./model/context";
import { inEach } from "./model/languages";
import { freeName, namedIn, numbered } from "./model/names";
import { cardsOfTemplate, isTemplate, nameOfValue, valuesOf } from "./model/similar-cards";
import { isTable, lastOf, newBlock, type Table, type Value, withBlock } from "./model/toml-document";
import { PackDialog, ValuesForm } from "./similar-cards";

const FIELDS = ["slug", "category", "name", "text", "groups", "worth", "ink", "symbol", "motif"];
const SHOWN = /^(slug|category|(name|text)\.\w+|groups|worth|ink|symbol|motif)$/;

// Return a new card with a look that no other card has, as far as there is one.
export function newCard(taken: Table[], name: string, category: string, languages: string[], slug = "", more: Table = {}): Table {
  const used = taken.map((card) => String(card.slug));
  const wanted = slug || slugOf(name) || "card";
  return {
    slug: used.includes(wanted) ? freeName(used, wanted) : wanted,
    category,
    name: inEach(languages, name),
    ...(more.motif === undefined && freeLook(taken)),
    ...more,
  };
}

// Return an ink and a symbol that no card has, as far as there are such.
function freeLook(taken: Table[]): Table {
  const free = (all: string[], field: string) =>
    all.find((one) => !taken.some((card) => card[field] === one)) ?? all[taken.length % all.length];
  const symbols = Object.keys(SYMBOLS).filter((one) => one !== "seal");
  return { ink: free(INKS, "ink") ?? "#163A86", symbol: free(symbols, "symbol") ?? "star" };
}

// Return a copy of a card with another name and look: the check refuses two cards that look alike.
function copyOf(card: Table, taken: Table[]): Table {
  const slug = freeName(
    taken.map((one) => String(one.slug)),
    String(card.slug),
  );
  const look = isTemplate(card) || card.motif !== undefined ? {} : freeLook(taken);
  return { ...card, ...look, slug, ...(isTable(card.name) && { name: numbered(card.name, slug) }) };
}

export function CardsForm() {
  const { blocks, setBlocks, languages, report, show, open, setOpen } = useEditing();
  const [dialog, setDialog] = useState<"import" | "pack" | null>(null);
  const items = useItems("cards").map((item) => ({ ...item, title: titleOf(item, valuesOf(blocks)) }));
  const words = texts.editions.editor;
  const values = valuesOf(blocks);
  const categories = namedIn(blocks, report?.categories ?? [], "categories").filter(({ slug }) => slug !== "rule");
  const cards = items.flatMap(({ block }) => (block.data ? [block.data] : []));
  const look = (at: number | null, now = blocks) => {
    setOpen(at);
    const slug = at === null ? undefined : now[at]?.data?.slug;
    if (slug) show(cardsOfTemplate(String(slug), values).first);
  };
  const add = () => {
    const card = newCard(cards, words.newCard, categories[0]?.slug ?? "card", languages);
    const next = withBlock(blocks, newBlock("cards", card));
    setBlocks(next);
    setOpen(lastOf(next, "cards"));
  };
  const item = items.find(({ at }) => at === open);
  if (item) {
    return (
      <ItemForm key={item.at} item={item} copied={(card) => copyOf(card, cards)} onOpen={look} back={words.allCards}>
        <CardFields item={item} categories={categories.map(({ slug, name }) => ({ value: slug, label: name }))} />
      </ItemForm>
    );
  }
  return (
    <>
      <div class="row below">
        <button type="button" onClick={add}>
          <Icon name="add" />
          {words.addCard}
        </button>
        <button type="button" class="secondary" onClick={() => setDialog("pack")}>
          <Icon name="add" />
          {words.pack.title}
        </button>
        <button type="button" class="secondary" onClick={() => setDialog("import")}>
          <Icon name="list" />
          {words.importCards}
        </button>
      </div>
      <ItemList items={items} onOpen={look} none={words.noCards} mark={({ block }) => <Mark card={block.data} />} />
      <ValuesForm />
      {dialog === "import" && <ImportCards categories={categories} cards={cards} onClose={() => setDialog(null)} />}
      {dialog === "pack" && <PackDialog categories={categories} onClose={() => setDialog(null)} />}
    </>
  );
}

// Return the title of a card; that of a template is its first card, and says how many cards it makes.
function titleOf({ block, title }: Item, values: Record<string, Value[]>): string {
  if (!isTemplate(block.data)) return title;
  const { count } = cardsOfTemplate(String(block.data?.slug), values);
  const first = title.replace(/\{(\w+)\}/g, (_, name) => nameOfValue(values[name]?.[0] ?? "…"));
  return texts.editions.editor.pack.template({ name: `${first} …`, count });
}

// The symbol of a card in its ink.
function Mark({ card }: { card: Table | null }) {
  const outlineOf = useOutlines();
  const symbol = String(card?.symbol ?? "");
  return (
    <span class="edition-mark" style={{ color: String(card?.ink ?? "") }}>
      {isTemplate(card) ? <Icon name="list" /> : <CardSymbol name={outlineOf(symbol)} />}
    </span>
  );
}

function CardFields({ item: { at, block }, categories }: { item: Item; categories: Option[] }) {
  const { blocks, show } = useEditing();
  const words = texts.editions.editor;
  const card = block.data ?? {};
  const groups = namedIn(blocks, [], "groups").map(({ slug, name }) => ({ value: slug, label: name }));
  const template = isTemplate(block.data);
  return (
    <>
      {template && <p class="note">{words.pack.templateNote}</p>}
      <NamedFields at={at} label={words.name} onRename={show} />
      <div class="field-row">
        <ChoiceField at={at} path={["category"]} label={words.category} options={categories} />
        <TextField at={at} path={["worth"]} label={words.worth} hint={words.worthHint} number />
      </div>
      {!template && <InkAndSymbol at={at} path={[]} />}
      {card.motif !== undefined && <TextField at={at} path={["motif"]} label={words.motif} />}
      <TextsField at={at} path={["text"]} label={words.cardText} hint={words.optional} lines={2} />
      {groups.length > 0 && <ListField at={at} path={["groups"]} label={words.groups} options={groups} />}
      {!template && <ShortName at={at} />}
      <OtherMistakes at={at} shown={SHOWN} />
      <OtherFields at={at} known={FIELDS} />
    </>
  );
}
