import { statSync } from 'node:fs';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { ENVIRONMENTS, type Environment } from '../../../domain/environment.ts';
import { EVENT_KINDS, EVENT_STATES, type EventKind, type EventState } from '../../../domain/event.ts';
import type { Stats } from '../../archive.ts';
import type { Database } from '../engine/database.ts';
import { guarded } from '../engine/reading.ts';
import { recordStats } from './record-stats.ts';

/** Events counted by one statement, so that counting millions holds no old state of the database. */
const WINDOW = 50_000;

interface CountRow {
  environment: Environment;
  kind: EventKind;
  state: EventState;
  events: number;
  deliveries: number;
  pruned: number;
  first_at: number;
  last_at: number;
}

/** Counts everything kept, in windows. */
export function archiveStats(database: Database, schemaVersion: number) {
  const lastId = database.prepare<[], number>('SELECT coalesce(max(id), 0) FROM events').pluck();
  const countWithin = database.prepare<[number, number], CountRow>(`
    SELECT environment, kind, state, count(*) AS events, sum(deliveries) AS deliveries,
           sum(pruned_at IS NOT NULL) AS pruned, min(received_at) AS first_at,
           max(last_received_at) AS last_at
    FROM events WHERE id BETWEEN ? AND ? GROUP BY environment, kind, state`);
  const variants = database.prepare<[], number>('SELECT count(*) FROM variants').pluck();
  const unapplied = database
    .prepare<[], number>(`
      SELECT (SELECT count(*) FROM events WHERE id > (SELECT last_id FROM apply_progress WHERE source = 'events'))
           + (SELECT count(*) FROM variants WHERE id > (SELECT last_id FROM apply_progress WHERE source = 'variants'))`)
    .pluck();
  const recordsIn = recordStats(database);
  const findings = database.prepare<[], { environment: Environment; name: string; count: number }>(`
    SELECT environment, code AS name, count(*) AS count FROM findings WHERE closed_at IS NULL
    GROUP BY environment, code ORDER BY code`);
  const refusals = database.prepare<[], Stats['refusals'][number]>(`
    SELECT path, reason, count, first_at AS firstAtMs, last_at AS lastAtMs FROM refusals ORDER BY path, reason`);
  const last = guarded(database, () => lastId.get() ?? 0);
  const count = guarded(database, (first: number) => countWithin.all(first, first + WINDOW - 1));
  const others = guarded(database, () => ({
    variants: variants.get() ?? 0,
    unapplied: unapplied.get() ?? 0,
    records: perEnvironment(recordsIn()),
    findings: findings.all(),
    refusals: refusals.all(),
  }));

  return async function stats(): Promise<Stats> {
    const [all, inboxes] = [emptyInbox(), perEnvironment(emptyInbox)];
    for (let first = 1; first <= last(); first += WINDOW) {
      for (const row of count(first)) for (const inbox of [all, inboxes[row.environment]]) addTo(inbox, row);
      await nextTurn();
    }
    const { records, findings: open, ...rest } = others();
    return {
      ...all,
      ...rest,
      openFindings: counts(open),
      environments: perEnvironment((environment) => ({
        ...eventCounts(inboxes[environment]),
        ...records[environment],
        openFindings: counts(open.filter((one) => one.environment === environment)),
      })),
      databaseBytes: bytesOf(database.name),
      logBytes: bytesOf(`${database.name}-wal`),
      schemaVersion,
    };
  };
}

function perEnvironment<Value>(value: (environment: Environment) => Value): Record<Environment, Value> {
  return Object.fromEntries(ENVIRONMENTS.map((one) => [one, value(one)])) as Record<Environment, Value>;
}

function emptyInbox() {
  return {
    events: 0,
    deliveries: 0,
    pruned: 0,
    byState: zeros(EVENT_STATES),
    byKind: zeros(EVENT_KINDS),
    firstReceivedAtMs: null as number | null,
    lastReceivedAtMs: null as number | null,
  };
}

function eventCounts({ events, deliveries, byState, byKind }: ReturnType<typeof emptyInbox>) {
  return { events, deliveries, byState, byKind };
}

function addTo(inbox: ReturnType<typeof emptyInbox>, row: CountRow): void {
  inbox.events += row.events;
  inbox.deliveries += row.deliveries;
  inbox.pruned += row.pruned;
  inbox.byState[row.state] += row.events;
  inbox.byKind[row.kind] += row.events;
  inbox.firstReceivedAtMs = Math.min(inbox.firstReceivedAtMs ?? row.first_at, row.first_at);
  inbox.lastReceivedAtMs = Math.max(inbox.lastReceivedAtMs ?? row.last_at, row.last_at);
}

function zeros<Name extends string>(names: readonly Name[]): Record<Name, number> {
  return Object.fromEntries(names.map((name) => [name, 0])) as Record<Name, number>;
}

/** Adds up the rows of one name. */
function counts(rows: readonly { name: string; count: number }[]): Record<string, number> {
  const all: Record<string, number> = {};
  for (const { name, count } of rows) all[name] = (all[name] ?? 0) + count;
  return all;
}

function bytesOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0;
}
