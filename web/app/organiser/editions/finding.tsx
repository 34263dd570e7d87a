// A mistake in an edition, with its place.

import type { UploadFindingModel } from "../../../api";
import { texts } from "../../shared/i18n";

export const Finding = ({ finding: { file, line, column, field, detail, hint } }: { finding: UploadFindingModel }) => (
  <>
    <code>{[file, line, column].filter(Boolean).join(":")}</code> {hint && <em>{texts.editions.hint} </em>}
    {field && <b>{field}: </b>}
    {detail}
  </>
);
