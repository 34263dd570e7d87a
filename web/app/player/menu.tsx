// The menu.

import { useState } from "preact/hooks";
import { Dialog } from "../shared/dialog";
import { LanguageChoice, texts } from "../shared/i18n";
import { Icon } from "../shared/icon";
import { navigate } from "../shared/router";
import { forgetScoreRequests, removeEnvelope, type StoredEnvelope, switchEnvelope } from "./envelopes";
import { outbox } from "./offline/outbox";

// The menu: other envelopes of this phone, the language, removing the envelope.
type MenuProps = { player: StoredEnvelope | undefined; others: StoredEnvelope[]; onClose: () => void };

export function Menu({ player, others, onClose }: MenuProps) {
  const [confirming, setConfirming] = useState(false);
  const change = (id: string) => {
    onClose();
    switchEnvelope(id);
    navigate("/");
  };
  const takeOff = async (left: StoredEnvelope) => {
    onClose();
    await leaveEnvelope(left);
    navigate("/");
  };
  return (
    <Dialog title={texts.menu.title} onClose={onClose}>
      {others.length > 0 && (
        <section class="below">
          <h3>{texts.menu.games}</h3>
          <ul class="stack">
            {(player ? [player, ...others] : others).map((one) => (
              <li key={one.id}>
                <button
                  type="button"
                  class="choice"
                  aria-current={one === player ? "true" : undefined}
                  onClick={() => change(one.id)}
                >
                  <span>
                    <strong>{one.name ?? texts.menu.game({ id: one.game })}</strong>{" "}
                    <small>{texts.envelope({ number: one.envelope })}</small>
                  </span>
                  {one === player && (
                    <span class="row small">
                      <Icon name="check" />
                    </span>
                  )}
                </button>
              </li>
            ))}
          </ul>
        </section>
      )}
      <section class="below row between">
        <h3>{texts.language}</h3>
        <LanguageChoice />
      </section>
      {player && (
        <section class="below">
          {confirming ? (
            <>
              <p>{texts.menu.leaveSure}</p>
              {outbox.items(player.token).length > 0 && (
                <p>
                  <strong>{texts.menu.leaveWaiting}</strong>
                </p>
              )}
              <div class="pair">
                <button type="button" class="secondary" onClick={() => setConfirming(false)}>
                  {texts.cancel}
                </button>
                <button type="button" onClick={() => takeOff(player)}>
                  {texts.menu.leaveYes}
                </button>
              </div>
            </>
          ) : (
            <button type="button" class="plain" onClick={() => setConfirming(true)}>
              {texts.menu.leave}
            </button>
          )}
        </section>
      )}
      <p class="below">
        <a href="/desk">{texts.organisersDesk}</a>
      </p>
    </Dialog>
  );
}

// Remove an envelope from this phone, with everything stored for its player. Nothing changes on the server.
export async function leaveEnvelope(player: StoredEnvelope) {
  const forgetPlayer = () => outbox.forget(player.token).catch(() => {}); // without storage
  await forgetPlayer();
  removeEnvelope(player.id);
  forgetScoreRequests();
  await globalThis.caches?.delete("haggle-shared").catch(() => {});
  // Responses to requests that were under way may have been cached meanwhile.
  await forgetPlayer();
}
