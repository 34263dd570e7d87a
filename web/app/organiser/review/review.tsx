// The review tab.

import type { FullGameModel, IneffectiveDecisionModel, QuestionsModel, QueueModel } from "../../../api";
import { request } from "../../shared/http";
import { formatDateTime, loadTexts, texts } from "../../shared/i18n";
import { Notice } from "../../shared/notices";
import { Link, useRoute, View } from "../../shared/router";
import { useSubmit } from "../forms";
import { useLiveData } from "../live";
import { CardEntry, takeBackDecision } from "./card-entry";
import { kindOf, kindText } from "./issue-text";
import { Issues } from "./issues";
import { Questions } from "./questions";

await loadTexts("queue", "hints");

const STANDINGS = ["open", "ruled", "settled", "all"] as const;
export type Standing = (typeof STANDINGS)[number];

const MAX_ISSUES = 500; // issues that are listed at once

// The review tab: doubts, questions, cards entered by hand, and decisions without effect.
type ReviewProps = { game: FullGameModel; refetch: () => void };

export function Review({ game, refetch }: ReviewProps) {
  const [, , , , section = "doubts", key] = useRoute();
  const [standing, kind] = useFilter();
  const query = new URLSearchParams({ standing, limit: String(MAX_ISSUES), ...(kind && { kind }) });
  const queue = useLiveData(
    (signal) => request<QueueModel>(`/api/v1/games/${game.id}/queue?${query}`, { signal }),
    `${game.id}?${query}`,
    ["queue", "photos", "envelopes", "game"],
  );
  const questions = useLiveData((signal) => request<QuestionsModel>(`/api/v1/games/${game.id}/questions`, { signal }), game.id, [
    "queue",
    "photos",
    "envelopes",
    "game",
  ]);
  const base = `/desk/games/${game.id}/queue`;
  const lost = queue.data?.without_effect ?? [];
  const counts = {
    doubts: queue.data?.open ?? 0,
    questions: questions.data?.open ?? 0,
    "by-hand": 0,
    "no-effect": lost.length,
  };
  const optional: Record<string, boolean> = { questions: !questions.data?.questions.length, "no-effect": !lost.length };
  const parts = (Object.keys(counts) as (keyof typeof counts)[]).filter((name) => name === section || !optional[name]);
  const current = parts.find((name) => name === section) ?? "doubts";
  return (
    <View name="queue" title={texts.desk.tabs.queue}>
      <nav class="subtabs" aria-label={texts.desk.tabs.queue}>
        {parts.map((name) => (
          <Link
            key={name}
            href={name === "doubts" ? base : `${base}/${name}`}
            aria-current={name === current ? "page" : undefined}
          >
            {texts.queue.parts[name]} {counts[name] > 0 && <b class="badge">{counts[name]}</b>}
          </Link>
        ))}
      </nav>
      {current === "doubts" && (
        <Issues game={game} queue={queue} standing={standing} kind={kind} wanted={key} refetch={refetch} />
      )}
      {current === "questions" && <Questions game={game} questions={questions} />}
      {current === "by-hand" && <CardEntry game={game} />}
      {current === "no-effect" && <IneffectiveDecisions game={game} lost={lost} refetch={queue.refetch} />}
    </View>
  );
}

// Return the filter in the address; open issues by default.
function useFilter(): [standing: Standing, kind: string] {
  const asked = new URLSearchParams(location.search);
  const kind = asked.get("kind") ?? "";
  return [STANDINGS.find((name) => name === asked.get("standing")) ?? "open", kind in texts.queue.kinds ? kind : ""];
}

// Decisions whose issue no longer exists. They have no effect and can be revoked.
function IneffectiveDecisions({ game, lost, refetch }: ReviewProps & { lost: IneffectiveDecisionModel[] }) {
  const { send, problem } = useSubmit();
  const back = ({ key }: IneffectiveDecisionModel) =>
    send(async () => {
      await takeBackDecision(game.id, key, null, texts.queue.parts["no-effect"]);
      refetch();
    });
  return (
    <section>
      <p>{texts.queue.noEffect}</p>
      {problem && <Notice problem={problem} small />}
      {!lost.length && <p class="panel">{texts.queue.emptyFilter}</p>}
      <ul class="stack">
        {lost.map((ruling) => (
          <li class="panel row between" key={ruling.key}>
            <p class="grow">
              <strong>{kindText(kindOf(ruling.key))}</strong>{" "}
              <small class="block">
                {texts.queue.decidedBy({ who: ruling.who, at: formatDateTime(ruling.at) })} <q>{ruling.reason}</q>
              </small>
            </p>
            <button type="button" class="secondary" onClick={() => back(ruling)}>
              {texts.queue.takeBack}
              <span class="visually-hidden">
                {kindText(kindOf(ruling.key))}, {formatDateTime(ruling.at)}
              </span>
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}
