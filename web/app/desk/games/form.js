import { html } from "htm/preact";
import { useMemo } from "preact/hooks";
import { LANGUAGES, texts } from "../../shared/texts.js";
import { Choices, Field, Tick } from "../fields.js";
import { Rules } from "./rules.js";
import { ACTS, MODES, SIZES, ofEdition } from "./values.js";
import { zones } from "./zones.js";

// A game's settings. `may` tells which acts its state allows; `wrong` what is wrong, by field.
export function GameForm({ values, set, wrong, editions, may }) {
  const edition = editions.find(({ slug }) => slug === values.edition);
  const words = texts.games.form;
  const fixed = (name) => !may(ACTS[name]);
  const input = (name, type, rest = {}) => (more) =>
    html`<input
      ...${more}
      ...${rest}
      name=${name}
      type=${type}
      value=${values[name]}
      disabled=${fixed(name)}
      onInput=${(event) => set({ [name]: event.currentTarget.value })}
    />`;
  const number = (name, unit) => html`<${Field} label=${words[name]} hint=${words[`${name}Hint`]} wrong=${wrong[name]} unit=${unit}>
    ${input(name, "number", { inputmode: "numeric", step: 1, min: 0 })}
  <//>`;
  return html`
    <${Section} title=${words.what}>
      <${Field} label=${words.name} hint=${words.nameHint} wrong=${wrong.name}>${input("name", "text", { maxlength: 200, autocomplete: "off" })}<//>
      <${Choices}
        legend=${words.edition}
        name="edition"
        value=${values.edition}
        disabled=${fixed("edition")}
        hint=${fixed("edition") ? words.editionFixed : undefined}
        options=${editions.map((one) => ({ value: one.slug, title: one.title, text: words.editionText(one) }))}
        onChange=${(slug) => {
          const chosen = editions.find((one) => one.slug === slug);
          set({ ...ofEdition(chosen, values.language), ...(may("edit_game") && { players: playersFor(values.players, edition, chosen) }) });
        }}
      />
      <div class="field-row">
        <${Field} label=${words.players} hint=${playersHint(values.players, edition)} wrong=${wrong.players}>
          ${input("players", "number", { inputmode: "numeric", min: 1, max: 600, step: 1 })}
        <//>
        <${Field} label=${words.language} hint=${words.languageHint}>
          ${(more) => html`<select ...${more} name="language" disabled=${fixed("language")} onChange=${(event) => set({ language: event.currentTarget.value })}>
            ${edition.languages.map((code) => html`<option value=${code} lang=${code} selected=${code === values.language}>${LANGUAGES[code] ?? code}</option>`)}
          </select>`}
        <//>
        <${Field} label=${words.size} hint=${words.sizeHint}>
          ${(more) => html`<select ...${more} name="size" disabled=${fixed("size")} onChange=${(event) => set({ size: event.currentTarget.value })}>
            ${SIZES.map((size) => html`<option value=${size} selected=${size === values.size}>${words.sizes[size].title}, ${words.sizes[size].text}</option>`)}
          </select>`}
        <//>
      </div>
    <//>
    <${Section} title=${words.when}>
      <div class="field-row">
        <${Field} label=${words.deadline} hint=${words.deadlineHint} wrong=${wrong.deadline}>${input("deadline", "datetime-local")}<//>
        <${Field} label=${words.timezone} hint=${words.timezoneHint} wrong=${wrong.timezone}>
          ${input("timezone", "text", { list: "zones", autocomplete: "off", spellcheck: false })}
        <//>
        <${Zones} />
      </div>
    <//>
    <${Section} title=${words.score}>
      <${Choices}
        legend=${words.mode}
        name="mode"
        value=${values.mode}
        disabled=${fixed("mode")}
        hint=${words.modeHint}
        options=${MODES.map((mode) => ({ value: mode, ...words.modes[mode] }))}
        onChange=${(mode) => set({ mode })}
      />
      ${values.mode === "total" && html`<div class="field-row">${number("tries")}${number("pause", words.minutes)}</div>`}
    <//>
    <${Section} title=${words.rules}>
      ${edition.settings.map((setting) => html`<${Setting} key=${setting.name} setting=${setting} values=${values} set=${set} wrong=${wrong} disabled=${fixed("settings")} />`)}
      <${Rules} edition=${edition} players=${Number(values.players)} chosen=${values.rules} disabled=${fixed("rules")} wrong=${wrong.rules} onChange=${(rules) => set({ rules })} />
    <//>
    <${Section} title=${words.count}>
      <${Tick} label=${words.expect_dealt} text=${words.expect_dealtHint} checked=${values.expect_dealt} disabled=${fixed("expect_dealt")} onChange=${() => set({ expect_dealt: !values.expect_dealt })} />
    <//>
    <${Section} title=${words.pictures}>
      <div class="field-row">${number("keep_days", words.days)}${number("keep_hours", words.hours)}</div>
    <//>`;
}

const Section = ({ title, children }) => html`<section class="panel form-part"><h2>${title}</h2>${children}</section>`;

// A number of the edition that is the organiser's to set, such as the worth of a colour.
function Setting({ setting, values, set, wrong, disabled }) {
  const words = texts.games.form;
  const { name } = setting;
  const confirmed = values.confirmed.includes(name);
  const put = (event) =>
    set({
      settings: { ...values.settings, [name]: event.currentTarget.value },
      confirmed: values.confirmed.filter((other) => other !== name),
    });
  return html`<div class="setting">
    <${Field} label=${setting.label} hint=${setting.text} wrong=${wrong[`settings.${name}`]}>
      ${(more) => html`<input
        ...${more}
        name=${`settings.${name}`}
        type="number"
        inputmode="numeric"
        step="1"
        min=${setting.minimum}
        max=${setting.maximum}
        value=${values.settings[name]}
        disabled=${disabled}
        onInput=${put}
      />`}
    <//>
    ${setting.confirm &&
    html`<${Tick}
      label=${words.confirmed(values.settings[name])}
      text=${words.confirmedHint}
      checked=${confirmed}
      disabled=${disabled}
      onChange=${() => set({ confirmed: confirmed ? values.confirmed.filter((other) => other !== name) : [...values.confirmed, name].sort() })}
    />`}
  </div>`;
}

function Zones() {
  const all = useMemo(zones, []);
  return html`<datalist id="zones">${all.map((zone) => html`<option value=${zone} />`)}</datalist>`;
}

function playersHint(players, edition) {
  const words = texts.games.form;
  const count = Number(players);
  const fits = count >= edition.players_min && count <= edition.players_max;
  return fits ? words.playersHint(edition.cards) : words.playersOutside(edition);
}

// Another edition is for other numbers of players: a number that nobody has chosen follows it.
const playersFor = (players, before, after) => (players === String(before.players_min) ? String(after.players_min) : players);
