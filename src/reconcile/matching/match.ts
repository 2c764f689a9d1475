import { dueDays, termOf } from '../../domain/due-day.ts';
import { feeSchedule } from '../../domain/fee-schedule.ts';
import { RECORD_KINDS } from '../../domain/lifecycle.ts';
import { feeRow, linePostings, ROW_OF_KIND } from '../../domain/matching/postings.ts';
import type { Terms } from '../../domain/matching/terms.ts';
import type { Archive } from '../../store/archive.ts';
import type { MatchingScope } from '../../store/reconciliation.ts';
import type { MatchedPair } from '../../store/scratch/open-rows.ts';
import { Scratch } from '../../store/scratch/scratch.ts';
import type { StatementSummary } from '../../store/statements.ts';
import type { Audit } from '../audit/audit.ts';
import type { Item } from '../item.ts';
import type { Begin, Span } from '../order.ts';
import { accountsOf } from './accounts.ts';
import { auditRun } from './audit-run.ts';
import { Books } from './book.ts';
import { checkFiles } from './files.ts';
import { type InTransit, inTransit } from './in-transit.ts';
import { judgeLegs, runPasses } from './legs.ts';
import { keepStatementRows, knownRow } from './our-rows.ts';
import { type BalanceProof, proofOf } from './proof.ts';
import { countIn, type Found, type MatchRun, newFindings, type Window } from './run.ts';
import { rolesOf, type Sides, sideDays, sidesOf } from './sides.ts';

export interface MatchOrder {
  readonly span: Span;
  /** Payouts that repeat another one: no line is looked for. */
  readonly copies: readonly Item[];
  /** Takes every line with the row of ours that a pass or a person gave it, in pages. */
  readonly keepMatches?: (pairs: readonly MatchedPair[]) => Promise<void>;
}

/** What comes of holding records against statements. */
export interface Matched extends Found {
  readonly proof: readonly BalanceProof[];
  readonly inTransit: readonly InTransit[];
  /** Null: the rules have no schedule. */
  readonly audit: Audit | null;
}

/** What matching reads. */
export type MatchArchive = Pick<
  Archive,
  'fillScratch' | 'fillNamedLines' | 'knownRecords' | 'statements' | 'movedOn' | 'unparsedRows'
>;

/** Holds the records of a period against the statements that cover it. Null: there is no statement. */
export async function matchStatements(archive: MatchArchive, order: MatchOrder): Promise<Matched | null> {
  const { span } = order;
  const { rules, begin } = span.order;
  const statements = await statementsAt(archive, span);
  if (statements.length === 0 && rules.schedule.length === 0) return null;
  const sides = sidesOf(rules, statements);
  const window = windowOf(span, begin);
  const scratch = new Scratch();
  try {
    scratch.setSides(rolesOf(sides), sides.map(sideDays));
    const scope = scopeOf(span, window);
    await archive.fillScratch(scratch, scope);
    await keepAsKnown(archive, scratch, span);
    keepStatementRows(scratch, sides);
    await archive.fillNamedLines(scratch, scope);
    const run: MatchRun = {
      scratch,
      window,
      books: new Books(),
      sides,
      legNames: rules.legs.map(({ name }) => name),
      termsOf: termsOf(span, window),
      hasOwnOpening: (account, currency) => begin !== null && begin.balances[account]?.[currency] !== undefined,
      copies: new Map(order.copies.flatMap((item) => (item.recordId === null ? [] : [[item.recordId, item]]))),
      found: newFindings(),
    };
    for (const id of run.copies.keys()) scratch.dropKeys('payout', id);
    scratch.claims.prepare();
    runPasses(run);
    addClean(run);
    addLines(run);
    judgeLegs(run);
    if (order.keepMatches !== undefined) {
      for (const pairs of scratch.rows.matched()) await order.keepMatches(pairs);
    }
    const proof = await proofs(run, archive, statements, begin);
    const audit = await auditRun(run, rules.schedule);
    return { ...run.found, proof, inTransit: inTransit(run), audit };
  } finally {
    scratch.close();
  }
}

/** Statements that show, and did at the as-at time. */
async function statementsAt(archive: MatchArchive, { period }: Span): Promise<StatementSummary[]> {
  const filter = period.environment === undefined ? {} : { environment: period.environment };
  const all = await archive.statements(filter, { order: 'oldest', limit: Number.MAX_SAFE_INTEGER });
  return all.filter(({ importedAtMs, removedAtMs }) => removedAtMs === null && importedAtMs <= period.asAtMs);
}

function windowOf({ order }: Span, begin: Begin | null): Window {
  const from = begin !== null && begin.date > order.from ? begin.date : order.from;
  return {
    from,
    until: order.to,
    begin: begin !== null && begin.date < from ? begin.date : from,
    eve: new Date(Date.parse(`${from}T12:00:00Z`) - 86_400_000).toISOString().slice(0, 10),
  };
}

function scopeOf({ days, period }: Span, window: Window): MatchingScope {
  const { asAtMs, beforeMs, environment } = period;
  return {
    from: window.begin,
    until: window.until,
    fromMs: days.startOf(window.begin),
    beforeMs,
    asAtMs,
    ...(environment !== undefined && { environment }),
    dayOf: days.dayOf,
  };
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

function termsOf(span: Span, window: Window) {
  const { rules } = span.order;
  const due = dueDays({ days: span.days, holidays: rules.holidays });
  const tariff = feeSchedule(rules.schedule);
  const known = new Map<string, Terms>();
  return (sides: Sides, until: string): Terms => {
    const key = `${sides.number} ${sides.environment} ${sides.currency} ${until}`;
    const made = known.get(key);
    if (made !== undefined) return made;
    const { leg, currency } = sides;
    const terms: Terms = {
      until,
      judgedDay: judgedDay(span, sides.days.at(-1) ?? window.until),
      dueDay: (row) => {
        const term = termOf(leg, row.status);
        return due({ day: row.day, atMs: null }, term).day;
      },
      compare: leg.compare,
      isLedger: leg.theirs.statement === 'ledger',
      direction: leg.theirs.statement === 'bank' && 'batches' in leg.ours ? 1n : -1n,
      taxOn: ({ kind, channel, day }, fee) =>
        kind === 'batch' || kind === 'top_up' ? null : (tariff({ kind, channel, currency, day })?.taxOn(fee) ?? null),
    };
    known.set(key, terms);
    return terms;
  };
}

/** The last day that is over, known and covered: what was due by then is late. */
function judgedDay({ days, judgedAtMs, order }: Span, lastCovered: string): string {
  const today = days.dayOf(judgedAtMs + 1);
  const over = new Date(Date.parse(`${today}T12:00:00Z`) - 86_400_000).toISOString().slice(0, 10);
  return [over, order.to, lastCovered].reduce((one, other) => (other < one ? other : one));
}

/** Books the groups that agree in everything. */
function addClean({ scratch, window, books, found, legNames }: MatchRun): void {
  for (const sum of scratch.cleanGroups(window, window.begin)) {
    const { leg, kind, main, fee, tax, duty, within, isBefore, groups } = sum;
    const book = books.of(sum);
    if (isBefore) {
      book.addBefore('ours', main - fee - tax - duty);
      continue;
    }
    countIn(found.matched, legNames[leg] ?? '', groups);
    book.add('ours', ROW_OF_KIND[kind], main);
    book.add('ours', feeRow(kind), -fee);
    book.add('ours', 'tax', -tax);
    book.add('ours', 'duty', -duty);
    // A line that does not tell its charges apart is divided as we divide it.
    book.add('theirs', ROW_OF_KIND[kind], within);
    book.add('theirs', feeRow(kind), duty - within);
    book.add('theirs', 'duty', -duty);
  }
}

/** Books every line, whether or not anything claimed it. What has no other side is ours as it is theirs. */
function addLines({ scratch, window, books }: MatchRun): void {
  for (const { type, isBefore, isApart, amount, fee, tax, duty, ...name } of scratch.lineSums(window, window.begin)) {
    const book = books.of(name);
    const postings = linePostings({ type: type ?? 'other', date: window.from, amount, fee, tax, duty }, null);
    for (const side of isApart && type !== null ? (['ours', 'theirs'] as const) : (['theirs'] as const)) {
      if (isBefore) book.addBefore(side, amount);
      else book.addAll(side, postings, '');
    }
  }
}

async function proofs(
  run: MatchRun,
  archive: MatchArchive,
  statements: readonly StatementSummary[],
  begin: Begin | null,
): Promise<BalanceProof[]> {
  const found: BalanceProof[] = [];
  for (const account of accountsOf(statements)) {
    const currencies = new Set(account.statements.flatMap(({ balances }) => balances.map(({ currency }) => currency)));
    for (const currency of [...currencies].sort()) {
      const stated = await checkFiles(run, archive, account, currency);
      const book = run.books.of({ environment: account.environment, account: account.name, currency });
      const own = begin?.balances[account.name]?.[currency] ?? null;
      const isProven = account.kind === 'wallet' || account.kind === 'bank' || stated.opening !== null;
      if (isProven) found.push(proofOf(book, stated, own));
    }
  }
  return found;
}
