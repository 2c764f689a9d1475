import type { Outcome } from '../domain/checks/check.ts';
import type { CheckEffect } from '../domain/checks/check-result.ts';
import type { FinishedCheck } from '../store/checks.ts';

/** Why a sweep ended while records were due. */
export const SWEEP_STOPS = ['interrupted', 'service_unavailable', 'key_refused'] as const;
export type SweepStop = (typeof SWEEP_STOPS)[number];

/** What a sweep did, in counts of records. */
export interface SweepResult {
  /** Checks that were sent, or whose reference cannot be sent. */
  readonly checked: number;
  /** Usable answers. */
  readonly confirmed: number;
  /** Of these, answers that moved the confirmed status. */
  readonly changed: number;
  /** Of these, answers that reached a settled status. */
  readonly settled: number;
  /** Of these, answers ahead of every webhook: a webhook was lost. */
  readonly repaired: number;
  /** Answers behind or beside the webhooks. */
  readonly disagreed: number;
  /** Records whose attempts are used up: no further check is scheduled. */
  readonly stuck: number;
  /** Checks without a usable answer, by outcome. */
  readonly failed: Readonly<Partial<Record<Outcome, number>>>;
  /** Answers that came after their lease: not written; the record is checked again. */
  readonly late: number;
  /** Tracked records past their date without any observation: checked in vain, or their date has just come. */
  readonly overdue: number;
  /** Due at the end. */
  readonly stillDue: number;
  /** Due in environments of the order that have no key: not checked. */
  readonly withoutKey: number;
  readonly stopped: SweepStop | null;
  readonly tookMs: number;
}

type Counts = Omit<SweepResult, 'stillDue' | 'withoutKey' | 'stopped' | 'tookMs'>;

/** Counts finished checks as they are written. */
export class Tally {
  readonly #counts = {
    checked: 0,
    confirmed: 0,
    changed: 0,
    settled: 0,
    repaired: 0,
    disagreed: 0,
    overdue: 0,
    stuck: 0,
    late: 0,
  };
  readonly #failed: Partial<Record<Outcome, number>> = {};

  add({ outcome }: FinishedCheck, effect: CheckEffect): void {
    const counts = this.#counts;
    counts.checked++;
    if (!effect.accepted) {
      counts.late++;
      return;
    }
    if (outcome === 'answered') counts.confirmed++;
    else this.#failed[outcome] = (this.#failed[outcome] ?? 0) + 1;
    for (const name of ['changed', 'settled', 'repaired', 'disagreed', 'overdue', 'stuck'] as const) {
      if (effect[name]) counts[name]++;
    }
  }

  get counts(): Counts {
    return { ...this.#counts, failed: { ...this.#failed } };
  }
}
