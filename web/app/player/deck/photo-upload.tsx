// Ways to add photos to a deck.

import { useEffect, useRef, useState } from "preact/hooks";
import { Problem } from "../../shared/http";
import { texts } from "../../shared/i18n";
import { Icon } from "../../shared/icon";
import { Notice } from "../../shared/notices";
import { PhotoInput, usePhotoDrop } from "../../shared/photo-input";
import { navigate } from "../../shared/router";
import { outbox } from "../offline/outbox";
import { usePlayerState } from "../player-state";

// Return a function that adds photos to a deck, and returns false if all are too large, and the last problem. Without `deck` the
// first photo creates one.
export function useAddPhotos(deck?: string) {
  const { player, me } = usePlayerState();
  const [problem, setProblem] = useState<Problem | null>(null);
  const add = async (files: File[]) => {
    const fitting = files.filter((file) => file.size <= me.game.photo_bytes);
    setProblem(fitting.length < files.length ? new Problem("too-many-bytes", { body: { limit: me.game.photo_bytes } }) : null);
    if (!fitting.length) return false;
    const into = deck ?? outbox.newDeck();
    for (const file of fitting) await outbox.addPhoto({ token: player.token, deck: into, file });
    if (!deck) navigate(`/p/deck/${outbox.deckOf(into) ?? into}`);
    return true;
  };
  return { add, problem, setProblem };
}

// The ways to add a photo: the phone's camera, existing photos, and the live view. Without `deck` the first photo creates one.
// With `more`, the camera's button is in the bar of the deck. Once the game is closed, none of them is the primary action.
type AddPhotosProps = { deck?: string; first?: boolean; more?: boolean };

export function AddPhotos({ deck, first = false, more = false }: AddPhotosProps) {
  const { me } = usePlayerState();
  const { add, problem, setProblem } = useAddPhotos(deck);
  const box = useRef<HTMLElement>(null);
  useEffect(() => {
    // Browsers open the camera only after a click, so the app's shortcut focuses the button.
    if (takeOpenedForPhoto()) box.current?.querySelector("button")?.focus();
  }, []);
  const words = texts.take;
  const openLiveView = async () => {
    try {
      const { openCamera } = await import("../../camera/camera");
      await openCamera({
        kinds: me.game.kinds,
        game: me.game.id,
        envelope: me.envelope.number,
        onPhoto: (file: File) => add([file]),
      });
    } catch {
      setProblem(new Problem("network"));
    }
  };
  const dropping = usePhotoDrop((file) => add([file]));
  return (
    <section ref={box} class={`stack add-photos ${dropping ? "dropping" : ""}`} aria-label={words.more} data-drop={words.drop}>
      {!more && (
        <PhotoInput
          icon="camera"
          label={first ? words.first : words.another}
          capture="environment"
          secondary={me.game.state !== "open"}
          onChoose={(file) => add([file])}
        />
      )}
      <div class={more ? "row" : "pair"}>
        <PhotoInput icon="picture" label={words.gallery} secondary plain={more} multiple onChoose={add} />
        <button type="button" class={more ? "plain" : "action secondary"} onClick={openLiveView}>
          <Icon name="zoom" />
          {words.live}
        </button>
      </div>
      {!more && isDemo() && (
        <p class="caption">
          <a href="/demo#demo-decks">{words.sample}</a>
        </p>
      )}
      {problem && <Notice problem={problem} small />}
    </section>
  );
}

const DEMO_KEY = "haggle-demo"; // set by the demo's page

function isDemo() {
  try {
    return localStorage.getItem(DEMO_KEY) !== null;
  } catch {
    return false;
  }
}

// The purpose of opening the page, which the installed app passes in the query. It is removed from the address, so that a
// reload does not repeat it.
const query = new URLSearchParams(location.search);
if (location.search) history.replaceState(null, "", location.pathname + location.hash);

// "lost" if no shared photo could be stored, "yes" if some could, otherwise "".
export const sharedStatus = query.has("shared") ? query.get("shared") || "yes" : "";

let forPhoto = query.has("photograph");

// Return true the first time if the page was opened to take a photo.
function takeOpenedForPhoto() {
  const wanted = forPhoto;
  forPhoto = false;
  return wanted;
}
