// The fields of a game's settings.

import type { ComponentChildren, JSX, TargetedInputEvent } from "preact";
import { useMemo } from "preact/hooks";
import type { EditionModel } from "../../../api";
import { LANGUAGES, texts } from "../../shared/i18n";
import { Checkbox, Field, RadioGroup } from "../forms";
import { ACTS, editionValues, type FieldName, MODES, RuleChoice, SIZES, timeZones, type Values, type Wrong } from "./settings";

// The fields of a game's settings. `may` returns true for acts that the game's state allows; `wrong` are the errors by field.
// For a `fresh` game most are folded.
type GameFieldsProps = {
  values: Values;
  set: (changes: Partial<Values>) => void;
  wrong: Wrong;
  editions: EditionModel[];
  may: (act: string) => boolean;
  fresh?: boolean;
};

export function GameFields({ fresh = false, ...common }: GameFieldsProps) {
  const props = { ...common, edition: findEdition(common.editions, common.values.edition) };
  const words = texts.games.form;
  const rest = (
    <div class="columns form-columns">
      <div>
        <PlaceFields {...props} />
        <ScoreFields {...props} />
      </div>
      <div>
        <RulesFields {...props} />
        <Section>
          <Checkbox
            label={words.expect_dealt}
            text={words.expect_dealtHint}
            checked={props.values.expect_dealt}
            disabled={isFixed(props, "expect_dealt")}
            onChange={() => props.set({ expect_dealt: !props.values.expect_dealt })}
          />
        </Section>
        <Section>
          <div class="field-row">
            <NumberField {...props} name="keep_days" unit={words.days} />
            <NumberField {...props} name="keep_hours" unit={words.hours} />
          </div>
        </Section>
      </div>
    </div>
  );
  return (
    <>
      <MainFields {...props} fresh={fresh} />
      {fresh ? (
        <details>
          <summary>{words.more}</summary>
          {rest}
        </details>
      ) : (
        rest
      )}
    </>
  );
}

const Section = ({ title, children }: { title?: string; children: ComponentChildren }) => (
  <section class="panel">
    {title && <h2>{title}</h2>}
    {children}
  </section>
);

type FieldsProps = Omit<GameFieldsProps, "fresh"> & { edition: EditionModel };
type NumberName = "tries" | "pause" | "keep_days" | "keep_hours";
type TextName = "name" | "players" | "deadline" | "timezone" | NumberName;
type InputAttributes = JSX.InputHTMLAttributes<HTMLInputElement>;

const isFixed = ({ may }: FieldsProps, name: FieldName) => !may(ACTS[name]);

// Return a function that renders the input element of a field.
const inputOf =
  (props: FieldsProps, name: TextName, type: string, rest: InputAttributes = {}) =>
  (more: InputAttributes) => (
    <input
      {...more}
      {...rest}
      name={name}
      type={type}
      value={props.values[name]}
      disabled={isFixed(props, name)}
      onInput={(event) => props.set({ [name]: event.currentTarget.value })}
    />
  );

type NumberFieldProps = FieldsProps & { name: NumberName; unit?: string };

const NumberField = ({ name, unit, ...props }: NumberFieldProps) => (
  <Field label={texts.games.form[name]} wrong={props.wrong[name]} {...(unit && { unit })}>
    {inputOf(props, name, "number", { inputmode: "numeric", step: 1, min: 0 })}
  </Field>
);

// Name, players, deadline, and the edition. New games are made for the number of players.
function MainFields({ fresh, ...props }: FieldsProps & { fresh: boolean }) {
  const { values, set, wrong, editions, edition, may } = props;
  const words = texts.games.form;
  const byFit = fresh
    ? [...editions].sort((one, other) => Number(isFor(values.players, other)) - Number(isFor(values.players, one)))
    : editions;
  return (
    <Section>
      <div class="columns form-columns">
        <div>
          <Field label={words.name} wrong={wrong.name}>
            {inputOf(props, "name", "text", { maxLength: 200, autocomplete: "off" })}
          </Field>
          <div class="field-row">
            <Field label={words.players} hint={playersHint(values.players, edition)} wrong={wrong.players}>
              {inputOf(props, "players", "number", { inputmode: "numeric", min: 1, max: 600, step: 1 })}
            </Field>
            <Field label={words.deadline} hint={!values.deadline && texts.games.next.byHand} wrong={wrong.deadline}>
              {inputOf(props, "deadline", "datetime-local")}
            </Field>
          </div>
        </div>
        <RadioGroup
          legend={words.edition}
          name="edition"
          value={values.edition}
          disabled={isFixed(props, "edition")}
          options={byFit.map((one) => ({ value: one.slug, title: one.title, text: words.editionText(one) }))}
          onChange={(slug) => {
            const chosen = findEdition(editions, slug);
            set({
              ...editionValues(chosen, values.language),
              ...(may("edit_game") && { players: playersFor(values.players, edition, chosen) }),
            });
          }}
        />
      </div>
    </Section>
  );
}

function PlaceFields(props: FieldsProps) {
  const { values, set, wrong, edition } = props;
  const words = texts.games.form;
  return (
    <Section>
      <div class="field-row">
        <Field label={words.language}>
          {(more) => (
            <select
              {...more}
              name="language"
              disabled={isFixed(props, "language")}
              onChange={(event) => set({ language: event.currentTarget.value })}
            >
              {edition.languages.map((code) => (
                <option key={code} value={code} lang={code} selected={code === values.language}>
                  {LANGUAGES[code] ?? code}
                </option>
              ))}
            </select>
          )}
        </Field>
        <Field label={words.size} hint={words.sizeHint}>
          {(more) => (
            <select
              {...more}
              name="size"
              disabled={isFixed(props, "size")}
              onChange={(event) => set({ size: event.currentTarget.value })}
            >
              {SIZES.map((size) => (
                <option key={size} value={size} selected={size === values.size}>
                  {words.sizes[size].title}, {words.sizes[size].text}
                </option>
              ))}
            </select>
          )}
        </Field>
        <Field label={words.timezone} wrong={wrong.timezone}>
          {inputOf(props, "timezone", "text", { list: "zones", autocomplete: "off", spellcheck: false })}
        </Field>
        <Zones />
      </div>
    </Section>
  );
}

function ScoreFields(props: FieldsProps) {
  const { values, set } = props;
  const words = texts.games.form;
  return (
    <Section>
      <RadioGroup
        legend={words.mode}
        name="mode"
        value={values.mode}
        disabled={isFixed(props, "mode")}
        hint={words.modeHint}
        options={MODES.map((mode) => ({ value: mode, ...words.modes[mode] }))}
        onChange={(mode) => set({ mode })}
      />
      {values.mode === "total" && (
        <div class="field-row">
          <NumberField {...props} name="tries" />
          <NumberField {...props} name="pause" unit={words.minutes} />
        </div>
      )}
    </Section>
  );
}

function RulesFields(props: FieldsProps) {
  const { values, set, wrong, edition } = props;
  return (
    <Section title={texts.games.form.rules}>
      {edition.settings.map((setting) => (
        <Setting
          key={setting.name}
          setting={setting}
          values={values}
          set={set}
          wrong={wrong}
          disabled={isFixed(props, "settings")}
        />
      ))}
      <RuleChoice
        edition={edition}
        players={Number(values.players)}
        chosen={values.rules}
        disabled={isFixed(props, "rules")}
        wrong={wrong.rules}
        onChange={(rules) => set({ rules })}
      />
    </Section>
  );
}

// A number of the edition that organisers may set, such as the worth of a colour.
type SettingProps = Pick<GameFieldsProps, "values" | "set" | "wrong"> & {
  setting: EditionModel["settings"][number];
  disabled: boolean;
};

function Setting({ setting, values, set, wrong, disabled }: SettingProps) {
  const words = texts.games.form;
  const { name } = setting;
  const confirmed = values.confirmed.includes(name);
  const put = (event: TargetedInputEvent<HTMLInputElement>) =>
    set({
      settings: { ...values.settings, [name]: event.currentTarget.value },
      confirmed: values.confirmed.filter((other) => other !== name),
    });
  return (
    <div class="setting note below">
      <Field label={setting.label} hint={setting.text} wrong={wrong[`settings.${name}`]}>
        {(more) => (
          <input
            {...more}
            name={`settings.${name}`}
            type="number"
            inputmode="numeric"
            step="1"
            min={setting.minimum}
            max={setting.maximum ?? undefined}
            value={values.settings[name]}
            disabled={disabled}
            onInput={put}
          />
        )}
      </Field>
      {setting.confirm && (
        <Checkbox
          label={words.confirmed({ value: values.settings[name] ?? "" })}
          checked={confirmed}
          disabled={disabled}
          onChange={() =>
            set({
              confirmed: confirmed ? values.confirmed.filter((other) => other !== name) : [...values.confirmed, name].sort(),
            })
          }
        />
      )}
    </div>
  );
}

function Zones() {
  const all = useMemo(timeZones, []);
  return (
    <datalist id="zones">
      {all.map((zone) => (
        <option key={zone} value={zone} />
      ))}
    </datalist>
  );
}

// Return the edition of this name, by default the first one that can be printed.
export function findEdition(editions: EditionModel[], slug?: string): EditionModel {
  const [first] = editions;
  const found = editions.find((edition) => (slug ? edition.slug === slug : edition.printable)) ?? first;
  if (!found) throw new Error("a server without editions");
  return found;
}

// Return true if an edition is made for this number of players.
export const isFor = (players: string, { players_min: least, players_max: most }: EditionModel) =>
  Number(players) >= least && Number(players) <= most;

function playersHint(players: string, edition: EditionModel) {
  const words = texts.games.form;
  return isFor(players, edition) ? words.playersHint({ cards: edition.cards }) : words.playersOutside(edition);
}

// Return the number of players for another edition: its own default, unless somebody has chosen one.
const playersFor = (players: string, before: EditionModel, after: EditionModel) =>
  players === String(before.players_min) ? String(after.players_min) : players;
