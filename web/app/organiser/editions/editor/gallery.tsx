// The gallery of common rules, which are inserted with the edition's own cards.

import { useState } from "preact/hooks";
import type { CommonRuleModel, CommonRulesModel } from "../../../../api";
import { Dialog } from "../../../shared/dialog";
import { request, useFetch } from "../../../shared/http";
import { texts } from "../../../shared/i18n";
import { Notice, Skeleton } from "../../../shared/notices";
import { Field } from "../../forms";
import { textIn, useEditing } from "./model/context";
import { filledRule, type Named, namedIn, rulesIn, type Slots } from "./model/names";
import { isTable, type Table } from "./model/toml-document";

type GalleryProps = { onClose: () => void; onChoose: (rule: Table) => void };

export function Gallery({ onClose, onChoose }: GalleryProps) {
  const { data, problem, refetch } = useFetch(
    (signal) => request<CommonRulesModel>("/api/v1/editions/gallery", { signal }),
    "gallery",
  );
  const [rule, setRule] = useState<CommonRuleModel | null>(null);
  return (
    <Dialog title={texts.editions.editor.addCommonRule} onClose={onClose} wide>
      {problem && <Notice problem={problem} onRetry={refetch} />}
      {!data && !problem && <Skeleton />}
      {rule ? (
        <SlotForm
          rule={rule.rule as Table}
          slots={rule.slots}
          onBack={() => setRule(null)}
          onInsert={(filled) => {
            onChoose(filled);
            onClose();
          }}
        />
      ) : (
        data && (
          <ul class="edition-items tiles edition-gallery">
            {data.rules.map((one) => (
              <li key={textIn(one.name, ["en"])}>
                <button type="button" class="choice" onClick={() => setRule(one)}>
                  <span>
                    <b>{textIn(one.name)}</b>
                    <small>{wordingOf(one.rule as Table)}</small>
                  </span>
                </button>
              </li>
            ))}
          </ul>
        )
      )}
    </Dialog>
  );
}

// Return the wording of a rule with its numbers, and with words for its slots.
function wordingOf(rule: Table): string {
  const names: Record<string, string> = texts.editions.editor.gallery.slots;
  const numbers = isTable(rule.numbers) ? rule.numbers : {};
  return textIn(rule.text).replace(/\{(\w+)\}/g, (whole, name) =>
    String(numbers[name] ?? (name === "rule" ? "…" : names[name]) ?? whole),
  );
}

type SlotFormProps = { rule: Table; slots: string[]; onBack: () => void; onInsert: (rule: Table) => void };

// The form that asks for the cards of a rule.
function SlotForm({ rule, slots, onBack, onInsert }: SlotFormProps) {
  const { blocks, languages, report } = useEditing();
  const words = texts.editions.editor.gallery;
  const names: Record<string, string> = words.slots;
  const cards = namedIn(blocks, report?.cards ?? [], "cards").filter(({ slug }) => !slug.startsWith("rule-"));
  const categories = namedIn(blocks, report?.categories ?? [], "categories").filter(({ slug }) => slug !== "rule");
  const groups = namedIn(blocks, report?.groups ?? [], "groups");
  const options: Record<string, Named[]> = {
    tea: cards,
    cake: cards,
    plate: [...categories, ...groups],
    rule: rulesIn(blocks, report?.cards ?? []).map((one) => ({ ...one, name: one.name || one.slug })),
  };
  const [chosen, setChosen] = useState<Slots>(() => {
    const first = slots.map((slot) => [
      slot,
      options[slot]?.[slot === "cake" && slots.includes("tea") ? 1 : 0] ?? options[slot]?.[0],
    ]);
    return Object.fromEntries(first.filter(([, one]) => one));
  });
  const complete = slots.every((slot) => chosen[slot]);
  const filled = filledRule(rule, chosen, languages);
  const numbers = isTable(rule.numbers) ? rule.numbers : {};
  const shown = textIn(filled.text);
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (complete) onInsert(filled);
      }}
    >
      <p class="note">{shown.replace(/\{(\w+)\}/g, (whole, name) => String(numbers[name] ?? whole))}</p>
      {slots.map((slot) => (
        <Field key={slot} label={names[slot]} wrong={!options[slot]?.length && words.missing}>
          {(more) => (
            <select
              {...more}
              value={chosen[slot]?.slug ?? ""}
              onChange={({ currentTarget: { value } }) => {
                const found = options[slot]?.find(({ slug }) => slug === value);
                if (found) setChosen({ ...chosen, [slot]: found });
              }}
            >
              {options[slot]?.map(({ slug, name }) => (
                <option key={slug} value={slug}>
                  {name}
                </option>
              ))}
            </select>
          )}
        </Field>
      ))}
      <div class="row dialog-actions">
        <button type="button" class="secondary" onClick={onBack}>
          {words.back}
        </button>
        <button disabled={!complete}>{words.insert}</button>
      </div>
    </form>
  );
}
