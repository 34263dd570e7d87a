import { html } from "htm/preact";
import { Masthead } from "../shared/masthead.js";
import { Notice, Skeleton } from "../shared/notice.js";
import { Said } from "../shared/said.js";
import { ask } from "../shared/ask.js";
import { useFetched } from "../shared/fetched.js";
import { useRoute } from "../shared/router.js";
import { texts } from "../shared/texts.js";
import { Game } from "./game.js";
import { Games } from "./games/games.js";
import { NewGame } from "./games/new-game.js";
import { SignIn } from "./sign-in.js";

// The organisers' desk: who signs in, then all games, then one of them.
export function App() {
  const [, section, id, tab] = useRoute();
  const session = useFetched((signal) => ask("/api/v1/session", { signal }), "session");
  const { data, problem } = session;
  return html`<${Masthead} edition=${texts.desk.title} />
    <main>
      ${problem && !data && html`<${Notice} problem=${problem} onAgain=${session.again} />`}
      ${!data && !problem && html`<${Skeleton} />`}
      ${data && !data.name && html`<${SignIn} ready=${data.ready} onIn=${session.put} />`}
      ${data?.name && (section !== "games" || !id) && html`<${Games} organiser=${data.name} />`}
      ${data?.name && section === "games" && id === "new" && html`<${NewGame} />`}
      ${data?.name && section === "games" && id && id !== "new" && html`<${Game} key=${id} id=${id} tab=${tab ?? "overview"} />`}
    </main>
    <${Said} />`;
}
