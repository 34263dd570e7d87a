// The ceremony as a list of steps, the same each time: from the last place up to the podium, one key a step.

const ONE_BY_ONE = 10; // the places from here up come alone
const FLY_BY = 10; // places in a step before that
const FEW = 4; // of fewer places no step is made beside a full one
const PODIUM = 3;
const SIDE_BY_SIDE = 3; // hands that share a place and still come in one step

// `reveal` are the places from the last one up. With `offer` the last step offers to publish.
//   title    nothing is told yet
//   group    `places`, the best first
//   one      `places` of one rank; `podium` for the first three
//   podium   `stands`: for 1, 2 and 3 the places that stand there by now
//   board    all places
//   publish  the offer
export function plan(reveal, { offer = false } = {}) {
  const steps = [{ kind: "title" }];
  const ranks = byRank(reveal);
  const alone = (places) => places.length <= SIDE_BY_SIDE;
  const crowd = ranks.filter((places) => places[0].rank > ONE_BY_ONE || (places[0].rank > PODIUM && !alone(places)));
  steps.push(...inGroups(crowd));
  for (const places of ranks) {
    if (places[0].rank > PODIUM && !crowd.includes(places)) steps.push({ kind: "one", places });
  }
  const stands = {};
  steps.push({ kind: "podium", stands: {} });
  for (const places of ranks.filter(([place]) => place.rank <= PODIUM)) {
    stands[places[0].rank] = places;
    if (alone(places)) steps.push({ kind: "one", places, podium: true });
    else steps.push(...inGroups([places]));
    steps.push({ kind: "podium", stands: { ...stands } });
  }
  steps.push({ kind: "board" });
  if (offer) steps.push({ kind: "publish" });
  return steps;
}

// Hands of equal rank together, each as in the ranking.
function byRank(reveal) {
  const ranks = [];
  for (const place of reveal) {
    if (ranks.at(-1)?.[0].rank === place.rank) ranks.at(-1).unshift(place);
    else ranks.push([place]);
  }
  return ranks;
}

// Steps of ten; the first one has what does not fill ten. Few who are left share with the next ten, half and half: the
// last place of a large game is no step of its own.
function inGroups(ranks) {
  const steps = [];
  const places = ranks.flatMap((shared) => [...shared].reverse());
  for (let end = places.length; end > 0; ) {
    const size = end > FLY_BY && end < FLY_BY + FEW ? Math.floor(end / 2) : FLY_BY;
    steps.unshift({ kind: "group", places: places.slice(Math.max(0, end - size), end).reverse() });
    end -= size;
  }
  return steps;
}
