// The board's groups: pictures that are nobody's first, then those that could not be read, then envelope by envelope, and
// last those that are set aside.

export const FILTERS = ["all", "nobody", "doubtful"];

// Each group: { name, envelope, player, photos }. `name` is nobody, failed, envelope or aside. Pictures that are still to be
// read, or are the same file as another one, are in none.
export function groupsOf(photos, envelopes, filter, wanted) {
  const names = new Map(envelopes.map(({ number, name }) => [number, name]));
  const nobody = [];
  const failed = [];
  const aside = [];
  const owned = new Map();
  // Three are sent at once, so what came first was not always taken first.
  const batches = new Map();
  for (const { batch } of photos) if (!batches.has(batch)) batches.set(batch, batches.size);
  const taken = (a, b) => batches.get(a.batch) - batches.get(b.batch) || a.place - b.place;
  for (const photo of photos) {
    if (photo.same_as || photo.state === "waiting" || photo.state === "scanning") continue;
    if (photo.decided === "ignore") aside.push(photo);
    else if (photo.state === "failed") failed.push(photo);
    else if (!photo.envelopes.length) nobody.push(photo);
    else for (const number of photo.envelopes) owned.set(number, [...(owned.get(number) ?? []), photo]);
  }
  const all = [
    { name: "nobody", photos: nobody },
    { name: "failed", photos: failed },
    ...[...owned.entries()].sort(([a], [b]) => a - b).map(([envelope, some]) => ({ name: "envelope", envelope, player: names.get(envelope), photos: some.sort(taken) })),
    { name: "aside", photos: aside },
  ];
  const kept = all.filter((group) => {
    if (!group.photos.length) return false;
    if (wanted) return group.envelope === Number(wanted) || group.player?.toLowerCase().includes(wanted.toLowerCase());
    return filter === "all" || (filter === "nobody" ? group.name === "nobody" || group.name === "failed" : group.photos.some(({ open }) => open));
  });
  return kept.map((group) => ({ ...group, id: group.envelope ? `envelope-${group.envelope}` : group.name }));
}
