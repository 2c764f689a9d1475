import { amountOfMinor, formatAmount } from '../../domain/amount.ts';
import type { BreakFacts } from '../../domain/break.ts';
import type { OurRow, TheirLine } from '../../domain/matching/rows.ts';
import type { Verdict } from '../../domain/matching/terms.ts';
import type { Item, LineName } from '../item.ts';
import type { Sides } from './sides.ts';

/** An item of a row of ours, from what was judged of it. */
export function itemOf(
  verdict: Verdict,
  row: OurRow,
  lines: readonly TheirLine[],
  sides: Sides,
  account: string,
): Item {
  const { code, sub, side, field, ours, theirs, detail, effect, line, candidates, dueDay } = verdict;
  const facts: BreakFacts = { code, sub, side, field, ours, theirs, detail };
  const isOfLine = code === 'duplicate_external';
  return {
    facts,
    kind: isOfLine ? null : row.kind,
    environment: row.environment,
    reference: row.reference,
    recordId: row.recordId,
    currency: row.currency,
    minor: row.amount,
    firstSeen: dueDay ?? latest([row.day, ...(line === null ? lines : [line]).map(({ date }) => date)]),
    place: {
      leg: sides.leg.name,
      account,
      effect,
      line: line === null ? null : lineName(line),
      candidates: candidates.map(lineText),
      names: isOfLine && line !== null ? fingerprintOf(line) : null,
    },
  };
}

export function lineName({ statement, row, fingerprint, occurrence }: LineName): LineName {
  return { statement, row, fingerprint, occurrence };
}

/** How a report names a line among others: never by its row, which depends on the files that brought it. */
export function lineText({ date, amount, currency }: TheirLine): string {
  return `${date} ${formatAmount(amountOfMinor(amount))} ${currency}`;
}

/** What a line is for ever, in whatever file and row it comes. */
export function fingerprintOf({ fingerprint, occurrence }: LineName): string {
  return `${fingerprint} ${occurrence}`;
}

export function latest(days: readonly string[]): string {
  return days.reduce((one, other) => (other > one ? other : one));
}
