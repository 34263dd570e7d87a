import { useEffect } from "preact/hooks";
import { go } from "../../shared/router.js";
import { say } from "../../shared/said.js";
import { texts } from "../../shared/texts.js";

// How the page was opened by sharing a picture with it: "" for not at all, "lost" where the picture could not be taken.
const said = new URLSearchParams(location.search).get("shared");
const sharing = said === null ? "" : said || "yes";

// Put pictures that were shared with the app into a player's deck, once it is known which decks there are.
export function useShared(seat, me) {
  const ready = Boolean(me?.envelope.joined);
  useEffect(() => {
    if (!sharing || !ready) return;
    if (sharing === "lost") return void say(texts.outbox.sharedLost);
    import("./shared.js")
      .then(({ takeShared }) => takeShared({ token: seat.token, decks: me.decks }))
      .then((deck) => deck && go(`/p/deck/${deck}`, { replace: true }));
  }, [ready]);
}

// Without an envelope a shared picture waits.
export function sharedLater() {
  if (sharing === "yes") say(texts.outbox.sharedLater);
}
