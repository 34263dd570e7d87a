// Lists of the blocks of a draft: of cards and rules, one of which is open in its form, and of other parts with all their forms.

import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { texts } from "../../../shared/i18n";
import { Icon } from "../../../shared/icon";
import { announce } from "../../../shared/notices";
import { OtherFields, OtherMistakes } from "./fields";
import { mistakesIn, textIn, useEditing } from "./model/context";
import { freeName, hyphenated } from "./model/names";
import { type Block, movedBlock, newBlock, type Table, withBlock } from "./model/toml-document";

export type Item = { at: number; block: Block; title: string; mistakes: number };

// Return the blocks of a kind with their titles.
export function useItems(kind: string): Item[] {
  const { blocks, report } = useEditing();
  return blocks
    .map((block, at) => ({ block, at }))
    .filter(({ block }) => block.kind === kind)
    .map(({ block, at }) => ({
      at,
      block,
      title: titleOf(block),
      mistakes: mistakesIn(block, report).filter(({ hint }) => !hint).length,
    }));
}

function titleOf({ data }: Block): string {
  const text = ["name", "label", "title", "heading"].map((field) => textIn(data?.[field])).find(Boolean);
  return text ?? String(data?.key ?? data?.slug ?? data?.name ?? "");
}

type ListProps = {
  items: Item[];
  onOpen: (at: number) => void;
  mark: (item: Item) => ComponentChildren;
  none?: string;
};

// The list. Each item opens its form. `none` is shown if it is empty.
export function ItemList({ items, onOpen, mark, none = "" }: ListProps) {
  const words = texts.editions.editor;
  if (items.length === 0) return none && <p class="soft">{none}</p>;
  return (
    <ul class="edition-items stack">
      {items.map((item) => (
        <li key={item.at}>
          <button type="button" class="choice" onClick={() => onOpen(item.at)}>
            {mark(item)}
            <span class="grow">{item.title}</span>
            {item.mistakes > 0 && <em class="wrong">{words.mistakes({ count: item.mistakes })}</em>}
            <Icon name="next" />
          </button>
        </li>
      ))}
    </ul>
  );
}

type FormProps = {
  item: Item;
  copied: (table: Table) => Table;
  onOpen: (at: number | null, blocks?: Block[]) => void;
  back: string;
  children: ComponentChildren;
};

// The form of an item with buttons to copy, move and delete it. `onOpen` gets the blocks if they change at the same time.
export function ItemForm({ item, copied, onOpen, back, children }: FormProps) {
  const { blocks, setBlocks } = useEditing();
  const heading = useRef<HTMLHeadingElement>(null);
  const words = texts.editions.editor;
  const { at, block, title } = item;
  const same = blocks.map(({ kind }, index) => (kind === block.kind ? index : -1)).filter((index) => index >= 0);
  const place = same.indexOf(at);
  useEffect(() => heading.current?.focus(), []);
  const remove = () => {
    setBlocks(blocks.filter((_, index) => index !== at));
    announce(words.removed({ name: title }));
    onOpen(null);
  };
  const copy = () => {
    if (!block.data) return;
    const next = withBlock(blocks, newBlock(block.kind, copied(block.data)), at);
    setBlocks(next);
    announce(words.copied({ name: title }));
    onOpen(at + 1, next);
  };
  const move = (by: 1 | -1) => {
    const next = movedBlock(blocks, at, by);
    setBlocks(next);
    onOpen(same[place + by] ?? at, next);
  };
  return (
    <div>
      <button type="button" class="plain" onClick={() => onOpen(null)}>
        <Icon name="back" />
        {back}
      </button>
      <h2 ref={heading} tabIndex={-1}>
        {title}
      </h2>
      {block.data ? children : <p class="wrong">{words.unreadable({ line: block.line })}</p>}
      <div class="row section">
        <button type="button" class="secondary" disabled={!block.data} onClick={copy}>
          {words.copyItem}
        </button>
        <button type="button" class="secondary" disabled={place < 1} onClick={() => move(-1)}>
          {words.up}
        </button>
        <button type="button" class="secondary" disabled={place === same.length - 1} onClick={() => move(1)}>
          {words.down}
        </button>
        <button type="button" class="secondary" onClick={remove}>
          <Icon name="bin" />
          {words.removeItem}
        </button>
      </div>
    </div>
  );
}

// A list of parts with their forms below one another, such as the categories.
// `fields` are those of the form, `shown` the paths in them that have a field, as a pattern. `made` returns a new part; its
// argument returns a slug that no other part has. A part with the slug `last` stays behind new ones.
type PartListProps = {
  kind: string;
  title: string;
  hint: string;
  add: string;
  fields: string[];
  shown: RegExp;
  slugField?: "slug" | "name";
  made: (free: (name: string) => string) => Table;
  last?: string;
  children: (item: Item) => ComponentChildren;
};

export function PartList({ kind, title, hint, add, fields, shown, slugField = "slug", made, last, children }: PartListProps) {
  const { blocks, setBlocks } = useEditing();
  const items = useItems(kind);
  const names = items.map(({ block }) => hyphenated(String(block.data?.[slugField] ?? "")));
  const free = (name: string) => (names.includes(name) ? freeName(names, name) : name);
  const create = () => {
    const before = items.find(({ block }) => block.data?.[slugField] === last)?.at;
    setBlocks(withBlock(blocks, newBlock(kind, made(free)), before === undefined ? undefined : before - 1));
  };
  return (
    <>
      <h2>{title}</h2>
      <p class="caption">{hint}</p>
      {items.map((item) => (
        <Part key={item.at} item={item}>
          {item.block.data ? children(item) : <p class="wrong">{texts.editions.editor.unreadable({ line: item.block.line })}</p>}
          <OtherMistakes at={item.at} shown={shown} />
          <OtherFields at={item.at} known={fields} />
          <button type="button" class="plain" onClick={() => setBlocks(blocks.filter((_, index) => index !== item.at))}>
            {texts.editions.editor.removeRow({ name: item.title })}
          </button>
        </Part>
      ))}
      <button type="button" class="plain" onClick={create}>
        {add}
      </button>
    </>
  );
}

// A part, which is scrolled to if a mistake in it was chosen.
function Part({ item, children }: { item: Item; children: ComponentChildren }) {
  const { open } = useEditing();
  const own = useRef<HTMLFieldSetElement>(null);
  useEffect(() => {
    if (open !== item.at) return;
    const first = own.current?.querySelector<HTMLElement>("[aria-invalid], input");
    first?.focus();
    first?.scrollIntoView({ block: "center" });
  }, [open]);
  return (
    <fieldset class="edition-part" ref={own}>
      <legend>{item.title}</legend>
      {children}
    </fieldset>
  );
}
