import type { RefusedRun } from '../../../domain/refusals/refused-run.ts';
import { STORE_FAULTS } from '../../error.ts';
import type { Arrivals } from '../../system-state.ts';
import type { Database } from '../engine/database.ts';

/** SELECT of the runs of refused requests. */
export const REFUSED_RUNS = `
  SELECT environment, likeness, count, first_at AS firstAtMs, last_at AS lastAtMs, reason, path
  FROM refused_runs`;

/**
 * When the latest delivery of an environment was kept. Only kinds that the service sends: a probe of `doctor` is kept
 * too, under our own key, and proves nothing about the service's.
 */
export const KEPT_AT = "SELECT max(last_at) FROM arrivals WHERE environment = ? AND kind <> 'unknown'";

type RefusedCount = { readonly count: number; readonly lastAtMs: number | null };
const NONE: RefusedCount = { count: 0, lastAtMs: null };
const REFUSED = 'SELECT coalesce(sum(count), 0) AS count, max(last_at) AS lastAtMs FROM refusals';
const NOT_KEPT = STORE_FAULTS.map((fault) => `'${fault}'`).join(', ');

/** What came and what was refused, in rows that are few however much came. The caller holds the snapshot. */
export function arrivalReads(database: Database) {
  const arrivals = database.prepare<[], Arrivals>(`
    SELECT environment, kind, deliveries, last_at AS lastAtMs, gap_sum AS gapSum, gap_squares AS gapSquares
    FROM arrivals ORDER BY environment DESC, kind DESC`);
  const runs = database.prepare<[], RefusedRun>(`${REFUSED_RUNS} ORDER BY environment DESC, likeness`);
  const refused = database.prepare<[], RefusedCount>(REFUSED);
  const notKept = database.prepare<[], RefusedCount>(`${REFUSED} WHERE reason IN (${NOT_KEPT})`);
  return {
    arrivals: (): Arrivals[] => arrivals.all(),
    refused: () => ({ ...(refused.get() ?? NONE), notKept: notKept.get() ?? NONE, runs: runs.all() }),
  };
}
