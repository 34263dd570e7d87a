import { language, speak, texts } from "./texts.js";

await speak("hints").catch(() => {}); // without these words the scanner's own are better than no page

// The hints that help: where nothing was found at all, the time that it took is not what was wrong.
export const helping = (hints, found) => hints.filter(({ slug }) => found > 0 || slug !== "time");

// A hint of the scanner in the page's language. Its own English sentence is kept: it also says how many cards, and where.
export const hintText = ({ slug, text }) => (language() === "en" ? text : (texts.hintWords?.[slug] ?? text));
