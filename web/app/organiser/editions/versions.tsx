// The dialog with the versions of an edition.

import { useRef } from "preact/hooks";
import type { StoredEditionModel, UploadedEditionModel } from "../../../api";
import { Dialog } from "../../shared/dialog";
import { newIdempotencyKey, request } from "../../shared/http";
import { formatDateTime, texts } from "../../shared/i18n";
import { Icon } from "../../shared/icon";
import { announce, Notice } from "../../shared/notices";
import { useSubmit } from "../forms";

type VersionsProps = { edition: UploadedEditionModel; onClose: () => void; onDone: () => void };

// All versions of an edition, the newest first. An earlier one is restored as the newest.
export function VersionsDialog({ edition: { slug, title, versions }, onClose, onDone }: VersionsProps) {
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
      <p>{words.text}</p>
      {problem && <Notice problem={problem} small />}
      <ol class="edition-versions">
        {versions.map(({ version, name, who, at, reason }, place) => (
          <li key={version}>
            <div>
              <b>{words.version({ version })}</b> <small>{words.by({ who, time: formatDateTime(at) })}</small>
              {reason && <small class="edition-reason">{reason}</small>}
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
  earlier ? <small class="edition-reason">{texts.editions.versions.same({ version: earlier.version })}</small> : null;
