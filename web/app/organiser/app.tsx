// The organisers' page: session, header, and the choice of a screen.

import { type Dispatch, type StateUpdater, useEffect, useState } from "preact/hooks";
import type { SessionModel } from "../../api";
import { Suits } from "../shared/cards";
import { Dialog } from "../shared/dialog";
import { type Problem, request, useFetch } from "../shared/http";
import { LanguageChoice, loadTexts, texts } from "../shared/i18n";
import { Icon } from "../shared/icon";
import { Announcements, announce, Notice, Skeleton } from "../shared/notices";
import { Link, navigate, useRoute } from "../shared/router";
import { Game } from "./game";
import { useShortcutHelp, useShortcuts } from "./keyboard";
import { LazyPart, Menu, OldBrowser, ShortcutsDialog, UnknownAddress } from "./layout";
import { ChangePassword, SetUp, SignIn, SignInForm } from "./sign-in";

const SECTIONS = {
  games: () => Promise.all([import("./games/games"), loadTexts("games")]).then(([{ Games }]) => Games),
  editions: () => Promise.all([import("./editions/editions"), loadTexts("editions")]).then(([{ Editions }]) => Editions),
  edition: async () => {
    if (!canEditEditions()) return OldBrowser;
    const [{ Editor }] = await Promise.all([import("./editions/editor/editor"), loadTexts("editions")]);
    return Editor;
  },
  new: () => Promise.all([import("./games/game-form"), loadTexts("games")]).then(([{ NewGame }]) => NewGame),
};

// The library that edits TOML needs look-behind in patterns, which Safari has since the same version as OffscreenCanvas.
const canEditEditions = () => "OffscreenCanvas" in window;

// The organisers' pages: sign-in, all games, and one of them.
export function App() {
  const [, section, id, tab] = useRoute();
  const session = useFetch((signal) => request<SessionModel>("/api/v1/session", { signal }), "session");
  const [lost, away] = useSessionLost();
  const { data, problem } = session;
  const signedIn = (response: SessionModel) => {
    session.put(response);
    away("");
    dispatchEvent(new Event("haggle-signed-in"));
  };
  const inGame = section === "games" && id && id !== "new";
  const unknown = section && section !== "games" && section !== "editions";
  const edited = section === "editions" && id;
  const list = section === "editions" ? SECTIONS.editions : id === "new" ? SECTIONS.new : SECTIONS.games;
  return (
    <>
      <a class="skip" href="#content">
        {texts.desk.skip}
      </a>
      <Header organiser={data?.name} onOut={() => data && session.put({ ...data, name: null })} />
      {lost === "away" && (
        <p class="row note stop" role="alert">
          {texts.problems["not-signed-in"].title}{" "}
          <button type="button" onClick={() => away("asking")}>
            {texts.desk.signIn.send}
          </button>
        </p>
      )}
      <main id="content" tabIndex={-1}>
        {problem && !data && <Notice problem={problem} onRetry={session.refetch} />}
        {!data && !problem && <Skeleton />}
        {data && !data.name && (data.ready ? <SignIn onIn={session.put} /> : <SetUp onIn={session.put} />)}
        {data?.name && <GlobalShortcuts />}
        {data?.name && unknown && <UnknownAddress />}
        {data?.name && edited && <LazyPart key={id} load={SECTIONS.edition} slug={id} />}
        {data?.name && !inGame && !unknown && !edited && <LazyPart key={`${section}/${id}`} load={list} />}
        {data?.name && inGame && <Game key={id} id={id} tab={tab ?? "overview"} />}
      </main>
      {data?.name && lost === "asking" && (
        <Dialog title={texts.problems["not-signed-in"].title} onClose={() => away((state) => state && "away")}>
          <p>{texts.problems["not-signed-in"].detail}</p>
          <SignInForm name={data.name} onIn={signedIn} />
        </Dialog>
      )}
      <Announcements />
    </>
  );
}

// Return whether the session has ended while the page was open: "" (no), "asking" for the password, or "away" (dismissed).
type Lost = "" | "asking" | "away";

function useSessionLost(): [lost: Lost, setLost: Dispatch<StateUpdater<Lost>>] {
  const [lost, setLost] = useState<Lost>("");
  useEffect(() => {
    const lose = () => setLost((state) => state || "asking");
    addEventListener("haggle-signed-out", lose);
    return () => removeEventListener("haggle-signed-out", lose);
  }, []);
  return [lost, setLost];
}

// Shortcuts that work everywhere.
function GlobalShortcuts() {
  const [help, setHelp] = useState(false);
  const words = texts.desk.keys;
  useEffect(() => {
    const show = () => setHelp(true);
    addEventListener("haggle-help", show);
    return () => removeEventListener("haggle-help", show);
  }, []);
  useShortcuts({ "?": () => setHelp(true), "g g": () => navigate("/desk"), "g e": () => navigate("/desk/editions") });
  useShortcutHelp(words.everywhere, [
    ["?", words.title],
    ["g g", texts.desk.games],
    ["g e", texts.desk.editions],
  ]);
  return help && <ShortcutsDialog onClose={() => setHelp(false)} />;
}

// The header: where one is, and who is signed in.
function Header({ organiser, onOut }: { organiser: string | null | undefined; onOut: () => void }) {
  const [changing, setChanging] = useState(false);
  const words = texts.desk.account;
  const signOut = () =>
    request("/api/v1/session", { method: "DELETE" }).then(
      () => {
        navigate("/desk");
        onOut();
      },
      (problem: Problem) => announce(problem.detail),
    );
  return (
    <header class="masthead">
      <div class="masthead-inner">
        <Link class="brand" href="/desk">
          <span class="over">{texts.brand}</span>
          <span class="display">{texts.organisersDesk}</span>
        </Link>
        <Suits />
        {organiser ? (
          <Menu label={organiser} end>
            <button type="button" class="for-mouse" onClick={() => dispatchEvent(new Event("haggle-help"))}>
              <Icon name="question" />
              {texts.desk.keys.title}
            </button>
            <button type="button" onClick={() => setChanging(true)}>
              <Icon name="gear" />
              {words.password}
            </button>
            <button type="button" onClick={signOut}>
              <Icon name="back" />
              {words.out}
            </button>
            <LanguageChoice />
          </Menu>
        ) : (
          <LanguageChoice />
        )}
      </div>
      {changing && <ChangePassword onClose={() => setChanging(false)} />}
    </header>
  );
}
