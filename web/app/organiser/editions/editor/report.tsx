// The report beside the forms: mistakes, a card as it is printed, and its rule with decks on either side of its boundaries.

import type { DraftModel, UploadFindingModel } from "../../../../api";
import { texts } from "../../../shared/i18n";
import { Finding } from "../finding";

type FindingsProps = {
  findings: UploadFindingModel[];
  hasForm: (finding: UploadFindingModel) => boolean;
  onGo: (finding: UploadFindingModel) => void;
};

export const Findings = ({ findings, hasForm, onGo }: FindingsProps) => (
  <ul class="editions-mistakes">
    {findings.map((finding) => (
      <li>
        <Finding finding={finding} />
        {finding.file === "edition.toml" && finding.line > 0 && (
          <button type="button" class="plain" onClick={() => onGo(finding)}>
            {hasForm(finding) ? texts.editions.editor.show : texts.editions.editor.goTo({ line: finding.line })}
          </button>
        )}
      </li>
    ))}
  </ul>
);

// A card as it is printed, and its rule in plain words with decks on either side of its boundaries.
export function CardReport({ report, onChoose }: { report: DraftModel; onChoose: (card: string) => void }) {
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
            <ul class="facts">
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
                    <th scope="col">{words.scored}</th>
                  </tr>
                </thead>
                {rule.examples.map((pair) => (
                  <tbody>
                    {pair.map(({ deck, score }) => (
                      <tr>
                        <td>{deck.replaceAll(" × ", "\u00a0×\u00a0")}</td>
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
