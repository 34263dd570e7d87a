import { html } from "htm/preact";
import { useEffect, useLayoutEffect, useMemo, useReducer, useRef, useState } from "preact/hooks";
import { fetchSample, scan } from "./api.js";
import { kindsOf } from "../shared/kinds.js";
import { usePictureDrop } from "../shared/drop.js";
import { points, texts } from "../shared/texts.js";
import { Problem } from "./problem.js";
import { Result } from "./result.js";
import { Start } from "./start.js";
import { Working } from "./working.js";

const START = { step: "start" };
const LONGEST_WAIT = 30; // seconds
const RETRIES = 3; // how often a picture is sent again by itself when the server is busy

// The seconds after which a picture is sent again without asking anybody; 0 for anything but a busy server.
const waitOf = ({ slug, wait }) => (slug === "busy" && wait <= LONGEST_WAIT ? wait : 0);
const seconds = (count) => new Promise((resolve) => setTimeout(resolve, count * 1000));

function reduce(state, action) {
  switch (action.type) {
    case "sent":
      return { step: "working", photo: action.photo, share: 0 };
    case "progress":
      return { ...state, share: action.share };
    case "waiting":
      return { ...state, share: 0, waiting: action.words };
    case "seen":
      return { step: "result", photo: state.photo, scan: action.scan };
    case "failed":
      return { step: "problem", photo: state.photo, problem: action.problem };
    default:
      return START;
  }
}

// One deck from the picture to its score. The picture stays until another one is chosen, whatever happens.
export function Deck({ game }) {
  const [state, dispatch] = useReducer(reduce, START);
  const [said, say] = useState("");
  const kinds = useMemo(() => kindsOf(game), [game]);
  const running = useRef(null);
  const top = useRef(null);
  const opened = useRef(false);

  const send = async (photo, load) => {
    running.current?.abort();
    const run = (running.current = new AbortController());
    const current = () => !run.signal.aborted;
    for (let left = RETRIES; ; left--) {
      dispatch({ type: "sent", photo });
      say(texts.working.reading);
      try {
        photo.file ??= await load();
        const seen = await scan(photo.file, {
          limit: game.limits.photo_bytes,
          signal: run.signal,
          onProgress: (share) => current() && dispatch({ type: "progress", share }),
        });
        if (!current()) return;
        dispatch({ type: "seen", scan: seen });
        say(texts.result.announce(seen.seen.length, seen.result.eliminated ? null : points(seen.result.score)));
        return;
      } catch (problem) {
        if (!current()) return;
        const wait = waitOf(problem);
        if (!wait || !left) {
          dispatch({ type: "failed", problem });
          say("");
          return;
        }
        const words = texts.working.again(wait);
        dispatch({ type: "waiting", words });
        say(words);
        await seconds(wait);
        if (!current()) return;
      }
    }
  };

  const restart = () => {
    running.current?.abort();
    dispatch({ type: "start" });
    say("");
  };
  const choose = (file) => send({ file, url: URL.createObjectURL(file), name: file.name });
  const sample = (one) => send({ url: one.url, name: one.title, sample: one }, () => fetchSample(one));
  const retry = () => send(state.photo, () => fetchSample(state.photo.sample));
  const dropping = usePictureDrop(choose);

  // A picture's address holds its bytes in memory; it is given back when another takes its place.
  useEffect(() => () => state.photo?.file && !state.photo.sample && URL.revokeObjectURL(state.photo.url), [state.photo]);
  useLayoutEffect(() => {
    // At the first sight of the page the reader is where browsers put it; afterwards it follows what has changed.
    if (opened.current) {
      top.current.querySelector("[data-focus]").focus({ preventScroll: true });
      window.scrollTo(0, 0);
    }
    opened.current = true;
  }, [state.step]);

  return html`<div ref=${top} class=${dropping ? "dropping" : ""} data-drop=${texts.start.dropNow}>
    <p class="unseen" role="status" aria-live="polite">${said}</p>
    ${state.step === "start" && html`<${Start} game=${game} kinds=${kinds} onChoose=${choose} onSample=${sample} />`}
    ${state.step === "working" && html`<${Working} photo=${state.photo} share=${state.share} waiting=${state.waiting} onCancel=${restart} />`}
    ${state.step === "result" &&
    html`<${Result} photo=${state.photo} scan=${state.scan} kinds=${kinds} onRestart=${restart} />`}
    ${state.step === "problem" &&
    html`<${Problem} photo=${state.photo} problem=${state.problem} onRetry=${retry} onChoose=${choose} onRestart=${restart} />`}
  </div>`;
}
