// The forms for a new game and for the settings of a game.

import type { ComponentChildren, JSX, TargetedInputEvent, TargetedSubmitEvent } from "preact";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import type { EditionModel, EditionsModel, FullGameModel } from "../../../api";
import { newIdempotencyKey, request, useFetch } from "../../shared/http";
import { LANGUAGES, language, texts } from "../../shared/i18n";
import { announce, Notice, Skeleton } from "../../shared/notices";
import { Link, navigate, View } from "../../shared/router";
import { Checkbox, Field, focusFirstError, RadioGroup, useSubmit } from "../forms";
import { DeleteGame } from "./delete-game";
import { useMergedForm } from "./merged-form";
import {
  ACTS,
  changedFields,
  editionValues,
  errorsIn,
  type FieldName,
  initialValues,
  MODES,
  RuleChoice,
  SIZES,
  timeZones,
  toRequest,
  type Values,
  valuesOf,
  type Wrong,
} from "./settings";

let unsavedValues: Values | null = null; // unsaved values, for when the organiser comes back

// The form for a new game.
export function NewGame() {
  const { data, problem, refetch } = useFetch(
    (signal) => request<EditionsModel>(`/api/v1/editions?language=${language()}`, { signal }),
    "editions",
  );
  return (
    <View name="new-game" title={texts.games.form.newTitle} lead={texts.games.form.newLead}>
      {problem && !data && <Notice problem={problem} onRetry={refetch} />}
      {!data && !problem && <Skeleton rows={5} />}
      {data && <NewGameForm editions={data.editions} />}
    </View>
  );
}

const CHOICES = ["edition", "rules", "settings", "confirmed"] as const;

function NewGameForm({ editions }: { editions: EditionModel[] }) {
  const [values, setValues] = useState(() => unsavedValues ?? initialValues(findEdition(editions), language()));
  const [asked, setAsked] = useState(false);
  const { send, busy, problem } = useSubmit();
  const key = useRef(newIdempotencyKey());
  const wrong = errorsIn(values, findEdition(editions, values.edition));
  const submit = async (event: TargetedSubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    setAsked(true);
    if (Object.keys(wrong).length) return focusFirstError(event.currentTarget);
    await send(async () => {
      const game = await request<FullGameModel>("/api/v1/games", { method: "POST", body: toRequest(values), key: key.current });
      unsavedValues = null;
      navigate(`/desk/games/${game.id}`);
    });
  };
  // Until the edition or what depends on it was chosen, the edition follows the number of players.
  const picked = useRef(unsavedValues !== null);
  const set = (changes: Partial<Values>) => {
    picked.current ||= CHOICES.some((name) => changes[name] !== undefined);
    const edition = editions.find((one) => one.printable && isFor(changes.players ?? "", one));
    const follows = edition && !picked.current && !isFor(changes.players ?? "", findEdition(editions, values.edition));
    // The response to the previous request may have been lost: this is another game.
    key.current = newIdempotencyKey();
    setValues((before) => (unsavedValues = { ...before, ...(follows && editionValues(edition, before.language)), ...changes }));
  };
  return (
    <form onSubmit={submit} noValidate>
      <GameForm values={values} set={set} wrong={asked ? wrong : {}} editions={editions} may={() => true} fresh />
      {problem && <Notice problem={problem} small />}
      <div class="form-foot">
        <button class="action" aria-busy={busy ? "true" : undefined}>
          {texts.games.form.create}
        </button>
        <Link href="/desk">{texts.cancel}</Link>
      </div>
    </form>
  );
}

// Return the edition of this name, by default the first one that can be printed.
function findEdition(editions: EditionModel[], slug?: string): EditionModel {
  const [first] = editions;
  const found = editions.find((edition) => (slug ? edition.slug === slug : edition.printable)) ?? first;
  if (!found) throw new Error("a server without editions");
  return found;
}

const CORRECTED: string[] = ["edit_rules", "edit_settings"];

// The form for a game's settings, as far as its state allows changes.
type EditProps = { game: FullGameModel; refetch: () => void };

export function EditGame({ game, refetch }: EditProps) {
  const {
    data,
    problem,
    refetch: retry,
  } = useFetch((signal) => request<EditionsModel>(`/api/v1/editions?language=${language()}`, { signal }), "editions");
  return (
    <View name="settings" title={texts.desk.tabs.settings} lead={texts.games.form.editLead[game.state]}>
      {problem && !data && <Notice problem={problem} onRetry={retry} />}
      {!data && !problem && <Skeleton rows={5} />}
      {data && <EditForm game={game} refetch={refetch} editions={data.editions} />}
    </View>
  );
}

function EditForm({ game, refetch, editions }: EditProps & { editions: EditionModel[] }) {
  const words = texts.games.form;
  const form = useMergedForm(valuesOf(game), game.id);
  const { values, base } = form;
  const [asked, setAsked] = useState(false);
  const [reason, setReason] = useState("");
  const [deleting, setDeleting] = useState(false);
  const { send, busy, problem } = useSubmit();
  const correcting = game.allowed.includes("correct");
  const may = (act: string) => game.allowed.includes(act) || (correcting && CORRECTED.includes(act));
  const edition = findEdition(editions, values.edition);
  const wrong = errorsIn(values, edition, base);
  const changed = changedFields(values, base);
  const needsWhy = correcting && changed.some((name) => CORRECTED.includes(ACTS[name]));
  if (needsWhy && !reason.trim()) wrong.reason = texts.desk.confirm.whyMissing;
  useUnsavedWarning(changed.length > 0);
  const element = useRef<HTMLFormElement>(null);
  useEffect(() => {
    // The link of the open points leads to the first value that is not confirmed.
    if (location.hash !== "#confirm") return undefined;
    const frame = requestAnimationFrame(() => {
      const field = element.current?.querySelector<HTMLInputElement>(".setting .tick :not(:checked)");
      field?.closest(".setting")?.scrollIntoView({ block: "center" });
      field?.focus({ preventScroll: true });
    });
    return () => cancelAnimationFrame(frame);
  }, []);
  const submit = async (event: TargetedSubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    setAsked(true);
    if (Object.keys(wrong).length) return focusFirstError(event.currentTarget);
    const body = { ...toRequest(values, base), ...(needsWhy && { reason: reason.trim() }) };
    const done = await send(() => request(`/api/v1/games/${game.id}`, { method: "PATCH", body, revision: game.revision }));
    refetch();
    if (!done) return;
    setAsked(false);
    setReason("");
    announce(words.saved);
  };
  return (
    <form ref={element} onSubmit={submit} noValidate>
      {form.theirs.length > 0 && <OthersChanges form={form} now={valuesOf(game)} edition={edition} />}
      <GameForm values={values} set={form.set} wrong={asked ? wrong : {}} editions={editions} may={may} />
      {needsWhy && (
        <Field label={texts.desk.confirm.why} hint={words.reasonHint} wrong={asked && wrong.reason}>
          {(more) => <input {...more} value={reason} maxLength={500} onInput={(event) => setReason(event.currentTarget.value)} />}
        </Field>
      )}
      {problem && <Notice problem={problem} small />}
      <div class={changed.length ? "form-foot form-foot-changed" : "form-foot"}>
        <button class="action" disabled={!changed.length} aria-busy={busy ? "true" : undefined}>
          {words.save}
        </button>
        <span role="status">{changed.length ? words.unsaved(changed.map((name) => words.short[name])) : words.nothing}</span>
        {changed.length > 0 && (
          <button type="button" class="plain" onClick={() => form.set(base)}>
            {words.reset}
          </button>
        )}
      </div>
      {game.allowed.includes("delete") && (
        <section class="panel form-part form-delete">
          <h2>{words.deleteTitle}</h2>
          <p>{words.deleteText}</p>
          <div class="row-actions">
            <button type="button" class="danger" onClick={() => setDeleting(true)}>
              {texts.games.list.delete}
            </button>
          </div>
        </section>
      )}
      {deleting && <DeleteGame game={game} onClose={() => setDeleting(false)} onGone={() => navigate("/desk")} />}
    </form>
  );
}

// Says what another organiser has changed in fields that were edited here too.
type OthersProps = { form: ReturnType<typeof useMergedForm>; now: Values; edition: EditionModel };

function OthersChanges({ form, now, edition }: OthersProps) {
  const words = texts.games.form;
  return (
    <div class="notice others-changes" role="alert">
      <h2>{words.theirs}</h2>
      <p>{words.theirsText}</p>
      <ul>
        {form.theirs.map((name) => (
          <li key={name}>
            <b>{words.short[name]}</b>:{" "}
            {words.theirValue(settingText(name, now, edition), settingText(name, form.values, edition))}
            <div class="row-actions">
              <button type="button" class="secondary" onClick={() => form.take(name)}>
                {words.take}
              </button>
              <button type="button" class="secondary" onClick={() => form.keep(name)}>
                {words.keep}
              </button>
            </div>
          </li>
        ))}
      </ul>
    </div>
  );
}

// Have the browser ask before a page with unsaved changes is closed.
function useUnsavedWarning(changed: boolean) {
  useEffect(() => {
    if (!changed) return undefined;
    const stop = (event: Event) => event.preventDefault();
    addEventListener("beforeunload", stop);
    return () => removeEventListener("beforeunload", stop);
  }, [changed]);
}

// Return the value of a setting in words.
function settingText(name: FieldName, values: Values, edition: EditionModel): string {
  const words = texts.games.form;
  if (name === "mode") return words.modes[values.mode].title;
  if (name === "language") return LANGUAGES[values.language] ?? values.language;
  if (name === "size") return SIZES.includes(values.size as Size) ? words.sizes[values.size as Size].title : values.size;
  if (name === "deadline") return values.deadline ? values.deadline.replace("T", " ") : texts.desk.bar.noDeadline;
  if (name === "rules") return texts.games.rules.count((values.rules ?? edition.rules).length, edition.rules.length);
  if (name === "settings") return Object.values(values.settings).join(", ");
  if (name === "confirmed") return values.confirmed.length ? words.yes : words.no;
  if (name === "expect_dealt") return values.expect_dealt ? words.expected : words.notExpected;
  return values[name];
}

type Size = (typeof SIZES)[number];

// The fields of a game's settings. `may` returns true for acts that the game's state allows; `wrong` are the errors by field.
// For a `fresh` game most are folded.
type GameFormProps = {
  values: Values;
  set: (changes: Partial<Values>) => void;
  wrong: Wrong;
  editions: EditionModel[];
  may: (act: string) => boolean;
  fresh?: boolean;
};
type TextField = "name" | "players" | "deadline" | "timezone" | "tries" | "pause" | "keep_days" | "keep_hours";
type InputAttributes = JSX.InputHTMLAttributes<HTMLInputElement>;

function GameForm({ values, set, wrong, editions, may, fresh = false }: GameFormProps) {
  const edition = findEdition(editions, values.edition);
  const words = texts.games.form;
  const fixed = (name: FieldName) => !may(ACTS[name]);
  const input =
    (name: TextField, type: string, rest: InputAttributes = {}) =>
    (more: InputAttributes) => (
      <input
        {...more}
        {...rest}
        name={name}
        type={type}
        value={values[name]}
        disabled={fixed(name)}
        onInput={(event) => set({ [name]: event.currentTarget.value })}
      />
    );
  const number = (name: "tries" | "pause" | "keep_days" | "keep_hours", unit?: string) => (
    <Field
      label={words[name]}
      hint={name.startsWith("keep") ? words[`${name as "keep_days" | "keep_hours"}Hint`] : undefined}
      wrong={wrong[name]}
      {...(unit && { unit })}
    >
      {input(name, "number", { inputmode: "numeric", step: 1, min: 0 })}
    </Field>
  );
  const rest = (
    <>
      <Section title={words.place}>
        <div class="field-row">
          <Field label={words.language} hint={words.languageHint}>
            {(more) => (
              <select
                {...more}
                name="language"
                disabled={fixed("language")}
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
                disabled={fixed("size")}
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
          <Field label={words.timezone} hint={words.timezoneHint} wrong={wrong.timezone}>
            {input("timezone", "text", { list: "zones", autocomplete: "off", spellcheck: false })}
          </Field>
          <Zones />
        </div>
      </Section>
      <Section title={words.score}>
        <RadioGroup
          legend={words.mode}
          name="mode"
          value={values.mode}
          disabled={fixed("mode")}
          hint={words.modeHint}
          options={MODES.map((mode) => ({ value: mode, ...words.modes[mode] }))}
          onChange={(mode) => set({ mode })}
        />
        {values.mode === "total" && (
          <div class="field-row">
            {number("tries")}
            {number("pause", words.minutes)}
          </div>
        )}
      </Section>
      <Section title={words.rules}>
        {edition.settings.map((setting) => (
          <Setting key={setting.name} setting={setting} values={values} set={set} wrong={wrong} disabled={fixed("settings")} />
        ))}
        <RuleChoice
          edition={edition}
          players={Number(values.players)}
          chosen={values.rules}
          disabled={fixed("rules")}
          wrong={wrong.rules}
          onChange={(rules) => set({ rules })}
        />
      </Section>
      <Section title={words.count}>
        <Checkbox
          label={words.expect_dealt}
          text={words.expect_dealtHint}
          checked={values.expect_dealt}
          disabled={fixed("expect_dealt")}
          onChange={() => set({ expect_dealt: !values.expect_dealt })}
        />
      </Section>
      <Section title={words.pictures}>
        <div class="field-row">
          {number("keep_days", words.days)}
          {number("keep_hours", words.hours)}
        </div>
      </Section>
    </>
  );
  // New games are made for the number of players.
  const byFit = fresh
    ? [...editions].sort((one, other) => Number(isFor(values.players, other)) - Number(isFor(values.players, one)))
    : editions;
  return (
    <>
      <Section title={words.what}>
        <Field label={words.name} hint={words.nameHint} wrong={wrong.name}>
          {input("name", "text", { maxLength: 200, autocomplete: "off" })}
        </Field>
        <div class="field-row">
          <Field label={words.players} hint={playersHint(values.players, edition)} wrong={wrong.players}>
            {input("players", "number", { inputmode: "numeric", min: 1, max: 600, step: 1 })}
          </Field>
          <Field label={words.deadline} hint={words.deadlineHint} wrong={wrong.deadline}>
            {input("deadline", "datetime-local")}
          </Field>
        </div>
        <RadioGroup
          legend={words.edition}
          name="edition"
          value={values.edition}
          disabled={fixed("edition")}
          hint={fixed("edition") ? words.editionFixed : undefined}
          options={byFit.map((one) => ({ value: one.slug, title: one.title, text: words.editionText(one) }))}
          onChange={(slug) => {
            const chosen = findEdition(editions, slug);
            set({
              ...editionValues(chosen, values.language),
              ...(may("edit_game") && { players: playersFor(values.players, edition, chosen) }),
            });
          }}
        />
      </Section>
      {fresh ? (
        <details class="form-more">
          <summary>{words.more}</summary>
          {rest}
        </details>
      ) : (
        rest
      )}
    </>
  );
}

const Section = ({ title, children }: { title: string; children: ComponentChildren }) => (
  <section class="panel form-part">
    <h2>{title}</h2>
    {children}
  </section>
);

// A number of the edition that organisers may set, such as the worth of a colour.
type SettingProps = Pick<GameFormProps, "values" | "set" | "wrong"> & {
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
    <div class="setting">
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
          label={words.confirmed(values.settings[name])}
          text={words.confirmedHint}
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

// Return true if an edition is made for this number of players.
const isFor = (players: string, { players_min: least, players_max: most }: EditionModel) =>
  Number(players) >= least && Number(players) <= most;

function playersHint(players: string, edition: EditionModel) {
  const words = texts.games.form;
  return isFor(players, edition) ? words.playersHint(edition.cards) : words.playersOutside(edition);
}

// Return the number of players for another edition: its own default, unless somebody has chosen one.
const playersFor = (players: string, before: EditionModel, after: EditionModel) =>
  players === String(before.players_min) ? String(after.players_min) : players;
