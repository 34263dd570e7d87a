// A player's picture in the form in which outlines are drawn: cards that count with their names, all else as crosses.
export function scanOf(photo) {
  const dead = photo.cards.filter(({ kind }) => !kind).map(({ outline }) => outline);
  return {
    width: photo.width,
    height: photo.height,
    seen: photo.cards.filter(({ kind }) => kind).map((card) => ({ ...card, quads: [] })),
    codes: [...photo.strangers, ...dead].map((quad) => ({ quad, status: "foreign" })),
    doubts: photo.doubts,
  };
}
