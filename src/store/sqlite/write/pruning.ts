import { LIFECYCLES, perKind, RECORD_KINDS, type RecordKind } from '../../../domain/records/lifecycle.ts';
import { PERSONAL_FIELDS, VALUES_PRUNED } from '../../../domain/records/personal.ts';
import type { Timed } from '../../../time/clock.ts';
import {
  type Erasing,
  NOTHING_PRUNED,
  type PruneOrder,
  type PrunePlace,
  type PruneStep,
  type Space,
} from '../../pruning.ts';
import { type Database, writing } from '../engine/database.ts';
import { snakeCase } from '../rows/snake-case.ts';
import type { AuditWrites } from './audit.ts';
import type { Dated } from './books-time.ts';
import { erasureLog } from './erasure-log.ts';
import { overwriting } from './overwriting.ts';
import {
  type ContentRow,
  contentPruner,
  MOST_BYTES,
  MOST_CONTENTS,
  MOST_LOOKED_AT,
  type PrunedContent,
} from './prune-contents.ts';
import { hasNewsToLeave, outboxPruner } from './prune-outbox.ts';
import { strayPruner } from './prune-strays.ts';

interface Candidate {
  id: number;
  changed_at: number;
}

/** The work of one transaction, read before it begins. */
interface Plan {
  readonly records: readonly PlannedRecord[];
  readonly next: PrunePlace | null;
}
interface PlannedRecord {
  readonly id: number;
  readonly contents: readonly PrunedContent[];
  /** These are all of the record's contents: its personal data goes too. */
  readonly whole: boolean;
}

/** Prunes old contents and personal data record by record, so that it can stop anywhere and continue. */
export function pruningWrites(database: Database, audit: AuditWrites) {
  const contents = contentPruner(database);
  const log = erasureLog(database, audit);
  const strays = strayPruner(database, log);
  const outbox = outboxPruner(database);
  const kinds = perKind((kind) => recordStatements(database, kind));
  const forget = database.prepare<[number]>(`
    UPDATE refusal_samples SET remote_address = NULL, user_agent = NULL
    WHERE at <= ? AND (remote_address IS NOT NULL OR user_agent IS NOT NULL)`);

  const forgetMessages = database.prepare<[number]>(
    'UPDATE requests SET refusal_message = NULL WHERE settled_at <= ? AND refusal_message IS NOT NULL',
  );

  function candidates(kind: RecordKind, { beforeMs, after }: PruneOrder): Candidate[] {
    const { changedAtMs = -1, id = 0 } = after?.among === kind ? after : {};
    return kinds[kind].candidates.all({ beforeMs, changedAtMs, id, limit: MOST_LOOKED_AT });
  }

  /** The place behind these candidates, or behind their kind. */
  function behind(kind: RecordKind, read: readonly Candidate[]): PrunePlace {
    const last = read.at(-1);
    if (last !== undefined && read.length === MOST_LOOKED_AT) return placeOf(kind, last);
    const next = RECORD_KINDS[RECORD_KINDS.indexOf(kind) + 1];
    return next === undefined ? FIRST_STRAY : { among: next, ...FIRST };
  }

  function survey(order: PruneOrder): PruneStep {
    const { among } = order.after ?? FIRST_PLACE;
    if (among === 'unknown') return strays.survey(order);
    const read = candidates(among, order);
    const found = { ...NOTHING_PRUNED };
    for (const { id } of read) {
      if (!isPrunable(among, id, order.beforeMs)) continue;
      found.records++;
      for (const { source, contents, bytes } of kinds[among].count.all({ kind: among, id })) {
        found[source] += contents;
        found.bytes += bytes;
      }
    }
    return { ...found, next: behind(among, read) };
  }

  const isPrunable = (kind: RecordKind, id: number, beforeMs: number) =>
    kinds[kind].prunable.get({ id, beforeMs }) !== undefined;

  function plan(kind: RecordKind, order: PruneOrder): Plan {
    const read = candidates(kind, order);
    const records: PlannedRecord[] = [];
    let [count, bytes] = [0, 0];
    for (const [index, candidate] of read.entries()) {
      if (!isPrunable(kind, candidate.id, order.beforeMs)) continue;
      const rows = kinds[kind].contents.all({ kind, id: candidate.id, limit: MOST_CONTENTS - count + 1 });
      const taken: ContentRow[] = [];
      for (const row of rows) {
        if (count === MOST_CONTENTS || bytes >= MOST_BYTES) break;
        taken.push(row);
        [count, bytes] = [count + 1, bytes + row.bytes];
      }
      const whole = taken.length === rows.length;
      records.push({ id: candidate.id, contents: taken.map(contents.digested), whole });
      if (whole && count < MOST_CONTENTS && bytes < MOST_BYTES) continue;
      // A record too large for one transaction is continued by the next step; otherwise that begins behind it.
      const last = whole ? candidate : read[index - 1];
      return { records, next: last === undefined ? (order.after ?? FIRST_PLACE) : placeOf(kind, last) };
    }
    return { records, next: behind(kind, read) };
  }

  /** Checks each record again under the write lock: news may have come since. */
  const carryOut = writing(database, (kind: RecordKind, { records, next }: Plan, order: PruneNow) => {
    const { beforeMs, learntMs } = order;
    const done = { ...NOTHING_PRUNED };
    for (const { id, contents: planned, whole } of records) {
      if (!isPrunable(kind, id, beforeMs)) continue;
      const emptied = contents.empty(planned, learntMs);
      done.events += emptied.events;
      done.variants += emptied.variants;
      done.bytes += emptied.bytes;
      if (!whole) continue;
      kinds[kind].stripStated?.run(kind, id);
      kinds[kind].stripFindings?.run(VALUES_PRUNED, kind, id);
      kinds[kind].strip.run(learntMs, id);
      outbox.emptyOfRecord(kind, id);
      done.records++;
    }
    if (done.records + done.events + done.variants > 0) log(order);
    return { ...done, next };
  });

  const erasing = (statement: typeof forget) =>
    writing(database, (order: Erasing & Timed): number =>
      overwriting(database, () => {
        const { changes } = statement.run(order.beforeMs);
        if (changes > 0) log(order);
        return changes;
      }),
    );

  return {
    survey,

    prune(order: PruneNow): PruneStep {
      const { among } = order.after ?? FIRST_PLACE;
      return overwriting(database, () => {
        if (among === 'unknown') return strays.prune(order);
        return carryOut(among, plan(among, order), order);
      });
    },

    forgetAddresses: erasing(forget),
    forgetRefusals: erasing(forgetMessages),

    space(): Space {
      const pages = (name: string) => Number(database.pragma(name, { simple: true }));
      const pageBytes = pages('page_size');
      return { databaseBytes: pages('page_count') * pageBytes, freeBytes: pages('freelist_count') * pageBytes };
    },
  };
}

type PruneNow = PruneOrder & Dated;

const FIRST = { changedAtMs: -1, id: 0 } as const;
const FIRST_PLACE: PrunePlace = { among: 'refund', ...FIRST };
const FIRST_STRAY: PrunePlace = { among: 'unknown', reference: '', id: 0 };

function placeOf(among: RecordKind, { id, changed_at: changedAtMs }: Candidate): PrunePlace {
  return { among, changedAtMs, id };
}

const listOf = (words: readonly string[]) => words.map((word) => `'${word}'`).join(', ');

/** The contents of record `@kind`, `@id` that still have their bodies. */
const CONTENTS = `
  SELECT 'events' AS source, events.id, length(body) AS bytes
  FROM observations JOIN events ON events.id = event_id
  WHERE observations.kind = @kind AND record_id = @id AND identity = 'event ' || events.id AND pruned_at IS NULL
  UNION ALL
  SELECT 'variants', variants.id, length(body)
  FROM observations JOIN variants ON variants.event_id = observations.event_id
  WHERE observations.kind = @kind AND record_id = @id AND identity = 'variant ' || variants.id AND pruned_at IS NULL`;

function recordStatements(database: Database, kind: RecordKind) {
  const settled = listOf(LIFECYCLES[kind].settled);
  const { facts, details } = PERSONAL_FIELDS[kind];
  const columns = [...facts, ...details].map((name) => `${snakeCase(name)} = NULL, `).join('');
  const paths = [...facts.map((name) => `$.facts.${name}`), ...details.map((name) => `$.details.${name}`)];
  return {
    candidates: database.prepare<unknown[], Candidate>(`
      SELECT id, changed_at FROM ${kind}s
      WHERE due_at IS NULL AND pruned_at IS NULL AND changed_at <= @beforeMs AND (changed_at, id) > (@changedAtMs, @id)
      ORDER BY changed_at, id LIMIT @limit`),
    // Settled by the confirmed status; by the reported one where there is no endpoint to check with.
    prunable: database.prepare<unknown[], { id: number }>(`
      SELECT records.id FROM ${kind}s AS records
      LEFT JOIN checks ON checks.kind = '${kind}' AND record_id = records.id
      WHERE records.id = @id AND due_at IS NULL AND pruned_at IS NULL AND changed_at <= @beforeMs
        AND (confirmed IN (${settled})
             OR confirmed IS NULL AND reported IN (${settled}) AND outcome = 'unconfirmable')
        AND NOT EXISTS (SELECT 1 FROM findings
                        WHERE findings.kind = '${kind}' AND findings.record_id = records.id AND closed_at IS NULL)
        AND NOT EXISTS (SELECT 1 FROM tracked
                        WHERE tracked.kind = '${kind}' AND tracked.record_id = records.id AND review_at IS NOT NULL)
        AND NOT ${hasNewsToLeave(kind)}`),
    contents: database.prepare<unknown[], ContentRow>(`${CONTENTS} LIMIT @limit`),
    count: database.prepare<unknown[], { source: ContentRow['source']; contents: number; bytes: number }>(
      `SELECT source, count(*) AS contents, sum(bytes) AS bytes FROM (${CONTENTS}) GROUP BY source`,
    ),
    stripStated:
      paths.length === 0
        ? null
        : database.prepare<[RecordKind, number]>(
            `UPDATE observations SET claim = json_remove(claim, ${listOf(paths)}) WHERE kind = ? AND record_id = ?`,
          ),
    // All of them closed: a record with an open finding stays. `fact_conflict` quotes the values of its fact.
    stripFindings:
      facts.length === 0
        ? null
        : database.prepare<[string, RecordKind, number]>(
            `UPDATE findings SET detail = ?
             WHERE kind = ? AND record_id = ? AND code = 'fact_conflict' AND subject IN (${listOf(facts)})`,
          ),
    strip: database.prepare<[number, number]>(`UPDATE ${kind}s SET ${columns}pruned_at = ? WHERE id = ?`),
  };
}
