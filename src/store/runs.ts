import type { Environment } from '../domain/environment.ts';
import type { FollowScope } from '../domain/exceptions/follow-scope.ts';
import type { Break } from '../domain/reconciling/break.ts';
import { type OurKind, PASSES } from '../domain/reconciling/rules.ts';
import type { ByPerson } from './audit.ts';
import type { Count, Page } from './records.ts';

/*
 * The part of the port that keeps what runs found. A run is written in three steps: `beginRun`, `keep…` in chunks, each a
 * short transaction, and `finishRun`, with which all of it shows at once. A run that was never finished shows nowhere, and
 * counts for nothing from the next `beginRun` on; `clear` deletes what is left of it. One run at a time is written. A match
 * is valid from the run that made it until the run that ended it, both once they are whole, or until its line is removed.
 * Times are by the store's own clock.
 */

/**
 * Most rows of one call: 2,000 matches are a transaction of 12 ms of processor time. A million take 6 to 9 s of it when they are kept
 * in the order of `lineId` (a third for their checksums); in any other order it takes several times as long.
 */
export const MOST_MATCHES_KEPT = 2_000;
/** They stand all over the matches. */
export const MOST_MATCHES_ENDED = 200;
export const MOST_BREAKS_KEPT = 500;
/** Whole runs whose breaks are kept, beside the last one of each scope (`what`, environment and account). */
export const RUNS_WITH_BREAKS = 10;

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

/** How a match was found: by a pass of the rules, or because a person confirmed it. */
export const MATCH_PASSES = [...PASSES, 'person'] as const;
export type MatchPass = (typeof MATCH_PASSES)[number];
/** `claimed`: the line's key took it for the row of ours, and it is a copy, or one of several that fit equally well. */
export const MATCH_STATES = ['confirmed', 'suggested', 'claimed'] as const;
export type MatchState = (typeof MATCH_STATES)[number];
export const MATCH_VERDICTS = ['together', 'apart'] as const;
export type MatchVerdict = (typeof MATCH_VERDICTS)[number];

/** A line that belongs to a row of ours. */
export interface KeptMatch {
  readonly leg: string;
  readonly lineId: number;
  readonly kind: OurKind;
  /** Null: our side is no record. */
  readonly recordId: number | null;
  /** The reference of the record, the name of the batch, or the reference of the top-up. */
  readonly reference: string;
  readonly pass: MatchPass;
  readonly state: MatchState;
}

/** A break as it is kept: as text, so that a later run can be held against it. */
export interface KeptBreak extends Omit<Break<string | null, string>, 'code'> {
  readonly code: string;
  /** For evidence; null: no record of ours. */
  readonly recordId: number | null;
}

/** A group of rows of ours and lines that stands open in a book at the end of the days of a run: a close freezes it. */
export interface FrozenGroup {
  /** The name of its row of ours, else of its first line. */
  readonly key: string;
  readonly environment: Environment;
  readonly account: string;
  readonly currency: string;
  /** By them less by us in minor units, by row of the proof; together its effect. */
  readonly rows: Readonly<Record<string, bigint>>;
  /** What was said of it. */
  readonly verdicts: readonly KeptBreak[];
  /** The names of its rows of ours and of its lines, the same in every run. */
  readonly ours: readonly string[];
  readonly lines: readonly string[];
}

/** What a person said of a line and a row of ours: they belong together, or never do. The last word counts. */
export interface MatchDecision {
  readonly leg: string;
  readonly lineId: number;
  readonly kind: OurKind;
  readonly environment: Environment;
  readonly reference: string;
  readonly verdict: MatchVerdict;
  readonly by: string;
  readonly atMs: number;
  readonly comment: string | null;
}

export interface Runs {
  /** Rejects with a StoreError `busy` while another run is being written. A run whose process died, or was silent for RUN_LEASE_MS, is given up. */
  readonly beginRun: (order: RunOrder) => Promise<{ readonly run: number }>;
  /** At most MOST_MATCHES_KEPT. A line that was removed meanwhile gets no match. Every `keep…` renews the lease, and rejects once the run was given up. */
  readonly keepMatches: (order: { readonly run: number; readonly matches: readonly KeptMatch[] }) => Promise<void>;
  /** Ends matches that the run no longer finds; at most MOST_MATCHES_ENDED. */
  readonly endMatches: (order: { readonly run: number; readonly ids: readonly number[] }) => Promise<void>;
  /** At most MOST_BREAKS_KEPT. Those that are `carried` are of earlier days; they come after all others. */
  readonly keepBreaks: (order: {
    readonly run: number;
    readonly breaks: readonly KeptBreak[];
    readonly carried?: boolean;
  }) => Promise<void>;
  /** The groups that stand open at the end of its days; at most MOST_BREAKS_KEPT. Called once more without any when there is none. */
  readonly keepGroups: (order: { readonly run: number; readonly groups: readonly FrozenGroup[] }) => Promise<void>;
  /** `report`: the figures of the run as canonical JSON, without its breaks. `scope`: the exceptions that it touches; missing: none. `by`: whose rules they are. */
  readonly finishRun: (
    order: {
      readonly run: number;
      readonly report: string;
      readonly scope?: FollowScope;
    } & ByPerson,
  ) => Promise<void>;
  /** Gives up a run that is not whole, so that another may begin at once; else nothing. */
  readonly abandonRun: (order: { readonly run: number }) => Promise<void>;
  /**
   * Deletes a piece of what counts no more: what runs left that died, and breaks of older runs (RUNS_WITH_BREAKS). Call it until
   * it is done.
   */
  readonly clear: () => Promise<{ readonly done: boolean }>;
  /** Null: the line is gone. */
  readonly decide: (decision: Omit<MatchDecision, 'atMs'>) => Promise<MatchDecision | null>;
}

export interface RunSummary extends RunOrder {
  readonly run: number;
  /** The last entry of the log that was carried out when it began. */
  readonly carriedOut: number;
  readonly begunAtMs: number;
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
  /** True: those of earlier days, which are still open; missing: those of the days of the run. */
  readonly carried?: boolean;
}

export interface MatchFilter {
  readonly leg?: string;
  readonly kinds?: readonly OurKind[];
  readonly environment?: Environment;
  readonly reference?: string;
  readonly statement?: number;
  readonly states?: readonly MatchState[];
}

export type UndoneFilter = Omit<MatchFilter, 'states'>;

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
  /** The last word of a person on this pair, which the next run uses; null: none. */
  readonly decision: Pick<MatchDecision, 'verdict' | 'by' | 'atMs' | 'comment'> | null;
}

/** A line and a row of ours that a person took apart, and that was the last word on them. */
export interface UndoneMatch extends Omit<MatchSummary, 'run' | 'pass' | 'state' | 'decision'> {
  /** Its place among all decisions, by which a list is paged. */
  readonly id: number;
  /** The last match of the two; null: no run brought them together. */
  readonly matchId: number | null;
  readonly run: number | null;
  readonly pass: MatchPass | null;
  readonly decision: NonNullable<MatchSummary['decision']>;
}

/** A match, also one that ended. */
export interface MatchDetail extends MatchSummary {
  /** The whole run that ended it; null: it is valid. */
  readonly endedIn: number | null;
}

/** A break of a whole run. */
export interface FoundBreak extends KeptBreak {
  readonly run: number;
  /** Its place among all breaks, by which a list is paged. */
  readonly place: number;
}

/** The read side; part of `Archive`. What is not whole is not seen. */
export interface RunArchive {
  readonly runs: (page: Page) => Promise<RunSummary[]>;
  readonly run: (run: number) => Promise<RunSummary | null>;
  /** The last whole run; null: none yet. */
  readonly lastRun: () => Promise<RunSummary | null>;
  /** The latest as-at time of a run, also of one that is going on. */
  readonly lastAsAtMs: () => Promise<number | null>;
  /** In the order in which the run kept them. `afterId` is a `place`. */
  readonly breaks: (filter: BreakFilter, page: Page) => Promise<FoundBreak[]>;
  readonly countBreaks: (filter: BreakFilter) => Promise<Count>;
  /** The groups that stood open at the end of the days of a run; null: a version before kept none. */
  readonly frozenGroups: (run: number) => Promise<readonly FrozenGroup[] | null>;
  /** As the latest of the kept runs found it. */
  readonly breakOf: (id: string) => Promise<FoundBreak | null>;
  /** Those that are valid. */
  readonly matches: (filter: MatchFilter, page: Page) => Promise<MatchSummary[]>;
  readonly countMatches: (filter: MatchFilter) => Promise<Count>;
  /** Pairs that persons took apart, also those that no run brought together. `afterId` is an `id`. */
  readonly undoneMatches: (filter: UndoneFilter, page: Page) => Promise<UndoneMatch[]>;
  readonly countUndoneMatches: (filter: UndoneFilter) => Promise<Count>;
  /** Null: there is none, or its line was removed. */
  readonly match: (id: number) => Promise<MatchDetail | null>;
  /** The last word on each pair whose line shows. */
  readonly decisions: () => Promise<readonly MatchDecision[]>;
}
