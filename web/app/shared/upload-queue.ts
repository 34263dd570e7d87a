// Sends stored items to the server, such as photos. They survive restarts, failures are retried, and nothing counts twice,
// since each item's id is its Idempotency-Key. Tabs share a queue: one of them sends at a time, and all get its changes.

import { Problem } from "./http";
import { type ItemStore, type NewItem, problemOf, type Stored, type StoredProblem, storedProblem } from "./item-store";
import { TabLock } from "./tab-lock";

const SLOW_UPLOAD = 20_000; // milliseconds after which an upload counts as slow

// Where a problem leads: the item is rejected for good, all items wait and are retried, everything stops until somebody
// resumes, or the items of the same group wait for some seconds.
export type Decision = "refuse" | "retry" | "pause" | { seconds: number };
export type Sending = { signal: AbortSignal; onProgress: (share: number) => void };

type Options<T extends NewItem, E> = {
  name: string; // shared by the tabs that share the queue
  store: ItemStore<T>;
  limit: number; // items sent at once
  retryDelays: { first: number; most: number }; // milliseconds; the delay doubles with each failure
  belongs?: (item: T) => boolean; // if other queues have the same store
  isDue?: (item: Stored<T>) => boolean; // whether this tab may send an item now
  groupOf?: (item: T) => string; // items that wait together
  // Send an item. It is removed afterwards unless there is a `change`; listeners get the `event`.
  send: (item: Stored<T>, sending: Sending) => Promise<{ change?: Partial<T>; event?: E }>;
  decide: (problem: Problem, item: T) => Decision;
};

// A change of a queue, for listeners and for other tabs: items by ids, an item that is being sent, the end of a round of
// sending, with the problem that ended it and the times of the next try, a group that waits, or an event of the queue's owner.
export type Change<T extends NewItem, E> = {
  added?: Stored<T>[];
  changed?: Stored<T>[];
  removed?: string[];
  sending?: string;
  progress?: number;
  ended?: string;
  idle?: boolean;
  retryAt?: number;
  heldUntil?: number;
  delayed?: { group: string; until: number };
  problem?: StoredProblem | null;
  paused?: boolean;
  reload?: boolean;
  event?: E | undefined;
};

export class UploadQueue<T extends NewItem, E = never> {
  items: Stored<T>[] = []; // oldest first
  paused = false;
  problem: Problem | null = null; // why nothing is being sent
  private readonly channel: BroadcastChannel;
  private readonly lock: TabLock;
  private readonly backoff: Backoff;
  private readonly listeners = new Set<(change: Change<T, E>) => void>();
  private readonly progress = new Map<string, { share: number; since: number }>(); // of items that are being sent, by id
  private readonly controllers = new Map<string, AbortController>(); // of items that this tab is sending, by id
  private readonly delays = new Map<string, number>(); // by group: when it may be tried again
  private retries = 0; // how often `retry` was called
  private started: Promise<void> | null = null;
  private version = 0; // counts changes of items
  private unread = false; // the last load failed
  private retryAt = 0; // no try before: the network has just failed
  private heldUntil = 0; // no try before: the server said so
  private timer: ReturnType<typeof setTimeout> | undefined;
  private running = false;
  private again = false;
  private stopped = false; // no further item is sent in this round
  private wake = () => {};

  constructor(private readonly options: Options<T, E>) {
    this.channel = new BroadcastChannel(options.name);
    this.lock = new TabLock(options.name);
    this.backoff = new Backoff(options.retryDelays);
  }

  // Load the items and send them. Calling it again has no effect.
  start(): Promise<void> {
    this.started ??= this.begin();
    return this.started;
  }

  private async begin() {
    this.channel.onmessage = ({ data }) => this.receive(data);
    addEventListener("online", () => this.sendSoon());
    document.addEventListener("visibilitychange", () => document.visibilityState === "visible" && this.sendSoon());
    addEventListener("pageshow", ({ persisted }) => persisted && this.comeBack());
    await this.load();
    this.notify({});
    this.send();
  }

  // Load what has changed while this page was left.
  private async comeBack() {
    await this.load();
    this.notify({});
    this.sendSoon();
  }

  // Forget how much of these items other tabs have sent: they are gone.
  endProgress(ids: string[]) {
    for (const id of ids) if (!this.controllers.has(id)) this.progress.delete(id);
    this.notify({});
  }

  // Call `listener` with every change until the returned function is called.
  subscribe(listener: (change: Change<T, E>) => void): () => void {
    this.listeners.add(listener);
    return () => void this.listeners.delete(listener);
  }

  // Return how much of an item is sent, undefined if it is not being sent.
  progressOf(id: string): { share: number; slow: boolean } | undefined {
    const sent = this.progress.get(id);
    return sent && { share: sent.share, slow: Date.now() - sent.since >= SLOW_UPLOAD };
  }

  // Add items, which replace those that are the `same`, and return them once they are stored.
  async add(items: T[], same: (other: T) => boolean = () => false): Promise<Stored<T>[]> {
    await this.start();
    const stored = await this.options.store.add(items, same);
    this.tell({ removed: this.items.filter(same).map(({ id }) => id), added: stored });
    this.sendSoon();
    return stored;
  }

  // Change items.
  async change(items: Stored<T>[], change: (item: T) => T, more: Change<T, E> = {}) {
    if (!items.length) return;
    await this.options.store.change(items, change).catch(() => {}); // without storage
    this.tell({ ...more, changed: items.map((item) => ({ ...item, ...change(item) })) });
  }

  // Remove items. They may still arrive if they are being sent.
  async remove(items: Stored<T>[], more: Change<T, E> = {}) {
    await this.options.store.remove(items).catch(() => {}); // without storage
    this.tell({ ...more, removed: items.map(({ id }) => id) });
    if (!more.ended) this.sendSoon();
  }

  // Send rejected items again; without any, everything that waits.
  async retry(...items: Stored<T>[]) {
    await this.change(items, (item) => ({ ...item, refused: null }));
    this.delays.clear();
    this.retries += 1;
    this.sendSoon();
  }

  // Send nothing until `resume`.
  pause() {
    this.tell({ paused: true });
  }

  // Try again now, even if the server has set a later time.
  resume() {
    this.tell({ paused: false });
    this.sendSoon();
  }

  // Load the items again after their owner has changed them in the database. What is being sent begins again.
  async reload() {
    await this.load();
    this.tell({ reload: true });
    this.sendSoon();
  }

  // Load the items. If that fails, those in memory stay, and it is tried again.
  private async load() {
    try {
      let { version } = this;
      let items = await this.options.store.all();
      // Changes that came in between may not be in it.
      while (version !== this.version) {
        version = this.version;
        items = await this.options.store.all();
      }
      this.items = items.filter((item) => this.options.belongs?.(item) ?? true);
      this.unread = false;
    } catch {
      this.unread = true;
      this.retryAt = Date.now() + this.backoff.fail();
    }
  }

  private notify(change: Change<T, E>) {
    for (const listener of [...this.listeners]) listener(change);
  }

  // Make a change here and in the other tabs, which do not have what is only in this tab's memory.
  tell(change: Change<T, E>) {
    this.apply(change);
    this.notify(change);
    this.channel.postMessage(change.added ? { ...change, added: change.added.filter(({ unkept }) => !unkept) } : change);
  }

  private apply({ sending, progress = 0, ended, idle, problem, paused, reload, delayed, ...change }: Change<T, E>) {
    this.applyItems(change);
    if (delayed) this.delays.set(delayed.group, delayed.until);
    if (sending) this.noteProgress(sending, progress);
    if (ended) this.progress.delete(ended);
    if (idle) {
      this.progress.clear();
      this.problem = problemOf(problem);
      this.retryAt = Math.max(this.retryAt, change.retryAt ?? 0);
      this.heldUntil = Math.max(this.heldUntil, change.heldUntil ?? 0);
    }
    if (paused !== undefined) this.paused = paused;
    if (paused === false) {
      this.heldUntil = 0;
      this.problem = null;
    }
    if (paused || reload) for (const controller of this.controllers.values()) controller.abort();
  }

  private applyItems({ added = [], changed = [], removed = [] }: Change<T, E>) {
    if (!added.length && !changed.length && !removed.length) return;
    this.version += 1;
    const fresh = new Map(changed.map((item) => [item.id, item]));
    const kept = this.items.filter(({ id }) => !removed.includes(id)).map((item) => fresh.get(item.id) ?? item);
    const known = new Set(kept.map(({ id }) => id));
    this.items = [...kept, ...added.filter(({ id }) => !known.has(id))].sort(inOrder);
    for (const id of removed) {
      this.controllers.get(id)?.abort();
      this.progress.delete(id);
    }
    this.wake();
  }

  private noteProgress(id: string, share: number) {
    const before = this.progress.get(id);
    this.progress.set(id, { share, since: before?.since ?? Date.now() });
    if (!before) setTimeout(() => this.notify({}), SLOW_UPLOAD);
  }

  // Handle a change of another tab.
  private async receive(change: Change<T, E>) {
    if (change.sending) this.lock.keepWaiting();
    if (change.reload) await this.load();
    this.apply(change);
    this.notify(change);
    // If the sending tab is closed, this one goes on.
    this.send();
  }

  private readonly isWaiting = (item: Stored<T>) => !item.refused && (this.options.isDue?.(item) ?? true);

  // When to send again: Infinity if nothing waits. A round without items ends an old problem.
  private get due() {
    const delays = this.items.filter(this.isWaiting).map((item) => this.delays.get(this.groupOf(item)) ?? 0);
    const first = this.problem || this.unread ? 0 : Math.min(...delays);
    return Math.max(first, this.retryAt, this.heldUntil);
  }

  // Send soon, since something has changed, but not before a time that the server has set.
  private sendSoon() {
    this.retryAt = 0;
    this.backoff.reset();
    this.again = this.running;
    if (this.heldUntil <= Date.now()) this.stopped = false;
    this.wake();
    this.send();
  }

  private async send() {
    if (this.running || this.paused) return;
    if (this.due > Date.now()) return this.sleepUntil(this.due);
    this.running = true;
    do {
      this.again = false;
      await this.lock.run(() => this.sendAll()).catch(() => (this.retryAt = Date.now() + this.backoff.next));
    } while (this.again && !this.paused && !this.retryAt && this.heldUntil <= Date.now());
    this.running = false;
    if (this.paused) return;
    if (this.items.some(this.isWaiting)) requestPersistence();
    this.sleepUntil(Math.max(this.due, Date.now() + this.options.retryDelays.first));
  }

  private sleepUntil(time: number) {
    clearTimeout(this.timer);
    if (time < Infinity) this.timer = setTimeout(() => this.send(), Math.max(250, time - Date.now()));
  }

  // Send all items, in order.
  private async sendAll() {
    await this.load();
    this.progress.clear();
    // Another tab may have failed meanwhile.
    if (!this.unread && Math.max(this.retryAt, this.heldUntil) > Date.now()) return this.notify({});
    this.stopped = false;
    let sent = false;
    for (const [group, time] of this.delays) if (time <= Date.now()) this.delays.delete(group);
    const failures: Problem[] = [];
    const running = new Set<Promise<void>>();
    for (;;) {
      const item = !this.stopped && !this.paused && running.size < this.options.limit && this.nextItem();
      if (item) {
        sent = true;
        const one = this.sendOne(item, failures).finally(() => running.delete(one));
        running.add(one);
      } else if (running.size) {
        await Promise.race([...running, new Promise<void>((resolve) => (this.wake = resolve))]);
      } else {
        break;
      }
    }
    if (!failures.length && !this.stopped && !this.unread) {
      this.backoff.reset();
      this.retryAt = this.heldUntil = 0;
    }
    const problem = this.stopped && failures.at(-1);
    const { retryAt, heldUntil } = this;
    const end: Change<T, E> = { idle: true, retryAt, heldUntil, problem: problem ? storedProblem(problem) : null };
    if (sent) return this.tell(end);
    // Without anything to send, this tab does not know whether the problem of another one is over.
    this.apply(end);
    this.notify(end);
  }

  private nextItem() {
    const isDelayed = (item: T) => (this.delays.get(this.groupOf(item)) ?? 0) > Date.now();
    return this.items.find((item) => this.isWaiting(item) && !this.controllers.has(item.id) && !isDelayed(item));
  }

  private groupOf(item: T) {
    return this.options.groupOf?.(item) ?? item.id;
  }

  private async sendOne(item: Stored<T>, failures: Problem[]) {
    const { id } = item;
    const controller = new AbortController();
    const { signal } = controller;
    const { retries } = this;
    this.controllers.set(id, controller);
    const onProgress = (progress: number) => signal.aborted || this.tell({ sending: id, progress });
    onProgress(0);
    try {
      const { change, event } = await this.options.send(item, { signal, onProgress });
      // Keep the progress until the item is gone, so that it does not seem to start again.
      if (change) await this.change([this.latest(item)], (before) => ({ ...before, ...change }), { event, ended: id });
      else await this.remove([item], { event, ended: id });
    } catch (problem) {
      if (!signal.aborted && problem instanceof Problem) await this.fail(item, problem, failures, retries);
      else if (!signal.aborted) this.stop();
    } finally {
      this.controllers.delete(id);
      if (this.progress.has(id)) this.tell({ ended: id });
    }
  }

  // Return an item with all changes since it was read.
  private latest(item: Stored<T>) {
    return this.items.find(({ id }) => id === item.id) ?? item;
  }

  // `retries` is their number when the item's upload began.
  private async fail(item: Stored<T>, problem: Problem, failures: Problem[], retries: number) {
    const decision = this.options.decide(problem, item);
    if (decision === "refuse") {
      await this.change([this.latest(item)], (before) => ({ ...before, refused: storedProblem(problem) }));
    } else if (typeof decision === "object") {
      // Somebody who asked for a retry meanwhile gets one at once.
      if (retries !== this.retries) return;
      this.tell({ delayed: { group: this.groupOf(item), until: Date.now() + decision.seconds * 1000 } });
    } else {
      failures.push(problem);
      this.problem = problem;
      this.stop();
      if (problem.wait) this.heldUntil = Date.now() + problem.wait * 1000;
      if (decision === "pause") this.tell({ paused: true });
    }
  }

  private stop() {
    if (!this.stopped) this.retryAt = Date.now() + this.backoff.fail() * (0.75 + Math.random() / 2);
    this.stopped = true;
  }
}

// Stored items by their places, then those in memory.
const inOrder = (one: Stored<NewItem>, other: Stored<NewItem>) =>
  typeof one.place === "number" && typeof other.place === "number"
    ? one.place - other.place
    : Number(typeof one.place === "string") - Number(typeof other.place === "string");

// Ask browsers, once, not to delete what is stored here.
let persistenceRequested = false;
function requestPersistence() {
  if (persistenceRequested) return;
  persistenceRequested = true;
  navigator.storage?.persist?.().catch(() => {});
}

// The time until the next try: it doubles with each failure.
export class Backoff {
  next: number;

  constructor(private readonly delays: { first: number; most: number }) {
    this.next = delays.first;
  }

  fail() {
    const now = this.next;
    this.next = Math.min(this.delays.most, now * 2);
    return now;
  }

  reset() {
    this.next = this.delays.first;
  }
}
