import { createHash } from 'node:crypto';
import { Clock, type ClockOptions } from './clock.ts';
import type { Job, JobKind } from './job.ts';
import type { Environment, Scope } from './records.ts';
import type { Settings } from './settings.ts';
import { emptyState, type State } from './state.ts';
import type { Webhooks } from './webhook.ts';

/** What a job of each kind does; a job whose record has changed since it was scheduled does nothing. */
export type JobTable = Readonly<Record<JobKind, (world: World, data: Job['data']) => void>>;

export interface WorldOptions {
  readonly seed: number;
  readonly settings: Settings;
  readonly clock: ClockOptions;
  readonly jobs: JobTable;
  readonly webhooks: (world: World) => Webhooks;
}

/**
 * One sandbox: its state, settings, clock and webhooks; the other rooms are functions over it. Every operation is
 * synchronous, so a request never sees another one half done.
 */
export class World {
  state: State;
  settings: Settings;
  readonly clock: Clock;
  readonly webhooks: Webhooks;
  /** Counts the changes; the state file is written when this number has moved. */
  changes = 0;

  constructor({ seed, settings, clock, jobs, webhooks }: WorldOptions) {
    this.state = emptyState(seed);
    this.settings = settings;
    this.clock = new Clock(clock);
    this.webhooks = webhooks(this);
    this.clock.connect(
      ({ kind, data }) => jobs[kind](this, data),
      () => this.webhooks.drained(),
    );
  }

  /** Now, in microseconds that never repeat, so that `updated_at` orders and identifies every change. */
  stamp(): string {
    this.changes++;
    const micros = Math.max(this.clock.now() * 1000, this.state.lastStampMicros + 1);
    this.state.lastStampMicros = micros;
    return isoMicros(micros);
  }

  /**
   * Now, for delivery attempts: not before the last stamp, and without consuming one. Otherwise a receiver's response
   * time would change the `updated_at` of later records, and runs of one seed would differ.
   */
  wireStamp(): string {
    this.changes++;
    return isoMicros(Math.max(this.clock.now() * 1000, this.state.lastStampMicros));
  }

  /** A new id such as `whk_1f0c…`; the same seed gives the same ids of a kind in the same order. */
  nextId(kind: string): string {
    return `${kind}_${this.drawHex(16, 'id', kind, this.count(kind))}`;
  }

  /** A new number for the numeric ids of transactions and payouts. */
  nextNumber(): string {
    return String(100_000 + this.count('number'));
  }

  /**
   * A number in [0, 1) that depends on the seed and these labels only. Chance never depends on the order in which
   * requests arrive, so runs repeat.
   */
  draw(...labels: readonly (string | number)[]): number {
    return createHash('sha256').update(this.labelled(labels)).digest().readUInt32BE(0) / 2 ** 32;
  }

  /** `length` lower-case hexadecimal digits (at most 128) that depend on the seed and these labels only. */
  drawHex(length: number, ...labels: readonly (string | number)[]): string {
    return createHash('sha512').update(this.labelled(labels)).digest('hex').slice(0, length);
  }

  /** The merchant and environment of a record. */
  scopeOf({ merchantId, environment }: { merchantId: string; environment: Environment }): Scope {
    const merchant = this.state.merchants.find(({ id }) => id === merchantId);
    if (!merchant) throw new Error(`no merchant ${merchantId}`);
    return { merchant, environment };
  }

  /** Whether collections, refunds and payouts together have reached the setting `recordLimit`. */
  isFull(): boolean {
    const { collections, refunds, payouts } = this.state;
    return collections.size + refunds.size + payouts.size >= this.settings.recordLimit;
  }

  close(): void {
    this.clock.stop();
    this.webhooks.close();
  }

  private labelled(labels: readonly (string | number)[]): string {
    return `${this.state.seed}:${labels.join(':')}`;
  }

  private count(kind: string): number {
    this.changes++;
    const { sequences } = this.state;
    const next = sequences[kind] ?? 0;
    sequences[kind] = next + 1;
    return next;
  }
}

/** Microseconds since 1970 as ISO 8601. */
function isoMicros(micros: number): string {
  const fraction = String(micros % 1000).padStart(3, '0');
  return `${new Date(Math.floor(micros / 1000)).toISOString().slice(0, -1)}${fraction}Z`;
}
