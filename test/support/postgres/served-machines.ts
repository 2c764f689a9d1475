import { copyFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openDatabase } from '../../../src/store/sqlite/engine/database.ts';
import { type Audit, audit } from '../audit.ts';
import { command } from '../command.ts';
import { temporaryFolder } from '../folder.ts';
import type { Load } from '../load.ts';
import { rowDifferences } from '../row-differences.ts';
import { Serve } from '../serve.ts';
import { placeOf } from '../several-machines.ts';
import { TEST_KEY_ENV } from '../signer.ts';
import { until } from '../wait.ts';

/** A machine of a log in PostgreSQL: a folder with its database, and the real `serve`. */
export class ServedMachine {
  readonly folder = temporaryFolder();
  readonly database = join(this.folder, 'tallyhook.db');
  readonly env: Record<string, string>;
  #serve: Serve | null = null;

  constructor(node: string, cluster: { readonly url: string; readonly replicated?: boolean }) {
    const config = join(this.folder, 'tallyhook.yaml');
    writeFileSync(config, JSON.stringify({ cluster: { ...cluster, node } }));
    this.env = { TALLYHOOK_CONFIG: config, ...TEST_KEY_ENV };
  }

  /** Makes the log, for the database of this machine, which is empty. */
  async begin(): Promise<void> {
    const env = { ...this.env, TALLYHOOK_DATABASE: this.database };
    const { code, stderr } = await command(['cluster', 'begin'], { cwd: this.folder, env });
    if (code !== 0) throw new Error(`cluster begin ended with code ${code}:\n${stderr}`);
  }

  /** It may carry out what `other` does. */
  takeKeyOf(other: ServedMachine): void {
    copyFileSync(join(other.folder, 'audit.key'), join(this.folder, 'audit.key'));
  }

  get serve(): Serve {
    if (this.#serve === null) throw new Error('It does not run.');
    return this.#serve;
  }

  /** `program`: the variables of another program than this one, if it is one. */
  async start(program: Record<string, string> = {}): Promise<void> {
    const env = { ...this.env, ...program };
    this.#serve = await Serve.start({ cwd: this.folder, database: this.database, env });
  }

  async stop(): Promise<void> {
    const code = await this.serve.stop();
    if (code !== 0) throw new Error(`serve ended with code ${code}:\n${this.serve.stderr}`);
  }
}

/** Machines that share the log at the URL of each, all serving; the first one began it. */
export async function servedMachines(clusters: readonly ConstructorParameters<typeof ServedMachine>[1][]) {
  const machines = clusters.map((cluster, n) => new ServedMachine(`machine-${n}`, cluster));
  const [first, ...others] = machines as [ServedMachine, ...ServedMachine[]];
  await first.begin();
  await first.start();
  for (const one of others) {
    one.takeKeyOf(first);
    await one.start();
  }
  return machines;
}

/** What the files of machines are, beside what their senders know. */
export interface ClusterAudit extends Audit {
  readonly acked: number;
  /** Rows that not all machines have. */
  readonly differences: readonly string[];
}

/** Compares the databases of machines with each other, and with the acks of their senders. Stops both. `head`: the last entry of the log. */
export async function auditMachines(
  machines: readonly ServedMachine[],
  loads: readonly Load[],
  head: () => Promise<number>,
): Promise<ClusterAudit> {
  await Promise.all(loads.map((load) => load.stop()));
  const differences = await rowsApart(machines, head);
  for (const one of machines) await one.stop();
  const [acks, sent] = [new Map<string, number>(), new Map<string, number>()];
  for (const load of loads) {
    for (const [body, times] of load.acked) acks.set(body, times);
    for (const [body, times] of load.sent) sent.set(body, times);
  }
  const acked = loads.reduce((sum, load) => sum + load.ackedTotal, 0);
  return { ...audit((machines[0] as ServedMachine).database, acks, sent), acked, differences };
}

/** How often files are compared at most: an entry may come meanwhile, as of a job. */
const MOST_LOOKS = 20;

async function rowsApart(machines: readonly ServedMachine[], head: () => Promise<number>): Promise<string[]> {
  const [first, ...others] = machines as [ServedMachine, ...ServedMachine[]];
  for (let look = 0; look < MOST_LOOKS; look++) {
    const last = await head();
    for (const { database } of machines)
      await until(() => placeOf(database) >= last, `${database} carries out ${last}`);
    const differences = others.flatMap(({ database }) => {
      const books = openDatabase(database);
      try {
        return rowDifferences(books, first.database);
      } finally {
        books.close();
      }
    });
    if ((await head()) === last) return differences;
  }
  throw new Error('The machines write without end.');
}
