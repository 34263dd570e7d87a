// Every text that a person reads or hears comes from here, in the language of the page.
//
// The words lie in `web/texts/<language>/<part>.js`, one part for each page, "shared" for all of them. A page asks for its
// parts with `speak` before it draws anything; from then on `texts` has them, so modules read it while they draw and
// never while they load. A text with a number or a name in it is a function.

export const LANGUAGES = { en: "English", de: "Deutsch", fr: "Français" };
const KEPT = "haggle-language";
const MINUS = "\u2212";

export const texts = {};

// The language of the page: what was chosen in this browser, else what the server found in the browser's wishes.
export const language = () => document.documentElement.lang;

// Load the words of these parts; the others that were loaded stay.
export async function speak(...parts) {
  const chosen = stored();
  if (chosen in LANGUAGES) document.documentElement.lang = chosen;
  const loaded = await Promise.all(parts.map((part) => import(`/assets/texts/${language()}/${part}.js`)));
  for (const { default: words } of loaded) {
    for (const [name, value] of Object.entries(words)) {
      // Parts may add to a group of words of another, such as the words for problems.
      texts[name] = typeof value === "object" && !Array.isArray(value) ? { ...texts[name], ...value } : value;
    }
  }
}

// Choose another language for this browser. The page begins anew in it.
export function chooseLanguage(code) {
  try {
    localStorage.setItem(KEPT, code);
  } catch {
    // A browser that keeps nothing forgets the choice as well.
  }
  location.reload();
}

function stored() {
  try {
    return localStorage.getItem(KEPT) ?? "";
  } catch {
    return "";
  }
}

const mark = () => new Intl.NumberFormat(language()).format(0.5).charAt(1);

// Points as people write them: a real minus, the language's decimal mark, and a plus where a gain is meant.
export const points = (value) => value.replace("-", MINUS).replace(".", mark());
export const gain = (value) => (value.startsWith("-") || value === "0" ? points(value) : `+${points(value)}`);
