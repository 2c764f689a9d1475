import { statSync } from 'node:fs';
import type { Environment } from '../../../domain/environment.ts';
import { RECORD_KINDS, type RecordKind } from '../../../domain/records/lifecycle.ts';
import type { Clock } from '../../../time/clock.ts';
import type {
  AlertCount,
  DueCount,
  FindingCount,
  KeyRefusedCount,
  ReceiverProcess,
  ServiceFailing,
  Storage,
  SystemState,
  SystemStateQuery,
} from '../../system-state.ts';
import { isGone, isThere } from '../../this-machine.ts';
import type { Database } from '../engine/database.ts';
import { knownDiskSpaceOf } from '../engine/disk-space.ts';
import { lockHolderOf } from '../engine/lock-holder.ts';
import { snapshot } from '../engine/reading.ts';
import { soundnessRead } from '../engine/soundness.ts';
import { arrivalReads } from './arrivals.ts';
import { jobStates } from './jobs.ts';
import { stuckCounts } from './stuck-counts.ts';
import { waitingRead } from './waiting.ts';

/** Processes looked at: each costs a look at the processes of this machine. */
const LATEST_RECEIVERS = 20;

export type ReceiverRow = Omit<ReceiverProcess, 'isGone' | 'isThere'> & { readonly machine: string };

/** SELECT of processes that receive, or did. */
export const RECEIVERS = `
  SELECT holder, machine, pid, started_at AS startedAtMs, seen_at AS seenAtMs, stopped_at AS stoppedAtMs FROM receivers`;

export function receiverFromRow({ machine, ...row }: ReceiverRow): ReceiverProcess {
  return { ...row, isGone: isGone(machine, row.pid), isThere: isThere(machine, row.pid) };
}

/** Reads how everything stands, in one snapshot. Each statement reads a partial index, a row or a table of few rows. */
export function systemStateReads(database: Database, clock: Clock) {
  const receivers = database.prepare<[], ReceiverRow>(`${RECEIVERS} ORDER BY id DESC LIMIT ${LATEST_RECEIVERS}`);
  const waiting = waitingRead(database);
  const aside = database.prepare<[], SystemState['aside']>(
    'SELECT count(*) AS deliveries, (SELECT set_aside_at FROM aside ORDER BY id LIMIT 1) AS sinceMs FROM aside',
  );
  const findings = database.prepare<[], FindingCount>(`
    SELECT environment, kind, code, count(*) AS open FROM findings INDEXED BY findings_open_code
    WHERE closed_at IS NULL GROUP BY code, environment, kind`);
  const keyRefused = refusedKeys(database);
  const serviceFailing = database.prepare<[], ServiceFailing>(`
    SELECT environment, failing_since AS sinceMs, failed_at AS failedAtMs, outcome FROM service_answers
    WHERE failing_since IS NOT NULL ORDER BY environment DESC`);
  const due = RECORD_KINDS.map((kind) => dueCount(database, kind));
  const { arrivals, refused } = arrivalReads(database);
  const jobs = jobStates(database);
  const stuck = stuckCounts(database);
  const soundness = soundnessRead(database);
  const alerts = database.prepare<[], AlertCount>(
    'SELECT cause, severity, count(*) AS open FROM alerts WHERE closed_at IS NULL GROUP BY cause, severity',
  );

  const read = snapshot(database, ({ stuckBeforeMs }: SystemStateQuery, nowMs: number) => ({
    receivers: receivers.all().map(receiverFromRow),
    arrivals: arrivals(),
    refused: refused(),
    waiting: waiting(),
    aside: aside.get() as SystemState['aside'],
    due: due.flatMap((count) => count(nowMs)),
    findings: findings.all(),
    ...stuck(stuckBeforeMs),
    keyRefused: keyRefused(),
    serviceFailing: serviceFailing.all(),
    jobs: jobs.states(nowMs),
    alerts: alerts.all(),
    soundness: soundness(),
  }));

  return async function systemState(query: SystemStateQuery): Promise<SystemState> {
    const nowMs = clock.nowMs();
    const state = read(query, nowMs);
    const lockHolder = state.waiting.deliveries === 0 ? null : lockHolderOf(database.name);
    return { nowMs, ...state, lockHolder, storage: storageOf(database.name) };
  };
}

function dueCount(database: Database, kind: RecordKind): (nowMs: number) => DueCount[] {
  const count = database.prepare<[number], { environment: Environment; records: number; oldestDueAtMs: number }>(`
    SELECT environment, count(*) AS records, min(due_at) AS oldestDueAtMs FROM ${kind}s INDEXED BY ${kind}s_due
    WHERE environment IN ('test', 'live') AND due_at <= ? GROUP BY environment`);
  return (nowMs) => count.all(nowMs).map((row) => ({ kind, ...row }));
}

/**
 * Counts the records whose latest check failed for the key, in environments where no later check was answered with it: the
 * others are checked again when they are due.
 */
function refusedKeys(database: Database): () => KeyRefusedCount[] {
  const refusing = database
    .prepare<[], Environment>(`
      SELECT refused.environment
      FROM key_answers refused
        LEFT JOIN key_answers accepted ON accepted.environment = refused.environment AND accepted.answer = 'accepted'
      WHERE refused.answer = 'refused' AND refused.counter > coalesce(accepted.counter, 0)`)
    .pluck();
  const counts = RECORD_KINDS.map((kind) => keyRefusedCount(database, kind));
  return () => {
    const environments = refusing.all();
    if (environments.length === 0) return [];
    return counts.flatMap((count) => count.all()).filter(({ environment }) => environments.includes(environment));
  };
}

/** Most checks read per kind, those of both environments: a refused key refuses every record. */
const KEY_REFUSED_LIMIT = 10_000;

function keyRefusedCount(database: Database, kind: RecordKind) {
  return database.prepare<[], KeyRefusedCount>(`
    SELECT r.environment, count(*) AS records
    FROM (SELECT record_id FROM checks INDEXED BY checks_key_refused
          WHERE kind = '${kind}' AND outcome = 'key_refused' LIMIT ${KEY_REFUSED_LIMIT}) c
      CROSS JOIN ${kind}s r ON r.id = c.record_id
    GROUP BY r.environment`);
}

function storageOf(file: string): Storage {
  const bytesOf = (path: string) => statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  return { databaseBytes: bytesOf(file), logBytes: bytesOf(`${file}-wal`), disk: knownDiskSpaceOf(file) };
}
