// The rules of the edition that a variant extends: each can be left out, or changed by an entry of the variant.

import { request } from "../../../shared/http";
import { texts } from "../../../shared/i18n";
import { announce } from "../../../shared/notices";
import { type BaseRule, keptRule, keysOf, leftOut, placeOfLeftOut, rulesWith, shownKeys, withLeftOut } from "./model/base-rules";
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
  const change = ({ keys, block }: BaseRule, own: number) => {
    const next = own < 0 ? withBlock(blocks, block) : blocks;
    if (own < 0) setBlocks(next);
    setOpen(own < 0 ? lastOf(next, "rules") : own);
    show(`rule-${keys[0]}`);
  };
  const leaveOut = (rule: BaseRule) => {
    setBlocks(withLeftOut(blocks, rule, true));
    announce(words.isLeftOut({ name: rule.title }));
  };
  const putBack = (rule: BaseRule, own: number) => {
    setBlocks(own < 0 ? withLeftOut(blocks, rule, false) : blocks.filter((_, at) => at !== own));
    announce(words.isPutBack({ name: rule.title }));
  };
  const { data, line = 0 } = blocks[place] ?? {};
  return (
    <div>
      <h2>{words.title({ base })}</h2>
      <p class="caption">{words.hint}</p>
      {!data && <p class="wrong">{texts.editions.editor.unreadable({ line })}</p>}
      <ul class="ruled">
        {rules.map((rule) => {
          const { keys, title } = rule;
          const kept = keptRule(rule, left);
          const own = kept ? blocks.findIndex((block) => block.kind === "rules" && keysOf(block)[0] === kept.keys[0]) : -1;
          const changed = own >= 0;
          return (
            <li key={keys[0]} class="row">
              <span class="edition-mark">{shownKeys(keys)}</span>
              <span class="grow">
                {kept ? title : <s>{title}</s>} {(!kept || changed) && <em>{kept ? words.changed : words.out}</em>}
              </span>
              <span class="row">
                {kept && (
                  <button
                    type="button"
                    class="plain"
                    aria-label={words.changeRule({ name: title })}
                    onClick={() => change(kept, own)}
                  >
                    {words.change}
                  </button>
                )}
                {!kept || changed ? (
                  <button
                    type="button"
                    class="plain"
                    disabled={!data}
                    aria-label={words.putBackRule({ name: title })}
                    onClick={() => putBack(rule, own)}
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
