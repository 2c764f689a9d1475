import { chmodSync, copyFileSync, mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { startPostgres } from '../../cli/commands/demo/machines/postgres.ts';
import { loadConfig } from '../../src/config/load.ts';
import { storeOf } from '../../src/store/configured-store.ts';
import type { MetricsPage } from '../ingest/metrics-page.ts';
import { SubjectProcess } from '../ingest/subject-process.ts';
import { tallyhookVariables } from '../ingest/tallyhook.ts';
import type { Workplace } from '../workplace.ts';

/** Pause between two looks how far a node is. */
const LOOK_MS = 50;
/** A node that takes longer than this for a flood, or a million events to join behind, has stopped. */
const MOST_MS = 600_000;

/** The machines of a measurement, which share one log. */
export interface Nodes {
  /** Starts the node of this name; the first one begins the log, each other one joins with an empty folder. */
  start(name: string): Promise<SubjectProcess>;
  /** The configuration of a node. */
  env(name: string): ReturnType<typeof tallyhookVariables>;
  close(): Promise<void>;
}

/** A PostgreSQL in a folder of the workplace, and what starts nodes that share a log in it; `fill` makes the database of the first one. */
export async function nodesOn(
  workplace: Workplace,
  place: string,
  fill: (database: string) => Promise<void> = async () => {},
): Promise<Nodes> {
  mkdirSync(workplace.path(place));
  chmodSync(workplace.folder, 0o711); // the user that PostgreSQL runs as passes through
  const postgres = await startPostgres(workplace.path(place));
  const started: SubjectProcess[] = [];
  let firstKey: string | null = null;
  const envOf = (name: string) => ({
    ...tallyhookVariables(join(workplace.path(place), name, 'tallyhook.db')),
    ...{ TALLYHOOK_CLUSTER_URL: postgres.url, TALLYHOOK_CLUSTER_NODE: name },
  });
  return {
    env: envOf,
    async start(name) {
      const env = envOf(name);
      const { TALLYHOOK_DATABASE: database } = env;
      mkdirSync(dirname(database));
      if (firstKey === null) await fill(database);
      const { audit, cluster, ...config } = loadConfig({ env, cwd: dirname(database) });
      if (firstKey !== null) copyFileSync(firstKey, audit.key.file);
      else await storeOf({ ...config, audit, cluster }).cluster?.begin({ owner: null, again: false });
      firstKey ??= audit.key.file;
      const { url, node } = cluster;
      const settings = { cluster: { url, node } };
      const subject = await SubjectProcess.start(workplace, 'tallyhook', { database, settings });
      started.push(subject);
      return subject;
    },
    async close() {
      for (const subject of started) await subject.stop();
      postgres.kill();
      await postgres.ended;
    },
  };
}

/** Deliveries that a node has carried out since its start, of all nodes. */
export async function carriedOutBy(node: SubjectProcess): Promise<number> {
  return ((await node.metrics()) as MetricsPage).carriedOut;
}

/** Resolves with the seconds until a node has carried out so many deliveries since its start. */
export async function secondsUntil(node: SubjectProcess, carriedOut: number): Promise<number> {
  const begunMs = performance.now();
  while ((await carriedOutBy(node)) < carriedOut) {
    if (performance.now() - begunMs > MOST_MS)
      throw new Error(`A node did not carry out ${carriedOut} deliveries within 10 minutes.`);
    await pause(LOOK_MS);
  }
  return (performance.now() - begunMs) / 1_000;
}
