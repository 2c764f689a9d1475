import type { OurRow, TheirLine } from '../../domain/matching/rows.ts';
import type { Judgement } from '../../domain/matching/terms.ts';
import type { KnownRecord } from '../../store/reconciliation.ts';
import { copyFacts, standingAmong } from '../duplicates.ts';
import type { MatchRun } from './run.ts';
import type { Sides } from './sides.ts';

/*
 * Payouts of one session id, amount and destination: in each leg the one that has a line stands for those that have none.
 */

/** A line of whatever day tells which of them is the payout that moved money. */
const ANY_DAY = '9999-12-31';

/** A payout without a line, for which another one stands: that it is there at all is the break. */
export function asCopy(
  run: MatchRun,
  { number }: Sides,
  row: OurRow,
  lines: readonly TheirLine[],
  judged: Judgement,
): Judgement {
  const twins = row.kind === 'payout' && row.recordId !== null ? run.twins.get(row.recordId) : undefined;
  if (twins === undefined || row.recordId === null || lines.length > 0 || judged.verdicts.length === 0) return judged;
  const stands = standingAmong(twins, (payout) => hasLine(run, payout, [number]));
  if (stands === undefined || stands.id === row.recordId) return judged;
  run.found.copiesPlaced.add(row.recordId);
  const facts = { ...copyFacts(row.reference, stands), code: 'duplicate_internal' as const, dueDay: null };
  return { ...judged, verdicts: judged.verdicts.map((verdict) => ({ ...verdict, ...facts })) };
}

/** Returns those of such payouts that have a line in some leg, by record. */
export function twinsWithLine(run: MatchRun): Set<number> {
  const legs = [...new Set(run.sides.map(({ number }) => number))];
  const payouts = new Set([...run.twins.values()].flat());
  return new Set([...payouts].filter((payout) => hasLine(run, payout, legs)).map(({ id }) => id));
}

function hasLine({ scratch }: MatchRun, { environment, reference }: KnownRecord, legs: readonly number[]): boolean {
  const row = scratch.rows.named('payout', environment, reference);
  return row !== null && scratch.claims.hasLine(row, { legs, until: ANY_DAY });
}
