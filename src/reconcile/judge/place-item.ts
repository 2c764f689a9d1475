import { lineCandidate } from '../../domain/matching/candidate.ts';
import type { OurRow, TheirLine } from '../../domain/matching/rows.ts';
import type { Verdict } from '../../domain/matching/terms.ts';
import type { Item, LineName, Place } from '../../domain/reconciling/break.ts';
import { latest } from '../../domain/reconciling/business-day.ts';
import type { Sides } from '../load/sides.ts';

/** An item of a row of ours, from what was judged of it. Its date is the latest of its days that has come. */
export function itemOf(
  verdict: Verdict,
  row: OurRow,
  lines: readonly TheirLine[],
  { leg }: Sides,
  account: string,
  until: string,
): Item {
  const { code, side, line, dueDay } = verdict;
  const isOfLine = code === 'duplicate_external' || (code === 'late_arrival' && side === 'theirs');
  const named = (line === null ? lines : [line]).map(({ date }) => date);
  const day = row.isDayLearnt ? (named[0] ?? row.day) : row.day;
  const { environment, reference, recordId, currency } = row;
  return {
    ...{ environment, reference, recordId, currency, kind: isOfLine ? null : row.kind },
    minor: row.amount === null ? null : row.amount * row.direction,
    firstSeen: dueDay ?? latest([day, ...named]),
    date: latest(pastOf([day, ...named], until)),
    ...saidIn(verdict, { leg: leg.name, account, isOfLine: isOfLine || code === 'duplicate_internal' }),
  };
}

/** What a verdict says of an item. `isOfLine`: the line that it names is what it is about. */
export function saidIn(
  { code, sub, side, field, ours, theirs, detail, effect, line, candidates }: Verdict,
  { isOfLine, ...at }: Pick<Place, 'leg' | 'account'> & { readonly isOfLine: boolean },
): Pick<Item, 'facts' | 'place'> {
  return {
    facts: { code, sub, side, field, ours, theirs, detail },
    place: {
      ...{ ...at, effect, candidates: candidates.map(lineCandidate) },
      line: line === null ? null : lineName(line),
      names: isOfLine && line !== null ? fingerprintOf(line) : null,
    },
  };
}

/** An item of what came late for a closed period is of the day on which it posts; `day` null: it did not. */
export function posted(item: Item, day: string | null): Item {
  if (day === null) return item;
  const { firstSeen, date = firstSeen } = item;
  return { ...item, firstSeen: firstSeen < day ? day : firstSeen, date: date < day ? day : date };
}

export function lineName({ statement, row, fingerprint, occurrence }: LineName): LineName {
  return { statement, row, fingerprint, occurrence };
}

/** The identity of a line: the same in every file and row that brings it. */
export function fingerprintOf({ fingerprint, occurrence }: LineName): string {
  return `${fingerprint} ${occurrence}`;
}

/** Days up to another one; where all are later, all of them. */
function pastOf(days: readonly string[], until: string): readonly string[] {
  const past = days.filter((day) => day <= until);
  return past.length > 0 ? past : days;
}
