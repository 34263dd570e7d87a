// The breakdown of a score by lines, and the cards of a deck by kind.

import type { PlayerLineModel, ProvisionalLineModel, RuleTextModel } from "../../../api";
import { type CardKind, CardSymbol, lineName } from "../../shared/cards";
import { formatGain, texts } from "../../shared/i18n";
import { Icon } from "../../shared/icon";
import "../../../style/deck.css";

// A line of the breakdown: rule or cards, points, reason, and the wording of the rule to unfold. Void lines are struck through.
// Unknown points are null. A line without rule and kind is about cards, in its text.
// A line of a provisional score or of a result.
type Line = Pick<PlayerLineModel, "rule" | "kind" | "text" | "void" | "voided_by"> &
  Partial<Pick<ProvisionalLineModel, "open">> & { points: string | null };
type Kinds = Map<string, CardKind>;
type BreakdownLineProps = {
  line: Line;
  rules: Record<string, Pick<RuleTextModel, "name" | "text">>;
  kinds: Kinds;
};

export function BreakdownLine({ line, rules, kinds }: BreakdownLineProps) {
  const kind = line.kind ? kinds.get(line.kind) : undefined;
  const rule = line.rule ? rules[line.rule] : undefined;
  const title = kind ? texts.lines.cards({ name: kind.name }) : line.rule ? rule?.name : texts.lines.plain;
  const opening = line.open && texts.lines.open;
  const struck = (text: string) => (line.void ? <s>{text}</s> : text);
  const head = (
    <>
      <span class="line-badge" style={kind ? { "--ink": kind.ink, "--on": kind.on } : {}}>
        {kind ? (
          <CardSymbol name={kind.symbol} />
        ) : (
          <>
            <CardSymbol name="seal" />
            <b aria-hidden="true">{line.rule}</b>
          </>
        )}
      </span>
      <span class="line-title strong">
        {line.rule && !kind && <small class="over block">{lineName(line.rule)}</small>} {title && struck(title)}
      </span>
      <span class="line-points number">{line.points === null ? texts.lines.unknown : struck(formatGain(line.points))}</span>
      <span class="line-text soft">{kind ? withoutName(line.text, kind.name) : line.text}</span>
      {(line.void || opening) && (
        <span class="row line-tags">
          {line.void && <mark class="badge stop">{texts.lines.void({ number: line.voided_by ?? "" })}</mark>}
          {opening && <mark class="badge quiet">{opening}</mark>}
        </span>
      )}
    </>
  );
  const name = `line ${line.void ? "line-void" : ""} ${line.points === "0" || line.points === null ? "line-quiet" : ""}`;
  return (
    <li class={name} data-rule={line.rule ?? ""} data-kind={line.kind ?? ""}>
      {rule ? (
        <details>
          <summary>
            {head}
            <span class="line-open">
              {texts.lines.wording}
              <Icon name="open" />
            </span>
          </summary>
          <blockquote>
            <p>{rule.text}</p>
          </blockquote>
        </details>
      ) : (
        <div class="line-plain">{head}</div>
      )}
    </li>
  );
}

// Return the text of a line about cards without their name at its beginning, which is the line's title.
const withoutName = (text: string, name: string) =>
  text.startsWith(name) ? text.slice(name.length).replace(/^\s*:\s*/, "") : text;

// The cards of a deck by kind, with counts.
export function CardList({ cards, kinds }: { cards: Record<string, number>; kinds: Kinds }) {
  const held = [...kinds.values()].filter((kind) => cards[kind.slug]);
  if (!held.length) return null;
  return (
    <section class="cards" aria-labelledby="cards-title">
      <h2 id="cards-title">{texts.cards.title}</h2>
      <ul class="row">
        {held.map((kind) => (
          <li class="chip kind" key={kind.slug} data-kind={kind.slug} style={{ "--ink": kind.ink, "--on": kind.on }}>
            <span class="disc">{kind.number ? <b aria-hidden="true">{kind.number}</b> : <CardSymbol name={kind.symbol} />}</span>
            <span class="strong fixed">{texts.cards.count({ count: cards[kind.slug] ?? 0 })}</span>
            <span>{kind.title}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}
