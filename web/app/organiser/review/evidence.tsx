// The evidence for an issue: photos with marked places.

import { useEffect, useMemo, useState } from "preact/hooks";
import type { IssueModel, PhotoDetailModel, PileModel, PlaceModel } from "../../../api";
import type { CardKind } from "../../shared/cards";
import { request, useFetch } from "../../shared/http";
import { texts } from "../../shared/i18n";
import { Icon } from "../../shared/icon";
import { type Corners, Outlines, type Scan } from "../../shared/outlines";
import type { PhotoViewer } from "../../shared/photo-viewer";

const FULL_WIDTH = 1600; // pixels of a whole photo's longer side
const WHOLE_PHOTO_KINDS = new Set(["no-label", "two-labels", "nothing", "failed", "assigned", "incomplete"]); // kinds of issues about whole photos

const box = (corners: Corners) => {
  const [xs, ys] = [corners.map(([x]) => x), corners.map(([, y]) => y)];
  return { left: Math.min(...xs), top: Math.min(...ys), right: Math.max(...xs), bottom: Math.max(...ys) };
};

// Fetch a photo with everything read in it; null until it is loaded.
function usePhoto(game: string, id: string) {
  return useFetch((signal) => request<PhotoDetailModel>(`/api/v1/games/${game}/photos/${id}`, { signal }), `${game}/${id}`);
}

// Where something was seen: a crop, beside the whole photo with the place marked. Issues with several places have a button for
// each; issues about a whole photo have no crop.
type Kinds = Map<string, CardKind> | null;
type EvidenceProps = { game: string; kinds: Kinds; item: IssueModel; at: number; onPlace: (at: number) => void };
type Seen = PlaceModel & { photo: string };

export function Evidence({ game, kinds, item, at, onPlace }: EvidenceProps) {
  const places = item.places.filter((place): place is Seen => place.photo !== null);
  const shown = WHOLE_PHOTO_KINDS.has(item.kind)
    ? places.filter(({ photo }, number) => places.findIndex((one) => one.photo === photo) === number)
    : places;
  const place = shown[at] ?? shown[0];
  if (!place) return null;
  const whole = shown !== places;
  const marked =
    whole && item.case !== "apart" ? [] : places.flatMap(({ photo, quad }) => (photo === place.photo && quad ? [quad] : []));
  return (
    <div class="evidence">
      {place.quad && !whole && <Crop place={place} />}
      <WholePhoto
        game={game}
        kinds={kinds}
        photo={place.photo}
        unread={item.kind === "failed"}
        marked={marked}
        strong={place.quad}
        piles={whole}
      />
      {shown.length > 1 && (
        <fieldset class="evidence-places">
          <legend class="visually-hidden">{texts.queue.places}</legend>
          {shown.map((one, number) => (
            <button
              key={number}
              type="button"
              class="secondary"
              aria-pressed={one === place ? "true" : "false"}
              onClick={() => onPlace(number)}
            >
              {texts.queue.placeOf(number + 1, shown.length)}
            </button>
          ))}
        </fieldset>
      )}
    </div>
  );
}

function Crop({ place }: { place: PlaceModel }) {
  return (
    <figure class="crop">
      <Image src={place.image ?? ""} alt={texts.queue.crop} />
      <figcaption>{texts.queue.crop}</figcaption>
    </figure>
  );
}

// A whole photo with the outlines of its cards and `marked` places. There is no image if the server could not read the file.
type WholeProps = {
  game: string;
  kinds: Kinds;
  photo: string;
  unread?: boolean;
  marked?: Corners[];
  strong?: Corners | null;
  piles?: boolean;
};

export function WholePhoto({ game, kinds, photo, unread = false, marked = [], strong = null, piles = false }: WholeProps) {
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
  return (
    <figure class="whole">
      <div class="whole-frame" style={{ aspectRatio: `${width} / ${height}`, "--shape": width / height }}>
        {unread || data?.erased ? (
          <p class="whole-gone">{unread ? texts.queue.noImage : texts.queue.erased}</p>
        ) : (
          <Image src={`${address}?width=${FULL_WIDTH}`} alt={texts.queue.whole(data?.name)} />
        )}
        {read && kinds && <Outlines scan={read} kinds={kinds} />}
        {read && (
          <svg class="marks" viewBox={`0 0 ${width} ${height}`} aria-hidden="true" focusable="false">
            {marked.map((quad) => (
              <Mark key={quad.join()} quad={quad} width={width} strong={quad === strong} />
            ))}
            {piles &&
              data &&
              data.piles.length > 1 &&
              data.piles.map((pile, at) => <CardPile key={at} pile={pile} at={at} seen={data.seen} width={width} />)}
          </svg>
        )}
        {read && !data?.erased && (
          <button type="button" class="whole-zoom" onClick={openViewer}>
            <Icon name="zoom" />
            {texts.queue.closer}
          </button>
        )}
      </div>
      {viewing && Viewer && read && kinds && (
        <Viewer
          url={address}
          width={width}
          height={height}
          scan={read}
          kinds={kinds}
          quad={strong}
          title={data?.name || texts.queue.whole("")}
          onClose={() => setViewing(false)}
        />
      )}
      <figcaption>
        {data ? texts.queue.found(data.seen.length, data.doubt_places.length, data.labels) : texts.queue.looking}
        {data?.name ? ` · ${data.name}` : ""}
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

type PileProps = { pile: PileModel; at: number; seen: PhotoDetailModel["seen"]; width: number };

function CardPile({ pile, at, seen, width }: PileProps) {
  const corners = pile.cards.flatMap((card) => seen[card]?.outline ?? []);
  if (!corners.length) return null;
  const { left, top, right, bottom } = box(corners);
  const size = width * 0.05;
  return (
    <g class="pile">
      <rect x={left} y={top} width={right - left} height={bottom - top} stroke-width={width * 0.004} />
      <circle cx={(left + right) / 2} cy={top} r={size * 0.7} />
      <text x={(left + right) / 2} y={top} font-size={size}>
        {at + 1}
      </text>
    </g>
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
        <span class="picture-none">{texts.queue.noImage}</span>
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
