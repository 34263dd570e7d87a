// From picture to picture by keys.

const pictureOf = (shot) => shot.closest("[data-photo]");
export const idOf = (shot) => shot && pictureOf(shot).dataset.photo;
export const shotsOf = (box) => [...(box?.querySelectorAll(".shot-open") ?? [])];

// Which of the pictures has the focus, its box to choose it included; -1: none.
export const focusedAt = (shots) => shots.findIndex((shot) => pictureOf(shot).contains(document.activeElement));

// The picture above (-1) or below (1), in the next row the one that is least aside; the same one where there is none.
export function inRow(shots, at, way) {
  const places = shots.map((shot) => shot.getBoundingClientRect());
  const here = places[at];
  const beyond = places.map(({ top, left }, index) => ({ index, far: (top - here.top) * way, aside: Math.abs(left - here.left) })).filter(({ far }) => far > here.height / 2);
  const nearest = Math.min(...beyond.map(({ far }) => far));
  const row = beyond.filter(({ far }) => far < nearest + here.height / 2).sort((a, b) => a.aside - b.aside);
  return row[0]?.index ?? at;
}

// The picture that comes after those that go away: the next one that stays, or else the last one before.
export function following(shots, gone) {
  const last = shots.map((shot) => gone.has(idOf(shot))).lastIndexOf(true);
  const stays = (shot) => !gone.has(idOf(shot));
  return idOf(shots.slice(last + 1).find(stays) ?? shots.slice(0, Math.max(0, last)).filter(stays).at(-1));
}
