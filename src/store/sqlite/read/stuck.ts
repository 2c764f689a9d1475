import type { Environment } from '../../../domain/environment.ts';
import { perKind, RECORD_KINDS, type RecordKind } from '../../../domain/records/lifecycle.ts';
import { type Clock, DAY_MS } from '../../../time/clock.ts';
import type { Count } from '../../records.ts';
import { type StuckFilter, type StuckRecord, UNCONFIRMED_OUTCOMES, type Unconfirmed } from '../../stuck.ts';
import type { Database } from '../engine/database.ts';
import { snapshot } from '../engine/reading.ts';
import type { CheckReads } from './checks.ts';
import type { RecordReads } from './records.ts';
import { firstIdAt } from './scan.ts';

/** Most checks counted per kind: without a working endpoint every record may be unconfirmed, and counting takes long. */
const COUNT_LIMIT = 100_000;
/** A record without a check became due when it was first seen, or at most this much later (the debounce). */
const DEBOUNCE_MS = 10 * 60_000;
/** The clock may have been set back: records up to this much later are read too. */
const CLOCK_SLACK_MS = DAY_MS;

const UNCONFIRMED = `(${UNCONFIRMED_OUTCOMES.map((outcome) => `'${outcome}'`).join(', ')})`;

interface Parameters {
  environment: Environment | null;
  beforeMs: number;
  afterId: number;
}

interface Part {
  readonly afterId: number;
  readonly limit: number;
}

interface Parts {
  readonly records: Readonly<Record<RecordKind, RecordReads>>;
  readonly checks: CheckReads;
  readonly clock: Clock;
}

/**
 * Reads records that do not settle. They are found by the indexes on their checks, so that of a million records only the
 * unsettled ones are read.
 */
export function stuckReads(database: Database, { records, checks, clock }: Parts) {
  const statements = perKind((kind) => statementsOf(database, kind));

  function idsOf(kind: RecordKind, filter: StuckFilter, { afterId, limit }: Part): ReadonlySet<number> {
    const { firstSeenBeforeMs: beforeMs, environment = null } = filter;
    const { unsettled, usedUp, neverChecked, lastId, firstSeenAt } = statements[kind];
    const wanted = { environment, beforeMs, afterId, limit };
    const all = { first: 1, last: lastId.get() ?? 0 };
    const beyondId = firstIdAt(all, beforeMs + CLOCK_SLACK_MS, (id) => firstSeenAt.get(id) ?? null);
    return new Set([
      ...unsettled.all({ ...wanted, beyondId }),
      ...usedUp.all({ environment, afterId, limit }),
      ...neverChecked.all({ ...wanted, dueBeforeMs: Math.min(clock.nowMs(), beforeMs + DEBOUNCE_MS) }),
    ]);
  }

  function ofKind(kind: RecordKind, filter: StuckFilter, part: Part): StuckRecord[] {
    const oldest = [...idsOf(kind, filter, part)].sort((one, other) => one - other).slice(0, part.limit);
    return oldest.flatMap((id) => {
      const record = records[kind].ofId(id);
      return record === null ? [] : [{ ...record, check: checks.checkOf(kind, id) }];
    });
  }

  return {
    stuck: snapshot(
      database,
      (filter: StuckFilter, { afterId = 0, limit }: Partial<Part> & Pick<Part, 'limit'>): StuckRecord[] =>
        kindsOf(filter)
          .flatMap((kind) => ofKind(kind, filter, { afterId, limit }))
          .sort((one, other) => one.firstSeenAtMs - other.firstSeenAtMs)
          .slice(0, limit),
    ),

    countStuck: snapshot(database, (filter: StuckFilter): Count => {
      const part = { afterId: 0, limit: COUNT_LIMIT };
      const counts = kindsOf(filter).map((kind) => idsOf(kind, filter, part).size);
      return counts.some((count) => count >= COUNT_LIMIT) ? null : counts.reduce((sum, count) => sum + count, 0);
    }),

    unconfirmed: snapshot(database, (filter: StuckFilter): Unconfirmed[] =>
      kindsOf(filter).flatMap((kind) => {
        const { environment = null, firstSeenBeforeMs: beforeMs } = filter;
        const counted = statements[kind].unconfirmed.all({ environment, beforeMs });
        const all = counted.reduce((sum, { scanned }) => sum + scanned, 0);
        return counted.flatMap(({ scanned, records: count, ...group }) =>
          count === 0 ? [] : [{ kind, ...group, records: count, atLeast: all === COUNT_LIMIT }],
        );
      }),
    ),
  };
}

function kindsOf({ kind }: StuckFilter): readonly RecordKind[] {
  return kind === undefined ? RECORD_KINDS : [kind];
}

type CountRow = Pick<Unconfirmed, 'environment' | 'because' | 'records'> & { scanned: number };

function statementsOf(database: Database, kind: RecordKind) {
  // The index is named, because the planner would read all records in the order of the result.
  const checkedBy = (index: string) => `checks c INDEXED BY ${index} CROSS JOIN ${kind}s r ON r.id = c.record_id`;
  const wanted = '(@environment IS NULL OR r.environment = @environment)';
  return {
    unsettled: database
      .prepare<Parameters & { beyondId: number; limit: number }, number>(`
        SELECT c.record_id FROM ${checkedBy('checks_unsettled')}
        WHERE c.kind = '${kind}' AND c.record_id > @afterId AND c.record_id < @beyondId
          AND c.settled_at IS NULL AND (c.outcome IS NULL OR c.outcome NOT IN ${UNCONFIRMED})
          AND r.first_seen_at < @beforeMs AND ${wanted}
        ORDER BY c.record_id LIMIT @limit`)
      .pluck(),
    // A due time means news since then: the record is checked again.
    usedUp: database
      .prepare<Omit<Parameters, 'beforeMs'> & { limit: number }, number>(`
        SELECT c.record_id FROM ${checkedBy('checks_stuck')}
        WHERE c.kind = '${kind}' AND c.record_id > @afterId AND c.stuck_at IS NOT NULL AND r.due_at IS NULL
          AND ${wanted}
        ORDER BY c.record_id LIMIT @limit`)
      .pluck(),
    neverChecked: database
      .prepare<Parameters & { dueBeforeMs: number; limit: number }, number>(`
        SELECT r.id FROM ${kind}s r INDEXED BY ${kind}s_due
        WHERE r.environment IN ('test', 'live') AND r.due_at < @dueBeforeMs AND r.id > @afterId
          AND r.first_seen_at < @beforeMs AND ${wanted}
          AND NOT EXISTS (SELECT 1 FROM checks c WHERE c.kind = '${kind}' AND c.record_id = r.id)
        ORDER BY r.id LIMIT @limit`)
      .pluck(),
    unconfirmed: database.prepare<Omit<Parameters, 'afterId'>, CountRow>(`
      SELECT r.environment, c.outcome AS because, count(*) AS scanned,
             sum(r.first_seen_at < @beforeMs AND ${wanted}) AS records
      FROM (SELECT record_id, outcome FROM checks INDEXED BY checks_unconfirmed
            WHERE kind = '${kind}' AND settled_at IS NULL AND outcome IN ${UNCONFIRMED}
            LIMIT ${COUNT_LIMIT}) c
        CROSS JOIN ${kind}s r ON r.id = c.record_id
      -- A record that was checked before its endpoint gave the first usable answer only waits for its next check.
      WHERE NOT (c.outcome = 'unproven' AND EXISTS (
        SELECT 1 FROM proven_endpoints p WHERE p.environment = r.environment AND p.endpoint = '${kind}'))
      GROUP BY r.environment, c.outcome`),
    lastId: database.prepare<[], number>(`SELECT coalesce(max(id), 0) FROM ${kind}s`).pluck(),
    firstSeenAt: database
      .prepare<[number], number>(`SELECT first_seen_at FROM ${kind}s WHERE id >= ? ORDER BY id LIMIT 1`)
      .pluck(),
  };
}
