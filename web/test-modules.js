// Through this entry of the test build, tests import modules of the pages, which are the same objects as the page's own.

const modules = {
  ...import.meta.glob(["./app/**/*.js", "!./app/player/sw.js", "!./app/*/main.js"]),
  ...import.meta.glob(["./live/decoder.js", "./live/payload.js", "./texts/*/*.js"]),
};
const packages = { preact: () => import("preact"), "htm/preact": () => import("htm/preact") };

// Import a module by its path in `web`, or a package by its name.
export const load = (name) => (packages[name] ?? modules[`./${name}`])();
