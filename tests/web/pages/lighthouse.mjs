/* Runs Lighthouse for each line that comes in, and answers with a line: what it found, or what went wrong.
   One process for all pages: to start it and to read Lighthouse takes longer than to judge a page. */
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";

const [folder] = process.argv.slice(2);
const { default: lighthouse, desktopConfig } = await import(pathToFileURL(`${folder}/core/index.js`).href);

for await (const line of createInterface({ input: process.stdin })) {
  const { url, desktop, flags } = JSON.parse(line);
  let answer;
  try {
    const { lhr } = await lighthouse(url, flags, desktop ? desktopConfig : undefined);
    const scores = Object.fromEntries(Object.values(lhr.categories).map(({ id, score }) => [id, score]));
    answer = { error: lhr.runtimeError?.message ?? null, scores, interactive: lhr.audits.interactive?.numericValue };
  } catch (error) {
    answer = { error: String(error.stack) };
  }
  process.stdout.write(`${JSON.stringify(answer)}\n`);
}
