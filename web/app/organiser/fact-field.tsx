// A field for a fact about a hand: a number, yes or no, or another player. Pressing an answer again takes it back.

import type { AskedFactModel } from "../../api";
import { loadTexts, texts } from "../shared/i18n";

await loadTexts("queue");

type Props = {
  fact: AskedFactModel;
  players: { number: number; name: string }[];
  value: string;
  onInput: (value: string) => void;
};

export function FactField({ fact, players, value, onInput }: Props) {
  if (fact.player) {
    return (
      <label class="fact">
        {fact.label}
        <select name={fact.name} value={value} onInput={(event) => onInput(event.currentTarget.value)}>
          <option value="" />
          {players.map(({ number, name }) => (
            <option key={number} value={String(number)}>
              {name}
            </option>
          ))}
          <option value="0">{texts.queue.questions.nobody}</option>
        </select>
      </label>
    );
  }
  if (fact.yes_no) {
    return (
      <fieldset class="fact">
        <legend>{fact.label}</legend>
        {(["yes", "no"] as const).map((name) => (
          <label key={name} class="tick">
            <input
              type="radio"
              name={fact.name}
              value={name}
              checked={value === name}
              onChange={() => onInput(name)}
              onClick={() => value === name && onInput("")}
            />
            {texts.queue.questions[name]}
          </label>
        ))}
      </fieldset>
    );
  }
  return (
    <label class="fact">
      {fact.label}
      <input
        name={fact.name}
        type="number"
        inputmode="numeric"
        min={fact.minimum}
        max={fact.maximum}
        step="1"
        value={value}
        aria-invalid={takes(fact, value) ? undefined : "true"}
        onInput={(event) => onInput(event.currentTarget.value)}
      />
    </label>
  );
}

// Whether a field has nothing, or a value that the fact takes.
export const takes = ({ yes_no, minimum, maximum }: AskedFactModel, value: string) =>
  !value || yes_no || (Number.isInteger(Number(value)) && Number(value) >= minimum && Number(value) <= maximum);

// Return the value that was entered in a field, or null.
export const factValue = ({ yes_no }: AskedFactModel, value: string | undefined) =>
  value ? (yes_no ? value === "yes" : Number(value)) : null;
