// The rules of the edition that a variant extends: each can be left out, or changed by an entry of the variant.

import { request } from "../../../shared/http";
import { texts } from "../../../shared/i18n";
import { announce } from "../../../shared/notices";
import { type BaseRule, leftOut, placeOfLeftOut, rulesWith, withLeftOut } from "./model/base-rules";
import { useEditing } from "./model/context";
import { blocksOf, lastOf, withBlock } from "./model/toml-document";

// Return the rules of an installed edition, which may extend others; `above` are those that led to it.
export async function loadRules(edition: string, signal: AbortSignal, above: string[] = []): Promise<BaseRule[]> {
  const path = `/api/v1/editions/${encodeURIComponent(edition)}/file?files=false`;
  const blocks = blocksOf(await (await request(path, { as: "blob", signal })).text());
  const base = blocks[0]?.data?.extends;
  const known = [...above, edition];
  return rulesWith(blocks, typeof base === "string" && !known.includes(base) ? await loadRules(base, signal, known) : []);
}

export function BaseRules({ base, rules }: { base: string; rules: BaseRule[] }) {
  const { blocks, setBlocks, setOpen, show } = useEditing();
  const words = texts.editions.editor.baseRules;
  const { at: place } = placeOfLeftOut(blocks);
  const left = leftOut(blocks);
  const ownOf = (key: string) => blocks.findIndex(({ kind, data }) => kind === "rules" && String(data?.key) === key);
  const change = ({ key, block }: BaseRule) => {
    const own = ownOf(key);
    const next = own < 0 ? withBlock(blocks, block) : blocks;
    if (own < 0) setBlocks(next);
    setOpen(own < 0 ? lastOf(next, "rules") : own);
    show(`rule-${key}`);
  };
  const leaveOut = ({ key, title }: BaseRule) => {
    setBlocks(withLeftOut(blocks, key, true));
    announce(words.isLeftOut({ name: title }));
  };
  const putBack = ({ key, title }: BaseRule) => {
    const own = ownOf(key);
    setBlocks(left.includes(key) ? withLeftOut(blocks, key, false) : blocks.filter((_, at) => at !== own));
    announce(words.isPutBack({ name: title }));
  };
  const { data, line = 0 } = blocks[place] ?? {};
  return (
    <div class="edition-form edition-base-rules">
      <h2>{words.title({ base })}</h2>
      <p class="field-hint">{words.hint}</p>
      {!data && <p class="field-wrong">{texts.editions.editor.unreadable({ line })}</p>}
      <ul class="ruled">
        {rules.map((rule) => {
          const { key, title } = rule;
          const out = left.includes(key);
          const changed = !out && ownOf(key) >= 0;
          return (
            <li key={key} class="row">
              <span class="edition-mark">{key}</span>
              <span>
                <span class={out ? "edition-void" : ""}>{title}</span>{" "}
                {(out || changed) && <em>{out ? words.out : words.changed}</em>}
              </span>
              <span class="row">
                {!out && (
                  <button type="button" class="plain" aria-label={words.changeRule({ name: title })} onClick={() => change(rule)}>
                    {words.change}
                  </button>
                )}
                {out || changed ? (
                  <button
                    type="button"
                    class="plain"
                    disabled={!data}
                    aria-label={words.putBackRule({ name: title })}
                    onClick={() => putBack(rule)}
                  >
                    {words.putBack}
                  </button>
                ) : (
                  <button
                    type="button"
                    class="plain"
                    disabled={!data}
                    aria-label={words.leaveOutRule({ name: title })}
                    onClick={() => leaveOut(rule)}
                  >
                    {words.leaveOut}
                  </button>
                )}
              </span>
            </li>
          );
        })}
      </ul>
    </div>
  );
}
