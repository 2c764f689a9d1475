import type { Outcome } from '../domain/check.ts';
import type { EndedQuestion, Ending } from '../store/checks.ts';

/** Why a sweep ended before nothing was due any more. */
export const SWEEP_STOPS = ['interrupted', 'service_unavailable', 'key_refused'] as const;
export type SweepStop = (typeof SWEEP_STOPS)[number];

/** What a sweep did, in counts of records. */
export interface SweepResult {
  /** Questions that were sent, or found to be unaskable. */
  readonly asked: number;
  /** Usable answers. */
  readonly confirmed: number;
  /** Of these, the ones that moved the confirmed status. */
  readonly changed: number;
  /** Of these, the ones that reached a settled status. */
  readonly settled: number;
  /** Of these, the ones that were ahead of every webhook: the webhook was lost. */
  readonly repaired: number;
  /** Answers behind or beside the webhooks. */
  readonly disagreed: number;
  /** Nobody will ask again by himself. */
  readonly stuck: number;
  /** Everything else that came of a question, by reason. */
  readonly failed: Readonly<Partial<Record<Outcome, number>>>;
  /** Answers that came after their lease: not written, and asked again. */
  readonly late: number;
  /** Tracked, past their date, and never heard of: those asked about in vain, and those whose date has just come. */
  readonly overdue: number;
  /** Due at the end. */
  readonly stillDue: number;
  /** Due in environments of the order that have no key: nobody asks. */
  readonly withoutKey: number;
  readonly stopped: SweepStop | null;
  readonly tookMs: number;
}

type Counts = Omit<SweepResult, 'stillDue' | 'withoutKey' | 'stopped' | 'tookMs'>;

/** Counts endings as they are written. */
export class Tally {
  readonly #counts = {
    ...{ asked: 0, confirmed: 0, changed: 0, settled: 0, repaired: 0 },
    ...{ disagreed: 0, overdue: 0, stuck: 0, late: 0 },
  };
  readonly #failed: Partial<Record<Outcome, number>> = {};

  add({ outcome }: EndedQuestion, ending: Ending): void {
    const counts = this.#counts;
    counts.asked++;
    if (!ending.accepted) {
      counts.late++;
      return;
    }
    if (outcome === 'answered') counts.confirmed++;
    else this.#failed[outcome] = (this.#failed[outcome] ?? 0) + 1;
    for (const name of ['changed', 'settled', 'repaired', 'disagreed', 'overdue', 'stuck'] as const) {
      if (ending[name]) counts[name]++;
    }
  }

  get counts(): Counts {
    return { ...this.#counts, failed: { ...this.#failed } };
  }
}
