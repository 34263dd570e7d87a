// What all forms of the editor share: the blocks of the draft, how they are changed, the one that is open in its form, and the
// mistakes at their place.

import { createContext } from "preact";
import { useContext } from "preact/hooks";
import type { DraftModel, UploadFindingModel } from "../../../../../api";
import { language } from "../../../../shared/i18n";
import type { Block, Path, Table, Value } from "./toml-document";
import { changedBlock, isTable, setAt, textOf } from "./toml-document";

export type Editing = {
  blocks: Block[];
  report: DraftModel | null;
  setText: (text: string, field?: string) => void;
  show: (card: string) => void;
  open: number | null;
  setOpen: (at: number | null) => void;
};

const NOTHING = () => {};
export const EditingContext = createContext<Editing>({
  blocks: [],
  report: null,
  setText: NOTHING,
  show: NOTHING,
  open: null,
  setOpen: NOTHING,
});

// Return the blocks of the draft and the functions that change them.
export function useEditing() {
  const editing = useContext(EditingContext);
  const { blocks, setText } = editing;
  // Replace the blocks; changes of the same `field` one after another are undone together.
  const setBlocks = (next: Block[], field?: string) => setText(textOf(next), field);
  const change = (at: number, work: (table: Table) => void, field?: string) =>
    setBlocks(
      blocks.map((block, index) => (index === at ? changedBlock(block, work) : block)),
      field && `${at} ${field}`,
    );
  const set = (at: number, path: Path, value: Value | undefined) =>
    change(at, (table) => setAt(table, path, value), path.join("."));
  return { ...editing, setBlocks, change, set, languages: languagesOf(blocks) };
}

// The languages of an edition are those of its title.
export function languagesOf(blocks: Block[]): string[] {
  const title = blocks[0]?.data?.title;
  const found = isTable(title) ? Object.keys(title) : [];
  return found.length ? found : ["en"];
}

// Return the text in the first of these languages, by default the page's, or in any.
export function textIn(texts: Value | undefined, languages = [language()]): string {
  if (!isTable(texts)) return "";
  const found = languages.map((one) => texts[one]).find(Boolean) ?? Object.values(texts)[0];
  return typeof found === "string" ? found : "";
}

// A mistake in a block, with its field below the block's table, such as "text.en".
export type Mistake = UploadFindingModel & { path: string };

// Return the mistakes in a block.
export function mistakesIn(block: Block | undefined, report: DraftModel | null): Mistake[] {
  if (!block) return [];
  const last = block.line + block.lines.length;
  return (report?.findings ?? [])
    .filter(({ file, line }) => file === "edition.toml" && line >= block.line && line < last)
    .map((finding) => ({
      ...finding,
      path: block.kind ? finding.field.replace(/^[\w-]+(\.no\. \d+|\.[^.]+)?\.?/, "") : finding.field,
    }));
}

// Return the sentence of the mistake at a path, such as case.0.when.
export function mistakeAt(mistakes: Mistake[], path: Path): string | undefined {
  const name = path.map((step) => (typeof step === "number" ? `no. ${step + 1}` : step)).join(".");
  return mistakes.find((mistake) => mistake.path === name)?.detail;
}
