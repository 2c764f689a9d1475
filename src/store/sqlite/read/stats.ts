import { statSync } from 'node:fs';
import { ENVIRONMENTS, type Environment } from '../../../domain/environment.ts';
import { EVENT_KINDS, EVENT_STATES, type EventKind, type EventState } from '../../../domain/events/event.ts';
import type { Stats } from '../../archive.ts';
import type { Database } from '../engine/database.ts';
import { snapshot } from '../engine/reading.ts';
import { recordStats } from './record-stats.ts';
import { waitingRead } from './waiting.ts';

/** A channel: what was kept of it since the beginning. */
interface ChannelRow {
  environment: Environment;
  kind: EventKind;
  events: number;
  deliveries: number;
  last_at: number;
}

/** Counts everything kept. Events are counted where they are kept, so that only the few of another state are read. */
export function archiveStats(database: Database, schemaVersion: number) {
  const channels = database.prepare<[], ChannelRow>(
    'SELECT environment, kind, events, deliveries, last_at FROM arrivals WHERE deliveries > 0',
  );
  const others = database.prepare<[], { environment: Environment; state: EventState; events: number }>(`
    SELECT environment, state, count(*) AS events FROM events INDEXED BY events_without_record
    WHERE state <> 'observed' GROUP BY environment, state`);
  const pruned = database.prepare<[], number>('SELECT count(*) FROM events WHERE pruned_at IS NOT NULL').pluck();
  const firstAt = database.prepare<[], number>('SELECT received_at FROM events ORDER BY id LIMIT 1').pluck();
  const variants = database.prepare<[], number>('SELECT count(*) FROM variants').pluck();
  const waiting = waitingRead(database);
  const recordsIn = recordStats(database);
  const findings = database.prepare<[], { environment: Environment; name: string; count: number }>(`
    SELECT environment, code AS name, count(*) AS count FROM findings WHERE closed_at IS NULL
    GROUP BY environment, code ORDER BY code`);
  const refusals = database.prepare<[], Stats['refusals'][number]>(`
    SELECT path, reason, count, first_at AS firstAtMs, last_at AS lastAtMs FROM refusals ORDER BY path, reason`);

  return snapshot(database, (): Stats => {
    const [kept, unobserved, open] = [channels.all(), others.all(), findings.all()];
    const records = perEnvironment(recordsIn());
    const inboxOf = (isOf: (row: { environment: Environment }) => boolean) =>
      inbox(kept.filter(isOf), unobserved.filter(isOf));
    return {
      ...inboxOf(() => true),
      pruned: pruned.get() ?? 0,
      firstReceivedAtMs: firstAt.get() ?? null,
      lastReceivedAtMs: kept.length === 0 ? null : Math.max(...kept.map(({ last_at }) => last_at)),
      variants: variants.get() ?? 0,
      waiting: waiting().deliveries,
      refusals: refusals.all(),
      openFindings: counts(open),
      environments: perEnvironment((environment) => ({
        ...inboxOf((row) => row.environment === environment),
        ...records[environment],
        openFindings: counts(open.filter((one) => one.environment === environment)),
      })),
      databaseBytes: bytesOf(database.name),
      logBytes: bytesOf(`${database.name}-wal`),
      schemaVersion,
    };
  });
}

function inbox(kept: readonly ChannelRow[], unobserved: readonly { state: EventState; events: number }[]) {
  const events = sumOf(kept, 'events');
  const byState = zeros(EVENT_STATES);
  for (const one of unobserved) byState[one.state] += one.events;
  const byKind = zeros(EVENT_KINDS);
  for (const one of kept) byKind[one.kind] += one.events;
  byState.observed = events - sumOf(unobserved, 'events');
  return { events, deliveries: sumOf(kept, 'deliveries'), byState, byKind };
}

function sumOf<Name extends string>(rows: readonly Readonly<Record<Name, number>>[], name: Name): number {
  return rows.reduce((sum, row) => sum + row[name], 0);
}

function perEnvironment<Value>(value: (environment: Environment) => Value): Record<Environment, Value> {
  return Object.fromEntries(ENVIRONMENTS.map((one) => [one, value(one)])) as Record<Environment, Value>;
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
