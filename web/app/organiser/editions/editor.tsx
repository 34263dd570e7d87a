// The editor of an edition: its TOML, and beside it the mistakes, a card as it is printed, and its rule with examples.

import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import type { DraftModel, StoredEditionModel, UploadedEditionsModel, UploadFindingModel } from "../../../api";
import { newIdempotencyKey, Problem, request, useFetch } from "../../shared/http";
import { texts } from "../../shared/i18n";
import { Icon } from "../../shared/icon";
import { announce, Notice, Skeleton } from "../../shared/notices";
import { Link, View } from "../../shared/router";
import { useSubmit } from "../forms";
import { Finding } from "./finding";

const CHECK_DELAY = 800; // milliseconds after the last key before a check
const CHECK_TIMEOUT = 150_000; // milliseconds to check an edition
const OCTETS = "application/octet-stream";

type Source = { title: string; version: number; text: string };

// The page at /desk/editions/SLUG.
export function Editor({ slug }: { slug: string }) {
  const { data, problem, refetch } = useFetch((signal) => loadSource(slug, signal), slug);
  return (
    <View name="edition" title={data?.title ?? texts.editions.title} lead={texts.editions.editor.lead}>
      {problem && <Notice problem={problem} onRetry={refetch} />}
      {!data && !problem && <Skeleton rows={6} />}
      {data && <EditorForm key={data.version} slug={slug} source={data} onSaved={refetch} />}
    </View>
  );
}

async function loadSource(slug: string, signal: AbortSignal): Promise<Source> {
  const { editions } = await request<UploadedEditionsModel>("/api/v1/editions/uploaded", { signal });
  const edition = editions.find((one) => one.slug === slug);
  const [newest] = edition?.versions ?? [];
  if (!edition || !newest) throw new Problem("not-found");
  const path = `/api/v1/editions/${slug}/file?version=${newest.version}&texts=false`;
  const text = await (await request(path, { as: "blob", signal })).text();
  return { title: edition.title, version: newest.version, text };
}

type EditorFormProps = { slug: string; source: Source; onSaved: () => void };

function EditorForm({ slug, source, onSaved }: EditorFormProps) {
  const draft = useStoredDraft(slug, source);
  const { text, setText } = draft;
  const [card, setCard] = useState("");
  const { report, checking, problem: unchecked } = useCheck(text, card);
  const { send, busy, problem } = useSubmit();
  const field = useRef<HTMLTextAreaElement>(null);
  const key = useRef(newIdempotencyKey());
  const words = texts.editions.editor;
  const changed = text !== source.text;
  const mistakes = report?.findings.filter(({ hint }) => !hint).length ?? 0;
  const save = async () => {
    const path = `/api/v1/editions/uploaded?after=${source.version}&keep_texts=true`;
    const body = new Blob([text], { type: OCTETS });
    const done = await send(async () => {
      const options = { method: "POST", body, key: key.current, timeout: CHECK_TIMEOUT } as const;
      announce(texts.editions.uploaded(await request<StoredEditionModel>(path, options)));
    });
    key.current = newIdempotencyKey();
    if (!done) return;
    draft.forget();
    onSaved();
  };
  const discard = () => {
    setText(source.text);
    draft.forget();
  };
  const goTo = ({ line, column }: UploadFindingModel) => {
    const area = field.current;
    if (!area) return;
    const before = text.split("\n").slice(0, line - 1);
    const start = before.reduce((sum, one) => sum + one.length + 1, Math.max(0, column - 1));
    const end = text.indexOf("\n", start);
    area.focus();
    area.setSelectionRange(start, end < 0 ? text.length : end);
    area.scrollTop = (area.scrollHeight / text.split("\n").length) * Math.max(0, line - 4);
  };
  return (
    <div class="edition-editor">
      <section>
        <label for="edition-text">{words.text}</label>
        <textarea
          id="edition-text"
          class="edition-text"
          ref={field}
          value={text}
          spellcheck={false}
          autocapitalize="none"
          wrap="off"
          onInput={({ currentTarget: { value } }) => {
            key.current = newIdempotencyKey();
            setText(value);
          }}
        />
        {problem && <Notice problem={problem} small />}
        <div class="row-actions">
          <button type="button" disabled={!changed || mistakes > 0} aria-busy={busy ? "true" : undefined} onClick={save}>
            <Icon name="check" />
            {words.save}
          </button>
          {changed && (
            <button type="button" class="secondary" onClick={discard}>
              {words.discard}
            </button>
          )}
          <Link href="/desk/editions">{words.back}</Link>
        </div>
      </section>
      <section aria-label={words.report}>
        {unchecked && <Notice problem={unchecked} small />}
        <p class="edition-state" role="status">
          {checking || !report ? words.checking : words.mistakes({ count: mistakes })}
        </p>
        {report && <Findings findings={report.findings} onGo={goTo} />}
        {report && <CardReport report={report} onChoose={setCard} />}
      </section>
    </div>
  );
}

// Keep what was typed in this tab until it is saved, also if the page is left.
function useStoredDraft(slug: string, source: Source) {
  const name = `haggle-edition-${slug}`;
  const [text, set] = useState(() => sessionStorage.getItem(name) ?? source.text);
  const setText = useCallback(
    (value: string) => {
      set(value);
      sessionStorage.setItem(name, value);
    },
    [name],
  );
  const forget = useCallback(() => sessionStorage.removeItem(name), [name]);
  return { text, setText, forget };
}

// Check a text some time after its last change. The report on the last text without mistakes stays for its card.
function useCheck(text: string, card: string) {
  const [report, setReport] = useState<DraftModel | null>(null);
  const [checking, setChecking] = useState(true);
  const [problem, setProblem] = useState<Problem | null>(null);
  const shown = useRef(false);
  useEffect(() => {
    const controller = new AbortController();
    setChecking(true);
    const path = `/api/v1/editions/checks${card ? `?card=${encodeURIComponent(card)}` : ""}`;
    const check = async () => {
      try {
        const body = new Blob([text], { type: OCTETS });
        const options = { method: "POST", body, signal: controller.signal, timeout: CHECK_TIMEOUT } as const;
        const found = await request<DraftModel>(path, options);
        setReport((before) => (found.card === null && before ? { ...before, findings: found.findings } : found));
        setProblem(null);
      } catch (error) {
        if (!(error instanceof Problem)) return;
        setProblem(error);
      }
      if (!controller.signal.aborted) setChecking(false);
    };
    const timer = setTimeout(check, shown.current ? CHECK_DELAY : 0);
    shown.current = true;
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, [text, card]);
  return { report, checking, problem };
}

type FindingsProps = { findings: UploadFindingModel[]; onGo: (finding: UploadFindingModel) => void };

const Findings = ({ findings, onGo }: FindingsProps) => (
  <ul class="editions-mistakes">
    {findings.map((finding) => (
      <li>
        <Finding finding={finding} />
        {finding.file === "edition.toml" && finding.line > 0 && (
          <button type="button" class="plain" onClick={() => onGo(finding)}>
            {texts.editions.editor.goTo({ line: finding.line })}
          </button>
        )}
      </li>
    ))}
  </ul>
);

// A card as it is printed, and its rule in plain words with decks on either side of its boundaries.
function CardReport({ report, onChoose }: { report: DraftModel; onChoose: (card: string) => void }) {
  const { cards, card, face, rule } = report;
  const words = texts.editions.editor;
  const name = cards.find(({ slug }) => slug === card)?.name ?? "";
  if (!card) return null;
  return (
    <>
      <label>
        {words.card}
        <select value={card} onChange={({ currentTarget: { value } }) => onChoose(value)}>
          {cards.map((one) => (
            <option key={one.slug} value={one.slug} selected={one.slug === card}>
              {one.name} ({one.slug})
            </option>
          ))}
        </select>
      </label>
      <div class="edition-card">
        {face && <img src={`data:image/png;base64,${face}`} alt={words.face({ name })} />}
        {rule && (
          <div>
            <h2>{rule.name}</h2>
            <ul class="facts" lang="en">
              {rule.words.map((line) => (
                <li>{line}</li>
              ))}
            </ul>
            {!rule.matters && <p>{words.idle}</p>}
            {rule.examples.length > 0 && (
              <table class="edition-examples">
                <thead>
                  <tr>
                    <th scope="col">{words.deck}</th>
                    <th scope="col">{words.score}</th>
                  </tr>
                </thead>
                {rule.examples.map((pair) => (
                  <tbody>
                    {pair.map(({ deck, score }) => (
                      <tr>
                        <td>{deck}</td>
                        <td>{score}</td>
                      </tr>
                    ))}
                  </tbody>
                ))}
              </table>
            )}
          </div>
        )}
      </div>
    </>
  );
}
