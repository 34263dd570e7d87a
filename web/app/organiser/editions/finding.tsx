// Mistakes in an edition, with their places.

import type { UploadFindingModel } from "../../../api";
import type { Problem } from "../../shared/http";
import { texts } from "../../shared/i18n";
import { Notice } from "../../shared/notices";

export const Finding = ({ finding: { file, line, column, field, detail, hint } }: { finding: UploadFindingModel }) => (
  <>
    <code>{[file, line, column].filter(Boolean).join(":")}</code> {hint && <em>{texts.editions.hint} </em>}
    {field && <b>{field}: </b>}
    {detail}
  </>
);

// The problem with an edition that was sent to the server.
export function Mistakes({ problem }: { problem: Problem }) {
  const errors = (problem.body.errors ?? []) as UploadFindingModel[];
  if (errors.length === 0) return <Notice problem={problem} small />;
  return (
    <Notice problem={{ title: problem.title, detail: texts.editions.notUploaded }} small>
      <ul class="bullets">
        {errors.map((finding) => (
          <li>
            <Finding finding={finding} />
          </li>
        ))}
      </ul>
    </Notice>
  );
}
