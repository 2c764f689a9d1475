import { renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { packageFile } from '../../src/package-root.ts';
import { audit } from '../support/audit.ts';
import { temporaryFolder } from '../support/folder.ts';
import { Load } from '../support/load.ts';
import { rawRequest } from '../support/raw-http.ts';
import { carriedOut, readerOf } from '../support/reader.ts';
import { Serve } from '../support/serve.ts';
import { signed } from '../support/signer.ts';
import { until } from '../support/wait.ts';

// What the jobs do when the clock jumps is in test/unit/jobs/wake.test.ts and test/integration/schedule.test.ts.

const HOUR_MS = 3_600_000;
const JUMPS: [string, string][] = [
  ['an hour ahead', String(HOUR_MS)],
  ['an hour back', String(-HOUR_MS)],
  ['400 days ahead', String(400 * 24 * HOUR_MS)],
  ['frozen', `=${Date.UTC(2026, 2, 29, 0, 59, 58)}`],
  ['right again', '0'],
];

test('while the clock of serve jumps and stands still under load, every delivery is kept once, carried out, and dated by that clock', async () => {
  const cwd = temporaryFolder();
  const database = join(cwd, 'tallyhook.db');
  const file = join(cwd, 'clock');
  const setClock = (text: string) => {
    writeFileSync(`${file}.new`, text);
    renameSync(`${file}.new`, file); // never seen empty
  };
  setClock('0');
  const node = [process.execPath, '--import', packageFile('test/support/jumping-clock.ts')];
  const serve = await Serve.start({ cwd, database, node, env: { JUMPING_CLOCK: file } });
  const reader = readerOf(database);
  onTestFinished(() => void reader.close());
  const receivedAt = reader.prepare<[string], number>('SELECT received_at FROM events WHERE reference = ?').pluck();
  const deliveries = reader.prepare<[string], number>('SELECT deliveries FROM events WHERE reference = ?').pluck();
  const records = reader.prepare<[string], number>('SELECT count(*) FROM refunds WHERE reference = ?').pluck();
  const load = new Load(serve.url, { connections: 4, seed: 3 });

  const acked = new Map<string, number>();
  const send = async (body: string) => {
    const answer = await rawRequest(serve.url, { path: '/webhooks/test', headers: Object.entries(signed(body)), body });
    expect(answer.status).toBe(200);
    acked.set(body, (acked.get(body) ?? 0) + 1);
    await carriedOut(database);
  };
  for (const [index, [jump, text]] of JUMPS.entries()) {
    setClock(text);
    const body = `{"event":"refund.success","data":{"refund_reference":"R${index}","status":"success","amount":"5.00"}}`;
    const enough = load.ackedTotal + 40;
    await send(body);
    await send(body);
    expect([jump, deliveries.get(`R${index}`), records.get(`R${index}`)]).toEqual([jump, 2, 1]);
    await until(() => load.ackedTotal >= enough, `${jump}: the others go on`);
    const offMs =
      (receivedAt.get(`R${index}`) ?? 0) - (text.startsWith('=') ? Number(text.slice(1)) : Date.now() + Number(text));
    expect(Math.abs(offMs), jump).toBeLessThan(HOUR_MS / 2);
    expect((await fetch(`${serve.url}/healthz`)).status, jump).toBe(200);
  }
  await load.stop();
  expect(await serve.stop()).toBe(0);
  const [acks, sent] = [load.acked, load.sent].map((others) => new Map([...others, ...acked]));
  const none = { lost: 0, doubled: 0, undercounted: 0, overcounted: 0, wrongRecords: [] };
  expect(audit(database, acks as typeof acked, sent)).toMatchObject(none);
  expect([...load.statuses.keys()]).toEqual([200]);
});
