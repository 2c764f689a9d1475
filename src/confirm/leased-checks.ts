import { ENVIRONMENTS, type Environment } from '../domain/environment.ts';
import { RECORD_KINDS } from '../domain/lifecycle.ts';
import type { Confirmations, DueFilter, Question } from '../store/checks.ts';
import type { Clock } from '../time/clock.ts';

export interface SupplyOrder {
  readonly filter: DueFilter;
  /** Questions in all; null: until nothing is due. */
  readonly limit: number | null;
  readonly leaseMs: number;
  /** How many are claimed at once. */
  readonly batch: number;
  /** With so few left the next batch is claimed: as many as may be taken before the disk has answered. */
  readonly ahead: number;
}

/** One of each kind in each environment. */
const MOST_OF_ONE_REFERENCE = RECORD_KINDS.length * ENVIRONMENTS.length;

/**
 * Claimed questions for whoever asks: the next batch is claimed while the last of this one is still being asked, so that
 * nobody waits for the disk. What is left over is given back.
 */
export class Supply {
  readonly #confirmations: Confirmations;
  readonly #order: SupplyOrder;
  readonly #clock: Clock;
  #filter: DueFilter;
  readonly #ready: Question[] = [];
  /** Never rejects, because nobody may be waiting for it. */
  #claiming: Promise<void> | null = null;
  #failure: { readonly error: unknown } | null = null;
  #claimed = 0;
  #nothingDue = false;
  #closed = false;

  constructor(confirmations: Confirmations, order: SupplyOrder, clock: Clock) {
    this.#confirmations = confirmations;
    this.#order = order;
    this.#filter = order.filter;
    this.#clock = clock;
  }

  /**
   * The next question; null when there are no more.
   *
   * @throws StoreError when more could not be claimed
   */
  async next(): Promise<Question | null> {
    if (this.#ready.length <= this.#order.ahead) this.#claimMore();
    while (this.#ready.length === 0 && this.#claiming !== null) await this.#claiming;
    if (this.#failure !== null) throw this.#failure.error;
    if (this.#closed) return null;
    await this.#giveBackLate();
    return this.#ready.shift() ?? (this.#isDry ? null : this.next());
  }

  /** Nothing is left, and nothing more will come. */
  get isEmpty(): boolean {
    return this.#isDry && this.#ready.length === 0 && this.#claiming === null;
  }

  /** Takes no more, and gives back what nobody asked. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.#claiming;
    await this.#release(this.#ready.splice(0));
  }

  /** One that was taken and got no answer, because we did not wait for it. */
  giveBack(question: Question): Promise<void> {
    return this.#confirmations.release([question]);
  }

  /** Takes no more of an environment, and gives back what is here of it. */
  async exclude(environment: Environment): Promise<void> {
    const environments = this.#filter.environments.filter((each) => each !== environment);
    this.#filter = { ...this.#filter, environments };
    await this.#takeIn(this.#ready.splice(0));
  }

  /** After a rest: whose lease is over is not ours any more, and has cost its record no attempt. */
  async #giveBackLate(): Promise<void> {
    const nowMs = this.#clock.nowMs();
    const late: Question[] = [];
    while (this.#ready[0] !== undefined && this.#ready[0].leasedUntilMs <= nowMs)
      late.push(...this.#ready.splice(0, 1));
    await this.#release(late);
  }

  /** Gives back those of an environment that is, or meanwhile was, excluded. */
  async #takeIn(questions: readonly Question[]): Promise<void> {
    const isWanted = ({ environment }: Question) => this.#filter.environments.includes(environment);
    this.#ready.push(...questions.filter(isWanted));
    await this.#release(questions.filter((question) => !isWanted(question)));
  }

  /** Whoever was not asked does not count: others may come in their place. */
  async #release(questions: readonly Question[]): Promise<void> {
    if (questions.length === 0) return;
    this.#claimed -= questions.length;
    await this.#confirmations.release(questions);
  }

  /** How many more may be claimed. */
  get #allowed(): number {
    return (this.#order.limit ?? Number.POSITIVE_INFINITY) - this.#claimed;
  }

  get #isDry(): boolean {
    return this.#nothingDue || this.#allowed <= 0;
  }

  #claimMore(): void {
    if (this.#claiming !== null || this.#failure !== null || this.#isDry || this.#closed) return;
    this.#claiming = this.#claim()
      .catch((error) => {
        this.#failure = { error };
      })
      .finally(() => {
        this.#claiming = null;
      });
  }

  async #claim(): Promise<void> {
    const { leaseMs, batch } = this.#order;
    const filter = this.#filter;
    const atOnce = filter.reference === undefined ? batch : Math.max(batch, MOST_OF_ONE_REFERENCE);
    const wanted = Math.min(atOnce, this.#allowed);
    const claimed = await this.#confirmations.claim({ filter, limit: wanted, leaseMs, nowMs: this.#clock.nowMs() });
    this.#claimed += claimed.length;
    await this.#takeIn(claimed);
    // A named record is due again at once when its answer says so; it is asked once, so all of its kinds come together.
    if (claimed.length < wanted || filter.reference !== undefined) this.#nothingDue = true;
  }
}
