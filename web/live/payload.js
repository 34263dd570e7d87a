// What the texts of our own codes say, as far as no secret is needed: `cardgen/payload.py` knows the format.

const ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
const FORM = new RegExp(`^([HE])([${ALPHABET}]{4})([${ALPHABET}]{2})([${ALPHABET}]{2})[${ALPHABET}]{11}$`);
const JOIN = new RegExp(`^[^#]*/j#([${ALPHABET}]{4})\\.([0-9]{1,9})\\.[0-9]{1,9}\\.[A-Za-z0-9_-]+$`);
const CARD = "H";

const numberOf = (digits) => [...digits].reduce((sum, digit) => sum * ALPHABET.length + ALPHABET.indexOf(digit), 0);

// The parts of a code's text, or null if it has not the form of our codes.
export function parse(text) {
  const found = FORM.exec(text);
  if (!found) return null;
  const [, letter, game, kind, copy] = found;
  return { letter, game, kind: numberOf(kind), copy: numberOf(copy), envelope: numberOf(kind + copy) };
}

// The codes with what they mean for a game, of which `game` is the id and `kinds` the slugs in its order. `status` is
// one of the scanner's: "card", with `card` { kind, copy }; "label", with `envelope`; "other-game"; "forged", of a card
// that the game has not; "foreign". But whether a code is signed can be told by the server alone, so a card or a label
// here is one that may still turn out to be forged: it counts for nothing before the server has seen a picture of it.
export function sorted(codes, { game, kinds }) {
  return codes.map((code) => ({ ...code, ...meaning(code.text, game, kinds) }));
}

function meaning(text, game, kinds) {
  const join = JOIN.exec(text);
  if (join) return join[1] === game ? { status: "label", envelope: Number(join[2]) } : { status: "other-game" };
  const payload = parse(text);
  if (!payload) return { status: "foreign" };
  if (payload.game !== game) return { status: "other-game" };
  if (payload.letter !== CARD) return { status: "label", envelope: payload.envelope };
  const { kind, copy } = payload;
  return kind < kinds.length && copy >= 1 ? { status: "card", card: { kind: kinds[kind], copy } } : { status: "forged" };
}
