import { Gauge, type Registry } from 'prom-client';
import type { ClusterView } from '../confirm/cluster-problems.ts';
import { keptLately } from '../confirm/judgement.ts';
import type { SeenProblem } from '../confirm/look.ts';
import { PROBLEM_CODES } from '../confirm/problem.ts';
import { ALERT_CAUSES, STANDARD_SEVERITY } from '../domain/alerts/alert-cause.ts';
import { readNodeKey } from '../domain/cluster/node-key.ts';
import { ENVIRONMENTS, type KeyPair } from '../domain/environment.ts';
import { FINDING_CODES } from '../domain/findings/finding.ts';
import { hasEnded } from '../domain/refusals/refused-run.ts';
import type { SystemState } from '../store/system-state.ts';
import type { Clock } from '../time/clock.ts';

/** The latest look at the database. */
export interface LatestLook {
  readonly system: SystemState;
  readonly problems: readonly SeenProblem[];
  /** By the latest answer of the service; null while it is not known. */
  readonly clockOffsetMs: number | null;
  /** The log that several machines share; null for a machine alone. */
  readonly cluster: ClusterView | null;
}

/**
 * The metrics of how everything stands: what `tallyhook status` shows. They hold the values of the latest look, which another
 * thread took.
 */
export function systemMetrics(registry: Registry, keyPairs: () => readonly KeyPair[], clock: Clock) {
  const registers = [registry];
  const gauge = <const Label extends string>(name: string, help: string, ...labelNames: Label[]) =>
    new Gauge({ name: `tallyhook_${name}`, help, labelNames, registers });

  const problems = gauge('problems', 'What is not well, by code, as tallyhook status judges it.', 'code');
  const alerts = gauge('alerts_open', 'Open alerts, as they were last judged.', 'cause', 'severity');
  const findings = gauge('findings_open', 'Open findings.', 'environment', 'code');
  const stuck = gauge('records_stuck', 'Records that do not settle; counted up to 10,000 a kind.', 'environment');
  const due = gauge('checks_due', 'Status checks that are due.', 'environment');
  const received = gauge(
    'last_delivery_timestamp_seconds',
    'When the latest delivery of a channel was kept; absent before the first.',
    'environment',
    'kind',
  );
  const inRow = gauge(
    'deliveries_refused_in_a_row',
    'Refused requests with signatures since the last kept delivery.',
    'environment',
  );
  const refusal = gauge('last_refusal_timestamp_seconds', 'When a request was last refused; absent before the first.');
  const waiting = gauge('deliveries_waiting', 'Deliveries of the log that are not carried out yet.');
  const waitingFor = gauge('waiting_seconds', 'How long the first of them has waited; 0 without any.');
  const aside = gauge('deliveries_aside', 'Deliveries, or whole entries of the log, that are set aside.');
  const free = gauge('disk_free_bytes', 'Free space on the disk of the database.');
  const database = gauge('database_bytes', 'Size of the database file.');
  const log = gauge(
    'database_log_bytes',
    'Size of the write-ahead log: written and not yet moved into the database file.',
  );
  const backup = gauge(
    'last_backup_timestamp_seconds',
    'When the schedule last made a backup; absent before the first.',
  );
  const offset = gauge(
    'clock_offset_seconds',
    "How far this machine's clock is ahead of the service's; absent while it is not known.",
  );
  const reached = gauge('cluster_up', 'Whether the log in PostgreSQL answers; absent for a machine alone.');
  const nodeBehind = gauge('cluster_behind_entries', 'Entries of the log that a node has not carried out.', 'node');
  const nodeBehindFor = gauge('cluster_behind_seconds', 'How long the first of them has been there.', 'node');
  const nodeClock = gauge('cluster_clock_offset_seconds', "How far a node's clock is ahead of PostgreSQL's.", 'node');
  const nodeLives = gauge('cluster_node_up', 'Whether a node was seen in the last 15 seconds.', 'node');
  const nodeHalted = gauge('cluster_node_halted', 'Whether a node does not go on, and says why.', 'node');
  const nodeInfo = gauge(
    'cluster_node_info',
    '1, with what a node is.',
    'node',
    'version',
    'schema',
    'roles',
    'digest',
    'keys',
  );
  const setCluster = (cluster: ClusterView | null) => {
    for (const one of [nodeBehind, nodeBehindFor, nodeClock, nodeLives, nodeHalted, nodeInfo]) one.reset();
    if (cluster === null) return reached.remove();
    reached.set(cluster.status === null ? 0 : 1);
    for (const { name: node, lives, behind, clockOffsetMs, ...facts } of cluster.status?.nodes ?? []) {
      nodeLives.set({ node }, lives ? 1 : 0);
      nodeHalted.set({ node }, facts.stopped === null ? 0 : 1);
      const [schema, roles] = [String(facts.schema ?? ''), facts.roles.join(',')];
      const keys = facts.keys.map((key) => readNodeKey(key).id).join(',');
      nodeInfo.set({ node, version: facts.version, schema, roles, digest: facts.digest?.value ?? '', keys }, 1);
      if (clockOffsetMs !== null) nodeClock.set({ node }, clockOffsetMs / 1_000);
      if (behind === null) continue;
      nodeBehind.set({ node }, behind.entries);
      nodeBehindFor.set({ node }, behind.ms / 1_000);
    }
  };
  const looked = gauge('looked_timestamp_seconds', 'When these values were read from the database.');
  new Gauge({
    name: 'tallyhook_key_expiry_timestamp_seconds',
    help: 'When a key pair expires; absent for a pair without an end.',
    labelNames: ['environment', 'key'],
    registers,
    collect() {
      this.reset();
      for (const { environment, id: key, notAfter } of keyPairs()) {
        if (notAfter !== null) this.set({ environment, key }, Date.parse(notAfter) / 1_000);
      }
    },
  });
  new Gauge({
    name: 'tallyhook_key_seconds_left',
    help: 'Seconds until a key pair expires, negative after it; absent for a pair without an end.',
    labelNames: ['environment', 'key'],
    registers,
    collect() {
      this.reset();
      for (const { environment, id: key, notAfter } of keyPairs()) {
        if (notAfter !== null) this.set({ environment, key }, (Date.parse(notAfter) - clock.nowMs()) / 1_000);
      }
    },
  });
  const setAlerts = (counts: SystemState['alerts']) => {
    alerts.reset();
    for (const cause of ALERT_CAUSES) {
      const open = counts.filter((one) => one.cause === cause);
      if (open.length === 0) alerts.set({ cause, severity: STANDARD_SEVERITY[cause] }, 0);
      for (const { severity, open: count } of open) alerts.set({ cause, severity }, count);
    }
  };
  const setZeros = () => {
    setAlerts([]);
    for (const code of PROBLEM_CODES) problems.set({ code }, 0);
    for (const environment of ENVIRONMENTS) {
      for (const code of FINDING_CODES) findings.set({ environment, code }, 0);
      for (const one of [stuck, due, inRow]) one.set({ environment }, 0);
    }
  };
  setZeros();
  // A gauge without labels begins at 0, which would be a time in 1970 or a full disk.
  for (const one of [refusal, waiting, waitingFor, free, database, log, backup, offset, reached, looked]) one.remove();

  return {
    /** Sets every value from a look. */
    set({ system, problems: seen, clockOffsetMs, cluster }: LatestLook): void {
      const { nowMs, refused, storage, jobs } = system;
      setZeros();
      setAlerts(system.alerts);
      setCluster(cluster);
      for (const { code } of seen) problems.inc({ code });
      for (const { environment, code, open } of system.findings) findings.inc({ environment, code }, open);
      for (const { environment, records } of system.stuck) stuck.inc({ environment }, records);
      for (const { environment, records } of system.due) due.inc({ environment }, records);
      for (const { environment, kind, lastAtMs } of system.arrivals) {
        received.set({ environment, kind }, lastAtMs / 1_000);
      }
      for (const run of refused.runs) {
        const { environment, count } = run;
        const { keptAtMs } = keptLately(system, environment);
        if (!hasEnded(run, keptAtMs, nowMs)) inRow.inc({ environment }, count);
      }
      if (refused.lastAtMs !== null) refusal.set(refused.lastAtMs / 1_000);
      const { deliveries, sinceMs } = system.waiting;
      aside.set(system.aside.deliveries);
      waiting.set(deliveries);
      waitingFor.set(sinceMs === null ? 0 : Math.max(0, nowMs - sinceMs) / 1_000);
      if (storage.disk !== null) free.set(storage.disk.freeBytes);
      database.set(storage.databaseBytes);
      log.set(storage.logBytes);
      const backedUpAtMs = jobs.find(({ job }) => job === 'backup')?.doneAtMs ?? null;
      if (backedUpAtMs !== null) backup.set(backedUpAtMs / 1_000);
      if (clockOffsetMs === null) offset.remove();
      else offset.set(clockOffsetMs / 1_000);
      looked.set(nowMs / 1_000);
    },
  };
}
