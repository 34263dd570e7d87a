// Unit tests of modules that need no browser: `npm test`.

import { defineConfig } from "vitest/config";

export default defineConfig({ test: { include: ["*.test.ts", "{app,live}/**/*.test.ts"] } });
