import { lateFacts } from '../../domain/matching/late.ts';
import { linePostings } from '../../domain/matching/postings.ts';
import { CHARGEBACK_TYPES } from '../../domain/matching/sums.ts';
import { amountOfMinor } from '../../domain/money/amount.ts';
import type { BreakCode, Item } from '../../domain/reconciling/break.ts';
import type { LooseLine } from '../../store/scratch/open-rows.ts';
import { bookOpen } from './book-open.ts';
import { collectionOf, namesOf } from './chargebacks.ts';
import { list } from './list.ts';
import { fingerprintOf, lineName, posted } from './place-item.ts';
import type { MatchRun } from './run.ts';

/** Lists a line that no row of ours has. */
export function reportLoose(run: MatchRun, line: LooseLine): void {
  const { window, books, found } = run;
  const late = run.late.of([], [line]);
  const isLate = late.isSome;
  const isBefore = line.date < window.from && !isLate;
  const code = codeOf(run, line);
  if (code === null) {
    if (line.leg === null && !isLate && !isBefore) noteUnnamed(run, line);
    if (isLate) found.breaks.push(lateItem(run, line, []));
    return;
  }
  const book = books.of(line);
  const booked = bookOpen(run, book, { sides: null, rows: [], lines: [line], late });
  if (booked === null) return;
  // A chargeback stands in no leg, so the sums of lines without another side have it as ours, too.
  if (line.leg === null && line.type !== null) {
    const postings = linePostings({ ...line, date: line.postsOn ?? line.date, type: line.type }, null);
    book.addAll('ours', postings, window.from, -1n);
    if (line.date < window.begin && !isLate) book.openAtBegin -= line.amount;
  }
  const item = isLate ? lateItem(run, line, [{ code, effect: line.amount }]) : looseItem(run, line, code);
  list(run, line, booked, item);
  booked.freeze([item]);
}

/** A chargeback that names nothing can be held against no collection. */
function noteUnnamed({ uncompared }: MatchRun, line: LooseLine): void {
  if (namesOf(line).length === 0) uncompared.add({ ...line, lines: 1 });
}

/** A line of a closed period that came after its close, and that no row of ours has. */
function lateItem(run: MatchRun, line: LooseLine, said: Parameters<typeof lateFacts>[0]): Item {
  const { effect, ...about } = lateFacts(said, line.date);
  const item = posted(looseItem(run, line, 'late_arrival'), run.window.from);
  const facts = { ...item.facts, ...about };
  return { ...item, facts, place: item.place === null ? null : { ...item.place, effect } };
}

/** Null: nothing is missing. */
function codeOf(run: MatchRun, line: LooseLine): BreakCode | null {
  if (line.type === null) return 'unclassified';
  if (line.leg !== null) return 'missing_internal';
  // Of what stands in no leg, these alone name a collection.
  if (!CHARGEBACK_TYPES.some((type) => type === line.type)) return null;
  if (run.chargebackCopies.has(line.id)) return 'duplicate_external';
  return namesOf(line).length === 0 || collectionOf(run, line) !== null ? null : 'missing_internal';
}

const FIELDS: Readonly<Partial<Record<BreakCode, string>>> = { unclassified: 'type', duplicate_external: 'amount' };

/** The row of ours that a person said the line does not belong to. */
function undoneOf({ undone, scratch }: MatchRun, { id }: LooseLine): string | null {
  const ours = undone.get(id);
  return ours === undefined ? null : (scratch.rows.one(ours)?.reference ?? null);
}

export function looseItem(run: MatchRun, line: LooseLine, code: BreakCode): Item {
  const { environment, account, currency, amount, principal, date } = line;
  const theirs = amountOfMinor(principal);
  const detail = code === 'unclassified' ? line.typeText : code === 'missing_internal' ? undoneOf(run, line) : null;
  return {
    facts: {
      code,
      sub: null,
      side: 'theirs',
      field: FIELDS[code] ?? 'reference',
      ours: null,
      theirs,
      detail,
    },
    kind: line.kind,
    environment,
    reference: line.reference ?? line.sessionId ?? line.group ?? line.transactionReference,
    recordId: null,
    currency,
    minor: principal,
    firstSeen: date,
    place: {
      leg: line.leg === null ? null : (run.legNames[line.leg] ?? null),
      account,
      effect: amount,
      line: lineName(line),
      candidates: [],
      names: fingerprintOf(line),
    },
  };
}
