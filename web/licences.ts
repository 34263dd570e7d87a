// The licences of everything in the pages that others have written, as one text.

import { readFileSync } from "node:fs";

const APACHE = "detect-libc/LICENSE"; // a package of the build, with the full text of Apache-2.0

// Name, licence, and path of its text in the installed packages.
const USED = [
  ["Source Serif 4, the font of the titles", "OFL-1.1", "@fontsource/source-serif-4/LICENSE"],
  ["Pico CSS", "MIT", "@picocss/pico/LICENSE.md"],
  ["Preact", "MIT", "preact/LICENSE"],
  ["idb", "ISC", "idb/LICENSE"],
  ["messageformat", "MIT", "@messageformat/runtime/LICENSE"],
  ["toml-patch, which keeps comments in editions", "MIT", "@decimalturn/toml-patch/LICENSE"],
  ["zxing-wasm", "MIT", "zxing-wasm/LICENSE"],
  ["zxing-cpp (github.com/zxing-cpp/zxing-cpp), from which zxing-wasm is built", "Apache-2.0", APACHE],
] as const;

export function licences(): string {
  const listed = USED.map(([name, licence]) => `- ${name}: ${licence}`).join("\n");
  const texts = [...new Set(USED.map(([, , path]) => path))].map((path) => {
    const title = USED.filter(([, , of]) => of === path)
      .map(([name]) => name.split(" (")[0])
      .join(", ");
    const text = readFileSync(`${import.meta.dirname}/node_modules/${path}`, "utf8").trim();
    return `${title}\n${"=".repeat(title.length)}\n\n${text}`;
  });
  return `${[`Haggle's pages use:\n\n${listed}\n\nThe licences:`, ...texts].join("\n\n\n")}\n`;
}
