import { RECORD_KINDS, type RecordKind } from '../../../domain/records/lifecycle.ts';
import { UNCONFIRMED_OUTCOMES } from '../../stuck.ts';
import type { StuckCount, SystemState } from '../../system-state.ts';
import type { Database } from '../engine/database.ts';

/** Most checks read per kind: when the service is down for a day, every record may be unsettled. */
const COUNT_LIMIT = 10_000;

const UNCONFIRMED = `(${UNCONFIRMED_OUTCOMES.map((outcome) => `'${outcome}'`).join(', ')})`;

type CountRow = Omit<StuckCount, 'kind'> & { readonly unsettled: number };

/**
 * Counts the records that `stuck` lists, except those never checked, which are due. Ids follow the order in which records
 * were first seen, so the oldest are read first.
 */
export function stuckCounts(database: Database) {
  const statements = RECORD_KINDS.map((kind) => ({ kind, count: countOf(database, kind) }));
  return (beforeMs: number): Pick<SystemState, 'stuck' | 'stuckAtLeast'> => {
    const counts = statements.map(({ kind, count }) => ({ kind, rows: count.all({ beforeMs }) }));
    return {
      stuck: counts.flatMap(({ kind, rows }) =>
        rows.flatMap(({ environment, records }) => (records === 0 ? [] : [{ environment, kind, records }])),
      ),
      stuckAtLeast: counts.some(({ rows }) => isCutOff(rows)),
    };
  };
}

/** True when all that were read are stuck, and more were not read. */
function isCutOff(rows: readonly CountRow[]): boolean {
  const sum = (name: 'records' | 'unsettled') => rows.reduce((total, row) => total + row[name], 0);
  return sum('unsettled') === COUNT_LIMIT && sum('records') === COUNT_LIMIT;
}

function countOf(database: Database, kind: RecordKind) {
  return database.prepare<{ beforeMs: number }, CountRow>(`
    SELECT r.environment, count(*) AS unsettled,
           sum(CASE WHEN c.stuck_at IS NULL THEN r.first_seen_at < @beforeMs ELSE r.due_at IS NULL END) AS records
    FROM (SELECT record_id, stuck_at FROM checks INDEXED BY checks_unsettled
          WHERE kind = '${kind}' AND settled_at IS NULL AND (outcome IS NULL OR outcome NOT IN ${UNCONFIRMED})
          ORDER BY record_id LIMIT ${COUNT_LIMIT}) c
      CROSS JOIN ${kind}s r ON r.id = c.record_id
    GROUP BY r.environment`);
}
