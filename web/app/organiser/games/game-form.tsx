// The forms for a new game and for the settings of a game.

import type { TargetedSubmitEvent } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import type { EditionModel, EditionsModel, FullGameModel } from "../../../api";
import { newIdempotencyKey, request, useFetch } from "../../shared/http";
import { formatList, LANGUAGES, language, texts } from "../../shared/i18n";
import { announce, Notice, Skeleton } from "../../shared/notices";
import { Link, navigate, View } from "../../shared/router";
import { Field, focusFirstError, useSubmit } from "../forms";
import { findEdition, GameFields, isFor } from "./game-fields";
import { DeleteGame } from "./games";
import {
  ACTS,
  changedFields,
  editionValues,
  errorsIn,
  type FieldName,
  fieldName,
  initialValues,
  isEqual,
  SIZES,
  toRequest,
  type Values,
  valuesOf,
} from "./settings";

// Unsaved values of the form for a new game, and of those for settings by game, for when the organiser comes back.
let unsavedValues: Values | null = null;
const unsavedForms = new Map<string, MergedForm>();

// The form for a new game.
export function NewGame() {
  const { data, problem, refetch } = useFetch(
    (signal) => request<EditionsModel>(`/api/v1/editions?language=${language()}`, { signal }),
    "editions",
  );
  return (
    <View name="new-game" title={texts.games.list.create}>
      {problem && !data && <Notice problem={problem} onRetry={refetch} />}
      {!data && !problem && <Skeleton rows={5} />}
      {data && <NewGameForm editions={data.editions.filter(({ offered }) => offered)} />}
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
      navigate(`/desk/games/${game.id}/print/deal`);
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
      <GameFields values={values} set={set} wrong={asked ? wrong : {}} editions={editions} may={() => true} fresh />
      {problem && <Notice problem={problem} small />}
      <div class="row bar-bottom">
        <button class="action" aria-busy={busy ? "true" : undefined}>
          {texts.games.form.create}
        </button>
        <Link href="/desk">{texts.cancel}</Link>
      </div>
    </form>
  );
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
    <View name="settings" title={texts.desk.tabs.settings} lead={leadOf(game)}>
      {problem && !data && <Notice problem={problem} onRetry={retry} />}
      {!data && !problem && <Skeleton rows={5} />}
      {data && (
        <EditForm
          game={game}
          refetch={refetch}
          editions={data.editions.filter(({ offered, slug }) => offered || slug === game.edition)}
        />
      )}
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
  if (needsWhy && !reason.trim()) wrong.reason = texts.problems["no-reason"].title;
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
      <GameFields values={values} set={form.set} wrong={asked ? wrong : {}} editions={editions} may={may} />
      {needsWhy && (
        <Field label={texts.desk.confirm.why} wrong={asked && wrong.reason}>
          {(more) => <input {...more} value={reason} maxLength={500} onInput={(event) => setReason(event.currentTarget.value)} />}
        </Field>
      )}
      {problem && <Notice problem={problem} small />}
      <div class="row bar-bottom">
        <button class="action" disabled={!changed.length} aria-busy={busy ? "true" : undefined}>
          {words.save}
        </button>
        <span role="status">{changed.length > 0 && words.unsaved({ names: formatList(changed.map(fieldName)) })}</span>
        {changed.length > 0 && (
          <button type="button" class="plain" onClick={() => form.set(base)}>
            {words.reset}
          </button>
        )}
      </div>
      {game.allowed.includes("delete") && (
        <section class="panel dashed">
          <div class="row">
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
    <div class="notice bar-top" role="alert">
      <h2>{words.theirs}</h2>
      <ul>
        {form.theirs.map((name) => (
          <li key={name}>
            {texts.desk.named({
              what: fieldName(name),
              name: words.theirValue({
                theirs: settingText(name, now, edition),
                mine: settingText(name, form.values, edition),
              }),
            })}
            <div class="row">
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

// Return a sentence about what cannot be changed, or how.
function leadOf({ allowed }: FullGameModel): string {
  const words = texts.games.form;
  if (allowed.includes("correct")) return words.correction;
  return allowed.includes("edit_game") ? "" : words.fixed({ rules: !allowed.includes("edit_rules") });
}

// Return the value of a setting in words.
function settingText(name: FieldName, values: Values, edition: EditionModel): string {
  const words = texts.games.form;
  if (name === "mode") return words.modes[values.mode].title;
  if (name === "language") return LANGUAGES[values.language] ?? values.language;
  if (name === "size") return SIZES.includes(values.size as Size) ? words.sizes[values.size as Size].title : values.size;
  if (name === "deadline") return values.deadline ? values.deadline.replace("T", " ") : texts.desk.bar.noDeadline;
  if (name === "rules") {
    const [count, all] = [(values.rules ?? edition.rules).length, edition.rules.length];
    return texts.games.rules.count({ count, all });
  }
  if (name === "settings") return Object.values(values.settings).join(", ");
  if (name === "confirmed") return values.confirmed.length ? words.yes : words.no;
  if (name === "expect_dealt") return values.expect_dealt ? words.yes : words.no;
  return values[name] || "–";
}

type Size = (typeof SIZES)[number];

type MergedForm = { base: Values; values: Values; theirs: FieldName[] };

// State of a form that others may save at the same time: { values, set, base, theirs, take, keep }. `now` are the server's
// values. Untouched fields follow the server; fields that both have changed are listed in `theirs` until the organiser takes
// the other value or keeps their own. Unsaved values are kept under `key` until the page is closed, also while another tab of
// the game is shown.
function useMergedForm(now: Values, key: string) {
  const [state, setState] = useState<MergedForm>(unsavedForms.get(key) ?? { base: now, values: now, theirs: [] });
  const seen = useRef(state.base);
  unsavedForms.set(key, state);
  useEffect(() => {
    if (isEqual(seen.current, now)) return;
    seen.current = now;
    setState(({ base, values, theirs }) => {
      const changed = changedFields(now, base);
      const touched = changedFields(values, base);
      const both = changed.filter((name) => touched.includes(name) && !isEqual(values[name], now[name]));
      const followed = changed.filter((name) => !touched.includes(name));
      const next = { ...values, ...Object.fromEntries(followed.map((name) => [name, now[name]])) };
      return {
        base: now,
        values: next,
        theirs: [...new Set([...theirs, ...both])].filter((name) => !isEqual(next[name], now[name])),
      };
    });
  });
  const set = (changes: Partial<Values>) => setState((before) => ({ ...before, values: { ...before.values, ...changes } }));
  const keep = (name: FieldName) =>
    setState((before) => ({ ...before, theirs: before.theirs.filter((other) => other !== name) }));
  const take = (name: FieldName) => {
    set({ [name]: now[name] });
    keep(name);
  };
  return { ...state, set, take, keep };
}
