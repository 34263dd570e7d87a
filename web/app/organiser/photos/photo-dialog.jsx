// The dialog with one photo.

import { useState } from "preact/hooks";
import { Dialog } from "../../shared/dialog";
import { request } from "../../shared/http";
import { texts } from "../../shared/i18n";
import { Icon } from "../../shared/icon";
import { announce, Notice, Skeleton } from "../../shared/notices";
import { Link } from "../../shared/router";
import { useLiveData } from "../live";
import { DecisionForm } from "../review/decision";
import { WholePhoto } from "../review/evidence";
import { DecisionNote } from "../review/issue";
import { decisionText, nameOf, sentenceOf } from "../review/issue-text";

// A dialog with one photo: what was read, whose it is, and its doubts.
export function PhotoDialog({ game, kinds, photo, photos, onOpen, onClose, refetch }) {
  const words = texts.pictures.picture;
  const load = async (signal) => {
    const detail = await request(`/api/v1/games/${game.id}/photos/${photo.id}`, { signal });
    return {
      detail,
      item: detail.key ? await request(`/api/v1/games/${game.id}/queue/${encodeURIComponent(detail.key)}`, { signal }) : null,
    };
  };
  const { data, problem, refetch: look } = useLiveData(load, `${game.id}/${photo.id}`, ["queue", "photos"]);
  const [chosen, setChosen] = useState(null);
  const [trouble, setTrouble] = useState(null);
  const at = photos.findIndex(({ id }) => id === photo.id);
  const { detail, item } = data ?? {};

  const ruling = (method, rest) =>
    request(`/api/v1/games/${game.id}/queue/${encodeURIComponent(item.key)}/ruling${rest.query ?? ""}`, {
      method,
      body: rest.body,
      revision: item.revision,
    });
  const settle = async (body) => {
    try {
      await ruling("PUT", { body });
    } catch (error) {
      if (error.slug === "changed") look();
      throw error;
    }
    announce(texts.queue.said(decisionText(item, body)));
    setChosen(null);
    look();
    refetch();
  };
  const takeBack = () => {
    setTrouble(null);
    ruling("DELETE", { query: `?${new URLSearchParams({ reason: texts.queue.reasons.takeBack })}` }).then(() => {
      announce(texts.queue.takenBack);
      look();
      refetch();
    }, setTrouble);
  };
  const doubts = detail?.items.filter((one) => one.key !== item?.key && one.standing === "open") ?? [];
  return (
    <Dialog title={photo.name || words.title} onClose={onClose} wide>
      <div class="picture-body">
        <div class="picture-sight">
          {photo.state === "done" ? (
            <WholePhoto game={game.id} kinds={kinds} photo={photo.id} piles />
          ) : (
            <p class="panel">{texts.pictures.reading.states[photo.state]}</p>
          )}
          <div class="picture-steps">
            <button type="button" class="secondary" disabled={at <= 0} onClick={() => onOpen(photos[at - 1].id)}>
              <Icon name="back" />
              {words.before}
            </button>
            <span>
              {at + 1} / {photos.length}
            </span>
            <button type="button" class="secondary" disabled={at >= photos.length - 1} onClick={() => onOpen(photos[at + 1].id)}>
              {words.after}
              <Icon name="next" />
            </button>
          </div>
        </div>
        <div class="picture-words">
          <h3>
            {photo.envelopes.length
              ? words.whose(photo.envelopes.join(", "))
              : photo.decided === "ignore"
                ? texts.pictures.board.groups.aside
                : texts.pictures.board.groups.nobody}
          </h3>
          {problem && !data && <Notice problem={problem} onRetry={look} small />}
          {!data && !problem && <Skeleton rows={2} />}
          {trouble && <Notice problem={trouble} small />}
          {item?.ruling && <DecisionNote item={item} onTakeBack={takeBack} />}
          {item && (
            <DecisionForm
              key={item.revision}
              game={game.id}
              kinds={kinds}
              item={item}
              chosen={chosen}
              onChoose={setChosen}
              onDecide={settle}
            />
          )}
          {doubts.length > 0 && (
            <>
              <h3>{words.doubts}</h3>
              <ul class="picture-doubts">
                {doubts.map((one) => (
                  <li key={one.key}>
                    <Link href={`/desk/games/${game.id}/queue/doubts/${encodeURIComponent(one.key)}`}>{nameOf(one)}</Link>
                    <small>{sentenceOf(one)}</small>
                  </li>
                ))}
              </ul>
            </>
          )}
          {detail?.hints.length > 0 && (
            <>
              <h3>{texts.hints.title}</h3>
              <ul class="picture-hints">
                {detail.hints.map((hint) => (
                  <li>{texts.hints[hint.slug] ?? hint.text}</li>
                ))}
              </ul>
            </>
          )}
        </div>
      </div>
    </Dialog>
  );
}
