// The demo's landing page.

import type { ComponentChildren } from "preact";
import { useEffect } from "preact/hooks";
import { type CardKind, CardSymbol, kindsBySlug, Suits, type SymbolName } from "../shared/cards";
import { request, useFetch } from "../shared/http";
import { LanguageChoice, texts } from "../shared/i18n";
import { Icon } from "../shared/icon";
import { Notice } from "../shared/notices";

const POLL = 8000; // milliseconds
// The state of the demo, whose endpoint is no part of the API; see server/demo/site.py.
type DemoGame = { name: string; envelopes: number; handed_in: number };
type SampleModel = { name: string; url: string; preview: string; cards: number };
type DemoModel = {
  desk: boolean;
  here: string;
  phone: string | null;
  playing: DemoGame | null;
  samples: SampleModel[];
};
type Words = typeof texts.demo.decks;

const NEW = { target: "_blank", rel: "noopener" };
const COMMAND = "./haggle demo --host 0.0.0.0";
const SAMPLES: (keyof Words["samples"])[] = ["many-colours", "pink-and-red", "dropped", "a-bit-dark"];
const FILES: (keyof Words["files"])[] = ["sheets", "labels"];
const DEMO_KEY = "haggle-demo"; // tells the players' page, which uses the same name, to offer the samples
const DECKS = "demo-decks";
const SHARED_CACHE = "haggle-shared"; // the cache for photos that are shared with the players' page, which uses the same name
// The colours of the demo's edition.
const CARD_COLOURS: [slug: string, ink: string, symbol: SymbolName][] = [
  ["red", "#c2242b", "heart"],
  ["blue", "#163a86", "drop"],
  ["green", "#1f7a49", "clover"],
  ["orange", "#f0821d", "sun"],
  ["yellow", "#f6cf3b", "star"],
];

// The landing page: what the demo offers, with links. It follows the running game.
export function Landing({ gone }: { gone: boolean }) {
  const { data, problem, refetch } = useFetch((signal) => request<DemoModel>("/api/v1/demo", { signal }), "demo");
  useEffect(() => {
    const timer = setInterval(() => document.hidden || refetch(), POLL);
    return () => clearInterval(timer);
  }, [refetch]);

  useEffect(() => {
    try {
      localStorage.setItem(DEMO_KEY, "yes");
    } catch {
      // Without storage the players' page offers no samples.
    }
  }, []);
  useEffect(() => {
    if (data && location.hash === `#${DECKS}`) document.getElementById(DECKS)?.scrollIntoView();
  }, [Boolean(data)]);

  const words = texts.demo;
  return (
    <>
      <header class="masthead">
        <div class="masthead-inner">
          <a class="brand" href="/demo">
            <span class="over">{texts.brand}</span>
            <span class="display">{words.name}</span>
          </a>
          <Suits />
        </div>
      </header>
      <main>
        <Hero demo={data} />
        {gone && (
          <p class="dashed below" role="status">
            {words.gone}
          </p>
        )}
        {problem && <Notice problem={problem} onRetry={refetch} />}
        <Entrances demo={data} />
        <Decks demo={data} />
        <Phone demo={data} />
      </main>
      <footer class="center small foot">
        <p>{words.foot}</p>
        <LanguageChoice />
      </footer>
    </>
  );
}

// The state of the demo once it is loaded.
type Loaded = { demo: DemoModel | null };

function Hero({ demo }: Loaded) {
  const words = texts.demo;
  const names = words.colours.split(", ");
  const kinds = kindsBySlug({
    kinds: CARD_COLOURS.map(([slug, ink, symbol], place) => ({
      slug,
      ink,
      symbol,
      category: "colour",
      name: names[place] ?? slug,
    })),
  });
  const playing = demo?.playing;
  return (
    <section class="hero">
      <Fan kinds={kinds} />
      <div>
        <h1>{words.title}</h1>
        <p class="lead">{words.lead}</p>
        <p class="note soft demo-state" aria-live="polite">
          <b class="number">{playing ? playing.name : "\u00a0"}</b>
          <span>{playing ? words.state({ done: playing.handed_in, all: playing.envelopes }) : "\u00a0"}</span>
        </p>
      </div>
    </section>
  );
}

// The three ways into the games, each in a new tab.
function Entrances({ demo }: Loaded) {
  const words = texts.demo.doors;
  return (
    <div class="tiles entrances">
      <Entrance name="player" symbol="heart" words={words.player}>
        <a class="as-button action" href="/demo/player" {...NEW}>
          <Icon name="envelope" />
          {words.player.open}
        </a>
        <a class="as-button secondary" href="/demo/result" {...NEW}>
          <Icon name="list" />
          {words.player.result}
        </a>
      </Entrance>
      <Entrance name="desk" symbol="drop" words={words.desk}>
        {demo && !demo.desk ? (
          <p class="dashed">{words.desk.elsewhere({ address: demo.here })}</p>
        ) : (
          <a class="as-button action" href="/demo/desk" {...NEW}>
            <Icon name="people" />
            {words.desk.open}
          </a>
        )}
      </Entrance>
      <Entrance name="screen" symbol="clover" words={words.screen}>
        <a class="as-button action" href="/demo/ceremony" {...NEW}>
          <Icon name="trophy" />
          {words.screen.ceremony}
        </a>
        <a class="as-button secondary" href="/demo/screen" {...NEW}>
          <Icon name="clock" />
          {words.screen.countdown}
        </a>
      </Entrance>
    </div>
  );
}

type EntranceProps = {
  name: string;
  symbol: SymbolName;
  words: { title: string };
  children: ComponentChildren;
};

function Entrance({ name, symbol, words, children }: EntranceProps) {
  return (
    <section class={`panel entrance entrance-${name}`} aria-labelledby={`door-${name}`}>
      <h2 class="row" id={`door-${name}`}>
        <span class="disc">
          <CardSymbol name={symbol} />
        </span>
        {words.title}
      </h2>
      <div class="stack">{children}</div>
    </section>
  );
}

// Photos of decks that nobody has handed in, and cards to print.
function Decks({ demo }: Loaded) {
  const words = texts.demo.decks;
  const ready = new Map(demo?.samples.map((sample) => [sample.name, sample]));
  return (
    <section class="section" aria-labelledby={DECKS}>
      <h2 id={DECKS}>{words.title}</h2>
      <ul class={`strip ${ready.size ? "" : "strip-coming"}`} tabIndex={0} aria-labelledby={DECKS}>
        {SAMPLES.map((name) => {
          const sample = ready.get(name);
          return <li key={name}>{sample ? <Sample sample={sample} name={name} /> : <PendingSample name={name} />}</li>;
        })}
      </ul>
      <h3>{words.print}</h3>
      <ul class="row">
        {FILES.map((name) => (
          <li>
            <a class="as-button secondary" href={`/demo/print/${name}.pdf`} download>
              <Icon name="download" />
              <span>{words.files[name]}</span>
              <small>PDF</small>
            </a>
          </li>
        ))}
      </ul>
    </section>
  );
}

// A sample photo to try. Browsers with the Cache API pass it to the players' page as if another app had shared it. It exists
// only over HTTPS; elsewhere the photo is downloaded.
function Sample({ sample, name }: { sample: SampleModel; name: keyof Words["samples"] }) {
  const words = texts.demo.decks;
  const keeps = "caches" in window;
  const score = async (event: Event) => {
    if (!keeps) return;
    event.preventDefault();
    const picture = await request(sample.url, { as: "blob" });
    // A deck of its own, which other websites cannot ask for.
    const headers = { "Content-Type": "image/webp", "X-Name": `${sample.name}.webp`, "X-Deck": "new" };
    const cache = await caches.open(SHARED_CACHE);
    await cache.put(`/shared/${sample.name}`, new Response(picture, { headers }));
    // A phone that came from its envelope goes back to it.
    location.assign(location.hash === `#${DECKS}` ? "/" : "/demo/player");
  };
  return (
    <a class="sample" href={sample.url} download={`${sample.name}.webp`} onClick={score}>
      <img src={sample.preview} width="360" height="270" alt="" decoding="async" />
      <span>
        <b>{words.samples[name]}</b>
        {texts.cards.total({ count: sample.cards })}
        <em>
          <Icon name={keeps ? "camera" : "download"} />
          {keeps ? words.score : words.download}
        </em>
      </span>
    </a>
  );
}

// A placeholder until the server has answered.
function PendingSample({ name }: { name: keyof Words["samples"] }) {
  const words = texts.demo.decks;
  return (
    <div class="sample">
      <i class="skeleton" />
      <span>
        <b>{words.samples[name]}</b>
        {words.coming}
        <em>{"\u00a0"}</em>
      </span>
    </div>
  );
}

// The way to open the demo on a phone: a code, or advice if the demo accepts no other devices.
function Phone({ demo }: Loaded) {
  const words = texts.demo.phone;
  const open = demo?.phone;
  return (
    <section class="row between ink-card demo-phone" aria-labelledby="demo-phone">
      <div class="grow">
        <h2 id="demo-phone">{words.title}</h2>
        {open ? (
          <p>{words.open}</p>
        ) : (
          <>
            <p>{words.shut}</p>
            <p>
              <code>{COMMAND}</code>
            </p>
          </>
        )}
        {open && (
          <p>
            <a href={open}>{open}</a>
          </p>
        )}
      </div>
      {open && <img src="/demo/phone.svg" width="200" height="200" alt={words.code} />}
    </section>
  );
}

const SHOWN = 5;
const MODULES = 21;
const FINDER = 8; // a finder pattern with its margin, in modules

// Return a drawing that looks like a QR code.
const codePath = (seed: number) => {
  const corner = (x: number, y: number) => `M${x} ${y}h7v7h-7zM${x + 1} ${y + 1}v5h5v-5zM${x + 2} ${y + 2}h3v3h-3z`;
  let path = corner(0, 0) + corner(14, 0) + corner(0, 14);
  let state = seed;
  for (let y = 0; y < MODULES; y++) {
    for (let x = 0; x < MODULES; x++) {
      state = (state * 1103515245 + 12345) % 2147483648;
      const left = x < FINDER;
      const top = y < FINDER;
      const finder = (left && (top || y >= MODULES - FINDER)) || (top && x >= MODULES - FINDER);
      if (!finder && state % 65536 > 32768) path += `M${x} ${y}h1v1h-1z`;
    }
  }
  return path;
};

// A fan of the game's cards, as decoration.
function Fan({ kinds }: { kinds: Map<string, CardKind> }) {
  const cards = [...kinds.values()].filter((kind) => kind.category !== "rule" && kind.category !== "special").slice(0, SHOWN);
  const patch = (kind: CardKind, extra: string) => (
    <svg class={`fan-code ${extra}`} viewBox="-2 -2 25 25">
      <rect x="-2" y="-2" width="25" height="25" rx="1.5" fill="#fff" />
      <path
        d={codePath(kind.slug.length * 97 + kind.slug.charCodeAt(0))}
        fill="#111"
        fill-rule="evenodd"
        shape-rendering="crispEdges"
      />
    </svg>
  );
  return (
    <div class="fan" aria-hidden="true">
      {cards.map((kind, place) => (
        <div
          class="fan-card"
          style={{ "--ink": kind.ink, "--on": kind.on, "--place": place - (cards.length - 1) / 2, zIndex: cards.length - place }}
        >
          {patch(kind, "")}
          <b>{kind.name}</b>
          <span class="fan-symbol">
            <CardSymbol name={kind.symbol} />
          </span>
          {patch(kind, "fan-twin")}
        </div>
      ))}
    </div>
  );
}
