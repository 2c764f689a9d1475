import { ENVIRONMENTS, type Environment } from '../domain/environment.ts';
import { RECORD_KINDS } from '../domain/records/lifecycle.ts';
import type { Checks, DueFilter, LeasedCheck } from '../store/checks.ts';
import type { Clock } from '../time/clock.ts';

export interface LeasedChecksOrder {
  readonly filter: DueFilter;
  /** Checks in all; null: until nothing is due. */
  readonly limit: number | null;
  readonly leaseMs: number;
  /** Checks leased at a time. */
  readonly batch: number;
  /** With this many or fewer left, the next batch is leased: as many as may be taken while the store answers. */
  readonly ahead: number;
}

interface Ready {
  readonly check: LeasedCheck;
  /** End of the lease by this process's clock, which the store's may differ from; never too late. */
  readonly untilMs: number;
}

/** A reference may name one record of each kind in each environment. */
const MOST_OF_ONE_REFERENCE = RECORD_KINDS.length * ENVIRONMENTS.length;

/**
 * Leased checks for the lanes of a sweep: the next batch is leased while the last of this one are being sent, so that no
 * lane waits for the disk. Checks that are not taken are released.
 */
export class LeasedChecks {
  readonly #checks: Checks;
  readonly #order: LeasedChecksOrder;
  readonly #clock: Clock;
  #filter: DueFilter;
  readonly #ready: Ready[] = [];
  /** Never rejects, because no lane may be waiting for it. */
  #leasing: Promise<void> | null = null;
  #failure: { readonly error: unknown } | null = null;
  #leased = 0;
  #nothingDue = false;
  #closed = false;

  constructor(checks: Checks, order: LeasedChecksOrder, clock: Clock) {
    this.#checks = checks;
    this.#order = order;
    this.#filter = order.filter;
    this.#clock = clock;
  }

  /**
   * The next check; null when there are no more.
   *
   * @throws StoreError when more could not be leased
   */
  async next(): Promise<LeasedCheck | null> {
    if (this.#ready.length <= this.#order.ahead) this.#leaseMore();
    while (this.#ready.length === 0 && this.#leasing !== null) await this.#leasing;
    if (this.#failure !== null) throw this.#failure.error;
    if (this.#closed) return null;
    await this.#releaseLate();
    return this.#ready.shift()?.check ?? (this.#isDry ? null : this.next());
  }

  /** Nothing is left, and nothing more will come. */
  get isEmpty(): boolean {
    return this.#isDry && this.#ready.length === 0 && this.#leasing === null;
  }

  /** Leases no more, and releases the checks that were not taken. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.#leasing;
    await this.#release(this.#ready.splice(0).map(({ check }) => check));
  }

  /** Releases a check that was taken and got no answer because the process stops. */
  giveBack(leased: LeasedCheck): Promise<void> {
    return this.#checks.release([leased]);
  }

  /** Leases no more of an environment, and releases its checks that are ready. */
  async exclude(environment: Environment): Promise<void> {
    const environments = this.#filter.environments.filter((each) => each !== environment);
    this.#filter = { ...this.#filter, environments };
    await this.#takeIn(this.#ready.splice(0));
  }

  /** After a pause: a check whose lease is over belongs to another process, and cost its record no attempt. */
  async #releaseLate(): Promise<void> {
    const nowMs = this.#clock.nowMs();
    const held = this.#ready.findIndex(({ untilMs }) => untilMs > nowMs);
    const late = this.#ready.splice(0, held === -1 ? this.#ready.length : held);
    await this.#release(late.map(({ check }) => check));
  }

  /** Releases checks of an environment that was excluded, perhaps while they were being leased. */
  async #takeIn(leased: readonly Ready[]): Promise<void> {
    const isWanted = ({ check }: Ready) => this.#filter.environments.includes(check.environment);
    this.#ready.push(...leased.filter(isWanted));
    await this.#release(leased.filter((one) => !isWanted(one)).map(({ check }) => check));
  }

  /** A released check does not count against the limit. */
  async #release(leased: readonly LeasedCheck[]): Promise<void> {
    if (leased.length === 0) return;
    this.#leased -= leased.length;
    await this.#checks.release(leased);
  }

  /** How many more may be leased. */
  get #allowed(): number {
    return (this.#order.limit ?? Number.POSITIVE_INFINITY) - this.#leased;
  }

  get #isDry(): boolean {
    return this.#nothingDue || this.#allowed <= 0;
  }

  #leaseMore(): void {
    if (this.#leasing !== null || this.#failure !== null || this.#isDry || this.#closed) return;
    this.#leasing = this.#lease()
      .catch((error) => {
        this.#failure = { error };
      })
      .finally(() => {
        this.#leasing = null;
      });
  }

  async #lease(): Promise<void> {
    const { leaseMs, batch } = this.#order;
    const filter = this.#filter;
    const atOnce = filter.reference === undefined ? batch : Math.max(batch, MOST_OF_ONE_REFERENCE);
    const wanted = Math.min(atOnce, this.#allowed);
    const untilMs = this.#clock.nowMs() + leaseMs;
    const leased = await this.#checks.lease({ filter, limit: wanted, leaseMs });
    this.#leased += leased.length;
    await this.#takeIn(leased.map((check) => ({ check, untilMs })));
    // A named record may be due again at once after its answer; it is checked once, so all of its kinds come together.
    if (leased.length < wanted || filter.reference !== undefined) this.#nothingDue = true;
  }
}
