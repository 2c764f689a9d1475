import type { Outcome } from '../domain/check.ts';
import type { Environment } from '../domain/environment.ts';
import type { Client } from '../service/client.ts';
import type { DueFilter, Question } from '../store/checks.ts';
import { Breaker, type BreakerRules, STANDARD_BREAKER } from './breaker.ts';
import { ask } from './check.ts';
import { Supply } from './leased-checks.ts';
import { findOverdue } from './overdue.ts';
import { Pace } from './pace.ts';
import type { AskingParts } from './parts.ts';
import { Endings } from './results.ts';
import { type SweepResult, type SweepStop, Tally } from './sweep-result.ts';

/** What to ask about, and how fast. */
export interface SweepOrder {
  /** Environments without keys are left out, and what is due there is counted. */
  readonly filter: DueFilter;
  /** Questions in all; null: until nothing is due. */
  readonly limit: number | null;
  /** Questions under way at once. */
  readonly concurrency: number;
  /** Null: as fast as the answers come. */
  readonly perSecond: number | null;
  /** A question that takes longer is somebody else's. */
  readonly leaseMs: number;
  readonly breaker?: BreakerRules;
  /** With the service down for so long, the sweep ends; what is due stays due. */
  readonly giveUpMs: number;
}

/** These say that the service fails as a whole; everything else is an answer of some kind. */
const FAILURES_OF_THE_SERVICE: readonly Outcome[] = ['unavailable', 'no_answer', 'rate_limited'];

/** How much is claimed for each question under way, and at once at most: a transaction of a few milliseconds. */
const PER_QUESTION = 2;
const MOST_AT_ONCE = 32;

/**
 * Asks the service about every due record, and keeps what it says. One code path for the command and the schedule: due
 * records are claimed under a lease, each question ends once with a typed outcome, and a crash costs no more than the
 * lease. Several sweeps may run at once. One that is handed the breaker of the one before goes on resting where that did.
 *
 * @throws StoreError when what was answered cannot be kept
 */
export async function sweep(
  order: SweepOrder,
  parts: AskingParts,
  onProgress: (asked: number) => void = () => {},
  breaker = new Breaker(order.breaker ?? STANDARD_BREAKER),
): Promise<SweepResult> {
  const startedAtMs = parts.clock.nowMs();
  const run = new Sweep(order, parts, onProgress, breaker);
  const stopped = await run.carryOut();
  const overdue = run.tally.counts.overdue + (await findOverdue(parts.work.tracking, parts.clock));
  const countDue = (environments: readonly Environment[]) =>
    parts.work.confirmations.countDue({ filter: { ...order.filter, environments }, nowMs: parts.clock.nowMs() });
  const stillDue = await countDue(run.filter.environments);
  const keyless = order.filter.environments.filter((environment) => !parts.clients.has(environment));
  const withoutKey = keyless.length === 0 ? 0 : await countDue(keyless);
  return { ...run.tally.counts, overdue, stillDue, withoutKey, stopped, tookMs: parts.clock.nowMs() - startedAtMs };
}

class Sweep {
  readonly tally = new Tally();
  readonly filter: DueFilter;
  readonly #order: SweepOrder;
  readonly #parts: AskingParts;
  readonly #supply: Supply;
  readonly #endings: Endings;
  readonly #breaker: Breaker;
  readonly #pace: Pace;
  readonly #startedAtMs: number;
  readonly #locked = new Set<Environment>();
  #stop: SweepStop | null = null;

  constructor(order: SweepOrder, parts: AskingParts, onProgress: (asked: number) => void, breaker: Breaker) {
    const { work, clients, clock } = parts;
    const environments = order.filter.environments.filter((environment) => clients.has(environment));
    this.filter = { ...order.filter, environments };
    this.#order = order;
    this.#parts = parts;
    const { limit, leaseMs, concurrency, perSecond } = order;
    const batch = Math.min(PER_QUESTION * concurrency, MOST_AT_ONCE);
    // All answers may come at once, and nobody should wait for a claim then; with a pace, what is claimed far ahead would
    // lie until its lease is over.
    const ahead = perSecond === null ? concurrency : batch / 2;
    this.#supply = new Supply(work.confirmations, { filter: this.filter, limit, leaseMs, batch, ahead }, clock);
    this.#endings = new Endings(work.confirmations, (ended, ending) => {
      this.tally.add(ended, ending);
      onProgress(this.tally.counts.asked);
    });
    this.#breaker = breaker;
    this.#pace = new Pace(order.perSecond);
    this.#startedAtMs = clock.nowMs();
  }

  async carryOut(): Promise<SweepStop | null> {
    if (this.filter.environments.length === 0) return null;
    const lanes = Array.from({ length: this.#order.concurrency }, () => this.#lane());
    const ended = await Promise.allSettled(lanes);
    this.#breaker.endProbe();
    // Both, whatever becomes of the other: what was answered is kept although the rest cannot be given back.
    const closed = await Promise.allSettled([this.#supply.close(), this.#endings.flush()]);
    const broken = [...ended, ...closed].find((one) => one.status === 'rejected');
    if (broken !== undefined) throw broken.reason;
    return this.#stop;
  }

  async #lane(): Promise<void> {
    try {
      while (await this.#mayAsk()) {
        const question = await this.#supply.next();
        if (question === null) return;
        await this.#askOne(question, this.#parts.clients.get(question.environment) as Client);
      }
    } catch (error) {
      this.#stop ??= 'interrupted'; // the other lanes end too
      throw error;
    }
  }

  /** Waits for the pace and the breaker. False when the sweep is over. */
  async #mayAsk(): Promise<boolean> {
    const { clock, sleep, signal } = this.#parts;
    await sleep(this.#pace.waitMs(clock.nowMs()), signal);
    // With nothing left there is nothing to probe with: whoever waited here would keep the next sweep waiting, too.
    while (this.#stop === null && !signal.aborted && !this.#supply.isEmpty) {
      const waitMs = this.#breaker.waitMs(clock.nowMs());
      if (waitMs === 0) return true;
      const nowMs = clock.nowMs();
      const downMs = Math.min(this.#breaker.downMs(nowMs), nowMs - this.#startedAtMs);
      if (downMs + waitMs > this.#order.giveUpMs) this.#stop = 'service_unavailable';
      else await sleep(waitMs, signal);
    }
    if (signal.aborted) this.#stop ??= 'interrupted';
    return false;
  }

  async #askOne(question: Question, client: Client): Promise<void> {
    const { clock, zone } = this.#parts;
    const { counter, kind, recordId, environment } = question;
    const { outcome, answer, detail, retryAfterMs } = await ask(client, question, zone);
    if (this.#parts.cutOff.aborted && answer === null) return this.#supply.giveBack(question);
    const nowMs = clock.nowMs();
    if (FAILURES_OF_THE_SERVICE.includes(outcome)) this.#breaker.failed(nowMs, retryAfterMs);
    else this.#breaker.worked();
    if (outcome === 'key_refused') await this.#lock(environment);
    await this.#endings.add({ counter, kind, recordId, nowMs, outcome, answer, detail });
  }

  /** A refused key would only be refused again. */
  async #lock(environment: Environment): Promise<void> {
    this.#locked.add(environment);
    if (this.filter.environments.every((each) => this.#locked.has(each))) this.#stop = 'key_refused';
    await this.#supply.exclude(environment);
  }
}
