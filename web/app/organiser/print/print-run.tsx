// A print run in the list, and addresses for its labels.

import { useState } from "preact/hooks";
import type { FullGameModel, RunModel } from "../../../api";
import { formatDateTime, formatPoints, texts } from "../../shared/i18n";
import { Icon, type IconName } from "../../shared/icon";
import { Field } from "../forms";
import { Download } from "./preview";
import { PrintJobButton } from "./print-jobs";
import { type Choices, toParameters, withOptions } from "./print-options";

const BACKGROUND_CARDS = 400; // cards; larger sheets are rendered in the background, with progress

// A print run with its files; `plain` if its pages are shown elsewhere, not `main` if another one is newer.
type PrintRunProps = {
  game: FullGameModel;
  run: RunModel;
  address: string | null;
  choices: Choices;
  plain?: boolean;
  main?: boolean;
  onPages?: (kind: "sheets" | "labels") => void;
};
type Body = Record<string, string | number>;

export function PrintRun({ game, run, address, choices, plain = false, main = true, onPages = () => {} }: PrintRunProps) {
  const [given, setGiven] = useState(defaultAddress(address));
  const words = texts.print.run;
  const base = `/api/v1/games/${game.id}/runs/${run.number}`;
  const file = (name: string) => withOptions(`${base}/${name}`, choices);
  const made = (name: string, title: string, more?: { body?: Body; plain?: boolean }) => (
    <PrintJobButton game={game} run={run} body={{ ...toParameters(choices), name }} title={title} about={about} {...more} />
  );
  const link = (name: string, title: string, more?: { kind?: string; icon?: IconName }) => (
    <Download address={file(name)} title={title} about={about} {...more} />
  );
  const last = run.first + run.envelopes - 1;
  const replaces = run.envelopes === 0;
  const title = replaces
    ? words.replaced({ count: run.cards })
    : words.envelopes({ first: run.first, last: last, count: last - run.first + 1 });
  const about = `${title}, ${words.number({ number: run.number })}`;
  const join = given.trim();
  const linked = !replaces && !run.join && isAddress(join) ? { join } : {};
  const second = !replaces || !main; // there is a main button that it is not
  const single = second ? { kind: "secondary" } : {};
  return (
    <li class="panel note">
      <h2>{title}</h2>
      <p class="soft">
        {words.number({ number: run.number })} · {texts.cards.total({ count: run.cards })}
        {run.spare > 0 && ` · ${words.spare({ count: run.spare, first: last - run.spare + 1, last })}`} ·{" "}
        {formatDateTime(run.created, game.timezone)}
      </p>
      {run.spread !== null && (
        <p class={run.reached ? "" : "note warm"}>
          {words.spread({ spread: formatPoints(run.spread), even: run.even ?? 0, reached: Boolean(run.reached) })}
        </p>
      )}
      {!replaces && (
        <p>
          {run.join ? (
            <>
              {words.join} <code>{run.join}</code>
            </>
          ) : (
            words.noJoin
          )}
        </p>
      )}
      {!replaces && !run.join && <JoinAddressForm about={about} base={base} choices={choices} given={given} onGiven={setGiven} />}
      <div class="row above">
        {!replaces &&
          made("all.pdf", words.all, { body: { ...toParameters(choices), ...linked, name: "all.pdf" }, plain: !main })}
      </div>
      {!replaces && <p class="caption">{words.allHint}</p>}
      <div class="row above">
        {run.cards > BACKGROUND_CARDS
          ? made("sheets.pdf", words.sheets, { plain: second })
          : link("sheets.pdf", words.sheets, single)}
        {!replaces && link("labels.pdf", words.labels, single)} {choices.stick && link("stickers.pdf", words.stickers, single)}
        {!plain && (
          <button type="button" class="secondary" onClick={() => onPages("sheets")}>
            <Icon name="zoom" /> {words.showSheets}
            <span class="visually-hidden">{about}</span>
          </button>
        )}
        {!plain && !replaces && (
          <button type="button" class="secondary" onClick={() => onPages("labels")}>
            <Icon name="zoom" /> {words.showLabels}
            <span class="visually-hidden">{about}</span>
          </button>
        )}
      </div>
      <details class="section">
        <summary>
          {words.more}
          <span class="visually-hidden">{about}</span>
        </summary>
        <div class="row above">
          {!replaces && link("packing.pdf", words.packing, { kind: "secondary" })}
          {!replaces &&
            made("all.zip", words.archive, { body: { ...toParameters(choices), ...linked, name: "all.zip" }, plain: true })}
          {link("cards.csv", words.list, { kind: "secondary", icon: "list" })}
          {made("cards.zip", words.service({ form: "PNG" }), {
            body: { ...toParameters(choices), name: "cards.zip", form: "png" },
            plain: true,
          })}
          {made("cards.zip", words.service({ form: "PDF" }), {
            body: { ...toParameters(choices), name: "cards.zip", form: "pdf" },
            plain: true,
          })}
          <p class="caption">{words.serviceHint}</p>
        </div>
      </details>
    </li>
  );
}

// For cards dealt without a join address: the same labels with one.
type JoinAddressFormProps = {
  about: string;
  base: string;
  choices: Choices;
  given: string;
  onGiven: (address: string) => void;
};

function JoinAddressForm({ about, base, choices, given, onGiven }: JoinAddressFormProps) {
  const words = texts.print;
  const join = given.trim();
  return (
    <div class="narrow">
      <Field label={words.dealing.join} hint={join ? joinHint(join) : undefined} wrong={isLocal(join) && localText()}>
        {(more) => (
          <input
            {...more}
            type="url"
            inputmode="url"
            spellcheck={false}
            value={given}
            onInput={(event) => onGiven(event.currentTarget.value)}
          />
        )}
      </Field>
      <div class="row above">
        {isAddress(join) ? (
          <Download
            kind="secondary"
            address={withOptions(`${base}/labels.pdf`, choices, { join })}
            title={words.run.withJoin}
            about={about}
          />
        ) : (
          <button type="button" class="secondary" disabled>
            <Icon name="download" /> {words.run.withJoin}
          </button>
        )}
      </div>
    </div>
  );
}

const MAX_ADDRESS_LENGTH = 100; // characters; a longer one makes the code too fine

export function joinHint(join: string): string {
  const words = texts.print.dealing;
  if (!join) return words.joinNone;
  if (!/^https?:\/\//.test(join)) return texts.problems["wrong-address"].detail;
  return join.startsWith("http:") ? `${words.joinPlain} ${words.joinHint}` : words.joinHint;
}

export const isAddress = (text: string) => text.length <= MAX_ADDRESS_LENGTH && /^https?:\/\/[^\s/?#]+(\/[^\s?#]*)?$/.test(text);
export const isLocal = (text: string) => /^https?:\/\/(localhost|127\.|\[::1\]|[^/]*\.localhost\b)/.test(text);

// Return what to do about an address that only this computer can open.
export const localText = () => `${texts.problems["wrong-address"].title}. ${texts.print.dealing.local}`;

// Return the default address of a new print run; not one that only this computer can open.
export const defaultAddress = (address: string | null) => address ?? (isLocal(location.origin) ? "" : location.origin);
