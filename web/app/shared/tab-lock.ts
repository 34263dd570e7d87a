// A lock for work that only one tab may do at a time.

import { newIdempotencyKey } from "./http";

const LEASE_TIME = 20_000; // milliseconds; the tab that works renews it
const LOCK_TIMEOUT = 180_000; // milliseconds without a sign of life after which the tab that works counts as dead

const tabId = newIdempotencyKey();

export class TabLock {
  // Extend the time to wait for the tab that works: it has just shown a sign of life.
  keepWaiting = () => {};

  constructor(private readonly name: string) {}

  // Run `work` while no other tab does. Browsers have the Web Locks API only over HTTPS.
  async run(work: () => Promise<void>): Promise<void> {
    if (!navigator.locks) return this.runWithLease(work);
    const aborter = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    this.keepWaiting = () => {
      clearTimeout(timer);
      timer = setTimeout(() => aborter.abort(), LOCK_TIMEOUT);
    };
    this.keepWaiting();
    const stopWaiting = () => {
      clearTimeout(timer);
      this.keepWaiting = () => {};
    };
    try {
      await navigator.locks.request(this.name, { signal: aborter.signal }, () => {
        stopWaiting();
        return work();
      });
    } catch (error) {
      stopWaiting();
      if (!aborter.signal.aborted) throw error;
      await navigator.locks.request(this.name, { steal: true }, work);
    }
  }

  // The same with a lease in localStorage. If two tabs should hold it at once, the Idempotency-Keys still prevent doubles.
  private async runWithLease(work: () => Promise<void>): Promise<void> {
    try {
      while (!(await this.takeLease())) await delay(1000);
    } catch {
      return work(); // without storage
    }
    const timer = setInterval(this.renewLease, LEASE_TIME / 4);
    addEventListener("pagehide", this.releaseLease);
    try {
      return await work();
    } finally {
      clearInterval(timer);
      removeEventListener("pagehide", this.releaseLease);
      this.releaseLease();
    }
  }

  private async takeLease() {
    if (this.isLeasedToOther()) return false;
    this.renewLease();
    // Another tab may have written at the same moment: the later one wins.
    await delay(50 + Math.random() * 50);
    return !this.isLeasedToOther();
  }

  private isLeasedToOther() {
    const [owner, until] = (localStorage.getItem(this.name) ?? "").split(" ");
    const left = Number(until) - Date.now();
    return owner !== tabId && left > 0 && left <= LEASE_TIME;
  }

  private readonly renewLease = () =>
    this.isLeasedToOther() || localStorage.setItem(this.name, `${tabId} ${Date.now() + LEASE_TIME}`);
  private readonly releaseLease = () => this.isLeasedToOther() || localStorage.removeItem(this.name);
}

const delay = (milliseconds: number) => new Promise<void>((resolve) => setTimeout(resolve, milliseconds));
