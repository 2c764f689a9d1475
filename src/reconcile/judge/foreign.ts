import type { OurRow, TheirLine } from '../../domain/matching/rows.ts';
import { type Judgement, PAIR, type Verdict } from '../../domain/matching/terms.ts';
import { amountOfMinor } from '../../domain/money/amount.ts';
import type { LooseLine } from '../../store/scratch/open-rows.ts';
import type { Sides } from '../load/sides.ts';
import { bookOpen } from './book-open.ts';
import { list } from './list.ts';
import { itemOf, posted } from './place-item.ts';
import type { MatchRun } from './run.ts';

/*
 * Lines that name a record in another currency than its own. Accounts are proven per currency, so the mismatch stands in both:
 * where the line came, and where it was expected.
 */

/** Lists lines of another currency: the only line is a mismatch, beside a right one it is a copy. */
export function reportForeign(
  run: MatchRun,
  sides: Sides,
  row: OurRow,
  own: readonly TheirLine[],
  foreign: readonly TheirLine[],
): void {
  const { window, books } = run;
  for (const line of foreign) {
    const { account, currency, date, amount } = line;
    const name = { environment: row.environment, account, currency };
    const isLate = run.late.isLine(line);
    if (date > window.until) continue;
    const book = books.of(name);
    const booked = bookOpen(run, book, { sides: null, rows: [], lines: [asLoose(line, row)] });
    if (booked === null) continue;
    book.effects += amount;
    const isCopy = own.length > 0 || line !== foreign[0];
    if (isCopy) run.scratch.doubt(line.id);
    const verdict = isCopy ? copyOf(line) : mismatchOf(row, line);
    const item = {
      ...posted(itemOf(verdict, row, [line], sides, account, window.until), isLate ? window.from : null),
      currency,
    };
    list(run, name, booked.change, item);
    booked.freeze([item]);
  }
}

function asLoose(line: TheirLine, { environment, kind }: OurRow): LooseLine {
  return { ...line, environment, leg: null, kind, typeText: line.type, sessionId: null, group: null };
}

function mismatchOf(row: OurRow, line: TheirLine): Verdict {
  const values = { field: 'currency', ours: row.currency, theirs: line.currency };
  return { ...PAIR, ...values, code: 'currency_mismatch', effect: line.amount, line };
}

function copyOf(line: TheirLine): Verdict {
  const values = { field: 'amount', ours: null, theirs: amountOfMinor(line.principal) };
  return { ...PAIR, ...values, code: 'duplicate_external', side: 'theirs', effect: line.amount, line };
}

/** In its own currency the record has no line: the same mismatch, seen from our side. */
export function withoutOwnLine(judged: Judgement, row: OurRow, [line]: readonly TheirLine[]): Judgement {
  const values = { field: 'currency', ours: row.currency, theirs: line?.currency ?? null, line: line ?? null };
  const verdicts = judged.verdicts.map(
    (one): Verdict => (isMissing(one) ? { ...one, ...values, code: 'currency_mismatch' } : one),
  );
  return { ...judged, verdicts, isMatched: true };
}

function isMissing({ code }: Verdict): boolean {
  return code === 'missing_external' || code === 'timing';
}
