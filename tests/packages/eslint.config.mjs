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

// Newer APIs that scripts use only if the browser has them.
const GUARDED = new Set([
  "ImageCapture", // camera/viewfinder.js checks for it and otherwise uses a video frame
  "OffscreenCanvas", // live/decoder.js starts its worker only if it exists; otherwise the camera takes single photos
  "VideoFrame", // camera/code-reader.js falls back to ImageBitmap
  "document.exitFullscreen", // projector/controls.tsx: used only in full-screen mode
  "document.fullscreenElement", // projector/controls.tsx: undefined means no full-screen mode
  "navigator.userActivation", // camera/viewfinder.js: without it the phone does not vibrate
  "navigator.vibrate", // called as vibrate?.()
  "navigator.wakeLock", // used as wakeLock?. or after a check: without it the display may turn off
  "Symbol.dispose", // zxing-reader.js falls back to its own symbol
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

// Names that are missing in one of the browsers: globals, static methods such as AbortSignal.any, and members of `document`,
// `navigator` and `crypto`. Methods of other objects cannot be distinguished from our own by name; the rules of es-x check
// those of the language.
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
    // Arrays have methods of the same names, and the rules cannot distinguish the objects.
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
      // Part of ES2022, but not in Safari 15.4.
      "es-x/no-class-static-block": "error",
      "es-x/no-regexp-lookbehind-assertions": "error",
      // False positive: zxing-reader.js calls WebAssembly.Memory.grow, not SharedArrayBuffer.grow.
      "es-x/no-resizable-and-growable-arraybuffers": "off",
      "no-restricted-globals": ["error", ...globals],
      "no-restricted-properties": ["error", ...properties],
    },
  },
  {
    // The editor is only loaded by browsers that have these (organiser/app.tsx); its library checks for isWellFormed.
    files: ["**/editor-*.js"],
    rules: {
      "es-x/no-array-prototype-findlast-findlastindex": "off",
      "es-x/no-regexp-lookbehind-assertions": "off",
      "es-x/no-string-prototype-iswellformed": "off",
    },
  },
  {
    files: ["**/*.css"],
    plugins: { css },
    language: "css/css",
    // Browsers skip unknown syntax, which Pico uses for older ones.
    languageOptions: { tolerant: true },
    linterOptions: { noInlineConfig: true },
    rules: {
      "css/use-baseline": [
        "error",
        {
          // Features of all browsers at the end of 2021, including our oldest. Exceptions follow.
          available: 2021,
          allowAtRules: ["layer"], // in all our browsers
          allowFunctions: ["color-mix"], // with a plain colour as fallback, or for shadows
          allowMediaConditions: ["forced-colors"], // browsers without it do not have this mode
          allowSelectors: [
            "focus-visible", // in all our browsers
            "has", // for spacing around bars, wrapping, and redundant borders
            "marker", // its colour works in Safari
            "selection", // the colour of selected text
          ],
          allowProperties: [
            // In all our browsers.
            "appearance",
            "color-scheme",
            "scroll-behavior",
            "scroll-snap-type",
            // In Safari with a prefix, which is set too.
            "backdrop-filter",
            "hyphens",
            "user-select",
            // Pages work without them.
            "accent-color",
            "clip",
            "contain-intrinsic-size",
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
            "background-attachment": ["local"], // in all our browsers
            "font-family": ["ui-monospace"], // before other fonts
            "overflow-wrap": ["anywhere"], // in all our browsers
          },
        },
      ],
    },
  },
];
