import { dayPlus } from '../../domain/reconciling/business-day.ts';
import { isRecordKind } from '../../domain/records/lifecycle.ts';
import type { Archive } from '../../store/archive.ts';
import { knownOf } from '../../store/reconciliation.ts';
import type { Scratch } from '../../store/scratch/scratch.ts';
import type { StatementSummary } from '../../store/statements.ts';
import { startOfDayMs } from '../../time/timestamp.ts';
import { readProfile } from '../profile/load.ts';
import type { Span } from './order.ts';
import type { Sides } from './sides.ts';

export type FirstDayArchive = Pick<Archive, 'knownRecords' | 'profileOf'>;

/** What is loaded, and where the first day of each side begins. */
interface FirstDayOrder {
  readonly scratch: Scratch;
  readonly span: Span;
  readonly sides: readonly Sides[];
  readonly statements: readonly StatementSummary[];
}

/**
 * Moves records to the day before the first one of their side, where they are of it in the days of the run, and began before the first
 * instant of its files, which are cut at another midnight: the opening balance of the files has them (docs/matching.md, Before the first
 * statement). One that a line names stays. Only for books that begin with the balance of their files: our own is of our days.
 */
export async function placeBeforeFiles(archive: FirstDayArchive, order: FirstDayOrder): Promise<void> {
  const { scratch, span, sides } = order;
  for (const side of sides) {
    const [day] = side.days;
    if (day === undefined) continue;
    const firstMs = await firstInstant(archive, order, side, day);
    if (firstMs === null || firstMs <= span.days.startOf(day)) continue;
    for (const kind of side.kinds.filter(isRecordKind)) {
      const ids = scratch.unnamedOn({ ...side, kind, day });
      for await (const record of knownOf(archive, { kind, ids, asAtMs: span.order.asAtMs })) {
        const dayOf = (ms: number) => (ms < firstMs ? dayPlus(day, -1) : span.days.dayOf(ms));
        const days = { startDay: dayOf(record.startedAtMs), day: dayOf(record.effectiveAtMs) };
        if (record.startedAtMs < firstMs || record.effectiveAtMs < firstMs) scratch.place(kind, record.id, days);
      }
    }
  }
}

/** The first instant that the files show which begin with a day; null: none of them begins with it. */
async function firstInstant(
  archive: FirstDayArchive,
  { statements }: FirstDayOrder,
  { environment, accounts }: Sides,
  day: string,
): Promise<number | null> {
  let first: number | null = null;
  const zones = new Map<string, number>();
  for (const { account, covers, statement, profile } of statements) {
    if (covers?.from !== day || account.environment !== environment || !accounts.includes(account.name)) continue;
    let startMs = zones.get(profile.digest);
    if (startMs === undefined) {
      const source = await archive.profileOf(statement);
      if (source === null) continue;
      startMs = startOfDayMs(day, readProfile(source.text, source.name).zone) ?? 0;
      zones.set(profile.digest, startMs);
    }
    if (first === null || startMs < first) first = startMs;
  }
  return first;
}
