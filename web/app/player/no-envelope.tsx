// Screens without a valid envelope.

import type { TargetedEvent } from "preact";
import { useState } from "preact/hooks";
import type { TokenModel } from "../../api";
import { CardSymbol, SUITS } from "../shared/cards";
import { Problem, request } from "../shared/http";
import { texts } from "../shared/i18n";
import { Notice } from "../shared/notices";
import { View } from "../shared/router";
import { addEnvelope, openedByBadLink, type StoredEnvelope, switchEnvelope, tokenIn } from "./envelopes";
import { leaveEnvelope } from "./menu";
import { useOutbox } from "./player-state";

// For phones without an envelope: what this is, and how to get in.
export function NoEnvelope() {
  const words = texts.noEnvelope;
  return (
    <View title={words.title} name="no-envelope" lead={words.lead}>
      {openedByBadLink() && (
        <div class="notice" role="alert">
          <h2>{words.wrong}</h2>
        </div>
      )}
      <div class="framed row nowrap below">
        <p class="scan-me-drawing" aria-hidden="true">
          {SUITS.map(([symbol, suit]) => (
            <CardSymbol name={symbol} class={`suit suit-${suit}`} />
          ))}
        </p>
        <p>{words.scan}</p>
      </div>
      <TypeCode />
      <p class="caption">
        <a href="/desk">{texts.organisersDesk}</a>
      </p>
    </View>
  );
}

// A field for the code on a label; it takes the label's link too.
function TypeCode() {
  const [problem, setProblem] = useState<Problem | null>(null);
  const words = texts.noEnvelope;
  const open = async (event: TargetedEvent<HTMLFormElement>) => {
    event.preventDefault();
    const code = String(new FormData(event.currentTarget).get("code"));
    setProblem(null);
    try {
      addEnvelope(tokenIn(code) ?? (await exchange(code)));
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      setProblem(error);
    }
  };
  return (
    <form onSubmit={open}>
      <label for="code">{words.code}</label>
      <div class="row">
        <input
          id="code"
          class="grow"
          name="code"
          type="text"
          autocapitalize="characters"
          autocomplete="off"
          spellcheck={false}
          required
          aria-invalid={Boolean(problem) || undefined}
          aria-describedby={problem ? "code-problem" : undefined}
          placeholder="ABCD-7-…"
        />
        <button type="submit">{words.open}</button>
      </div>
      {problem && (
        <p id="code-problem" class="wrong" role="alert">
          {problem.title}. {problem.detail}
        </p>
      )}
    </form>
  );
}

const exchange = async (code: string) =>
  (await request<TokenModel>("/api/v1/me/token", { method: "POST", body: { code: code.slice(0, 60) } })).token;

// For an envelope whose link is no longer valid. Other envelopes of this phone are kept.
type InvalidLinkProps = { player: StoredEnvelope; others: StoredEnvelope[] };

export function InvalidLink({ player, others }: InvalidLinkProps) {
  const waiting = useOutbox(player.token).length > 0;
  return (
    <View title={texts.envelope({ number: player.envelope })} name="gone">
      <Notice problem={texts.problems["bad-token"]} />
      {waiting && (
        <p>
          <strong>{texts.outbox.newLabel}</strong>
        </p>
      )}
      <TypeCode />
      <div class="stack">
        {others.map((one) => (
          <button key={one.id} type="button" class="secondary" onClick={() => switchEnvelope(one.id)}>
            {one.name ?? one.game} · {texts.envelope({ number: one.envelope })}
          </button>
        ))}
        <button type="button" class="plain" onClick={() => leaveEnvelope(player)}>
          {texts.menu.leave}
        </button>
      </div>
    </View>
  );
}
