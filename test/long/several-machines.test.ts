import { cpSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { packageFile } from '../../src/package-root.ts';
import { openDatabase } from '../../src/store/sqlite/engine/database.ts';
import { migrations, schemaVersion } from '../../src/store/sqlite/engine/migrate.ts';
import { temporaryFolder } from '../support/folder.ts';
import { Load } from '../support/load.ts';
import { patchedProgram } from '../support/patched-program.ts';
import { clusterKills } from '../support/postgres/cluster-kills.ts';
import { auditMachines, type ServedMachine, servedMachines } from '../support/postgres/served-machines.ts';
import { PostgresServer } from '../support/postgres/server.ts';
import { placeOf } from '../support/several-machines.ts';
import { workOnce } from '../support/shared-log/work-once.ts';
import { tallyhook } from '../support/tallyhook.ts';
import { until } from '../support/wait.ts';

const seeds = Number(process.env.TALLYHOOK_MACHINE_SEEDS ?? 50);
const rounds = Number(process.env.TALLYHOOK_MACHINE_ROUNDS ?? 40);
const first = Number(process.env.TALLYHOOK_TEST_SEED ?? 1);

test.each([false, true])(
  `${seeds} × ${rounds} rounds of work by four machines whose clocks are hours apart, from seed ${first}; killed with -9: %s`,
  async (kills) => {
    const sum = { leased: 0, ended: 0, refused: 0, killed: 0, killedBetween: 0 };
    for (let seed = first; seed < first + seeds; seed++) {
      const { wrong, differences, ...counts } = await workOnce({ seed, rounds, kills });
      expect({ seed, wrong, differences }).toEqual({ seed, wrong: [], differences: [] });
      for (const [name, count] of Object.entries(counts)) sum[name as keyof typeof sum] += count;
    }
    console.info(JSON.stringify({ seeds, rounds, first, ...sum }));
    expect([sum.refused > 0, sum.killedBetween > 0]).toEqual([true, kills]);
  },
);

const kills = Number(process.env.TALLYHOOK_CLUSTER_KILLS ?? 200);
/** Then the files are compared, and the next kills meet new ones. */
const KILLS_OF_FILES = 50;

test(`${kills} × kill -9 of serve, backends and PostgreSQL under three machines, from seed ${first}`, async () => {
  for (let [left, seed] = [kills, first]; left > 0; left -= KILLS_OF_FILES, seed++) {
    const { wrongRecords, differences, ...figures } = await clusterKills({
      rounds: Math.min(left, KILLS_OF_FILES),
      seed,
    });
    console.info(JSON.stringify({ seed, ...figures, wrongRecords: wrongRecords.length }));
    expect({ seed, wrongRecords, differences }).toEqual({ seed, wrongRecords: [], differences: [] });
    expect(figures).toMatchObject({ lost: 0, doubled: 0, undercounted: 0, overcounted: 0, integrity: 'ok' });
  }
});

test('under load three serve are replaced one by one by a program with a newer schema: no delivery is refused, and the files are equal', async () => {
  const server = await PostgresServer.start();
  const url = server.url('postgres');
  const machines = await servedMachines(Array.from({ length: 3 }, () => ({ url })));
  const urlOf = (n: number) => (machines[n % machines.length] as ServedMachine).serve.url;
  const loads = machines.map((_, n) => new Load(urlOf(n), { connections: 3, pauseMs: 10, seed: 3 * first + n }));
  const moreAcks = async () => {
    const before = loads.map(({ ackedTotal }) => ackedTotal);
    await until(() => loads.every(({ ackedTotal }, n) => ackedTotal > (before[n] ?? 0) + 30), 'all acknowledge');
  };
  await moreAcks();
  const later = laterProgram();
  const [one] = machines as [ServedMachine, ...ServedMachine[]];
  const env = { ...one.env, ...later, TALLYHOOK_DATABASE: one.database };
  const upgraded = await tallyhook(['cluster', 'upgrade', '--json'], { cwd: one.folder, env });
  expect(upgraded).toMatchObject({ code: 0 });
  const { seq } = JSON.parse(upgraded.stdout) as { seq: number };
  for (const { database } of machines)
    await until(() => placeOf(database) >= seq - 1, `${database} has carried out what the older program decides`);
  for (const [n, machine] of machines.entries()) {
    loads[n]?.moveTo(urlOf(n + 1)); // as the proxy does
    await moreAcks();
    await machine.stop();
    await machine.start(later);
    loads[n]?.moveTo(urlOf(n));
    await moreAcks();
  }
  const { wrongRecords, differences, ...found } = await auditMachines(machines, loads, () => server.head());
  expect({ wrongRecords, differences }).toEqual({ wrongRecords: [], differences: [] });
  expect(found).toMatchObject({ lost: 0, doubled: 0, undercounted: 0, overcounted: 0, integrity: 'ok' });
  for (const load of loads) expect([[...load.statuses.keys()], load.unanswered, load.refused]).toEqual([[200], 0, 0]);
  for (const { database } of machines) {
    const books = openDatabase(database, { readonly: true });
    expect(schemaVersion(books)).toBe(migrations().length + 1);
    books.close();
  }
});

/** The variables of the program with one more migration. */
function laterProgram(): Record<string, string> {
  const folder = join(temporaryFolder(), 'migrations');
  cpSync(packageFile('migrations', 'sqlite'), folder, { recursive: true });
  const number = String(migrations().length + 1).padStart(4, '0');
  writeFileSync(
    join(folder, `${number}_later.sql`),
    'CREATE INDEX refunds_later ON refunds (amount_minor, currency);\n',
  );
  return patchedProgram({
    file: 'src/store/sqlite/engine/migrate.ts',
    text: "migrations(folder = packageFile('migrations', 'sqlite'))",
    by: `migrations(folder = ${JSON.stringify(folder)})`,
  }).env;
}
