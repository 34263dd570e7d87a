// Through this entry of the test build, tests import modules of the pages, which are the same objects as the page's own.

const modules = {
  ...import.meta.glob(["./app/**/*.{js,jsx,ts,tsx}", "!./app/**/*.d.ts", "!./app/player/sw.*", "!./app/*/main.*"]),
  ...import.meta.glob(["./live/decoder.*", "./live/payload.*", "./texts/*/*.json"]),
};
const byName = Object.fromEntries(Object.entries(modules).map(([path, load]) => [path.slice(2).replace(/\.\w+$/, ""), load]));
const packages = { preact: () => import("preact") };

// Import a module by its path in `web` without its suffix, or a package by its name.
export const load = (name) => (packages[name] ?? byName[name])();
