import type { Environment } from '../domain/environment.ts';
import type { OurKind, Pass } from '../domain/rules.ts';
import type { Count, Page } from './records.ts';

/*
 * The part of the port that keeps what runs found. A run is written in three steps: `beginRun`, `keep…` in chunks, each a
 * short transaction, and `finishRun`, with which all of it shows at once. A run that was never finished shows nowhere, and
 * the next `beginRun` clears it away. A match is valid from the run that made it until the run that ended it; both ends
 * show when their run is whole.
 */

export interface RunOrder {
  readonly from: string;
  readonly to: string;
  readonly asAtMs: number;
  readonly zone: string;
  readonly cutOffMinutes: number;
  /** Null: both, never mixed. */
  readonly environment: Environment | null;
  /** Null: all. */
  readonly account: string | null;
  readonly what: string;
  readonly rules: { readonly name: string; readonly digest: string; readonly text: string };
}

/** A line that belongs to a row of ours. */
export interface KeptMatch {
  readonly leg: string;
  readonly lineId: number;
  readonly kind: OurKind;
  /** Null: our side is no record. */
  readonly recordId: number | null;
  /** The reference of the record, the name of the batch, or the reference of the top-up. */
  readonly reference: string;
  /** `person`: somebody confirmed it. */
  readonly pass: Pass | 'person';
  readonly state: 'confirmed' | 'suggested';
}

/** A break as it is kept: as text, so that a later run can be held against it. */
export interface KeptBreak {
  readonly id: string;
  readonly code: string;
  readonly sub: string | null;
  readonly leg: string | null;
  readonly side: 'ours' | 'theirs';
  readonly kind: OurKind | null;
  readonly environment: Environment;
  readonly account: string | null;
  readonly reference: string | null;
  readonly field: string | null;
  readonly currency: string | null;
  /** Exact decimal text, a status, a currency, or what the field holds. */
  readonly ours: string | null;
  readonly theirs: string | null;
  readonly variance: string | null;
  readonly effect: string;
  readonly line: KeptLineName | null;
  readonly candidates: readonly string[];
  readonly firstSeen: string;
  readonly reason: string;
  readonly nextStep: string;
  /** For evidence; null: no record of ours. */
  readonly recordId: number | null;
}

export interface KeptLineName {
  readonly statement: number;
  readonly row: number;
  readonly fingerprint: string;
  readonly occurrence: number;
}

/** What a person said of a line and a row of ours: they belong together, or never do. The last word counts. */
export interface MatchDecision {
  readonly leg: string;
  readonly lineId: number;
  readonly kind: OurKind;
  readonly environment: Environment;
  readonly reference: string;
  readonly verdict: 'together' | 'apart';
  readonly by: string;
  readonly atMs: number;
  readonly comment: string | null;
}

export interface Runs {
  readonly beginRun: (order: RunOrder) => Promise<{ readonly run: number }>;
  readonly keepMatches: (order: { readonly run: number; readonly matches: readonly KeptMatch[] }) => Promise<void>;
  /** Ends matches that the run no longer finds. */
  readonly endMatches: (order: { readonly run: number; readonly ids: readonly number[] }) => Promise<void>;
  readonly keepBreaks: (order: { readonly run: number; readonly breaks: readonly KeptBreak[] }) => Promise<void>;
  /** `report`: the figures of the run as canonical JSON, without its breaks. */
  readonly finishRun: (order: { readonly run: number; readonly report: string }) => Promise<void>;
  readonly decide: (decision: Omit<MatchDecision, 'atMs'>) => Promise<MatchDecision>;
}

export interface RunSummary extends RunOrder {
  readonly run: number;
  readonly finishedAtMs: number;
  readonly breaks: number;
  readonly report: string;
}

export interface BreakFilter {
  /** Missing: the last run. */
  readonly run?: number;
  readonly codes?: readonly string[];
  readonly leg?: string;
  readonly environment?: Environment;
  readonly account?: string;
  readonly reference?: string;
}

export interface MatchFilter {
  readonly leg?: string;
  readonly kind?: OurKind;
  readonly environment?: Environment;
  readonly reference?: string;
  readonly statement?: number;
  readonly state?: KeptMatch['state'];
}

export interface MatchSummary extends KeptMatch {
  readonly id: number;
  readonly environment: Environment;
  readonly account: string;
  readonly statement: number;
  readonly row: number;
  readonly date: string;
  readonly currency: string;
  readonly amount: bigint;
  readonly run: number;
}

/** The read side; part of `Archive`. */
export interface RunArchive {
  readonly runs: (page: Page) => Promise<RunSummary[]>;
  /** The last whole run; null: none yet. */
  readonly lastRun: () => Promise<RunSummary | null>;
  readonly breaks: (filter: BreakFilter, page: Page) => Promise<KeptBreak[]>;
  readonly countBreaks: (filter: BreakFilter) => Promise<Count>;
  readonly breakOf: (id: string) => Promise<(KeptBreak & { readonly run: number }) | null>;
  readonly matches: (filter: MatchFilter, page: Page) => Promise<MatchSummary[]>;
  readonly countMatches: (filter: MatchFilter) => Promise<Count>;
  readonly match: (id: number) => Promise<MatchSummary | null>;
  /** The last word on each pair. */
  readonly decisions: () => Promise<readonly MatchDecision[]>;
}
