// The editor of an edition: forms for its parts, its TOML as text, and beside them what the server says about it.

import type { TargetedEvent } from "preact";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import type { StoredEditionModel, UploadedEditionsModel, UploadFindingModel } from "../../../../api";
import { newIdempotencyKey, Problem, request, saveFile, useFetch } from "../../../shared/http";
import { language, texts } from "../../../shared/i18n";
import { Icon } from "../../../shared/icon";
import { announce, Notice, Skeleton } from "../../../shared/notices";
import { Link, View } from "../../../shared/router";
import { useSubmit } from "../../forms";
import { Menu } from "../../layout";
import { Mistakes } from "../finding";
import { CardsForm } from "./cards-form";
import { EditionForm } from "./edition-form";
import { CHECK_TIMEOUT, OCTETS, useCheck } from "./model/checks";
import { EditingContext } from "./model/context";
import { type Source, useDraft } from "./model/draft";
import { blocksOf } from "./model/toml-document";
import { CardReport, DeckScore, Findings } from "./report";
import { RulesForm } from "./rules-form";

const TABS = ["edition", "cards", "rules", "text", "check"] as const;
type Tab = (typeof TABS)[number];
// The tabs with the forms of blocks.
const TAB_OF: Record<string, Tab> = {
  cards: "cards",
  values: "cards",
  rules: "rules",
  families: "rules",
  ...Object.fromEntries(
    ["categories", "groups", "facts", "settings", "parts", "ties", "handout"].map((kind) => [kind, "edition" as const]),
  ),
};
const TEXT_FIELDS = "input:not([type=checkbox], [type=radio], [type=color]), textarea, [contenteditable]";

// The page at /desk/editions/SLUG.
export function Editor({ slug }: { slug: string }) {
  const { data, problem, refetch } = useFetch((signal) => loadSource(slug, signal), slug);
  return (
    <View name="edition" title={data?.title ?? texts.editions.title} lead={texts.editions.lead}>
      {problem && <Notice problem={problem} onRetry={refetch} />}
      {!data && !problem && <Skeleton rows={6} />}
      {data && <EditorForm slug={slug} source={data} refetch={refetch} />}
    </View>
  );
}

async function loadSource(slug: string, signal?: AbortSignal): Promise<Source> {
  const { editions } = await request<UploadedEditionsModel>("/api/v1/editions/uploaded", { signal });
  const edition = editions.find((one) => one.slug === slug);
  const [newest] = edition?.versions ?? [];
  if (!edition || !newest) throw new Problem("not-found");
  const path = `/api/v1/editions/${slug}/file?version=${newest.version}&files=false`;
  const text = await (await request(path, { as: "blob", signal })).text();
  return { title: edition.title, version: newest.version, text };
}

type EditorFormProps = { slug: string; source: Source; refetch: () => void };

function EditorForm({ slug, source, refetch }: EditorFormProps) {
  const draft = useDraft(slug, source);
  const { text, setText, base } = draft;
  const [tab, setTab] = useState<Tab>("cards");
  const [open, setOpen] = useState<number | null>(null);
  const [card, setCard] = useState("");
  const { report, checking, problem: unchecked } = useCheck(slug, text, card);
  const { send, busy, problem } = useSubmit();
  const field = useRef<HTMLTextAreaElement>(null);
  const blocks = useMemo(() => blocksOf(text), [text]);
  const words = texts.editions.editor;
  const mistakes = report?.findings.filter(({ hint }) => !hint).length ?? 0;
  // A ZIP file becomes the newest version, with its texts and symbols.
  const upload = (file: File) =>
    send(async () => {
      const path = `/api/v1/editions/uploaded?${new URLSearchParams({ after: `${base.version}`, slug, language: language() })}`;
      const body = new Blob([file], { type: OCTETS });
      const options = { method: "POST", body, key: newIdempotencyKey(), timeout: CHECK_TIMEOUT } as const;
      announce(texts.editions.uploaded(await request<StoredEditionModel>(path, options)));
      draft.take(await loadSource(slug));
      refetch();
    });
  const download = () =>
    send(async () => {
      const body = new Blob([text], { type: OCTETS });
      saveFile(await request(`/api/v1/editions/${slug}/file`, { method: "POST", body, as: "file" }));
    });
  useUndoKeys(draft.undo, draft.redo);
  const key = useMemo(newIdempotencyKey, [text]);
  const save = async () => {
    const path = `/api/v1/editions/uploaded?after=${base.version}&keep_files=true&language=${language()}`;
    const body = new Blob([text], { type: OCTETS });
    await send(async () => {
      const stored = await request<StoredEditionModel>(path, { method: "POST", body, key, timeout: CHECK_TIMEOUT });
      announce(texts.editions.uploaded(stored));
      draft.saved(stored.version);
    });
    // After a refusal too: another organiser may have saved a version.
    refetch();
  };
  const look = (name: Tab, at: number | null = null) => {
    setTab(name);
    setOpen(at);
  };
  const formOf = ({ line }: UploadFindingModel) => {
    const at = blocks.findIndex((block) => line >= block.line && line < block.line + block.lines.length);
    const tab = blocks[at]?.data && TAB_OF[blocks[at]?.kind ?? ""];
    return tab ? ([tab, at] as const) : null;
  };
  const goTo = (finding: UploadFindingModel) => {
    const form = formOf(finding);
    if (form) return look(...form);
    look("text");
    requestAnimationFrame(() => field.current && showPlace(field.current, text, finding));
  };
  const editing = useMemo(() => ({ blocks, report, setText, show: setCard, open, setOpen }), [blocks, report, setText, open]);
  return (
    <EditingContext.Provider value={editing}>
      <div class="row edition-bar below">
        <Link class="row" href="/desk/editions">
          <Icon name="back" />
          {words.back}
        </Link>
        <p class={mistakes ? "edition-state wrong" : "edition-state"} role="status">
          {checking || !report ? texts.editions.checking : words.mistakes({ count: mistakes })}
        </p>
        <button
          type="button"
          disabled={!draft.changed || draft.outdated || mistakes > 0}
          aria-busy={busy ? "true" : undefined}
          onClick={save}
        >
          <Icon name="check" />
          {words.save}
        </button>
        <button type="button" class="secondary" disabled={!draft.canUndo} onClick={draft.undo}>
          {words.undo}
        </button>
        <button type="button" class="secondary" disabled={!draft.canRedo} onClick={draft.redo}>
          {words.redo}
        </button>
        <FileMenu slug={slug} base={draft.changed ? base.text : null} setText={setText} onDownload={download} onUpload={upload} />
      </div>
      {draft.outdated && (
        <Notice problem={new Problem("other-version")} small>
          <div class="row">
            <button type="button" onClick={() => draft.take(source)}>
              {words.takeNewest}
            </button>
            <button type="button" class="secondary" onClick={draft.rebase}>
              {words.keepMine}
            </button>
          </div>
        </Notice>
      )}
      {problem && problem.slug !== "other-version" && <Mistakes problem={problem} />}
      <div class="tabs edition-tabs" role="group" aria-label={words.parts}>
        {TABS.map((name) => (
          <button
            key={name}
            type="button"
            class={`edition-tab-${name}`}
            aria-pressed={name === tab ? "true" : "false"}
            onClick={() => look(name)}
          >
            {words.tabs[name]}
          </button>
        ))}
      </div>
      <div class={`edition-editor edition-at-${tab}`}>
        <section class="edition-parts" aria-label={words.tabs[tab]}>
          {(tab === "edition" || tab === "check") && <EditionForm />}
          {tab === "cards" && <CardsForm />}
          {tab === "rules" && <RulesForm />}
          {tab === "text" && (
            <>
              <label for="edition-text">{words.text}</label>
              <textarea
                id="edition-text"
                class="edition-text"
                ref={field}
                value={text}
                spellcheck={false}
                autocapitalize="none"
                wrap="off"
                onInput={({ currentTarget: { value } }) => setText(value, "text")}
              />
            </>
          )}
        </section>
        <section class="edition-report" aria-label={words.report}>
          {unchecked && <Notice problem={unchecked} small />}
          {report && <Findings findings={report.findings} hasForm={(finding) => formOf(finding) !== null} onGo={goTo} />}
          {report && <CardReport report={report} onChoose={setCard} />}
          <DeckScore slug={slug} text={text} />
        </section>
      </div>
    </EditingContext.Provider>
  );
}

type FileMenuProps = {
  slug: string;
  base: string | null;
  setText: (text: string) => void;
  onDownload: () => void;
  onUpload: (file: File) => void;
};

// The draft as a file, a file as the draft, and the saved text again.
function FileMenu({ slug, base, setText, onDownload, onUpload }: FileMenuProps) {
  const input = useRef<HTMLInputElement>(null);
  const words = texts.editions.editor;
  const take = async ({ currentTarget }: TargetedEvent<HTMLInputElement>) => {
    const [file] = currentTarget.files ?? [];
    // The draft stays the same edition.
    if (file?.name.toLowerCase().endsWith(".zip")) onUpload(file);
    else if (file) setText((await file.text()).replace(/\r\n/g, "\n").replace(/^slug[ \t]*=.*$/m, `slug = "${slug}"`));
    currentTarget.value = "";
  };
  return (
    <>
      <input ref={input} type="file" accept=".toml,.zip" hidden onChange={take} aria-label={words.takeFile} />
      <Menu label={words.file}>
        <button type="button" onClick={onDownload}>
          <Icon name="download" />
          {texts.editions.download}
        </button>
        <button type="button" onClick={() => input.current?.click()}>
          <Icon name="send" />
          {words.takeFile}
        </button>
        {base !== null && (
          <button type="button" onClick={() => setText(base)}>
            <Icon name="again" />
            {words.discard}
          </button>
        )}
      </Menu>
    </>
  );
}

// Undo with Ctrl-Z and redo with Ctrl-Shift-Z or Ctrl-Y, except in text fields, which have their own.
function useUndoKeys(undo: () => void, redo: () => void) {
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      const name = event.key.toLowerCase();
      if (!(event.ctrlKey || event.metaKey) || event.altKey || (name !== "z" && name !== "y")) return;
      if ((event.target instanceof Element && event.target.closest(TEXT_FIELDS)) || document.querySelector("dialog[open]"))
        return;
      event.preventDefault();
      if (name === "y" || event.shiftKey) redo();
      else undo();
    };
    addEventListener("keydown", press);
    return () => removeEventListener("keydown", press);
  }, [undo, redo]);
}

// Select the rest of a line from the place of a mistake.
function showPlace(area: HTMLTextAreaElement, text: string, { line, column }: UploadFindingModel) {
  const before = text.split("\n").slice(0, line - 1);
  const start = before.reduce((sum, one) => sum + one.length + 1, Math.max(0, column - 1));
  const end = text.indexOf("\n", start);
  area.focus();
  area.setSelectionRange(start, end < 0 ? text.length : end);
  area.scrollTop = (area.scrollHeight / text.split("\n").length) * Math.max(0, line - 4);
}
