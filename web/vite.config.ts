// The build of the pages into `dist`, which the server reads, and the development server (`npm run dev`).

import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import subsetFont from "subset-font";
import { defineConfig, type Manifest, type Plugin, type ProxyOptions } from "vite";
import { VitePWA } from "vite-plugin-pwa";
import { licences } from "./licences.ts";
import { messages } from "./messages.js";
import { smallerPico } from "./pico.ts";

const PAGES = ["player", "organiser", "projector", "demo"];

// The oldest supported browsers; see docs/organisers.md, "Browsers".
const OLDEST = ["chrome102", "edge102", "firefox102", "safari15.4"];

const PAGE = "player.html"; // of the service worker

// Texts of the players' page.
const PLAYERS_TEXTS = /^texts\/\w+\/(shared|player|deck|result|camera|closer|hints)\.json$/;

// What the built font keeps: letters and signs of western European languages, and OpenType features.
const LETTERS = String.fromCodePoint(...range(0x20, 0x7e), ...range(0xc0, 0xff), 0x131, 0x152, 0x153, 0x178);
const SIGNS = "\u00a0¡¿«»·×–—‘’‚“”„•…‹›€−";
const FEATURES = ["kern", "liga"];
const KEPT = createHash("sha256")
  .update([LETTERS, SIGNS, ...FEATURES].join())
  .digest("hex")
  .slice(0, 8);

function range(from: number, to: number): number[] {
  return Array.from({ length: to - from + 1 }, (_, at) => from + at);
}

// The server to which `npm run dev` forwards requests.
const SERVER = process.env.HAGGLE_SERVER ?? "http://localhost:8000";

// With `--mode test`, the build also has a file through which tests import the modules of pages.
const outDir = (mode: string) => (mode === "test" ? "dist-test" : "dist");
const tests = (mode: string) => (mode === "test" ? ["test-modules.js"] : []);

const at = (path: string) => `${import.meta.dirname}/${path}`;

// Insert what all pages contain.
const commonParts: Plugin = {
  name: "haggle-common-parts",
  transformIndexHtml: {
    order: "pre",
    handler: (html) => html.replace(/ *<!-- (head|body) -->\n/g, (_, part) => readFileSync(at(`${part}.html`), "utf8")),
  },
};

// Add the licences, and the pictures in the web app manifest, which the server writes.
const files: Plugin = {
  name: "haggle-files",
  apply: "build",
  buildStart() {
    for (const folder of ["icons", "shots"]) {
      for (const name of readdirSync(at(folder))) {
        this.emitFile({
          type: "asset",
          name,
          originalFileName: `${folder}/${name}`,
          source: readFileSync(at(`${folder}/${name}`)),
        });
      }
    }
    this.emitFile({ type: "asset", fileName: "assets/licences.txt", source: licences() });
  },
};

// Remove from the font what no page uses.
const fonts: Plugin = {
  name: "haggle-fonts",
  apply: "build",
  async writeBundle({ dir }, bundle) {
    const options = { targetFormat: "woff2", keepFeatures: FEATURES, noHinting: true } as const;
    for (const name of Object.keys(bundle).filter((name) => name.endsWith(".woff2"))) {
      writeFileSync(`${dir}/${name}`, await subsetFont(readFileSync(`${dir}/${name}`), LETTERS + SIGNS, options));
    }
  },
};

// Compress files beside themselves, as the server sends them; quickly for tests.
const compressed = (mode: string): Plugin => ({
  name: "haggle-compressed",
  apply: "build",
  writeBundle({ dir }, bundle) {
    for (const name of Object.keys(bundle).filter((name) => /^assets\/.*\.(js|css|svg|wasm|txt)$/.test(name))) {
      const data = readFileSync(`${dir}/${name}`);
      // The highest level would take seconds for a large file.
      const params = { [constants.BROTLI_PARAM_QUALITY]: mode === "test" ? 1 : data.length > 200_000 ? 9 : 11 };
      writeFileSync(`${dir}/${name}.br`, brotliCompressSync(data, { params }));
      writeFileSync(`${dir}/${name}.gz`, gzipSync(data, { level: mode === "test" ? 1 : 9 }));
    }
  },
});

// Open pages in development at the paths where the server has them.
const paths: Plugin = {
  name: "haggle-paths",
  configureServer({ middlewares }) {
    middlewares.use((request, _, next) => {
      const { pathname } = new URL(request.url ?? "/", SERVER);
      if (request.headers.accept?.includes("text/html")) {
        if (/^\/desk(\/|$)/.test(pathname)) request.url = "/organiser.html";
        else if (pathname === "/screen") request.url = "/projector.html";
        else if (pathname === "/demo") request.url = "/demo.html";
        else if (/^\/(j|p\/.*)?$/.test(pathname)) request.url = "/player.html";
      }
      next();
    });
  },
};

// With `--host`, other machines must not pass for this one, at which the demo needs no password.
const configure: ProxyOptions["configure"] = (proxy) => {
  proxy.on("proxyReq", (request, { socket }) => {
    const address = socket.remoteAddress ?? "";
    if (!/^(::1$|(::ffff:)?127\.)/.test(address)) request.setHeader("X-Forwarded-For", address);
  });
};

// Return the files that the players' page may load, by their paths in the build.
function playersFiles(build: string): Set<string> {
  const manifest: Manifest = JSON.parse(readFileSync(at(`${build}/.vite/manifest.json`), "utf8"));
  const found = new Set([PAGE]);
  const seen = new Set<string>();
  const add = (key: string) => {
    const chunk = manifest[key];
    if (!chunk || seen.has(key)) return;
    seen.add(key);
    for (const file of [chunk.file, ...(chunk.css ?? []), ...(chunk.assets ?? [])]) found.add(file);
    const dynamic = (chunk.dynamicImports ?? []).filter((name) => !name.startsWith("texts/") || PLAYERS_TEXTS.test(name));
    for (const name of [...(chunk.imports ?? []), ...dynamic]) add(name);
  };
  add(PAGE);
  for (const name of Object.keys(manifest)) if (name.startsWith("icons/")) add(name);
  return found;
}

export default defineConfig(({ mode }) => ({
  appType: "mpa",
  resolve: { preserveSymlinks: true }, // worktrees may share node_modules
  publicDir: false,
  plugins: [
    commonParts,
    messages,
    files,
    fonts,
    compressed(mode),
    paths,
    VitePWA({
      strategies: "injectManifest",
      srcDir: "app/player",
      filename: "sw.js",
      injectRegister: false, // app/player/install.tsx does it
      manifest: false, // the server writes it, in the browser's language
      injectManifest: {
        globPatterns: ["**/*"],
        globIgnores: ["**/sw.js"],
        maximumFileSizeToCacheInBytes: 2_000_000,
        dontCacheBustURLsMatching: /^assets\//,
        rollupFormat: "iife",
        manifestTransforms: [
          (entries) => {
            // This is called after a failed build, too, and an error here would hide the first one.
            if (!existsSync(at(`${outDir(mode)}/.vite/manifest.json`))) return { manifest: [], warnings: [] };
            const wanted = playersFiles(outDir(mode));
            return { manifest: entries.filter(({ url }) => wanted.has(url)), warnings: [] };
          },
        ],
      },
    }),
  ],
  css: { postcss: { plugins: [smallerPico] } },
  oxc: { jsx: { runtime: "automatic", importSource: "preact" } },
  optimizeDeps: { rolldownOptions: { transform: { jsx: { runtime: "automatic", importSource: "preact" } } } },
  build: {
    outDir: outDir(mode),
    minify: mode !== "test",
    target: OLDEST,
    cssTarget: OLDEST,
    assetsInlineLimit: 0,
    manifest: true,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    rolldownOptions: {
      preserveEntrySignatures: "exports-only",
      optimization: { inlineConst: mode !== "test" }, // tests shorten time limits by their names
      input: [...PAGES.map((page) => `${page}.html`), "style/api.css", ...tests(mode)],
      output: {
        entryFileNames: ({ name }) => (name === "test-modules" ? "assets/test-modules.js" : "assets/[name]-[hash].js"),
        // The service worker knows texts and the files of the live reader by their names.
        chunkFileNames: ({ facadeModuleId }) => {
          const [, language, part] = /\/texts\/(\w+)\/(\w+)\.json$/.exec(facadeModuleId ?? "") ?? [];
          return language ? `assets/text-${language}-${part}-[hash].js` : "assets/[name]-[hash].js";
        },
        assetFileNames: ({ originalFileNames: [path = ""] }) => {
          if (path.endsWith(".woff2")) return `assets/[name]-${KEPT}-[hash][extname]`;
          return /(^|\/)live\/|zxing/.test(path) ? "assets/live-[name]-[hash][extname]" : "assets/[name]-[hash][extname]";
        },
        // Two files for each page. By default, each set of modules that the same pages and lazy modules use is a file.
        codeSplitting: {
          groups: [
            // The start of the players' page needs no drawings of cards.
            { name: "common", test: /\/(app\/shared\/(?!cards)|node_modules\/).*\.[jt]sx?$/, tags: ["$initial"] },
            { name: "cards", test: /\/app\/shared\/cards/, tags: ["$initial"] },
            ...PAGES.map((page) => ({
              name: `${page}-app`,
              test: new RegExp(`/app/${page}/(?!main).*\\.[jt]sx?$`),
              tags: ["$initial" as const],
            })),
          ],
        },
      },
    },
  },
  server: {
    // The header Host stays, since the server compares it with Origin.
    proxy: Object.fromEntries(
      ["/api", "/demo/", "/healthz", "/manifest.webmanifest", "/share"].map((path) => [path, { target: SERVER, configure }]),
    ),
  },
}));
