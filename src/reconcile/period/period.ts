import { covers } from '../../domain/balance/covered-days.ts';
import type { BookName, MovedAccount } from '../../domain/matching/book.ts';
import type { FeeRule } from '../../domain/reconciling/rules.ts';
import { isAt, isProven } from '../../domain/statements/lines.ts';
import type { LearntRow } from '../../store/scratch/learnt-days.ts';
import type { StatementSummary } from '../../store/statements.ts';
import { type Audit, auditCharges } from '../audit/audit.ts';
import type { StatedBook } from '../balance/book-balances.ts';
import { compareEarly } from '../judge/early-lines.ts';
import type { Found, MatchRun } from '../judge/run.ts';
import { twinsInWallet } from '../judge/twins.ts';
import type { Uncompared } from '../judge/uncompared.ts';
import { accountsOf } from '../load/accounts.ts';
import { type BatchInTransit, batchesInTransit } from './batches-in-transit.ts';
import { type InTransit, type InTransitOn, inTransit } from './in-transit.ts';
import { type BalanceProof, openingsOf, proofOf } from './proof.ts';
import { settleClaims } from './settle-claims.ts';

/** What the lines of one account and currency moved. Minor units. */
interface MovedByLines extends BookName {
  readonly lines: number;
  readonly moved: bigint;
}

/** What comes of holding records against statements. */
export interface Matched extends Found {
  readonly proof: readonly BalanceProof[];
  /** Exceptions of days before whose rows or lines are open from there no more. */
  readonly ended: readonly string[];
  readonly inTransit: readonly InTransit[];
  readonly inTransitByDay: readonly InTransitOn[];
  /** Batches that the bank does not have yet. */
  readonly batchesInTransit: readonly BatchInTransit[];
  /** Rows of ours of the period with a confirmed match, and those that no statement could show, by the name of the leg. */
  readonly matched: ReadonlyMap<string, number>;
  readonly noStatement: ReadonlyMap<string, number>;
  /** Lines of the period that were compared with nothing. */
  readonly uncompared: readonly Uncompared[];
  /** What the lines of the period moved, each once. */
  readonly moved: readonly MovedByLines[];
  /** What moved each account by day, in the order of reports. */
  readonly booked: readonly MovedAccount[];
  /** The statements that cover some day of the period. */
  readonly files: readonly StatementSummary[];
  /** Null: the rules have no schedule. */
  readonly audit: Audit | null;
  /** Records that the date of their line places, by the wallet where it has them. */
  readonly learnt: readonly LearntRow[];
  /** Payouts with copies that have a line in a wallet, by record. */
  readonly twinsInWallet: ReadonlySet<number>;
}

/** The figures of the period: the proof of each book, and what the run found. */
export async function period(run: MatchRun, stated: readonly StatedBook[]): Promise<Matched> {
  const { found, books, legNames, statements, window } = run;
  settleClaims(run, run.payments);
  const transit = inTransit(run);
  return {
    ...found,
    early: found.early.toSorted(compareEarly),
    learnt: learntOf(run),
    twinsInWallet: twinsInWallet(run),
    ended: run.leftOpen.ended(),
    proof: stated.flatMap((one) => proofsOf(run, one)),
    audit: await auditRun(run, run.span.order.rules.schedule),
    inTransit: transit.byAge,
    inTransitByDay: transit.byDay,
    batchesInTransit: batchesInTransit(run),
    moved: movedByLines(run),
    booked: books.all().map((book) => ({ ...book.name, days: book.days() })),
    matched: found.counts.byLeg('matched', legNames),
    noStatement: found.counts.byLeg('noStatement', legNames),
    uncompared: run.uncompared.all(),
    files: accountsOf(statements).flatMap((account) => account.statements.filter((one) => covers(one, window))),
  };
}

/** Empty: the account is of a kind that is not proven, and no file of it states a balance. */
function proofsOf({ closings, openings }: MatchRun, { account, stated, book }: StatedBook): BalanceProof[] {
  if (!isProven(account.kind, stated.opening !== null)) return [];
  const [closed, begun] = [closings.openingOf(book.name), openings.begun(book.name)];
  return [proofOf(book, stated, openingsOf(book, stated, { closed, begun }))];
}

function learntOf({ sides, scratch }: MatchRun): LearntRow[] {
  const own = sides.filter(({ leg }) => 'records' in leg.ours);
  const leg = own.find(({ leg }) => isAt(leg.theirs.statement, 'service')) ?? own[0];
  return leg === undefined ? [] : scratch.learnt(leg.number);
}

/** Counts and adds up the lines of the period, each once, in the order of reports. */
function movedByLines({ books, window: { from, until } }: MatchRun): MovedByLines[] {
  const all = books.all().map((book) => ({ ...book.name, ...book.linesOf(from, until) }));
  return all.filter(({ lines }) => lines > 0);
}

/** Audits what the period's records were charged: by the wallet's lines where they say it. Null: there is no schedule. */
async function auditRun({ scratch, sides, window }: MatchRun, schedule: readonly FeeRule[]): Promise<Audit | null> {
  if (schedule.length === 0) return null;
  const wallet =
    sides.find(({ leg }) => isAt(leg.theirs.statement, 'service') && 'records' in leg.ours)?.number ?? null;
  async function* pages() {
    yield* scratch.charges(window, wallet);
  }
  return await auditCharges(pages(), schedule);
}
