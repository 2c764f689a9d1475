import { OUTAGE_OUTCOMES } from '../domain/checks/check.ts';
import type { Environment } from '../domain/environment.ts';
import type { Client } from '../service/client.ts';
import type { DueFilter, LeasedCheck } from '../store/checks.ts';
import { Breaker, type BreakerRules, STANDARD_BREAKER } from './breaker.ts';
import { check } from './check.ts';
import { FinishedChecks } from './finished-checks.ts';
import { LeasedChecks } from './leased-checks.ts';
import { findOverdue } from './overdue.ts';
import { Pace } from './pace.ts';
import type { CheckParts } from './parts.ts';
import { type SweepResult, type SweepStop, Tally } from './sweep-result.ts';

/** Which records to check, and how fast. */
export interface SweepOrder {
  /** Due records of environments without keys are counted, not checked. */
  readonly filter: DueFilter;
  /** Checks in all; null: until nothing is due. */
  readonly limit: number | null;
  /** Checks under way at once. */
  readonly concurrency: number;
  /** Checks per second at most; null: as fast as the answers come. */
  readonly perSecond: number | null;
  /** After this time another process may check the record. */
  readonly leaseMs: number;
  readonly breaker?: BreakerRules;
  /** An outage this long ends the sweep; what is due stays due. */
  readonly giveUpMs: number;
}

/**
 * Follows a sweep: the checks so far, for how long it rests because the service does not answer (null: it goes on), and what it did so
 * far.
 */
export type SweepFollower = (checked: number, restMs: number | null, counts: Tally['counts']) => void;

/** Checks leased at a time for each check under way, and at most: of several machines each lease is an entry that all of them carry out. */
const LEASED_PER_LANE = 8;
const MOST_LEASED = 64;

/**
 * Checks every due record and keeps the answers. One code path for the command and the schedule: each check is leased and
 * finished once with a typed outcome, and a crash costs no more than the lease. Several sweeps may run at once. A sweep
 * that is given the breaker of an earlier one continues its pause.
 *
 * @throws StoreError when answers cannot be kept
 */
export async function sweep(
  order: SweepOrder,
  parts: CheckParts,
  onProgress: SweepFollower = () => {},
  breaker = new Breaker(order.breaker ?? STANDARD_BREAKER),
): Promise<SweepResult> {
  const { operations, clients, clock } = parts;
  const startedAtMs = clock.nowMs();
  const run = new Sweep(order, parts, onProgress, breaker);
  const stopped = await run.carryOut();
  const overdue = run.tally.counts.overdue + (await findOverdue(operations.tracking));
  const countDue = (environments: readonly Environment[]) =>
    operations.checks.countDue({ filter: { ...order.filter, environments } });
  const stillDue = await countDue(run.filter.environments);
  const keyless = order.filter.environments.filter((environment) => !clients.has(environment));
  const withoutKey = keyless.length === 0 ? 0 : await countDue(keyless);
  return { ...run.tally.counts, overdue, stillDue, withoutKey, stopped, tookMs: clock.nowMs() - startedAtMs };
}

class Sweep {
  readonly tally = new Tally();
  readonly filter: DueFilter;
  readonly #order: SweepOrder;
  readonly #parts: CheckParts;
  readonly #leased: LeasedChecks;
  readonly #finished: FinishedChecks;
  readonly #breaker: Breaker;
  readonly #onProgress: SweepFollower;
  readonly #pace: Pace;
  readonly #startedAtMs: number;
  readonly #refusedKeys = new Set<Environment>();
  #stop: SweepStop | null = null;

  constructor(order: SweepOrder, parts: CheckParts, onProgress: SweepFollower, breaker: Breaker) {
    const { operations, clients, clock } = parts;
    const environments = order.filter.environments.filter((environment) => clients.has(environment));
    this.filter = { ...order.filter, environments };
    this.#order = order;
    this.#parts = parts;
    const { limit, leaseMs, concurrency, perSecond } = order;
    const batch = Math.min(LEASED_PER_LANE * concurrency, MOST_LEASED);
    // All lanes may need a check at the same time. With a pace, checks leased far ahead would outlast their lease.
    const ahead = perSecond === null ? Math.max(concurrency, batch / 2) : batch / 2;
    this.#leased = new LeasedChecks(operations.checks, { filter: this.filter, limit, leaseMs, batch, ahead }, clock);
    this.#finished = new FinishedChecks(operations.checks, (finished, effect) => {
      this.tally.add(finished, effect);
      const { counts } = this.tally;
      onProgress(counts.checked, null, counts);
    });
    this.#onProgress = onProgress;
    this.#breaker = breaker;
    this.#pace = new Pace(order.perSecond);
    this.#startedAtMs = clock.nowMs();
  }

  async carryOut(): Promise<SweepStop | null> {
    if (this.filter.environments.length === 0) return null;
    const lanes = Array.from({ length: this.#order.concurrency }, () => this.#lane());
    const ended = await Promise.allSettled(lanes);
    this.#breaker.endProbe();
    // Both, even when one fails: answers are kept although the other checks cannot be released.
    const closed = await Promise.allSettled([this.#leased.close(), this.#finished.flush()]);
    const broken = [...ended, ...closed].find((one) => one.status === 'rejected');
    if (broken !== undefined) throw broken.reason;
    return this.#stop;
  }

  async #lane(): Promise<void> {
    try {
      while (await this.#mayCheck()) {
        const leased = await this.#leased.next();
        if (leased === null) return;
        await this.#checkOne(leased, this.#parts.clients.get(leased.environment) as Client);
      }
    } catch (error) {
      this.#stop ??= 'interrupted'; // the other lanes end too
      throw error;
    }
  }

  /** Waits for the pace and the breaker. False when the sweep is over. */
  async #mayCheck(): Promise<boolean> {
    const { clock, sleep, signal } = this.#parts;
    await sleep(this.#pace.waitMs(clock.nowMs()), signal);
    // With nothing left there is nothing to probe with, and waiting here would hold the breaker of the next sweep.
    while (this.#stop === null && !signal.aborted && !this.#leased.isEmpty) {
      const waitMs = this.#breaker.waitMs(clock.nowMs());
      if (waitMs === 0) return true;
      const nowMs = clock.nowMs();
      const downMs = Math.min(this.#breaker.downMs(nowMs), nowMs - this.#startedAtMs);
      if (downMs + waitMs > this.#order.giveUpMs) this.#stop = 'service_unavailable';
      else {
        const { counts } = this.tally;
        this.#onProgress(counts.checked, waitMs, counts);
        await sleep(waitMs, signal);
      }
    }
    if (signal.aborted) this.#stop ??= 'interrupted';
    return false;
  }

  async #checkOne(leased: LeasedCheck, client: Client): Promise<void> {
    const { clock, zone } = this.#parts;
    const { counter, kind, recordId, environment } = leased;
    const { retryAfterMs, ...ended } = await check(client, leased, zone);
    const { outcome, answer } = ended;
    if (this.#parts.cutOff.aborted && answer === null) return this.#leased.giveBack(leased);
    const nowMs = clock.nowMs();
    if (OUTAGE_OUTCOMES.includes(outcome)) this.#breaker.failed(nowMs, retryAfterMs);
    else this.#breaker.worked();
    if (outcome === 'key_refused') await this.#excludeKey(environment);
    await this.#finished.add({ counter, kind, recordId, ...ended });
    const { reference } = leased;
    this.#parts.onChecked?.({ environment, kind, reference, outcome, status: answer?.stated.status ?? null });
  }

  /** The other records of the environment would only be refused again. */
  async #excludeKey(environment: Environment): Promise<void> {
    this.#refusedKeys.add(environment);
    if (this.filter.environments.every((each) => this.#refusedKeys.has(each))) this.#stop = 'key_refused';
    await this.#leased.exclude(environment);
  }
}
