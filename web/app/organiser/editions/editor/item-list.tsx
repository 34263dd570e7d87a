// A list of cards, rules or other blocks of a draft, one of which is open in its form.

import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { texts } from "../../../shared/i18n";
import { Icon } from "../../../shared/icon";
import { announce } from "../../../shared/notices";
import { mistakesIn, textIn, useEditing } from "./model/context";
import { type Block, movedBlock, newBlock, type Table, withBlock } from "./model/toml-document";

export type Item = { at: number; block: Block; title: string; mistakes: number };

// Return the blocks of a kind with their titles.
export function useItems(kind: string): Item[] {
  const { blocks, report, languages } = useEditing();
  return blocks
    .map((block, at) => ({ block, at }))
    .filter(({ block }) => block.kind === kind)
    .map(({ block, at }) => ({
      at,
      block,
      title: textIn(block.data?.name, languages) || String(block.data?.key ?? block.data?.slug ?? ""),
      mistakes: mistakesIn(block, report).filter(({ hint }) => !hint).length,
    }));
}

type ListProps = {
  items: Item[];
  onOpen: (at: number) => void;
  mark: (item: Item) => ComponentChildren;
  none: string;
};

// The list. Each item opens its form.
export function ItemList({ items, onOpen, mark, none }: ListProps) {
  const words = texts.editions.editor;
  if (items.length === 0) return <p class="editions-none">{none}</p>;
  return (
    <ul class="edition-items">
      {items.map((item) => (
        <li key={item.at}>
          <button type="button" onClick={() => onOpen(item.at)}>
            {mark(item)}
            <span>{item.title}</span>
            {item.mistakes > 0 && <em>{words.mistakes({ count: item.mistakes })}</em>}
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
  onOpen: (at: number | null) => void;
  back: string;
  children: ComponentChildren;
};

// The form of an item with buttons to copy, move and delete it.
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
    setBlocks(withBlock(blocks, newBlock(block.kind, copied(block.data)), at));
    onOpen(at + 1);
  };
  const move = (by: 1 | -1) => {
    setBlocks(movedBlock(blocks, at, by));
    onOpen(same[place + by] ?? at);
  };
  return (
    <div class="edition-form">
      <button type="button" class="plain edition-back" onClick={() => onOpen(null)}>
        <Icon name="back" />
        {back}
      </button>
      <h2 ref={heading} tabIndex={-1}>
        {title}
      </h2>
      {block.data ? children : <p class="field-wrong">{words.unreadable({ line: block.line })}</p>}
      <div class="row-actions">
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

// Return a name that no item has: with the next number at its end.
export function freeName(taken: string[], name: string): string {
  const stem = name.replace(/-?\d+$/, "");
  for (let number = 2; ; number++) {
    const next = stem ? `${stem}-${number}` : String(number);
    if (!taken.includes(next)) return next;
  }
}
