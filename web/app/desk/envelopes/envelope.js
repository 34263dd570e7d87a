import { html } from "htm/preact";
import { useState } from "preact/hooks";
import { Dialog } from "../../shared/dialog.js";
import { Icon } from "../../shared/icon.js";
import { Notice } from "../../shared/notice.js";
import { Link } from "../../shared/router.js";
import { say } from "../../shared/said.js";
import { texts } from "../../shared/texts.js";
import { moment } from "../../shared/times.js";
import { Confirm } from "../confirm.js";
import { Download } from "../print/download.js";
import { LABEL, Preview } from "../print/preview.js";
import { useSending } from "../sending.js";
import { change, labelFile, labelImage, renew } from "./changes.js";
import { Counted } from "./counted.js";
import { NameForm } from "./name-form.js";
import { Standing } from "./row.js";
import { Seal } from "./seal.js";

// All that is known of one envelope, and what can be done with it.
export function Envelope({ game, envelope, onChanged, onClose }) {
  const [asking, setAsking] = useState("");
  const [label, setLabel] = useState(0); // how often the link was renewed here; 0: the label is not shown
  const { send, busy, problem } = useSending();
  const words = texts.envelopes.one;
  const { number } = envelope;
  const may = (act) => game.allowed.includes(act);
  const open = () => send(async () => onChanged(await change(game, number, { open: true })));
  const opens = !envelope.opened && may("open_envelope") && (game.state === "open" || envelope.spare);
  const seals = may("seal_envelope") && !envelope.claimed && !envelope.received && (game.state === "printed" ? !envelope.spare : envelope.opened);
  return html`<${Dialog} title=${texts.envelope(number)} wide onClose=${onClose}>
    <div class="envelope-one">
      <div>
        <p class="envelope-number" aria-hidden="true">${number}</p>
        <p><${Standing} envelope=${envelope} game=${game} /></p>
        <dl class="envelope-facts">
          ${["joined", "claimed", "received"].map(
            (name) => html`<div><dt>${texts.envelopes.columns[name]}</dt><dd>${envelope[name] ? moment(envelope[name], game.timezone) : texts.envelopes.no}</dd></div>`,
          )}
          <div><dt>${words.cards}</dt><dd>${envelope.cards}</dd></div>
        </dl>
        <${Counted} game=${game} envelope=${envelope} onChanged=${onChanged} />
        <p><${Link} href=${`/desk/games/${game.id}/pictures?envelope=${number}`}>${words.pictures}<//></p>
      </div>
      <div>
        <${NameForm} game=${game} envelope=${envelope} onChanged=${onChanged} />
        ${problem && html`<${Notice} problem=${problem} small />`}
        <div class="row-actions">
          ${opens && html`<button type="button" aria-busy=${busy ? "true" : undefined} onClick=${open}><${Icon} name="envelope" /> ${words.open}</button>`}
          ${seals && html`<button type="button" class="secondary" onClick=${() => setAsking("seal")}>${words.seal}</button>`}
          ${label === 0 && html`<button type="button" class="secondary" onClick=${() => setLabel(1)}><${Icon} name="zoom" /> ${words.showLabel}</button>`}
          <${Download} kind="secondary" address=${labelFile(game, envelope)} title=${words.label} />
          ${may("revoke") && html`<button type="button" class="secondary" onClick=${() => setAsking("renew")}><${Icon} name="link" /> ${words.renew}</button>`}
          ${envelope.claimed && may("hand_in") && html`<button type="button" class="secondary" onClick=${() => setAsking("take_back")}>${words.takeBack}</button>`}
        </div>
        ${label > 0 && html`<div class="envelope-label"><p>${words.labelText}</p><${Preview} key=${label} address=${labelImage(game, envelope, 900, label)} name=${words.labelOf(number)} ratio=${LABEL} /></div>`}
      </div>
    </div>
    ${asking === "seal" && html`<${Seal} game=${game} envelope=${envelope} onChanged=${onChanged} onClose=${() => setAsking("")} />`}
    ${asking === "renew" &&
    html`<${Confirm}
      title=${words.renewAsk(number)}
      confirm=${words.renew}
      reason="optional"
      onConfirm=${async (reason) => {
        await renew(game, number, reason);
        setLabel(label + 1);
        say(words.renewed(number));
      }}
      onClose=${() => setAsking("")}
    ><p>${words.renewText}</p><//>`}
    ${asking === "take_back" &&
    html`<${Confirm}
      title=${words.takeBackAsk(number)}
      confirm=${words.takeBack}
      reason="needed"
      onConfirm=${async (reason) => onChanged(await change(game, number, { take_back: true, reason }))}
      onClose=${() => setAsking("")}
    ><p>${words.takeBackText}</p><//>`}
  <//>`;
}
