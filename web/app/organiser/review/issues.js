import { html } from "htm/preact";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { ask, useFetched } from "../../shared/http.js";
import { texts } from "../../shared/i18n.js";
import { Icon } from "../../shared/icon.js";
import { Notice, Skeleton, say } from "../../shared/notices.js";
import { go } from "../../shared/router.js";
import { useDeskKeys, useHelp } from "../keyboard.js";
import { useKinds } from "./card-entry.js";
import { decisionText, nameOf, optionsOf, sentenceOf, usualReason } from "./issue-text.js";
import { Item } from "./issue.js";

const DIGITS = ["1", "2", "3", "4", "5", "6", "7", "8", "9"];

// The doubts, one after the other: a list, and the one that is looked at. After a decision the next open one comes up.
export function Doubts({ game, queue, standing, kind, wanted, again }) {
  const { data, problem } = queue;
  const kinds = useKinds(game.id);
  const items = data?.items ?? [];
  const [key, setKey] = useState(wanted ?? null);
  const [chosen, setChosen] = useState(null);
  const [place, setPlace] = useState(0);
  const [trouble, setTrouble] = useState(null);
  const mine = useRef([]); // what was decided here, the newest last, to be taken back by one key

  // What is looked at stays, also when somebody else settles it meanwhile: then it says so.
  const listed = items.find((item) => item.key === key);
  const kept = useRef(null);
  const seen = useFetched(
    (signal) => (key && data && !listed ? ask(`/api/v1/games/${game.id}/queue/${encodeURIComponent(key)}`, { signal }) : Promise.resolve(null)),
    `${key}/${Boolean(data)}/${Boolean(listed)}/${data?.open}`,
  );
  const gone = key && data && !listed && seen.problem?.status === 404;
  const item = listed ?? seen.data ?? (kept.current?.key === key ? kept.current : null);
  if (item) kept.current = item;
  const first = useRef(null); // the item as it was when it came up
  if (item && first.current?.key !== item.key) first.current = item;
  const others = item && item.revision !== first.current.revision && item.standing !== "open" && first.current.standing === "open";

  const look = (next) => {
    setKey(next?.key ?? null);
    setChosen(null);
    setPlace(0);
    setTrouble(null);
    first.current = null;
    const path = `/desk/games/${game.id}/queue${next ? `/doubts/${encodeURIComponent(next.key)}` : ""}${location.search}`;
    go(path, { replace: true });
  };
  useEffect(() => {
    const next = items.find((one) => one.standing === "open") ?? (standing === "open" ? null : items[0]);
    if (!key && next) look(next);
  }, [data, key]);
  // Keyboards and screen readers go along with what comes up after a key or a decision.
  const moved = useRef(false);
  useEffect(() => {
    if (moved.current && item) document.querySelector(".item-title")?.focus({ preventScroll: true });
    if (item) moved.current = false;
  }, [item?.key, item?.standing]);
  useEffect(() => {
    if (wanted && wanted !== key) {
      setKey(wanted);
      setChosen(null);
      setPlace(0);
    }
  }, [wanted]);

  useEffect(() => {
    // A card that was added makes another number of the same envelope: it stays in view until the number is right.
    const last = kept.current;
    const same = gone && last?.kind === "count" && items.find(({ kind, envelopes, standing }) => kind === "count" && envelopes[0] === last.envelopes[0] && standing === "open");
    if (same) look(same);
  }, [gone]);

  const at = items.findIndex((one) => one.key === key);
  const step = (by) => {
    moved.current = true;
    if (items.length) look(items[(at < 0 ? 0 : at + by + items.length) % items.length]);
  };
  const following = () => {
    const rest = [...items.slice(at + 1), ...items.slice(0, Math.max(0, at))].filter((one) => one.key !== key);
    return rest.find((one) => one.standing === "open") ?? null;
  };
  const upcoming = following();
  useEffect(() => {
    // Its cut-out is there before it comes up.
    const image = upcoming?.places[0]?.image;
    if (image) new Image().src = image;
  }, [upcoming?.key]);

  const settle = async (body) => {
    let told;
    try {
      told = await rule(game.id, item, body);
    } catch (error) {
      // Somebody else was faster: what was typed stays, and the item is fetched as it is now.
      if (error.slug === "changed") queue.again();
      throw error;
    }
    mine.current.push({ key: item.key, item: told.item, name: nameOf(item) });
    const next = following();
    queue.put((before) => put(before, item.key, told));
    queue.again();
    again();
    say(texts.queue.said(decisionText(item, body)));
    moved.current = true;
    look(next);
  };

  const takeBack = async (key, revision) => {
    setTrouble(null);
    const query = new URLSearchParams({ reason: texts.queue.reasons.takeBack });
    try {
      await ask(`/api/v1/games/${game.id}/queue/${encodeURIComponent(key)}/ruling?${query}`, { method: "DELETE", revision: revision ?? "0" });
      mine.current = mine.current.filter((one) => one.key !== key);
      say(texts.queue.takenBack);
      moved.current = true;
      look({ key });
      await queue.again();
      again();
    } catch (error) {
      setTrouble(error);
    }
  };
  const undo = () => {
    const last = mine.current.at(-1);
    if (last) takeBack(last.key, last.item?.revision);
    else say(texts.queue.nothingToTakeBack);
  };

  // A number of cards that is right is settled by one key: its reason is always the same. `u` takes it back.
  const choose = (number) => {
    const plain = item.kind === "count" && item.expected !== null && !item.cards.length;
    if (plain && number !== null) settle({ do: "accept", reason: usualReason(item, "accept") }).catch(setTrouble);
    else setChosen(number);
  };

  const options = useMemo(() => (item ? optionsOf(item) : []), [item]);
  useHelp(texts.queue.help.title, texts.queue.help.keys);
  useDeskKeys({
    j: () => step(1),
    k: () => step(-1),
    ArrowDown: () => step(1),
    ArrowUp: () => step(-1),
    u: undo,
    z: () => document.querySelector(".whole-closer")?.click(),
    p: () => setPlace((before) => (before + 1) % Math.max(1, item?.places.filter(({ photo }) => photo).length ?? 1)),
    ...Object.fromEntries(DIGITS.map((digit, number) => [digit, () => item?.standing === "open" && number < options.length && choose(number)])),
  });

  if (problem && !data) return html`<${Notice} problem=${problem} onAgain=${queue.again} />`;
  if (!data) return html`<${Skeleton} rows=${4} />`;
  const all = data.open + data.ruled; // not what is only noticed
  return html`<div class="doubts">
    <div class="doubts-bar">
      <div class="settled-count">
        <label for="settled-progress">${texts.queue.progress(data.ruled, all)}</label>
        <progress id="settled-progress" max=${Math.max(1, all)} value=${all ? data.ruled : 1}></progress>
      </div>
      ${data.waiting > 0 && html`<p class="still-read"><${Icon} name="clock" />${texts.queue.stillRead(data.waiting)}</p>`}
      <p class="key-line" aria-hidden="true">${texts.queue.help.line}</p>
    </div>
    <${Filters} game=${game} data=${data} standing=${standing} kind=${kind} onFilter=${() => look(null)} />
    ${trouble && html`<${Notice} problem=${trouble} small />`}
    ${!items.length && !item && html`<${Nothing} data=${data} standing=${standing} />`}
    ${(items.length > 0 || item) &&
    html`<div class="doubts-body">
      <${List} items=${items} current=${key} onLook=${look} total=${data.total} />
      <div class="doubt">
        ${gone && html`<div class="panel gone" role="status"><h2>${texts.queue.goneTitle}</h2><p>${texts.queue.gone}</p><button type="button" onClick=${() => look(following())}>${texts.queue.next}</button></div>`}
        ${!gone &&
        item &&
        html`<${Item}
          key=${item.key}
          game=${game}
          kinds=${kinds}
          item=${item}
          chosen=${chosen}
          onChoose=${choose}
          place=${place}
          onPlace=${setPlace}
          onDecide=${settle}
          onTakeBack=${() => takeBack(item.key, item.revision)}
          onNext=${upcoming && (() => look(upcoming))}
          lead=${others && html`<p class="others" role="status"><${Icon} name="people" />${item.ruling ? texts.queue.othersDecided(item.ruling.who) : texts.queue.othersSettled}</p>`}
        />`}
        ${!item && !gone && html`<${Skeleton} rows=${3} />`}
      </div>
    </div>`}
  </div>`;
}

// Decide an item. A decision of a moment ago may have changed what the server knows of this one, such as whose its picture is:
// if it is still open and about the same, what was seen is still so.
async function rule(game, item, body) {
  const path = `/api/v1/games/${game}/queue/${encodeURIComponent(item.key)}`;
  const put = (revision) => ask(`${path}/ruling`, { method: "PUT", body, revision });
  try {
    return await put(item.revision);
  } catch (problem) {
    if (problem.slug !== "changed" || item.standing !== "open") throw problem;
    const now = await ask(path);
    if (now.standing !== "open" || about(now) !== about(item)) throw problem;
    return put(now.revision);
  }
}

const about = ({ kind, cards, missing, extra, places, choices }) => JSON.stringify([kind, cards, missing, extra, places, choices]);

// The queue as it is after a decision, until the server has been asked again.
function put(before, key, told) {
  if (!before) return before;
  const items = before.items.map((item) => (item.key === key ? (told.item ?? { ...item, standing: "settled" }) : item));
  const ruled = (item) => (item?.standing === "ruled" ? 1 : 0);
  const more = ruled(told.item) - ruled(before.items.find((item) => item.key === key));
  return { ...before, items, open: told.open, ruled: before.ruled + more };
}

function List({ items, current, onLook, total }) {
  const box = useRef(null);
  useEffect(() => {
    box.current?.querySelector("[aria-current]")?.scrollIntoView({ block: "nearest" });
  }, [current]);
  return html`<nav class="doubt-list" aria-label=${texts.queue.list}>
    <ol ref=${box}>
      ${items.map(
        (item) => html`<li key=${item.key} data-standing=${item.standing}>
          <button type="button" aria-current=${item.key === current ? "true" : undefined} onClick=${() => onLook(item)}>
            <span class="kind-dot" data-kind=${item.kind} aria-hidden="true"></span>
            <span><strong>${nameOf(item)}</strong><small>${sentenceOf(item)}</small></span>
            ${item.standing !== "open" && html`<${Icon} name="check" />`}
          </button>
        </li>`,
      )}
    </ol>
    ${total > items.length && html`<p class="more">${texts.queue.more(total - items.length)}</p>`}
  </nav>`;
}

function Nothing({ data, standing }) {
  const words = standing === "open" ? (data.waiting ? texts.queue.emptyYet : texts.queue.empty) : texts.queue.emptyFilter;
  return html`<div class="panel all-clear"><${Icon} name="check" /><h2>${words.title}</h2><p>${words.detail}</p></div>`;
}

const STANDINGS = ["open", "ruled", "settled"];

// Which items are listed: by where they stand, and by kind. The choice stands in the address.
function Filters({ game, data, standing, kind, onFilter }) {
  const filter = (next) => {
    const query = new URLSearchParams();
    const wanted = { standing, kind, ...next };
    if (wanted.standing !== "open") query.set("standing", wanted.standing);
    if (wanted.kind) query.set("kind", wanted.kind);
    go(`/desk/games/${game.id}/queue${query.size ? `?${query}` : ""}`, { replace: true });
    onFilter();
  };
  const open = Object.entries(data.kinds);
  return html`<div class="filters">
    <fieldset class="filter">
      <legend class="unseen">${texts.queue.standing}</legend>
      ${STANDINGS.map(
        (name) => html`<button type="button" class="chip" aria-pressed=${standing === name ? "true" : "false"} onClick=${() => filter({ standing: name, kind: "" })}>
          ${texts.queue.standings[name]} <b>${data[name]}</b>
        </button>`,
      )}
    </fieldset>
    ${standing === "open" &&
    open.length > 1 &&
    html`<fieldset class="filter">
      <legend class="unseen">${texts.queue.byKind}</legend>
      <button type="button" class="chip" aria-pressed=${kind ? "false" : "true"} onClick=${() => filter({ kind: "" })}>${texts.queue.allKinds}</button>
      ${open.map(
        ([name, count]) => html`<button type="button" class="chip" aria-pressed=${kind === name ? "true" : "false"} onClick=${() => filter({ kind: name })}>
          <span class="kind-dot" data-kind=${name} aria-hidden="true"></span>${texts.queue.kinds[name]} <b>${count}</b>
        </button>`,
      )}
    </fieldset>`}
  </div>`;
}
