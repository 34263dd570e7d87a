// The list of editions: those that organisers have uploaded, and the installed ones.

import type { TargetedEvent } from "preact";
import { useRef, useState } from "preact/hooks";
import type { EditionModel, EditionsModel, StoredEditionModel, UploadedEditionModel, UploadedEditionsModel } from "../../../api";
import { Dialog } from "../../shared/dialog";
import { newIdempotencyKey, request, useFetch } from "../../shared/http";
import { formatDateTime, language, texts } from "../../shared/i18n";
import { Icon } from "../../shared/icon";
import { announce, Notice, Skeleton } from "../../shared/notices";
import { Link, navigate, View } from "../../shared/router";
import { ConfirmDialog, useSubmit } from "../forms";
import { Menu } from "../layout";
import { CHECK_TIMEOUT, OCTETS } from "./editor/model/checks";
import { Mistakes } from "./finding";
import { NewEditionDialog, type Start } from "./new-edition";

const UPLOADED = "/api/v1/editions/uploaded";
const NEW: Start = { base: null, variant: false };

// The editions of this server.
export function Editions() {
  const own = useFetch((signal) => request<UploadedEditionsModel>(UPLOADED, { signal }), "own");
  const all = useFetch((signal) => request<EditionsModel>(`/api/v1/editions?language=${language()}`, { signal }), "editions");
  const [start, setStart] = useState<Start | null>(null);
  const words = texts.editions;
  const problem = own.problem ?? all.problem;
  const installed = all.data?.editions.filter(({ uploaded }) => !uploaded) ?? [];
  const refetch = () => Promise.all([own.refetch(), all.refetch()]);
  const created = ({ slug, title }: StoredEditionModel) => {
    announce(words.created({ title }));
    navigate(`/desk/editions/${slug}`);
  };
  return (
    <View name="editions" title={words.title} lead={words.lead}>
      <div class="row below">
        <button type="button" class="action" onClick={() => setStart(NEW)}>
          <Icon name="add" />
          {words.create}
        </button>
        <UploadButton onDone={refetch} />
      </div>
      {problem && <Notice problem={problem} onRetry={refetch} />}
      {!(own.data && all.data) && !problem && <Skeleton />}
      {own.data && (
        <>
          <h2>{words.own}</h2>
          {own.data.editions.length === 0 && <p class="soft">{words.none}</p>}
          <ul class="games tiles">
            {own.data.editions.map((edition) => (
              <OwnCard key={edition.slug} edition={edition} refetch={refetch} copy={setStart} />
            ))}
          </ul>
        </>
      )}
      {all.data && (
        <>
          <h2>{words.installed}</h2>
          <ul class="games tiles">
            {installed.map((edition) => (
              <InstalledCard key={edition.slug} edition={edition} start={setStart} />
            ))}
          </ul>
        </>
      )}
      {start && (
        <NewEditionDialog
          start={start}
          installed={installed}
          own={own.data?.editions ?? []}
          onClose={() => setStart(null)}
          onDone={created}
        />
      )}
    </View>
  );
}

type OwnProps = { edition: UploadedEditionModel; refetch: () => void; copy: (start: Start) => void };

function OwnCard({ edition, refetch, copy }: OwnProps) {
  const [open, setOpen] = useState<"" | "versions" | "delete">("");
  const words = texts.editions;
  const { slug, title, games, versions } = edition;
  const [newest] = versions;
  if (!newest) return null;
  const remove = async () => {
    await request(`${UPLOADED}/${slug}`, { method: "DELETE" });
    announce(words.deleted({ title }));
    refetch();
  };
  return (
    <li class="panel game-card">
      <div class="row between">
        <h3>
          <Link href={`/desk/editions/${slug}`}>{title}</Link>
        </h3>
        <Menu icon="menu" name={words.more({ title })} end>
          <Link href={`/desk/editions/${slug}`}>
            <Icon name="gear" />
            {words.edit}
          </Link>
          <Download slug={slug} />
          <button type="button" onClick={() => setOpen("versions")}>
            <Icon name="clock" />
            {words.versions.open}
          </button>
          <button type="button" onClick={() => copy({ base: slug, variant: false })}>
            <Icon name="add" />
            {words.copy}
          </button>
          <button type="button" class="menu-danger" onClick={() => setOpen("delete")}>
            <Icon name="bin" />
            {words.delete}
          </button>
        </Menu>
      </div>
      <p>
        <code>{slug}</code>
      </p>
      <p class="row soft">
        <Icon name="clock" />
        {words.changed({ version: newest.version, who: newest.who, time: formatDateTime(newest.at) })}
      </p>
      <p class="row soft">
        <Icon name="people" />
        {words.games({ count: games })}
      </p>
      {open === "versions" && <VersionsDialog edition={edition} onClose={() => setOpen("")} onDone={refetch} />}
      {open === "delete" && (
        <ConfirmDialog
          title={words.deleteTitle({ title })}
          confirm={words.delete}
          danger
          onConfirm={remove}
          onClose={() => setOpen("")}
        >
          <p>{words.deleteText({ count: games })}</p>
        </ConfirmDialog>
      )}
    </li>
  );
}

function InstalledCard({ edition, start }: { edition: EditionModel; start: (start: Start) => void }) {
  const words = texts.editions;
  const { slug, title, summary } = edition;
  return (
    <li class="panel game-card">
      <div class="row between">
        <h3>{title}</h3>
        <Menu icon="menu" name={words.more({ title })} end>
          <button type="button" onClick={() => start({ base: slug, variant: true })}>
            <Icon name="add" />
            {words.variant}
          </button>
          <button type="button" onClick={() => start({ base: slug, variant: false })}>
            <Icon name="add" />
            {words.copy}
          </button>
          <Download slug={slug} />
        </Menu>
      </div>
      <p>
        <code>{slug}</code>
      </p>
      <p>{summary}</p>
    </li>
  );
}

const Download = ({ slug }: { slug: string }) => (
  <a href={`/api/v1/editions/${slug}/file`} download>
    <Icon name="download" />
    {texts.editions.download}
  </a>
);

// A button to upload an edition, or a new version of one. Mistakes are listed with their places.
function UploadButton({ onDone }: { onDone: () => void }) {
  const input = useRef<HTMLInputElement>(null);
  const { send, busy, problem } = useSubmit();
  const words = texts.editions;
  const take = async ({ currentTarget }: TargetedEvent<HTMLInputElement>) => {
    const [file] = currentTarget.files ?? [];
    if (!file) return;
    const body = new Blob([file], { type: OCTETS });
    const key = newIdempotencyKey();
    await send(async () => {
      const path = `${UPLOADED}?language=${language()}`;
      const stored = await request<StoredEditionModel>(path, { method: "POST", body, key, timeout: CHECK_TIMEOUT });
      announce(words.uploaded(stored));
      onDone();
    });
    currentTarget.value = "";
  };
  return (
    <>
      <input ref={input} type="file" accept=".toml,.zip" hidden onChange={take} aria-label={words.upload} />
      <button type="button" class="action secondary" aria-busy={busy ? "true" : undefined} onClick={() => input.current?.click()}>
        <Icon name="send" />
        {busy ? words.checking : words.upload}
      </button>
      {problem && <Mistakes problem={problem} />}
    </>
  );
}

type VersionsProps = { edition: UploadedEditionModel; onClose: () => void; onDone: () => void };

// All versions of an edition, the newest first. An earlier one is restored as the newest.
function VersionsDialog({ edition: { slug, title, versions }, onClose, onDone }: VersionsProps) {
  const { send, busy, problem } = useSubmit();
  const key = useRef(newIdempotencyKey());
  const words = texts.editions.versions;
  const restore = async (version: number) => {
    const done = await send(async () => {
      const path = `/api/v1/editions/uploaded/${slug}/restore`;
      const stored = await request<StoredEditionModel>(path, { method: "POST", body: { version }, key: key.current });
      announce(words.restored({ version, stored: stored.version }));
      onDone();
    });
    key.current = newIdempotencyKey();
    if (done) onClose();
  };
  return (
    <Dialog title={words.title({ title })} onClose={onClose}>
      {problem && <Notice problem={problem} small />}
      <ol class="ruled">
        {versions.map(({ version, name, who, at, reason }, place) => (
          <li key={version} class="row">
            <div class="grow">
              <b>{words.version({ version })}</b> <small>{words.by({ who, time: formatDateTime(at) })}</small>
              {reason && <small class="block">{reason}</small>}
              <SameVersion earlier={versions.slice(place + 1).find((one) => one.name === name)} />
            </div>
            <a class="as-button secondary" href={`/api/v1/editions/${slug}/file?version=${version}`} download>
              <Icon name="download" />
              <span class="visually-hidden">{words.download({ version })}</span>
            </a>
            {name !== versions[0]?.name && (
              <button type="button" class="secondary" disabled={busy} onClick={() => restore(version)}>
                {words.restore}
                <span class="visually-hidden"> {words.version({ version })}</span>
              </button>
            )}
          </li>
        ))}
      </ol>
    </Dialog>
  );
}

// The earlier version that was restored as this one.
const SameVersion = ({ earlier }: { earlier: UploadedEditionModel["versions"][number] | undefined }) =>
  earlier ? <small>{texts.editions.versions.same({ version: earlier.version })}</small> : null;
