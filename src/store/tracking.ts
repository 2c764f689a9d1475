import type { Environment } from '../domain/environment.ts';
import type { Expectation, ExpectationState } from '../domain/expectations/expectation.ts';
import type { TrackEffect } from '../domain/expectations/expectation-change.ts';
import type { Expected } from '../domain/expectations/expectation-input.ts';
import type { Finding } from '../domain/findings/finding.ts';
import type { RecordKind } from '../domain/records/lifecycle.ts';
import type { Count, Page } from './records.ts';

/*
 * The part of the port for what the merchant expects. An expectation is compared with its record whenever that moves, and
 * once more at its date. Times are milliseconds since 1970, by the store's own clock.
 */

export interface Tracked extends Expected {
  readonly effect: TrackEffect;
  /** The expectation before; null when it was not tracked. */
  readonly before: Expectation | null;
  readonly state: ExpectationState;
  /** Findings of the first comparison with the record. */
  readonly findings: readonly Finding[];
}

export interface ForgetOrder {
  readonly reference: string;
  readonly kind?: RecordKind;
  readonly environment?: Environment;
}

export interface Forgotten extends Expected {
  /** The record had no observation and was removed too. */
  readonly recordRemoved: boolean;
}

export interface Reviewed {
  /** Expectations whose date had come. */
  readonly reviewed: number;
  /** Of these, records without an observation: a finding each. */
  readonly overdue: number;
}

export interface Tracking {
  /** Makes missing records, and makes records with a new expectation due. One transaction, at most MOST_TRACKED. */
  readonly track: (order: { readonly expected: readonly Expected[] }) => Promise<Tracked[]>;
  /** Deletes the expectations of a reference and closes their findings. */
  readonly forget: (order: ForgetOrder) => Promise<Forgotten[]>;
  /** Compares expectations whose date has come, at most MOST_REVIEWED per call; fewer mean that none is left. */
  readonly review: () => Promise<Reviewed>;
}

/** Expectations in one transaction: each bound is a few milliseconds of the write lock. */
export const MOST_TRACKED = 100;
export const MOST_REVIEWED = 200;

export interface ExpectationFilter {
  readonly environment?: Environment;
  readonly kind?: RecordKind;
  readonly reference?: string;
  /** Only expectations that are not met. */
  readonly open?: boolean;
}

/** The read side; part of `Archive`. */
export interface ExpectationArchive {
  /** A page of expectations, in the order of their ids. */
  readonly expectations: (filter: ExpectationFilter, page: Page) => Promise<ExpectationSummary[]>;
  readonly countExpectations: (filter: ExpectationFilter) => Promise<Count>;
}

/** An expectation with its state. */
export interface ExpectationSummary extends Expected {
  readonly id: number;
  readonly trackedAtMs: number;
  readonly state: ExpectationState;
  readonly findings: readonly Finding[];
  readonly reported: string | null;
  readonly confirmed: string | null;
}
