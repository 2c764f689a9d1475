import { RECORD_KINDS } from '../../domain/records/lifecycle.ts';
import type { Archive } from '../../store/archive.ts';
import { knownOf } from '../../store/reconciliation.ts';
import type { MatchDecision } from '../../store/runs.ts';
import type { Scratch } from '../../store/scratch/scratch.ts';
import type { StatementSummary } from '../../store/statements.ts';
import { type Bases, readBases } from './bases.ts';
import { placeBeforeFiles } from './before-files.ts';
import { type SeenPayment, seenPayments, setAsidePayments } from './claim-payments.ts';
import { Closings } from './closed.ts';
import { FrozenFiles } from './frozen-files.ts';
import { type Late, lateOf, moveLateLines } from './late.ts';
import { LeftOpen } from './left-open.ts';
import { Openings } from './openings.ts';
import type { Span } from './order.ts';
import { keepStatementRows, knownRow, type TopUpCopies } from './our-rows.ts';
import { scopeOf, windowOf } from './scope.ts';
import { rolesOf, type Sides, sideDays, sidesOf } from './sides.ts';
import type { Window } from './window.ts';

/** What a run computes with: the tables of the scratch database, filled, and what the archive says beside them. */
export interface Loaded {
  readonly scratch: Scratch;
  readonly span: Span;
  readonly window: Window;
  readonly statements: readonly StatementSummary[];
  readonly sides: readonly Sides[];
  /** What is listed as open from before. */
  readonly openings: Openings;
  /** What is open from before where the statement's own opening balance has it. */
  readonly leftOpen: LeftOpen;
  readonly closings: Closings;
  readonly frozen: FrozenFiles;
  /** What is dated in a closed period and came after its close. */
  readonly late: Late;
  /** What the close of the days before froze of each group. */
  readonly bases: Bases;
  /** Top-ups of the wallet that repeat another one: no line is looked for. */
  readonly topUpCopies: TopUpCopies;
  /** Payments of claims that this run sees. */
  readonly payments: readonly SeenPayment[];
  readonly decisions: readonly PlacedDecision[];
}

/** What loading reads. */
export type LoadArchive = Pick<
  Archive,
  | 'fillScratch'
  | 'fillNamedLines'
  | 'decisions'
  | 'claimPayments'
  | 'knownRecords'
  | 'profileOf'
  | 'breaks'
  | 'frozenGroups'
  | 'exceptions'
>;

/** Fills the scratch database with the records and lines of a run, as they were known at its as-at time. */
export async function load(
  archive: LoadArchive,
  scratch: Scratch,
  { span, statements }: { readonly span: Span; readonly statements: readonly StatementSummary[] },
): Promise<Loaded> {
  const { rules, begin, closed, asAtMs } = span.order;
  const closings = new Closings(closed ?? [], span.order, asAtMs);
  const openings = new Openings({ statements, begin, closings });
  const window = windowOf(span, statements, { closings, openings });
  const sides = sidesOf(rules, statements, closings.periodsOf(window));
  scratch.setSides(rolesOf(sides), sides.map(sideDays), window);
  const decided = await archive.decisions();
  const leftOpen = await LeftOpen.read(archive, span, { openings, statements });
  const scope = scopeOf(span, window, { decisions: decided, closings, leftOpen });
  await archive.fillScratch(scratch, scope);
  await keepAsKnown(archive, scratch, span);
  const order = { scratch, closings, sides, statements, window, dayOf: span.days.dayOf };
  moveLateLines(order);
  const payments = seenPayments(await archive.claimPayments(), { ...order, until: window.until });
  setAsidePayments(scratch, payments);
  const topUpCopies = keepStatementRows(scratch, sides, window);
  await archive.fillNamedLines(scratch, scope);
  setAsidePayments(scratch, payments);
  if (begin === null) await placeBeforeFiles(archive, { scratch, span, sides, statements });
  scratch.retypeTakenBack();
  const decisions = placedDecisions(scratch, decided);
  const late = await lateOf(archive, order);
  const bases = await readBases(archive, scratch, { closings, environment: span.order.environment });
  scratch.late.judge(leftOpen.judged());
  return {
    ...{ scratch, span, window, statements, sides, openings, leftOpen, closings, late, bases },
    ...{ topUpCopies, payments, decisions },
    frozen: await FrozenFiles.read(archive, closings),
  };
}

/** What a person said of a line and a row of ours that are both there, by their numbers. */
export interface PlacedDecision {
  readonly line: number;
  readonly ours: number;
  readonly isTogether: boolean;
}

/** The last word of persons on pairs that are there. */
export function placedDecisions(scratch: Scratch, decisions: readonly MatchDecision[]): PlacedDecision[] {
  return decisions.flatMap(({ lineId: line, kind, environment, reference, verdict }) => {
    const ours = scratch.rows.named(kind, environment, reference);
    return ours === null ? [] : [{ line, ours, isTogether: verdict === 'together' }];
  });
}

/** Puts records that changed after the as-at time back to what was known of them then. */
async function keepAsKnown(
  archive: Pick<Archive, 'knownRecords'>,
  scratch: Scratch,
  { days, period }: Span,
): Promise<void> {
  const { asAtMs } = period;
  for (const kind of RECORD_KINDS) {
    const later = scratch.changedLater(kind);
    for (const id of later) scratch.forget(kind, id);
    for await (const record of knownOf(archive, { kind, ids: later, asAtMs })) {
      const row = record.seen ? knownRow(record, days.dayOf) : null;
      if (row !== null) scratch.keep(row);
    }
  }
}
