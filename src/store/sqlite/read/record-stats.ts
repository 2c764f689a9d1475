import type { Environment } from '../../../domain/environment.ts';
import { amountOfMinor } from '../../../domain/money/amount.ts';
import { perKind, RECORD_KINDS, type RecordKind } from '../../../domain/records/lifecycle.ts';
import type { AmountTotal, EnvironmentStats } from '../../archive.ts';
import { addedUp, type ExactSum, exactSum } from '../../exact-sum.ts';
import type { Database } from '../engine/database.ts';
import { countedAmount } from '../rows/counted-amount.ts';

/** Integers are bigint: a sum of amounts may need more than 64 bits, so it is taken in two parts. */
interface GroupRow extends ExactSum<'total'> {
  environment: Environment;
  reported: string | null;
  confirmed: string | null;
  currency: string | null;
  records: bigint;
  amounts: bigint;
}

/** Counts the records of each environment by status, and adds up their counted amounts. */
export function recordStats(database: Database) {
  const groups = perKind((kind) => database.prepare<[], GroupRow>(groupsOf(kind)).safeIntegers());

  return (): ((environment: Environment) => Pick<EnvironmentStats, 'records' | 'amounts'>) => {
    const all = perKind((kind) => groups[kind].all());
    return (environment) => {
      const rows = perKind((kind) => all[kind].filter((row) => row.environment === environment));
      return {
        records: perKind((kind) => ({
          reported: countBy('reported', rows[kind]),
          confirmed: countBy('confirmed', rows[kind]),
        })),
        amounts: RECORD_KINDS.flatMap((kind) => totalsOf(kind, rows[kind])),
      };
    };
  };
}

function groupsOf(kind: RecordKind): string {
  const { minor, currency } = countedAmount(kind);
  return `
    SELECT environment, reported, confirmed, currency, count(*) AS records, count(minor) AS amounts,
           ${exactSum('minor', 'total')}
    FROM (SELECT environment, reported, confirmed, ${minor} AS minor, ${currency} AS currency FROM ${kind}s)
    GROUP BY environment, reported, confirmed, currency ORDER BY reported, confirmed, currency`;
}

function countBy(field: 'reported' | 'confirmed', rows: readonly GroupRow[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const row of rows) counts[row[field] ?? 'none'] = (counts[row[field] ?? 'none'] ?? 0) + Number(row.records);
  return counts;
}

function totalsOf(kind: RecordKind, rows: readonly GroupRow[]): AmountTotal[] {
  const totals = new Map<string, AmountTotal & { readonly minor: bigint }>();
  for (const row of rows) {
    const { reported, confirmed, currency, records, amounts } = row;
    const status = confirmed ?? reported;
    const by = confirmed !== null ? 'confirmed' : reported !== null ? 'reported' : null;
    const name = JSON.stringify([status, by, currency]);
    const before = totals.get(name);
    const minor = (before?.minor ?? 0n) + addedUp(row, 'total');
    totals.set(name, {
      kind,
      status,
      by,
      currency,
      records: (before?.records ?? 0) + Number(records),
      withoutAmount: (before?.withoutAmount ?? 0) + Number(records - amounts),
      total: amountOfMinor(minor),
      minor,
    });
  }
  return [...totals.entries()]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([, { minor: _, ...total }]) => total);
}
