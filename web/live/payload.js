// Parses the payloads of our codes, as far as that needs no secret; see `cardgen/payload.py`.

const ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
const FORM = new RegExp(`^([HE])([${ALPHABET}]{4})([${ALPHABET}]{2})([${ALPHABET}]{2})[${ALPHABET}]{11}$`);
const JOIN = new RegExp(`^[^#]*/j#([${ALPHABET}]{4})\\.([0-9]{1,9})\\.[0-9]{1,9}\\.[A-Za-z0-9_-]+$`);
const CARD = "H";

const numberOf = (digits) => [...digits].reduce((sum, digit) => sum * ALPHABET.length + ALPHABET.indexOf(digit), 0);

// Return the parts of a code's payload, null if it is not one of ours.
export function parse(text) {
  const found = FORM.exec(text);
  if (!found) return null;
  const [, letter, game, kind, copy] = found;
  return { letter, game, kind: numberOf(kind), copy: numberOf(copy), envelope: numberOf(kind + copy) };
}

// Return the codes with their meaning in the game with the id `game` and the slugs `kinds`, in order. `status` is one of the
// scanner's: "card", with `card` { kind, copy }; "label", with `envelope`; "other-game"; "forged", a card that does not exist
// in the game; "foreign". Only the server can verify signatures, so a card or a label may still be forged: nothing counts
// before the server has read a photo.
export function classifyCodes(codes, { game, kinds }) {
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
