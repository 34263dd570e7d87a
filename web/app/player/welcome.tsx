// The welcome screen.

import type { TargetedEvent } from "preact";
import { useRef, useState } from "preact/hooks";
import type { Problem } from "../shared/http";
import { texts } from "../shared/i18n";
import { Notice } from "../shared/notices";
import { PhotoInput } from "../shared/photo-input";
import { View } from "../shared/router";
import { useAddPhotos } from "./deck/photo-upload";
import { changeMe, StateMessage, takesPhotos, usePlayerState } from "./player-state";
import { canName, changesIn, NameFields, Ticket } from "./ticket";

const ENDED = ["closed", "frozen", "published"];

// The first screen of a game: whose envelope this is, and how others will see the player.
export function Welcome() {
  const { player, me, put } = usePlayerState();
  const [problem, setProblem] = useState<Problem | null>(null);
  const [busy, setBusy] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  const photo = useRef<File | null>(null); // taken already, and sent once the player is in
  const { add, problem: photoProblem } = useAddPhotos();
  const words = texts.welcome;
  const photographs = me.game.state === "open" && takesPhotos(me, false);
  const join = async () => {
    if (!form.current) return;
    setBusy(true);
    setProblem(null);
    try {
      const joined = await changeMe(player.token, changesIn(form.current, me));
      const file = photo.current;
      photo.current = null;
      if (!file || (await add([file]))) put(joined);
      else setBusy(false);
    } catch (error) {
      setProblem(error as Problem);
      setBusy(false);
    }
  };
  const onSubmit = (event: TargetedEvent<HTMLFormElement>) => {
    event.preventDefault();
    join();
  };
  const onPhoto = (file: File) => {
    // Another phone may have joined with this envelope while the camera was open.
    if (!form.current) return void add([file]);
    photo.current = file;
    join();
  };
  return (
    <View title={words.title} name="welcome">
      <Ticket me={me} />
      <form ref={form} onSubmit={onSubmit}>
        {(me.game.state === "printed" || !canName(me)) && <StateMessage me={me} />}
        {canName(me) && <NameFields me={me} problem={problem} />}
        {problem && !["wrong-name", "name-taken"].includes(problem.slug) && <Notice problem={problem} small />}
        {photoProblem && <Notice problem={photoProblem} small />}
        <div class="stack">
          {photographs && <PhotoInput icon="camera" label={texts.take.first} capture="environment" onChoose={onPhoto} />}
          <button type="submit" class={photographs ? "action secondary" : "action"} aria-busy={busy} disabled={busy}>
            {ENDED.includes(me.game.state) ? words.enter : words.join}
          </button>
        </div>
        <p class="caption">{words.private}</p>
      </form>
    </View>
  );
}
