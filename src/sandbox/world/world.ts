import { type Announcement, WebhookQueue } from '../webhooks/queue.ts';
import { Clock, type ClockOptions } from './clock.ts';
import { runJob } from './jobs.ts';
import { drawHex } from './random.ts';
import type { Settings } from './settings.ts';
import { emptyState, type State } from './state.ts';

/**
 * One sandbox: its state, settings, clock and webhooks. Everything else is functions over it. Each operation runs to its
 * end without waiting, so two requests can never see each other half done.
 */
export class World {
  state: State;
  settings: Settings;
  readonly clock: Clock;
  readonly webhooks: WebhookQueue;
  /** Goes up with every change; tells the state file when to write. */
  changes = 0;

  constructor(options: { seed: number; settings: Settings; clock: ClockOptions }) {
    this.state = emptyState(options.seed);
    this.settings = options.settings;
    this.clock = new Clock(options.clock);
    this.webhooks = new WebhookQueue(this);
    this.clock.connect(
      (job) => runJob(this, job),
      () => this.webhooks.drained(),
    );
  }

  /** Now, with microseconds that never repeat, so that `updated_at` orders and identifies every change. */
  stamp(): string {
    this.changes++;
    const micros = Math.max(this.clock.now() * 1000, this.state.lastStampMicros + 1);
    this.state.lastStampMicros = micros;
    return written(micros);
  }

  /**
   * Now, for what happens on the wire: never before the last stamp, and without using one up. How fast a receiver
   * answers must not show in the `updated_at` of later records, or one seed would not give one run.
   */
  wireStamp(): string {
    this.changes++;
    return written(Math.max(this.clock.now() * 1000, this.state.lastStampMicros));
  }

  /** A fresh id such as `whk_1f0c…`; the same seed gives the same ids of a kind in the same order. */
  nextId(kind: string): string {
    return `${kind}_${drawHex(this.state.seed, 16, 'id', kind, this.count(kind))}`;
  }

  /** A fresh number for the numeric ids of transactions and payouts. */
  nextNumber(): string {
    return String(100_000 + this.count('number'));
  }

  announce(announcement: Announcement): void {
    this.webhooks.announce(announcement);
  }

  private count(kind: string): number {
    this.changes++;
    const { sequences } = this.state;
    const next = sequences[kind] ?? 0;
    sequences[kind] = next + 1;
    return next;
  }

  close(): void {
    this.clock.stop();
    this.webhooks.close();
  }
}

/** Microseconds since 1970 as ISO 8601. */
function written(micros: number): string {
  const fraction = String(micros % 1000).padStart(3, '0');
  return `${new Date(Math.floor(micros / 1000)).toISOString().slice(0, -1)}${fraction}Z`;
}
