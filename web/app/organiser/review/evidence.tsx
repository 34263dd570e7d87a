// The evidence for an issue: photos with marked places.

import { useEffect, useMemo, useState } from "preact/hooks";
import type { IssueModel, PhotoDetailModel, PlaceModel } from "../../../api";
import type { CardKind } from "../../shared/cards";
import { request, useFetch } from "../../shared/http";
import { formatList, texts } from "../../shared/i18n";
import { Icon } from "../../shared/icon";
import { type Corners, centre, Outlines, type Scan } from "../../shared/outlines";
import type { PhotoViewer } from "../../shared/photo-viewer";
import { cardText } from "./issue-text";

const FULL_WIDTH = 1600; // pixels of a whole photo's longer side
const WHOLE_PHOTO_KINDS = new Set(["no-label", "two-labels", "nothing", "failed", "assigned", "incomplete"]); // kinds of issues about whole photos

const box = (corners: Corners) => {
  const [xs, ys] = [corners.map(([x]) => x), corners.map(([, y]) => y)];
  return { left: Math.min(...xs), top: Math.min(...ys), right: Math.max(...xs), bottom: Math.max(...ys) };
};

// Fetch a photo with everything read in it; null until it is loaded.
function usePhoto(game: string, id: string) {
  const path = `/api/v1/games/${game}/photos/${id}`;
  const load = (signal: AbortSignal) => {
    const fetchNow = () => request<PhotoDetailModel>(path, { signal });
    const early = preloaded.get(path);
    preloaded.delete(path);
    return early ? early.catch(fetchNow) : fetchNow();
  };
  return useFetch(load, path);
}

const preloaded = new Map<string, Promise<PhotoDetailModel>>(); // of the next issue, by path

// Cards that were moved to another pile than the one in which they were read, by the card: from and to a pile.
export type Moves = Record<string, { from: number; to: number }>;
type OnMoves = (moves: Moves) => void;

// Where something was seen: two photos side by side, or a crop beside its photo. With more places than fit there is a button
// for each; issues about a whole photo have no crop, but piles, whose cards can be moved.
type Kinds = Map<string, CardKind> | null;
type Common = { game: string; kinds: Kinds };
type EvidenceProps = Common & {
  item: IssueModel;
  at: number;
  onPlace: (at: number) => void;
  moves: Moves;
  onMoves: OnMoves | null;
};
type Seen = PlaceModel & { photo: string };

export function Evidence({ game, kinds, item, at, onPlace, moves, onMoves }: EvidenceProps) {
  const places = item.places.filter((place): place is Seen => place.photo !== null);
  const whole = WHOLE_PHOTO_KINDS.has(item.kind);
  const shown = whole ? places.filter(({ photo }, number) => places.findIndex((one) => one.photo === photo) === number) : places;
  const place = shown[at] ?? shown[0];
  if (!place) return null;
  const other = shown.find(({ photo }) => photo !== place.photo);
  const pair = other ? [place, other].sort((a, b) => shown.indexOf(a) - shown.indexOf(b)) : [place];
  const marked = ({ photo }: Seen) =>
    whole && item.case !== "apart" ? [] : places.flatMap((one) => (photo === one.photo && one.quad ? [one.quad] : []));
  return (
    <div class="evidence stack">
      {place.quad && !whole && !other && <Crop game={game} place={place} />}
      {pair.map((one) => (
        <WholePhoto
          key={one.photo}
          game={game}
          kinds={kinds}
          photo={one.photo}
          unread={item.kind === "failed"}
          marked={marked(one)}
          strong={one.quad}
          piles={whole}
          moves={moves}
          onMoves={onMoves}
        />
      ))}
      {shown.length > pair.length && (
        <PlaceButtons count={shown.length} at={shown.indexOf(place)} label={texts.queue.placeOf} onPlace={onPlace} />
      )}
    </div>
  );
}

// A place, cut out; nothing if the photo was deleted.
function Crop({ game, place }: { game: string; place: Seen }) {
  const { data } = usePhoto(game, place.photo);
  if (data?.erased) return null;
  return (
    <figure class="crop">
      {data ? <Image src={place.image ?? ""} alt={texts.queue.crop} /> : <span class="picture" />}
      <figcaption class="caption">{texts.queue.crop}</figcaption>
    </figure>
  );
}

// Buttons to choose one of several places or photos.
type PlaceButtonsProps = {
  count: number;
  at: number;
  label: (values: { number: number; all: number }) => string;
  onPlace: (at: number) => void;
};

export function PlaceButtons({ count, at, label, onPlace }: PlaceButtonsProps) {
  return (
    <div class="row wide">
      {Array.from({ length: count }, (_, number) => (
        <button
          key={number}
          type="button"
          class="secondary"
          aria-pressed={number === at ? "true" : "false"}
          onClick={() => onPlace(number)}
        >
          {label({ number: number + 1, all: count })}
        </button>
      ))}
    </div>
  );
}

// Preload the photos of an issue with what was read in them, and the crop if it is shown.
export function preloadEvidence(game: string, item: IssueModel) {
  const [first, second] = item.places.filter(({ photo }) => photo);
  preloaded.clear();
  for (const { photo } of [first, second].filter((place) => place !== undefined)) {
    const path = `/api/v1/games/${game}/photos/${photo}`;
    const early = request<PhotoDetailModel>(path);
    early.catch(() => {}); // it is fetched again
    preloaded.set(path, early);
    new window.Image().src = photoAddress(game, photo ?? "");
  }
  if (first?.image) new window.Image().src = first.image;
}

const photoAddress = (game: string, photo: string) => `/api/v1/games/${game}/photos/${photo}/image?width=${FULL_WIDTH}`;

// A whole photo with the outlines of its cards and `marked` places. There is no image if the server could not read the file.
type WholeProps = Common & {
  photo: string;
  unread?: boolean;
  marked?: Corners[];
  strong?: Corners | null;
  piles?: boolean;
  moves?: Moves;
  onMoves?: OnMoves | null;
};

export function WholePhoto(props: WholeProps) {
  const { game, kinds, photo, unread = false, marked = [], strong = null, piles = false, moves = {}, onMoves = null } = props;
  const { data } = usePhoto(game, photo);
  const width = data?.width ?? 4;
  const height = data?.height ?? 3;
  const read = useMemo(() => (data?.width ? toScan(data, width, height) : null), [data]);
  const [Viewer, setViewer] = useState<typeof PhotoViewer | null>(null);
  const [viewing, setViewing] = useState(false);
  const openViewer = () => {
    setViewing(true);
    import("../../shared/photo-viewer").then((module) => setViewer(() => module.PhotoViewer));
  };
  const address = `/api/v1/games/${game}/photos/${photo}/image`;
  const split = piles && data && data.piles.length > 1;
  return (
    <figure class="whole">
      <div class="whole-frame" style={{ aspectRatio: `${width} / ${height}`, "--shape": width / height }}>
        {unread || data?.erased ? (
          <p class="no-photo">{unread ? texts.queue.noImage : texts.queue.erased}</p>
        ) : (
          <Image
            src={photoAddress(game, photo)}
            alt={texts.queue.whole({ name: data?.name ?? "", known: Boolean(data?.name) })}
          />
        )}
        {read && kinds && !split && <Outlines scan={read} kinds={kinds} />}
        {read && (
          <svg class="marks" viewBox={`0 0 ${width} ${height}`} aria-hidden="true" focusable="false">
            {(split ? [] : marked).map((quad) => (
              <Mark key={quad.join()} quad={quad} width={width} strong={quad === strong} />
            ))}
          </svg>
        )}
        {split && read && <Piles data={data} scan={read} moves={moves} onMoves={onMoves} />}
      </div>
      {viewing && Viewer && read && kinds && (
        <Viewer
          url={address}
          width={width}
          height={height}
          scan={read}
          kinds={kinds}
          quad={strong}
          title={data?.name || texts.queue.whole({ name: "", known: false })}
          onClose={() => setViewing(false)}
        />
      )}
      <figcaption class="row between caption">
        <span>
          {data
            ? texts.queue.found({
                cards: data.seen.length,
                doubts: data.doubt_places.length,
                count: data.labels.length,
                labels: formatList(data.labels),
              })
            : texts.loading}
          {data?.name ? ` · ${data.name}` : ""}
        </span>
        {read && !data?.erased && (
          <button type="button" class="plain whole-zoom" onClick={openViewer}>
            <Icon name="zoom" />
            {texts.queue.closer}
          </button>
        )}
      </figcaption>
    </figure>
  );
}

const toScan = (data: PhotoDetailModel, width: number, height: number): Scan => ({
  width,
  height,
  seen: data.seen.map((card) => ({ ...card, quads: [], codes: [] })),
  codes: [],
  doubts: data.doubt_places,
});

function Mark({ quad, width, strong }: { quad: Corners; width: number; strong: boolean }) {
  const { left, top, right, bottom } = box(quad);
  const room = Math.max(0.012 * width, 0.2 * Math.max(right - left, bottom - top));
  const edges = { x: left - room, y: top - room, width: right - left + 2 * room, height: bottom - top + 2 * room, rx: room / 2 };
  return (
    <g class={strong ? "mark mark-strong" : "mark"}>
      <rect class="mark-casing" {...edges} stroke-width={width * 0.009} />
      <rect class="mark-line" {...edges} stroke-width={width * 0.005} />
    </g>
  );
}

// The cards of a photo, tinted by pile. A press moves a card to the next pile.
type PilesProps = { data: PhotoDetailModel; scan: Scan; moves: Moves; onMoves: OnMoves | null };

function Piles({ data, scan: { width, height }, moves, onMoves }: PilesProps) {
  const cards = data.piles.flatMap((pile, from) =>
    pile.cards.flatMap((at) => {
      const card = data.seen[at];
      return card ? [{ ...card, from, to: moves[card.card]?.to ?? from }] : [];
    }),
  );
  const move = ({ card, from, to }: (typeof cards)[number]) => {
    const next = (to + 1) % data.piles.length;
    const { [card]: _, ...others } = moves;
    onMoves?.(next === from ? others : { ...others, [card]: { from, to: next } });
  };
  return (
    <>
      <svg class="marks" viewBox={`0 0 ${width} ${height}`} aria-hidden="true" focusable="false">
        {cards.map(({ card, outline, to }) => (
          <polygon key={card} class="pile-card" data-pile={to + 1} points={outline.join(" ")} stroke-width={width * 0.005} />
        ))}
      </svg>
      {cards.map((card) => {
        const [x, y] = centre(card.outline);
        return (
          <button
            key={card.card}
            type="button"
            class="pile-mark"
            data-pile={card.to + 1}
            style={{ left: `${(100 * x) / width}%`, top: `${(100 * y) / height}%` }}
            aria-label={texts.queue.cardInPile({ card: cardText(card), pile: card.to + 1 })}
            disabled={!onMoves}
            onClick={() => move(card)}
          >
            {card.to + 1}
          </button>
        );
      })}
    </>
  );
}

// An image in a frame of known size. The server renders few at once, so failed requests are repeated.
type ImageProps = { src: string; alt: string };

const Image = (props: ImageProps) => <LoadedImage key={props.src} {...props} />;

function LoadedImage({ src, alt }: ImageProps) {
  const [tries, setTries] = useState(0);
  const [state, setState] = useState("coming");
  useEffect(() => {
    if (state !== "broken" || tries >= 4) return undefined;
    const timer = setTimeout(
      () => {
        setTries(tries + 1);
        setState("coming");
      },
      1500 * 2 ** tries,
    );
    return () => clearTimeout(timer);
  }, [state, tries]);
  const last = state === "broken" && tries >= 4;
  return (
    <span class={`picture picture-${state}`}>
      {last ? (
        <span class="no-photo">{texts.queue.noImage}</span>
      ) : (
        <img
          key={`${src}#${tries}`}
          src={src}
          alt={alt}
          decoding="async"
          draggable={false}
          onLoad={() => setState("shown")}
          onError={() => setState("broken")}
        />
      )}
    </span>
  );
}
