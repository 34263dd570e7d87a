// Which envelopes are wanted, and how one stands.

const IS = {
  all: () => true,
  open: ({ opened }) => Boolean(opened),
  sealed: ({ opened }) => !opened,
  joined: ({ joined }) => Boolean(joined),
  absent: ({ opened, joined }) => Boolean(opened) && !joined,
  claimed: ({ claimed }) => Boolean(claimed),
  received: ({ received }) => Boolean(received),
  missing: ({ opened, received }) => Boolean(opened) && !received,
  late: (envelope, game) => isLate(envelope, game),
};

export const FILTERS = Object.keys(IS);

export const fits = (filter, envelope, game) => IS[filter](envelope, game);

// Handed in by phone after the end.
export const isLate = ({ claimed }, { closed }) => Boolean(claimed && closed) && new Date(claimed) >= new Date(closed);

// Whether an envelope's number, or its name, begins as somebody types.
export function matches(look, { number, name }) {
  const text = look.trim().toLowerCase();
  if (!text) return true;
  if (/^\d+$/.test(text)) return String(number).startsWith(String(Number(text)));
  return (name ?? "").toLowerCase().includes(text);
}
