// The review tab.

import { useState } from "preact/hooks";
import { request } from "../../shared/http";
import { formatDateTime, loadTexts, texts } from "../../shared/i18n";
import { announce, Notice } from "../../shared/notices";
import { Link, useRoute, View } from "../../shared/router";
import { useLiveData } from "../live";
import { CardEntry } from "./card-entry";
import { kindOf } from "./issue-text";
import { Issues } from "./issues";
import { Questions } from "./questions";

await loadTexts("queue");

const MAX_ISSUES = 500; // issues that are listed at once

// The review tab: doubts, questions, cards entered by hand, and decisions without effect.
export function Review({ game, refetch }) {
  const [, , , , section = "doubts", key] = useRoute();
  const [standing, kind] = useFilter();
  const query = new URLSearchParams({ standing, limit: MAX_ISSUES, ...(kind && { kind }) });
  const queue = useLiveData((signal) => request(`/api/v1/games/${game.id}/queue?${query}`, { signal }), `${game.id}?${query}`, [
    "queue",
    "photos",
    "envelopes",
    "game",
  ]);
  const questions = useLiveData((signal) => request(`/api/v1/games/${game.id}/questions`, { signal }), game.id, [
    "queue",
    "photos",
    "envelopes",
    "game",
  ]);
  const base = `/desk/games/${game.id}/queue`;
  const lost = queue.data?.without_effect ?? [];
  const parts = [
    ["doubts", base, queue.data?.open],
    ...(questions.data?.questions.length || section === "questions"
      ? [["questions", `${base}/questions`, questions.data?.open]]
      : []),
    ["by-hand", `${base}/by-hand`],
    ...(lost.length || section === "no-effect" ? [["no-effect", `${base}/no-effect`, lost.length]] : []),
  ];
  const current = parts.some(([name]) => name === section) ? section : "doubts";
  return (
    <View name="queue" title={texts.queue.title}>
      <nav class="subtabs" aria-label={texts.queue.title}>
        {parts.map(([name, href, count]) => (
          <Link href={href} aria-current={name === current ? "page" : undefined}>
            {texts.queue.parts[name]}
            {count ? (
              <>
                {" "}
                <b class="count">{count}</b>
              </>
            ) : (
              ""
            )}
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
function useFilter() {
  const asked = new URLSearchParams(location.search);
  const standing = ["open", "ruled", "settled", "all"].includes(asked.get("standing")) ? asked.get("standing") : "open";
  return [standing, asked.get("kind") in texts.queue.kinds ? asked.get("kind") : ""];
}

// Decisions whose issue no longer exists. They have no effect and can be revoked.
function IneffectiveDecisions({ game, lost, refetch }) {
  const [problem, setProblem] = useState(null);
  const back = (ruling) => {
    setProblem(null);
    const query = new URLSearchParams({ reason: texts.queue.reasons.noEffect });
    request(`/api/v1/games/${game.id}/queue/${encodeURIComponent(ruling.key)}/ruling?${query}`, {
      method: "DELETE",
      revision: "0",
    }).then(() => {
      announce(texts.queue.takenBack);
      refetch();
    }, setProblem);
  };
  return (
    <section class="no-effect">
      <p>{texts.queue.noEffect}</p>
      {problem && <Notice problem={problem} small />}
      {!lost.length && <p class="panel">{texts.queue.noneLost}</p>}
      <ul class="rows">
        {lost.map((ruling) => (
          <li class="panel row" key={ruling.key}>
            <p>
              <strong>{texts.queue.kinds[kindOf(ruling.key)] ?? ruling.key}</strong>{" "}
              <span>
                {texts.queue.decidedBy(ruling.who, formatDateTime(ruling.at))} <q>{ruling.reason}</q>
              </span>
            </p>
            <button type="button" class="secondary" onClick={() => back(ruling)}>
              {texts.queue.takeBack}
              <span class="visually-hidden">
                {texts.queue.kinds[kindOf(ruling.key)] ?? ruling.key}, {formatDateTime(ruling.at)}
              </span>
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}
