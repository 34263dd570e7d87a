// The home screen.

import { useState } from "preact/hooks";
import type { PlayerGameModel, ReceiptModel } from "../../api";
import { formatDateTime, loadTexts, texts } from "../shared/i18n";
import { Icon } from "../shared/icon";
import { View } from "../shared/router";
import { AddPhotos } from "./deck/photo-upload";
import { lazy } from "./lazy";
import { hasHandIn, isPlaying, StateMessage, takesPhotos, usePlayerState, useReceipt } from "./player-state";
import { Ticket } from "./ticket";

const NameDialog = lazy(() => import("./name-dialog").then(({ NameDialog }) => NameDialog), { small: true });
const OwnRank = lazy(() => Promise.all([import("./result"), loadTexts("result")]).then(([{ OwnRank }]) => OwnRank));
const HandInOnly = lazy(() => Promise.all([import("./deck/hand-in"), loadTexts("deck")]).then(([{ HandInOnly }]) => HandInOnly));

const Decks = lazy(() => import("./deck/deck-list").then(({ Decks }) => Decks), { small: true });

// The home screen: the player's envelope, the state of the game, and what to do next.
export function Home() {
  const { me } = usePlayerState();
  const [naming, setNaming] = useState(false);
  const items = useReceipt();
  const waits = hasHandIn(items) && !me.receipt;
  const takes = takesPhotos(me, waits);
  return (
    <View title={texts.envelope({ number: me.envelope.number })} name="home">
      <Ticket me={me} onName={() => setNaming(true)} />
      <div class="stack">
        <StateMessage me={me} waits={waits} />
        {me.game.state === "published" && <OwnRank />}
        {takes && <AddPhotos first={!me.decks.length} />}
        {!takes && isPlaying(me, waits) && <HandInOnly />}
        {waits && ["open", "closed"].includes(me.game.state) && <PendingReceipt />}
        {me.receipt && <Receipt receipt={me.receipt} game={me.game} />}
        {(me.decks.length > 0 || items.length > 0) && <Decks />}
      </div>
      {naming && <NameDialog onClose={() => setNaming(false)} />}
    </View>
  );
}

// Confirms that the server has the hand-in, with its time by the server's clock.
function Receipt({ receipt, game }: { receipt: ReceiptModel; game: PlayerGameModel }) {
  const words = texts.receipt;
  return (
    <section class="stack center receipt" aria-labelledby="receipt-title">
      <Icon name="check" />
      <h2 id="receipt-title">{texts.decks.state["handed-in"]}</h2>
      <p class="number">
        <time datetime={receipt.at}>{formatDateTime(receipt.at, game.timezone)}</time>
      </p>
      <p class={receipt.late ? "badge warm" : "badge quiet"}>{receipt.late ? words.late : words.inTime}</p>
      <dl>
        <div class="row between">
          <dt>{texts.lines.plain}</dt>
          <dd class="strong">{receipt.cards ?? words.noList}</dd>
        </div>
        <div class="row between">
          <dt>{words.code}</dt>
          <dd class="receipt-code">{receipt.code}</dd>
        </div>
      </dl>
    </section>
  );
}

// In place of the receipt until the hand-in arrives.
function PendingReceipt() {
  return (
    <section class="stack center receipt" aria-labelledby="receipt-title">
      <Icon name="send" />
      <h2 id="receipt-title">{texts.decks.state.waits}</h2>
      <p>{texts.receipt.arrives}</p>
    </section>
  );
}
