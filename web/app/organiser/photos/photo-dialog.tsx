// The dialog with one photo.

import { useState } from "preact/hooks";
import type { DecisionBody, DecisionOutcomeModel, FullGameModel, IssueModel, PhotoDetailModel, PhotoModel } from "../../../api";
import type { CardKind } from "../../shared/cards";
import { Dialog } from "../../shared/dialog";
import { type Problem, request } from "../../shared/http";
import { texts } from "../../shared/i18n";
import { Icon } from "../../shared/icon";
import { announce, Notice, Skeleton } from "../../shared/notices";
import { hintText } from "../../shared/outlines";
import { Link } from "../../shared/router";
import { useSubmit } from "../forms";
import { useLiveData } from "../live";
import { takeBackDecision } from "../review/card-entry";
import { DecisionForm } from "../review/decision";
import { WholePhoto } from "../review/evidence";
import { DecisionNote } from "../review/issue";
import { decisionText, nameOf, sentenceOf } from "../review/issue-text";

// A dialog with one photo: what was read, whose it is, and its doubts.
type PhotoDialogProps = {
  game: FullGameModel;
  kinds: Map<string, CardKind> | null;
  photo: PhotoModel;
  photos: PhotoModel[];
  onOpen: (id: string) => void;
  onClose: () => void;
  refetch: () => void;
};

export function PhotoDialog({ game, kinds, photo, photos, onOpen, onClose, refetch }: PhotoDialogProps) {
  const words = texts.pictures.picture;
  const load = async (signal: AbortSignal) => {
    const detail = await request<PhotoDetailModel>(`/api/v1/games/${game.id}/photos/${photo.id}`, { signal });
    return {
      detail,
      item: detail.key
        ? await request<IssueModel>(`/api/v1/games/${game.id}/queue/${encodeURIComponent(detail.key)}`, { signal })
        : null,
    };
  };
  const { data, problem, refetch: look } = useLiveData(load, `${game.id}/${photo.id}`, ["queue", "photos"]);
  const [chosen, setChosen] = useState<number | null>(null);
  const { send, problem: trouble } = useSubmit();
  const at = photos.findIndex(({ id }) => id === photo.id);
  const { detail, item } = data ?? {};
  const show = (id: string | undefined) => id && onOpen(id);

  const settle = async (issue: IssueModel, body: DecisionBody) => {
    try {
      const path = `/api/v1/games/${game.id}/queue/${encodeURIComponent(issue.key)}/ruling`;
      await request<DecisionOutcomeModel>(path, { method: "PUT", body, revision: issue.revision });
    } catch (error) {
      if ((error as Problem).slug === "changed") look();
      throw error;
    }
    announce(texts.queue.said({ what: decisionText(issue, body) }));
    setChosen(null);
    look();
    refetch();
  };
  const takeBack = (issue: IssueModel) =>
    send(async () => {
      await takeBackDecision(game.id, issue.key, issue.revision);
      look();
      refetch();
    });
  const doubts = detail?.items.filter((one) => one.key !== item?.key && one.standing === "open") ?? [];
  return (
    <Dialog title={photo.name || texts.queue.whole({ name: "", known: false })} onClose={onClose} wide>
      <div class="columns picture-body">
        <div>
          {photo.state === "done" ? (
            <WholePhoto game={game.id} kinds={kinds} photo={photo.id} piles />
          ) : (
            <p class="panel">{texts.pictures.reading.states[photo.state]}</p>
          )}
          <div class="row between">
            <button type="button" class="secondary" disabled={at <= 0} onClick={() => show(photos[at - 1]?.id)}>
              <Icon name="back" />
              {words.before}
            </button>
            <span>
              {at + 1} / {photos.length}
            </span>
            <button type="button" class="secondary" disabled={at >= photos.length - 1} onClick={() => show(photos[at + 1]?.id)}>
              {words.after}
              <Icon name="next" />
            </button>
          </div>
        </div>
        <div class="row between">
          <h3>
            {photo.envelopes.length
              ? texts.envelope({ number: photo.envelopes.join(", ") })
              : photo.decided === "ignore"
                ? texts.pictures.board.aside
                : texts.pictures.board.filters.nobody}
          </h3>
          {problem && !data && <Notice problem={problem} onRetry={look} small />}
          {!data && !problem && <Skeleton rows={2} />}
          {trouble && <Notice problem={trouble} small />}
          {item?.ruling && <DecisionNote item={item} onTakeBack={() => takeBack(item)} />}
          {item && (
            <DecisionForm
              key={item.revision}
              game={game.id}
              kinds={kinds}
              item={item}
              chosen={chosen}
              onChoose={setChosen}
              onDecide={(body) => settle(item, body)}
            />
          )}
          {doubts.length > 0 && (
            <>
              <h3>{texts.queue.parts.doubts}</h3>
              <ul class="bullets">
                {doubts.map((one) => (
                  <li key={one.key}>
                    <Link href={`/desk/games/${game.id}/queue/doubts/${encodeURIComponent(one.key)}`}>{nameOf(one)}</Link>
                    <small class="block">{sentenceOf(one)}</small>
                  </li>
                ))}
              </ul>
            </>
          )}
          {detail && detail.hints.length > 0 && (
            <>
              <h3>{words.hints}</h3>
              <ul class="bullets">
                {detail.hints.map((hint) => (
                  <li key={hint.slug}>{hintText(hint.slug) ?? hint.text}</li>
                ))}
              </ul>
            </>
          )}
        </div>
      </div>
    </Dialog>
  );
}
