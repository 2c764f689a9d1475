import { LONGEST_RETRY_AFTER_MS, type RowState } from '../domain/forwarding/forward-row.ts';
import type { EndedAttempt, Exchanged, LeasedRow, OpenTarget, Outbox } from '../store/outbox.ts';
import { TargetBreaker } from './breaker.ts';
import type { Delivered, Deliverer } from './deliver.ts';
import type { ServedTarget } from './targets.ts';

/** A target, and what delivers to it. */
export interface Served {
  readonly target: ServedTarget;
  readonly deliverer: Deliverer;
}

/** An attempt that ended and is written. */
export interface Forwarded extends Pick<Delivered, 'outcome' | 'status' | 'detail' | 'error'> {
  readonly row: Omit<LeasedRow, 'body'>;
  /** Null: its lease was over, so that nothing was written; the row is attempted again. */
  readonly state: RowState | null;
  readonly tookMs: number;
}

export interface ForwarderParts {
  readonly outbox: Pick<Outbox, 'exchange'>;
  readonly served: readonly Served[];
  readonly onForwarded: (forwarded: Forwarded) => void;
  /** The store could not be reached; the forwarder goes on. */
  readonly onFault: (error: unknown) => void;
}

/** How often the store is asked for rows of other processes and for those whose wait is over. */
const POLL_MS = 1_000;
/** Wait before more rows of events are written, so that carrying out keeps its rate. */
const MORE_MS = 25;
/** Share of the grace time after which attempts under way are cut off; the rest is for writing how they ended. */
const CUT_OFF_SHARE = 0.75;

interface Ended {
  readonly attempt: EndedAttempt;
  readonly forwarded: Omit<Forwarded, 'state'>;
}

/**
 * Hands rows of the outbox on. Each free slot of a target leases one row; what ended and what is leased next share one commit.
 * A slow target occupies its own slots alone.
 */
export class Forwarder {
  readonly #parts: ForwarderParts;
  readonly #lanes: ReadonlyMap<string, Lane>;
  readonly #cutOff = new AbortController();
  readonly #running = new Set<Promise<void>>();
  #ended: Ended[] = [];
  #turning: Promise<void> | null = null;
  #again = false;
  #stopping = false;
  #poll: NodeJS.Timeout | undefined;
  #soon: NodeJS.Timeout | undefined;

  constructor(parts: ForwarderParts) {
    this.#parts = parts;
    this.#lanes = new Map(parts.served.map((served) => [served.target.name, new Lane(served)]));
  }

  start(): void {
    this.#poll = setInterval(() => this.wake(), POLL_MS);
    this.wake();
  }

  /** There may be rows to forward. Also while no slot is free: rows of received events are written, and a person may have ended a rest. */
  wake(): void {
    this.#again = true;
    this.#turning ??= this.#turns();
  }

  /** Leases nothing more, waits for the attempts under way, ends the others, and writes how all ended. */
  async stop(graceMs: number): Promise<void> {
    this.#stopping = true;
    clearInterval(this.#poll);
    clearTimeout(this.#soon);
    const late = setTimeout(() => this.#cutOff.abort(), graceMs * CUT_OFF_SHARE);
    await this.#turning;
    while (this.#running.size > 0) await Promise.all(this.#running);
    clearTimeout(late);
    await this.#turning;
    await this.#turn();
    await Promise.all(this.#parts.served.map(({ deliverer }) => deliverer.close()));
  }

  /** Its end and the clearing of `#turning` are one step, so that no call of `wake` is lost between them. */
  async #turns(): Promise<void> {
    while (this.#again) {
      this.#again = false;
      await this.#turn();
    }
    this.#turning = null;
  }

  async #turn(): Promise<void> {
    const ended = this.#ended;
    const open = this.#stopping ? [] : [...this.#lanes.values()].flatMap((lane) => lane.open());
    if (this.#stopping && ended.length === 0) return;
    this.#ended = [];
    try {
      const exchanged = await this.#parts.outbox.exchange({ ended: ended.map(({ attempt }) => attempt), open });
      this.#take(ended, exchanged);
    } catch (error) {
      this.#ended = [...ended, ...this.#ended]; // written with the next turn; a lease that is over by then is refused
      this.#parts.onFault(error);
    }
  }

  #take(ended: readonly Ended[], { states, leased, more, targets }: Exchanged): void {
    for (const [index, { forwarded }] of ended.entries())
      this.#parts.onForwarded({ ...forwarded, state: states[index] ?? null });
    for (const { name, nudges } of targets) if (this.#lanes.get(name)?.nudged(nudges)) this.#again = true;
    if (more && !this.#stopping) this.#soon ??= setTimeout(() => this.#wakeSoon(), MORE_MS);
    for (const row of leased) {
      const running = this.#attempt(row).finally(() => this.#running.delete(running));
      this.#running.add(running);
    }
  }

  #wakeSoon(): void {
    this.#soon = undefined;
    this.wake();
  }

  async #attempt(row: LeasedRow): Promise<void> {
    const lane = this.#lanes.get(row.target);
    if (lane === undefined) return; // its lease runs out
    const startedMs = performance.now();
    const delivered = await lane.deliver(row, this.#cutOff.signal);
    const { retry } = lane.target;
    const { webhookId, attempt } = row;
    const { body: _, ...shown } = row;
    const { error, ...result } = delivered; // the error stays in this process: not every one can be posted to another thread
    const { outcome, status, detail } = result;
    const forwarded = { row: shown, outcome, status, detail, error, tookMs: performance.now() - startedMs };
    this.#ended.push({ attempt: { ...result, webhookId, attempt, retry }, forwarded });
    if (!this.#stopping) this.wake();
  }
}

/** The slots of one target in this process. */
class Lane {
  readonly target: ServedTarget;
  readonly #deliverer: Deliverer;
  readonly #breaker: TargetBreaker;
  #underWay = 0;
  #nudges: number | null = null;

  constructor({ target, deliverer }: Served) {
    this.target = target;
    this.#deliverer = deliverer;
    this.#breaker = new TargetBreaker(target.breaker);
  }

  open(): OpenTarget[] {
    const { name, concurrency, timeoutMs, includeBody, retry } = this.target;
    const free = this.#breaker.allowed(concurrency - this.#underWay, performance.now());
    const longestWaitMs = Math.max(retry.maxMs, LONGEST_RETRY_AFTER_MS, 2 * timeoutMs);
    const working = this.#deliverer.working?.() ?? [];
    return free <= 0 ? [] : [{ name, concurrency, free, timeoutMs, includeBody, longestWaitMs, working }];
  }

  /** Whether a person asked to try at once since the last call: a rest has ended. */
  nudged(nudges: number): boolean {
    const isNew = this.#nudges !== null && nudges !== this.#nudges;
    if (isNew) this.#breaker.reset();
    this.#nudges = nudges;
    return isNew;
  }

  async deliver(row: LeasedRow, signal: AbortSignal): Promise<Delivered> {
    this.#underWay++;
    this.#breaker.began();
    const delivered = await this.#deliverer.deliver(row, signal);
    this.#underWay--;
    if (delivered.outcome === 'delivered') this.#breaker.worked();
    else if (delivered.outcome === 'stopped') this.#breaker.ended();
    else this.#breaker.failed(performance.now());
    return delivered;
  }
}
