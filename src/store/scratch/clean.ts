import type { Database } from 'better-sqlite3';
import type { Environment } from '../../domain/environment.ts';
import { PRINCIPAL_TYPE } from '../../domain/matching/sums.ts';
import type { OurKind } from '../../domain/rules.ts';
import { addedUp, exactSum } from '../exact-sum.ts';
import type { OpenedDays } from './days.ts';

/** Groups that agree, added up: nothing else needs to be known of them. */
export interface CleanSum {
  readonly leg: number;
  readonly environment: Environment;
  readonly account: string;
  readonly currency: string;
  readonly kind: OurKind;
  /** Before the period, or in it. */
  readonly isBefore: boolean;
  /** Since the day of our own opening balance. */
  readonly isSinceBegin: boolean;
  readonly groups: number;
  /** Signed, before charges; the charges are positive. */
  readonly main: bigint;
  readonly fee: bigint;
  readonly tax: bigint;
  readonly duty: bigint;
  /** Of fee and duty, what lies in the amount of a line, because the file does not tell it apart. */
  readonly within: bigint;
  /** Of `within`, the duty. */
  readonly dutyWithin: bigint;
}

const DIRECTION = "(CASE o.kind WHEN 'collection' THEN 1 ELSE -1 END)";
const IS_SAID = '(t.fee IS NOT NULL OR t.tax IS NOT NULL OR t.duty IS NOT NULL OR abs(t.amount) <> t.principal)';
const CHARGES = '(coalesce(t.fee, 0) + coalesce(t.tax, 0) + coalesce(t.duty, 0))';
const PRINCIPAL_TYPES = (['collection', 'refund', 'payout'] as const)
  .map((kind) => `(o.kind = '${kind}' AND t.type = '${PRINCIPAL_TYPE[kind]}')`)
  .join(' OR ');

/** The line says its charges, and all of it is as we say. */
const SAYS_THE_SAME = `(t.fee IS NOT NULL OR t.tax IS NOT NULL)
  AND coalesce(t.fee, 0) + coalesce(t.tax, 0) = o.fees AND coalesce(t.duty, 0) = coalesce(o.duty, 0)
  AND ${DIRECTION} * (t.amount + ${CHARGES}) = o.amount`;
/** The line says its amount alone, and that is what we expect of amount and charges. */
const NET_IS_THE_SAME = `NOT ${IS_SAID} AND t.amount = ${DIRECTION} * o.amount - coalesce(o.fees, 0) - coalesce(o.duty, 0)`;

/** A ledger books a sale as it was asked for, or as it was charged. */
const LEDGER_SAYS_IT = `NOT ${IS_SAID} AND ${DIRECTION} * t.amount IN (o.amount, o.requested)`;
const IS_LEDGER = 'EXISTS (SELECT 1 FROM sides s WHERE s.leg = c.leg AND s.is_ledger = 1)';

/**
 * Finds the groups of one row and one line that agree in everything and lie wholly before the period or wholly in it: of a
 * million nearly all are, and `judgeGroup` would say nothing of them. A test holds both against each other.
 */
export function cleanGroups(database: Database, { from, until, begin, first }: OpenedDays): CleanSum[] {
  database
    .prepare(`
      INSERT INTO clean (leg, ours)
      SELECT c.leg, c.ours FROM claims c JOIN ours o ON o.id = c.ours JOIN theirs t ON t.id = c.line
      GROUP BY c.leg, c.ours
      HAVING count(*) = 1 AND min(c.pass <> 'person' AND o.currency = t.currency AND (${PRINCIPAL_TYPES})
        AND o.status IN ('success', 'completed') AND CASE WHEN ${IS_LEDGER} THEN ${LEDGER_SAYS_IT} ELSE (${SAYS_THE_SAME}) OR (${NET_IS_THE_SAME}) END
        AND ((t.date >= @first AND max(t.date, o.day) < @from AND (o.kind <> 'refund' OR o.start_day >= @first))
          OR (min(t.date, CASE WHEN o.is_day_learnt THEN t.date ELSE o.day END,
                  CASE o.kind WHEN 'refund' THEN o.start_day ELSE t.date END) >= @from
              AND max(t.date, CASE WHEN o.is_day_learnt THEN t.date ELSE o.day END) <= @until)))`)
    .run({ from, until, first });
  return database
    .prepare<{ from: string; begin: string }, Record<string, unknown>>(`
      SELECT c.leg, o.environment, t.account, t.currency, o.kind, t.date < @from AS is_before,
             (CASE WHEN o.is_day_learnt THEN t.date ELSE o.day END) >= @begin AS is_since, count(*) AS groups,
             ${exactSum(`CASE WHEN ${IS_LEDGER} THEN t.amount ELSE ${DIRECTION} * o.amount END`, 'main')},
             ${exactSum(`CASE WHEN ${IS_SAID} OR ${IS_LEDGER} THEN coalesce(t.fee, 0) ELSE coalesce(o.fees, 0) END`, 'fee')},
             ${exactSum('coalesce(t.tax, 0)', 'tax')},
             ${exactSum(`CASE WHEN ${IS_LEDGER} THEN 0 ELSE coalesce(o.duty, 0) END`, 'duty')},
             ${exactSum(`CASE WHEN ${IS_SAID} OR ${IS_LEDGER} THEN 0 ELSE coalesce(o.fees, 0) + coalesce(o.duty, 0) END`, 'within')},
             ${exactSum(`CASE WHEN ${IS_SAID} OR ${IS_LEDGER} THEN 0 ELSE coalesce(o.duty, 0) END`, 'duty_within')}
      FROM clean n JOIN claims c ON c.leg = n.leg AND c.ours = n.ours JOIN ours o ON o.id = n.ours JOIN theirs t ON t.id = c.line
      GROUP BY 1, 2, 3, 4, 5, 6, 7 ORDER BY 1, 2, 3, 4, 5, 6, 7`)
    .safeIntegers()
    .all({ from, begin })
    .map((row) => ({
      leg: Number(row.leg),
      environment: row.environment as Environment,
      account: row.account as string,
      currency: row.currency as string,
      kind: row.kind as OurKind,
      isBefore: row.is_before === 1n,
      isSinceBegin: row.is_since === 1n,
      groups: Number(row.groups),
      main: addedUp(row, 'main'),
      fee: addedUp(row, 'fee'),
      tax: addedUp(row, 'tax'),
      duty: addedUp(row, 'duty'),
      within: addedUp(row, 'within'),
      dutyWithin: addedUp(row, 'duty_within'),
    }));
}
