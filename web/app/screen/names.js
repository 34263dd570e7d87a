import { points, texts } from "../shared/texts.js";

// Who it is on the wall, and how much.
export const nameOf = (place) => place.player ?? texts.screen.aPlayer;
export const scoreOf = (place) => (place.eliminated ? texts.screen.out : points(place.score));

// Long names want smaller letters.
export const lengthOf = (name) => (name.length > 34 ? "name-longest" : name.length > 16 ? "name-long" : "");
