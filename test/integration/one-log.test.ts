import { join } from 'node:path';
import { expect, test } from 'vitest';
import { audit } from '../support/audit.ts';
import { temporaryFolder } from '../support/folder.ts';
import { Load } from '../support/load.ts';
import { carriedOut, readerOf } from '../support/reader.ts';
import { Serve } from '../support/serve.ts';
import { until } from '../support/wait.ts';

const PROCESSES = 3;

/** Deliveries that were carried out, by the metrics of a process. */
async function kept({ adminUrl }: Serve): Promise<number> {
  const page = await (await fetch(`${adminUrl}/metrics`)).text();
  const counts = [...page.matchAll(/^tallyhook_deliveries_kept_total\{.*\} (\d+)$/gm)];
  return counts.reduce((sum, [, count]) => sum + Number(count), 0);
}
const seed = Number(process.env.TALLYHOOK_TEST_SEED ?? 1);

// Several processes receive for one database: each appends to its log, and whoever holds the lock carries out.

test('three processes append to one log, one of them is killed: nothing is lost or doubled, and the log is emptied', async () => {
  const cwd = temporaryFolder();
  const database = join(cwd, 'tallyhook.db');
  const first = await Serve.start({ cwd, database }); // makes database and log
  const serves = [
    first,
    ...(await Promise.all(Array.from({ length: PROCESSES - 1 }, () => Serve.start({ cwd, database })))),
  ];
  const loads = serves.map((serve, n) => new Load(serve.url, { connections: 8, seed: seed * 10 + n }));
  const acked = () => loads.map(({ ackedTotal }) => ackedTotal);
  await until(() => acked().every((total) => total >= 50), 'each process acknowledged some');
  const [killed, ...others] = serves as [Serve, ...Serve[]];
  loads[0]?.moveTo(null);
  await killed.kill();
  const before = acked();
  await until(
    () =>
      acked()
        .slice(1)
        .every((total, n) => total >= (before[n + 1] ?? 0) + 40),
    'the others go on',
  );
  loads[0]?.moveTo(others[0]?.url ?? null);
  await Promise.all(loads.map((load) => load.stop()));
  await carriedOut(database, 60_000);
  const books = readerOf(database);
  const deliveries = books.prepare<[], number>('SELECT sum(deliveries) FROM events').pluck().get();
  books.close();
  for (const serve of others)
    await until(async () => (await kept(serve)) === deliveries, `each counts ${deliveries}, whoever carried them out`);
  for (const serve of others) expect(await serve.stop()).toBe(0);

  const acks = new Map(loads.flatMap((load) => [...load.acked]));
  const sent = new Map(loads.flatMap((load) => [...load.sent]));
  const figures = audit(database, acks, sent);
  expect(figures).toMatchObject({
    lost: 0,
    doubled: 0,
    undercounted: 0,
    overcounted: 0,
    integrity: 'ok',
    wrongRecords: [],
  });
  const log = readerOf(database.replace(/\.db$/, '.inbox.db'));
  expect(log.prepare('SELECT count(*) FROM entries').pluck().get()).toBe(0);
  log.close();
});
