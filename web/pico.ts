// A PostCSS plugin that removes from the style sheets what our pages do not use of Pico CSS, more than a third of them. Pico's
// styles of `[role=button]` become those of `.as-button`, since our links that look like buttons have no such role.

import type { ChildNode, Plugin, Root } from "postcss";

// Parts of selectors that match nothing in our pages; a test looks for them in the sources.
export const UNUSED = [
  "[aria-invalid=false]",
  "[aria-label=breadcrumb]",
  "[data-theme=dark]",
  "[data-theme=light]",
  "[data-tooltip]",
  "[dir=rtl]",
  "[rel=prev]",
  "[role=link]",
  "[role=search]",
  "[role=switch]",
  "[type=reset]",
  ".close",
  ".container-fluid",
  ".contrast",
  ".dropdown",
  ".grid",
  ".modal-is-closing",
  ".modal-is-opening",
  ".overflow-auto",
  ".striped",
  "abbr",
  "audio",
  "canvas",
  "del",
  "embed",
  "hgroup",
  "hr",
  "iframe",
  "ins",
  "object",
  "pre",
  "samp",
  "template",
];
const PARTS = new RegExp(
  UNUSED.map((part) => (/^\w/.test(part) ? `(?<![\\w.-])${part}` : part.replace(/[[.\]]/g, "\\$&")))
    .map((part) => `${part}(?![\\w-])`)
    .concat(":host", "\\[role=group\\]", "(article|dialog)>", ":indeterminate", "-ms-")
    .join("|"),
);
// Negations and alternatives, of which others may match.
const INNER = /:(not|is|where)\((?:[^()]|\([^()]*\))*\)/g;

export const smallerPico: Plugin = {
  postcssPlugin: "haggle-smaller-pico",
  OnceExit(root) {
    let found = false;
    // Its `!important` would win over ours, and base.css has the same.
    root.walkAtRules("media", (rule) => {
      if (/prefers-reduced-motion: ?reduce/.test(rule.params) && isPico(rule)) rule.remove();
    });
    root.walkRules((rule) => {
      if (!isPico(rule)) return;
      found = true;
      const used = rule.selectors.filter((selector) => !PARTS.test(selector.replace(INNER, "")));
      if (used.length) rule.selectors = used.map((selector) => selector.replaceAll("[role=button]", ".as-button"));
      else rule.remove();
    });
    // Other style sheets set variables for it.
    while (found && removeUnusedVariables(root));
    root.walk((node) => {
      if ("nodes" in node && node.nodes?.length === 0) node.remove();
    });
  },
};

const isPico = ({ source }: ChildNode) => source?.input.file?.includes("picocss") ?? false;

// Remove variables of Pico that no declaration refers to; return whether there were any.
function removeUnusedVariables(root: Root): boolean {
  const used = new Set<string | undefined>();
  let removed = false;
  root.walkDecls(({ value }) => {
    for (const [, name] of value.matchAll(/var\(\s*(--[\w-]+)/g)) used.add(name);
  });
  root.walkDecls(/^--pico-/, (declaration) => {
    if (used.has(declaration.prop)) return;
    declaration.remove();
    removed = true;
  });
  return removed;
}
