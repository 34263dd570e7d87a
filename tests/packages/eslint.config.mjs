// Checks scripts and styles against the oldest browsers that the pages support; see docs/organisers.md, "Browsers".

import { createRequire } from "node:module";
import css from "@eslint/css";
import es from "eslint-plugin-es-x";

const data = createRequire(import.meta.url)("@mdn/browser-compat-data");

const OLDEST = {
  chrome: 102,
  chrome_android: 102,
  edge: 102,
  firefox: 102,
  firefox_android: 102,
  safari: 15.4,
  safari_ios: 15.4,
  samsunginternet_android: 19,
};

// Newer interfaces that a script uses only where the browser has them.
const GUARDED = new Set([
  "ImageCapture", // camera/viewfinder.js asks for it first, and otherwise takes a frame of the video
  "OffscreenCanvas", // live/decoder.js starts its worker only where it exists; otherwise the camera takes single pictures
  "VideoFrame", // camera/code-reader.js: otherwise an ImageBitmap
  "document.exitFullscreen", // projector/controls.js: only while something is in full screen
  "document.fullscreenElement", // projector/controls.js: undefined means that nothing is
  "navigator.userActivation", // camera/viewfinder.js: without it the phone does not vibrate
  "navigator.vibrate", // called as vibrate?.()
  "navigator.wakeLock", // read as wakeLock?., or asked for first: without it the display may turn itself off
  "Symbol.dispose", // zxing-reader.js falls back to a symbol of its own
]);

function isSupported({ __compat: compat }) {
  if (!compat) return true;
  return Object.entries(OLDEST).every(([browser, oldest]) =>
    [compat.support[browser] ?? []].flat().some((one) => {
      const plain = !one.flags && !one.prefix && !one.alternative_name && !one.partial_implementation && !one.version_removed;
      return plain && typeof one.version_added === "string" && parseFloat(one.version_added.replace("≤", "")) <= oldest;
    }),
  );
}

// Names that are missing in one of the browsers: globals, static methods such as AbortSignal.any, and what `document`,
// `navigator` and `crypto` have. Methods of other objects cannot be told from our own by their name alone: those of the
// language are checked by the rules of es-x.
function missing() {
  const { api, javascript } = data;
  const globals = [];
  const properties = [];
  for (const [name, members] of Object.entries({ ...api, ...javascript.builtins })) {
    if (!isSupported(members)) globals.push(name);
    for (const [member, one] of Object.entries(members)) {
      if (member === "__compat" || isSupported(one)) continue;
      const property = member.replace(/_static$/, "");
      if (name === "Window") globals.push(property);
      else if (property !== member || name in javascript.builtins) properties.push({ object: name, property });
      else if (["Crypto", "Document", "Navigator"].includes(name)) properties.push({ object: name.toLowerCase(), property });
    }
  }
  return {
    globals: [...new Set(globals)].filter((name) => !GUARDED.has(name)),
    properties: properties.filter(({ object, property }) => !GUARDED.has(`${object}.${property}`)),
  };
}

const { globals, properties } = missing();
const language = Object.fromEntries(
  Object.entries(es.configs["flat/restrict-to-es2022"].rules).filter(
    // Arrays have had methods of these names for long, and a script does not show which object it calls.
    ([name]) => !name.startsWith("es-x/no-iterator-prototype"),
  ),
);

export default [
  {
    files: ["**/*.js"],
    languageOptions: { ecmaVersion: 2022, sourceType: "module" },
    plugins: { "es-x": es },
    settings: { "es-x": { aggressive: true } },
    linterOptions: { noInlineConfig: true },
    rules: {
      ...language,
      // Of 2022 and before, but not in Safari 15.4.
      "es-x/no-class-static-block": "error",
      "es-x/no-regexp-lookbehind-assertions": "error",
      // Taken for SharedArrayBuffer.grow: zxing-reader.js calls WebAssembly.Memory.grow.
      "es-x/no-resizable-and-growable-arraybuffers": "off",
      "no-restricted-globals": ["error", ...globals],
      "no-restricted-properties": ["error", ...properties],
    },
  },
  {
    files: ["**/*.css"],
    plugins: { css },
    language: "css/css",
    // Browsers skip what they cannot read, and so does Pico, which is made for older ones too.
    languageOptions: { tolerant: true },
    linterOptions: { noInlineConfig: true },
    rules: {
      "css/use-baseline": [
        "error",
        {
          // What all browsers had at the end of 2021, and so the oldest of ours. What is newer, or not in all browsers:
          available: 2021,
          allowAtRules: ["container"], // makes a button smaller on small pictures
          allowFunctions: ["color-mix"], // after a plain colour, or for a shadow
          allowMediaConditions: ["forced-colors"], // browsers without it have no such mode
          allowSelectors: [
            "focus-visible", // in all of ours
            "has", // for the room around bars, wrapping, and borders around what shows its state by itself
            "marker", // Safari knows its colour
            "selection", // the colour of selected text
          ],
          allowProperties: [
            // In all of ours.
            "appearance",
            "color-scheme",
            "scroll-behavior",
            "scroll-snap-type",
            // With a prefix in Safari, which is there too.
            "backdrop-filter",
            "hyphens",
            "user-select",
            // Without them a page looks a little plainer and works as well.
            "accent-color",
            "clip",
            "contain-intrinsic-size",
            "container-type",
            "content-visibility",
            "mask",
            "mask-image",
            "outline",
            "resize",
            "scrollbar-width",
            "text-size-adjust",
            "text-wrap",
          ],
          allowPropertyValues: {
            "background-attachment": ["local"], // in all of ours
            "font-family": ["ui-monospace"], // before other fonts
            "overflow-wrap": ["anywhere"], // in all of ours
          },
        },
      ],
    },
  },
];
