import { covers } from '../../domain/balance/covered-days.ts';
import { RECORD_KINDS } from '../../domain/records/lifecycle.ts';
import type { Archive } from '../../store/archive.ts';
import type { MatchDecision } from '../../store/runs.ts';
import type { LearntRow } from '../../store/scratch/learnt-days.ts';
import { Scratch } from '../../store/scratch/scratch.ts';
import type { StatementSummary } from '../../store/statements.ts';
import type { Audit } from '../audit/audit.ts';
import type { BookBalance } from '../balance/balance.ts';
import { FrozenFiles } from '../balance/frozen-files.ts';
import { Closings } from '../closed.ts';
import type { Twins } from '../duplicates.ts';
import type { Span } from '../order.ts';
import { accountsOf, type CoveredAccount, currenciesOf } from './accounts.ts';
import { auditRun } from './audit-run.ts';
import { bookBalances } from './balances.ts';
import { type BatchInTransit, batchesInTransit } from './batches-in-transit.ts';
import { type Book, Books, type MovedAccount } from './book.ts';
import { bookSums } from './book-sums.ts';
import { checkChargebacks } from './chargebacks.ts';
import { type SeenPayment, seenPayments, setAsidePayments, settleClaims } from './claim-payments.ts';
import { dailyBatches } from './daily-batches.ts';
import { compareEarly } from './early-lines.ts';
import { type InTransit, type InTransitOn, inTransit } from './in-transit.ts';
import { Invoices } from './invoices.ts';
import { keepMatches, type MatchKeeper } from './keep-matches.ts';
import { moveLateLines, placeLate, placeLearnt } from './late.ts';
import { judgeLegs, runPasses } from './legs.ts';
import { type MovedByLines, movedByLines } from './moved-by-lines.ts';
import { Openings } from './openings.ts';
import { keepStatementRows, knownRow } from './our-rows.ts';
import { type BalanceProof, openingsOf, proofOf } from './proof.ts';
import { type Found, type MatchRun, newFindings, type Window } from './run.ts';
import { scopeOf, statementsAt, windowOf } from './scope.ts';
import { rolesOf, sideDays, sidesOf } from './sides.ts';
import { termsOf } from './terms-of.ts';
import { twinsInWallet } from './twins.ts';
import { type Uncompared, UncomparedLines } from './uncompared.ts';

export interface MatchOrder {
  readonly span: Span;
  /** Payouts that are the same: only the first of each takes a line by their session. */
  readonly twins: readonly Twins[];
  /** Missing: nothing is kept. */
  readonly keeper?: MatchKeeper;
}

/** What comes of holding records against statements. */
export interface Matched extends Found {
  readonly proof: readonly BalanceProof[];
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

/** What matching reads. */
export type MatchArchive = Pick<
  Archive,
  | 'fillScratch'
  | 'fillNamedLines'
  | 'fillKnownMatches'
  | 'decisions'
  | 'claimPayments'
  | 'knownRecords'
  | 'statements'
  | 'unparsedRows'
  | 'bookLines'
  | 'breaks'
>;

/** Holds the records of a period against the statements that cover it. Null: there is no statement. */
export async function matchStatements(archive: MatchArchive, order: MatchOrder): Promise<Matched | null> {
  const { span } = order;
  const { rules, begin } = span.order;
  const statements = await statementsAt(archive, span);
  const closings = new Closings(span.order.closed ?? [], span.order, span.order.asAtMs);
  if (statements.length === 0 && rules.schedule.length === 0) return null;
  const openings = new Openings({ statements, begin, closings });
  const window = windowOf(span, statements, { closings, openings });
  const sides = sidesOf(rules, statements, closings.periodsOf(window));
  const scratch = new Scratch();
  try {
    scratch.setSides(rolesOf(sides), sides.map(sideDays), window);
    const decided = await archive.decisions();
    const scope = scopeOf(span, window, { decisions: decided, closings });
    await archive.fillScratch(scratch, scope);
    await keepAsKnown(archive, scratch, span);
    const late = { scratch, closings, sides, statements, dayOf: span.days.dayOf };
    moveLateLines(late);
    const payments = seenPayments(await archive.claimPayments(), { ...late, until: window.until });
    setAsidePayments(scratch, payments);
    const topUpCopies = keepStatementRows(scratch, sides, window);
    await archive.fillNamedLines(scratch, scope);
    setAsidePayments(scratch, payments);
    scratch.retypeTakenBack();
    const decisions = placedDecisions(scratch, decided);
    const placed = await placeLate(archive, late);
    const inTime = statements.filter(({ statement }) => !placed.statements.has(statement));
    const sidesBefore = sidesOf(rules, inTime, closings.periodsOf(window));
    const begun: MatchRun = {
      scratch,
      window,
      books: new Books(),
      sides,
      sidesBefore,
      legNames: rules.legs.map(({ name }) => name),
      termsOf: termsOf(span, window, scratch),
      hasOwnOpening: (name) => openings.isOwn(name),
      openings,
      closings,
      frozen: await FrozenFiles.read(archive, closings),
      lastDays: new Map(Object.entries(span.order.until ?? {})),
      late: placed,
      daily: dailyBatches(scratch, {
        ...{ until: window.until, sides },
        before: {
          until: window.eve,
          sides: sidesBefore,
          without: placed.statements,
        },
      }),
      topUpCopies,
      invoices: new Invoices(),
      uncompared: new UncomparedLines({ rules, statements, sides }),
      twins: new Map(order.twins.flatMap((twins) => twins.map(({ id }) => [id, twins]))),
      apart: new Set(decisions.filter(({ isTogether }) => !isTogether).map(({ line, ours }) => `${line} ${ours}`)),
      chargebackCopies: new Set(),
      found: newFindings(),
    };
    for (const [, ...copies] of order.twins) for (const { id } of copies) scratch.dropKeys('payout', id);
    scratch.passes.decide(decisions);
    scratch.passes.prepare();
    runPasses(begun);
    const run: MatchRun = { ...begun, late: placeLearnt(begun) };
    bookSums(run);
    checkChargebacks(run, statements);
    judgeLegs(run);
    if (order.keeper !== undefined) await keepMatches(run, archive, scope, order.keeper);
    const proof = await proofs(run, archive, { statements, span, payments });
    const audit = await auditRun(run, rules.schedule);
    const transit = inTransit(run);
    return {
      ...run.found,
      early: run.found.early.toSorted(compareEarly),
      learnt: learntOf(run),
      twinsInWallet: twinsInWallet(run),
      ...{
        proof,
        audit,
        inTransit: transit.byAge,
        inTransitByDay: transit.byDay,
        batchesInTransit: batchesInTransit(run),
        moved: movedByLines(run),
      },
      booked: run.books.all().map((book) => ({ ...book.name, days: book.days() })),
      matched: run.found.counts.byLeg('matched', run.legNames),
      noStatement: run.found.counts.byLeg('noStatement', run.legNames),
      uncompared: run.uncompared.all(),
      files: accountsOf(statements).flatMap((account) => account.statements.filter((one) => covers(one, window))),
    };
  } finally {
    scratch.close();
  }
}

/** The last word of persons on pairs that are there. */
export function placedDecisions(scratch: Scratch, decisions: readonly MatchDecision[]) {
  return decisions.flatMap(({ lineId: line, kind, environment, reference, verdict }) => {
    const ours = scratch.rows.named(kind, environment, reference);
    return ours === null ? [] : [{ line, ours, isTogether: verdict === 'together' }];
  });
}

/** Puts records that changed after the as-at time back to what was known of them then. */
async function keepAsKnown(archive: MatchArchive, scratch: Scratch, { days, period }: Span): Promise<void> {
  const { asAtMs } = period;
  for (const kind of RECORD_KINDS) {
    const later = scratch.changedLater(kind);
    for (let start = 0; start < later.length; start += 500) {
      const ids = later.slice(start, start + 500);
      for (const id of ids) scratch.forget(kind, id);
      for (const record of await archive.knownRecords({ kind, ids, asAtMs })) {
        const row = record.seen ? knownRow(record, days.dayOf) : null;
        if (row !== null) scratch.keep(row);
      }
    }
  }
}

function learntOf({ sides, scratch }: MatchRun): LearntRow[] {
  const own = sides.filter(({ leg }) => 'records' in leg.ours);
  const leg = own.find(({ leg }) => leg.theirs.statement === 'wallet') ?? own[0];
  return leg === undefined ? [] : scratch.learnt(leg.number);
}

interface ProofOrder {
  readonly statements: readonly StatementSummary[];
  readonly span: Span;
  readonly payments: readonly SeenPayment[];
}

interface Checked {
  readonly account: CoveredAccount;
  readonly stated: BookBalance;
  readonly book: Book;
}

async function proofs(
  run: MatchRun,
  archive: MatchArchive,
  { statements, span, payments }: ProofOrder,
): Promise<BalanceProof[]> {
  const { begin } = span.order;
  const checked: Checked[] = [];
  for (const account of accountsOf(statements)) {
    const shown = currenciesOf(account).filter((currency) => coversSome(account.statements, currency, run.window));
    for (const { book, stated } of await bookBalances(run, archive, account, shown))
      checked.push({ account, stated, book });
  }
  settleClaims(run, payments);
  return checked.flatMap(({ account, stated, book }) => {
    const isProven = account.kind === 'wallet' || account.kind === 'bank' || stated.opening !== null;
    const closed = run.closings.openingOf(book.name);
    const begun = begin?.balances[account.name]?.[book.name.currency] ?? null;
    return isProven ? [proofOf(book, stated, openingsOf(book, stated, { closed, begun }))] : [];
  });
}

/** Whether a statement of this currency shows some day of the period. */
function coversSome(statements: readonly StatementSummary[], currency: string, window: Window): boolean {
  return statements.some((one) => covers(one, window) && one.balances.some((balance) => balance.currency === currency));
}
