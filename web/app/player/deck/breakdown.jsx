// The breakdown of a score by lines, and the cards of a deck by kind.

import { CardSymbol } from "../../shared/cards";
import { formatGain, texts } from "../../shared/i18n";
import { Icon } from "../../shared/icon";

// A line of the breakdown: rule or cards, points, reason, and the wording of the rule to unfold. Void lines are struck through.
// Unknown points are null. A line without rule and kind is about cards, in its text.
export function BreakdownLine({ line, rules, kinds }) {
  const kind = line.kind && kinds.get(line.kind);
  const key = line.rule ?? line.worth_rule;
  const rule = key && rules[key];
  const title = kind ? texts.lines.cards(kind.name) : line.rule ? rule?.name : texts.lines.plain;
  const opening = line.open && texts.lines.open;
  const struck = (text) => (line.void ? <s>{text}</s> : text);
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
      <span class="line-title">
        {line.rule && !kind && <small>{texts.lines.rule(line.rule)}</small>} {title && struck(title)}
      </span>
      <span class="line-points">{line.points === null ? texts.lines.unknown : struck(formatGain(line.points))}</span>
      <span class="line-text">{line.text}</span>
      {(line.void || line.organiser || opening) && (
        <span class="line-tags">
          {line.void && <mark class="tag-void">{texts.lines.void(line.voided_by)}</mark>}
          {line.organiser && <mark class="tag-organiser">{texts.lines.organiser}</mark>}
          {opening && <mark class="tag-open">{opening}</mark>}
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
            {kind && <cite>{texts.lines.worth(key, rule.name)}</cite>}
            <p>{rule.text}</p>
          </blockquote>
        </details>
      ) : (
        <div class="line-plain">{head}</div>
      )}
    </li>
  );
}

// The cards of a deck by kind, with counts.
export function CardList({ cards, kinds }) {
  const held = [...kinds.values()].filter((kind) => cards[kind.slug]);
  if (!held.length) return null;
  return (
    <section class="cards" aria-labelledby="cards-title">
      <h2 id="cards-title">{texts.cards.title}</h2>
      <ul>
        {held.map((kind) => (
          <li class="kind" key={kind.slug} data-kind={kind.slug} style={{ "--ink": kind.ink, "--on": kind.on }}>
            <span class="kind-symbol">
              {kind.number ? <b aria-hidden="true">{kind.number}</b> : <CardSymbol name={kind.symbol} />}
            </span>
            <span class="kind-count">{texts.cards.count(cards[kind.slug])}</span>
            <span class="kind-name">{kind.title}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}
