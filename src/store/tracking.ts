import type { Environment } from '../domain/environment.ts';
import type { Expectation, ExpectationState } from '../domain/expectation.ts';
import type { Expected } from '../domain/expectation-input.ts';
import type { Finding } from '../domain/finding.ts';
import type { RecordKind } from '../domain/lifecycle.ts';
import type { Page } from './records.ts';

/*
 * The part of the port for what the merchant told us to expect. An expectation is held against its record whenever that
 * moves, and once more at its date. Times are milliseconds since 1970.
 */

/** What telling us did: `same` changed nothing at all. */
export const TRACK_EFFECTS = ['new', 'changed', 'same'] as const;
export type TrackEffect = (typeof TRACK_EFFECTS)[number];

export interface Tracked extends Expected {
  readonly effect: TrackEffect;
  /** What was expected of it until now; null when it was not tracked. */
  readonly before: Expectation | null;
  readonly state: ExpectationState;
  /** What it finds at once. */
  readonly findings: readonly Finding[];
}

export interface ForgetOrder {
  readonly reference: string;
  readonly kind?: RecordKind;
  readonly environment?: Environment;
  readonly nowMs: number;
}

export interface Forgotten extends Expected {
  /** Nobody had ever said anything about it, so its record is gone too. */
  readonly recordRemoved: boolean;
}

export interface Reviewed {
  /** Expectations whose date had come. */
  readonly reviewed: number;
  /** Of these, the ones nobody has said anything about: a finding each. */
  readonly overdue: number;
}

export interface Tracking {
  /** Makes records that are missing, and what is new due. All or nothing: one transaction, so a bounded number. */
  track(order: { readonly expected: readonly Expected[]; readonly nowMs: number }): Promise<Tracked[]>;
  /** Expects nothing of it any more; its findings close. */
  forget(order: ForgetOrder): Promise<Forgotten[]>;
  /** Looks at the expectations whose date has come, at most MOST_REVIEWED at once; fewer mean that none is left. */
  review(order: { readonly nowMs: number }): Promise<Reviewed>;
}

/** In one transaction: a few milliseconds of the write lock. */
export const MOST_TRACKED = 100;
export const MOST_REVIEWED = 200;

export interface ExpectationFilter {
  readonly environment?: Environment;
  readonly kind?: RecordKind;
  readonly reference?: string;
  /** Only those that are not met. */
  readonly open?: boolean;
}

/** The read side: `Archive` has it. */
export interface ExpectationArchive {
  /** A page of expectations, in the order in which we were told. */
  expectations(filter: ExpectationFilter, page: Page, nowMs: number): Promise<ExpectationSummary[]>;
}

/** An expectation as it stands. */
export interface ExpectationSummary extends Expected {
  readonly id: number;
  readonly trackedAtMs: number;
  readonly state: ExpectationState;
  readonly findings: readonly Finding[];
  readonly reported: string | null;
  readonly confirmed: string | null;
}
