// The dialog for printing options.

import type { ComponentChildren, TargetedEvent } from "preact";
import { useState } from "preact/hooks";
import type { FullGameModel, RunModel } from "../../../api";
import { Dialog } from "../../shared/dialog";
import { LANGUAGES, texts } from "../../shared/i18n";
import { Notice } from "../../shared/notices";
import { Checkbox, Field, focusFirstError, RadioGroup, useSubmit } from "../forms";
import { Download, Preview, SHEET_RATIO } from "./preview";
import {
  BACKS,
  BOUNDS,
  type Choices,
  checkPrintable,
  DEFAULTS,
  errorsIn,
  labelsOn,
  MARKS,
  type NumberOption,
  ORDERS,
  papers,
  stickersOn,
  withChanges,
  withOptions,
} from "./print-options";

// A dialog for the printing options, common ones first, with a sample sheet.
type PrintSetupProps = {
  game: FullGameModel;
  run: RunModel | undefined;
  choices: Choices;
  onDone: (choices: Choices) => void;
  onClose: () => void;
};

export function PrintSetup({ game, run, choices, onDone, onClose }: PrintSetupProps) {
  const [given, setGiven] = useState(choices);
  const words = texts.print.setup;
  const wrong = errorsIn(given);
  const { send, busy, problem, forget } = useSubmit();
  const set = (changes: Partial<Choices>) => {
    forget();
    setGiven((before) => withChanges(before, changes));
  };
  const submit = async (event: TargetedEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (Object.keys(wrong).length) {
      for (const part of event.currentTarget.querySelectorAll("details")) part.open = true;
      return focusFirstError(event.currentTarget);
    }
    if (!(await send(() => checkPrintable(game, run, given)))) return;
    onDone(given);
    onClose();
  };
  const { number, list, choice } = optionFields(given, wrong, set);
  const others = game.languages.filter((language) => language !== game.language);
  return (
    <Dialog title={words.title} wide onClose={onClose}>
      <form class="columns setup" onSubmit={submit} noValidate>
        <div class="setup-choices">
          <RadioGroup
            legend={texts.print.paper}
            name="setup-paper"
            value={given.paper}
            options={papers()}
            onChange={(paper) => set({ paper })}
          />
          {choice("backs", BACKS)} {choice("marks", MARKS)}
          {others.length > 0 &&
            list("second", [
              ["", words.noSecond],
              ...others.map((language): [string, string] => [language, LANGUAGES[language] ?? language]),
            ])}
          <MoreOptions title={words.drift} given={given} names={DRIFT}>
            <p>{words.driftText}</p>
            <Download
              kind="secondary"
              address={withOptions(`/api/v1/games/${game.id}/calibration.pdf`, given)}
              title={texts.print.forAll.calibration}
            />
            <div class="field-row">
              {number("shift_x", "mm")} {number("shift_y", "mm")}
            </div>
            <div class="field-row">
              {number("back_x", "mm")} {number("back_y", "mm")}
            </div>
            <div class="field-row">
              {number("scale_x", "%")} {number("scale_y", "%")}
            </div>
          </MoreOptions>
          <MoreOptions title={words.used} given={given} names={["labels", "skip", "labels_skip"]}>
            {list(
              "labels",
              labelsOn(given.paper).map(([name, size]): [string, string] => [
                name,
                size ? `${name.toUpperCase()} (${size} mm)` : words.cut,
              ]),
            )}
            <div class="field-row">
              {number("skip")} {number("labels_skip")}
            </div>
          </MoreOptions>
          <MoreOptions title={words.shop} given={given} names={SHOP}>
            {choice("order", ORDERS)}
            <div class="field-row">
              {number("bleed", "mm")} {number("gutter", "mm")}
            </div>
          </MoreOptions>
          <MoreOptions title={words.own} given={given} names={["stick", "stickers", "stickers_skip"]}>
            <Checkbox
              label={words.stick}
              text={words.stickText}
              checked={given.stick !== ""}
              onChange={() => set({ stick: given.stick ? "" : "owned" })}
            />
            {given.stick && (
              <>
                {list(
                  "stickers",
                  stickersOn(given.paper).map(([name, size]): [string, string] => [name, `${name.toUpperCase()} (${size} mm)`]),
                )}
                <div class="field-row">{number("stickers_skip")}</div>
              </>
            )}
          </MoreOptions>
          {problem && <Notice problem={problem} small />}
          <div class="row dialog-actions">
            <button type="button" class="secondary" onClick={() => set(DEFAULTS)}>
              {words.usual}
            </button>
            <button aria-busy={busy ? "true" : undefined}>{words.done}</button>
          </div>
        </div>
        <Sample game={game} choices={given} />
      </form>
    </Dialog>
  );
}

// Return functions that render the fields of options, by the options' names.
function optionFields(given: Choices, wrong: ReturnType<typeof errorsIn>, set: (changes: Partial<Choices>) => void) {
  const words = texts.print.setup;
  const labels = words as unknown as Record<string, string | undefined>;
  const number = (name: NumberOption, unit?: string) => (
    <Field label={labels[name]} hint={labels[`${name}Hint`]} {...(unit ? { unit } : {})} wrong={wrong[name]}>
      {(more) => (
        <input
          {...more}
          name={name}
          type="number"
          inputmode="decimal"
          step="any"
          min={BOUNDS[name][0]}
          max={BOUNDS[name][1]}
          value={given[name]}
          onInput={(event) => set({ [name]: event.currentTarget.value })}
        />
      )}
    </Field>
  );
  const list = (name: "second" | "labels" | "stickers", options: [value: string, title: string][]) => (
    <Field label={labels[name]} hint={labels[`${name}Hint`]}>
      {(more) => (
        <select {...more} name={name} onChange={(event) => set({ [name]: event.currentTarget.value })}>
          {options.map(([value, title]) => (
            <option value={value} selected={value === given[name]}>
              {title}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
  const choice = <Name extends "backs" | "marks" | "order">(name: Name, values: readonly Choices[Name][]) => {
    const options = words[`${name}Options`] as Record<Choices[Name], { title: string; text?: string }>;
    return (
      <RadioGroup
        legend={labels[name]}
        name={`setup-${name}`}
        value={given[name]}
        options={values.map((value) => ({ value, ...options[value] }))}
        onChange={(value) => set({ [name]: value })}
      />
    );
  };
  return { number, list, choice };
}

// A sample sheet, and its backs if they are on a page of their own.
function Sample({ game, choices }: { game: FullGameModel; choices: Choices }) {
  const { labels, labels_skip, stickers, stickers_skip } = DEFAULTS; // not visible on a sample
  const shown = { ...choices, labels, labels_skip, stickers, stickers_skip };
  const page = (number: number) => withOptions(`/api/v1/games/${game.id}/sample/sheet.png`, shown, { width: 700, page: number });
  const turned = choices.backs === "long" || choices.backs === "short";
  return (
    <div class="stack">
      <p class="caption">{texts.print.dealing.sample}</p>
      <Preview address={page(1)} name={texts.print.run.sheets} ratio={SHEET_RATIO[choices.paper]} />
      {turned && <Preview address={page(2)} name={texts.print.setup.backs} ratio={SHEET_RATIO[choices.paper]} />}
    </div>
  );
}

// Options that few people need. Open if one of them is not the default.
type MoreOptionsProps = { title: string; given: Choices; names: (keyof Choices)[]; children: ComponentChildren };

function MoreOptions({ title, given, names, children }: MoreOptionsProps) {
  const [open] = useState(names.some((name) => given[name] !== DEFAULTS[name]));
  return (
    <details class="section" open={open}>
      <summary>{title}</summary>
      <div>{children}</div>
    </details>
  );
}

const SHOP: (keyof Choices)[] = ["order", "bleed", "gutter"];
const DRIFT: (keyof Choices)[] = ["shift_x", "shift_y", "back_x", "back_y", "scale_x", "scale_y"];

// Return a summary of the options: the paper, and what differs from the defaults.
export function optionsText(choices: Choices): string {
  const words = texts.print.setup;
  const differs = (name: keyof Choices) => choices[name] !== DEFAULTS[name];
  const named = (name: "backs" | "marks" | "second" | "skip" | "labels_skip" | "stickers_skip", value: string) =>
    differs(name) && texts.desk.named({ what: words[name], name: value });
  return [
    texts.print.papers[choices.paper],
    named("backs", words.backsOptions[choices.backs].title),
    named("marks", words.marksOptions[choices.marks].title),
    named("second", LANGUAGES[choices.second] ?? choices.second),
    named("skip", choices.skip),
    differs("labels") && `${words.labels} ${choices.labels.toUpperCase()}`,
    differs("labels") && named("labels_skip", choices.labels_skip),
    choices.stick && `${words.stickers} ${choices.stickers.toUpperCase()}`,
    choices.stick && named("stickers_skip", choices.stickers_skip),
    SHOP.some(differs) && words.shop,
    DRIFT.some(differs) && words.drift,
  ]
    .filter(Boolean)
    .join(" · ");
}
