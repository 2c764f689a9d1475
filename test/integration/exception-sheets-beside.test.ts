import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { packageFile } from '../../src/package-root.ts';
import { Queue } from '../support/exceptions.ts';
import { FixedClock } from '../support/fixed-clock.ts';
import { killGroup, spawn } from '../support/processes.ts';
import { tallyhook } from '../support/tallyhook.ts';
import { TestDatabase } from '../support/test-database.ts';

/* Processes that import the same spreadsheet at the same time, one of which may be killed: it is applied once. */

const MANY = 150;
const ids = Array.from({ length: MANY }, (_, index) => `x-${String(index).padStart(24, '0')}`);
let db: TestDatabase;
beforeEach(async () => {
  db = new TestDatabase();
  await new Queue(db.path, new FixedClock()).run(ids.map((id) => ({ id, reference: id })));
  writeFileSync(join(db.folder, 'q.csv'), ['id,version,assignee', ...ids.map((id) => `${id},1,Ben`), ''].join('\r\n'));
});
afterEach(() => db.remove());

const env = () => ({ TALLYHOOK_DATABASE: db.path });
async function importing(by: string, file = 'q.csv') {
  const { code, stdout, stderr } = await tallyhook(['exceptions', 'import', file, '--as', by, '--json'], {
    cwd: db.folder,
    env: env(),
  });
  if (code !== 0) throw new Error(stderr);
  const { known, unchanged, changed, refused } = JSON.parse(stdout);
  return { code, known, unchanged, changed: changed.length, refused: refused.length };
}
const assigned = () =>
  db.database.prepare<[], number>("SELECT count(*) FROM exceptions WHERE assignee = 'Ben'").pluck().get() ?? 0;

test('one of them applies every row, and the others change and refuse nothing', async () => {
  const all = await Promise.all(['a1', 'a2'].map((by) => importing(by)));
  const known = { code: 0, known: true, unchanged: MANY, changed: 0, refused: 0 };
  expect(all.toSorted((one, other) => Number(one.known) - Number(other.known))).toEqual([
    { code: 0, known: false, unchanged: 0, changed: MANY, refused: 0 },
    known,
  ]);
});

test('one that is killed holds up no other, which goes on with what is left', async () => {
  const args = [packageFile('cli', 'tallyhook.js'), 'exceptions', 'import', 'q.csv', '--as', 'a1'];
  const killed = spawn(process.execPath, args, {
    cwd: db.folder,
    env: { PATH: process.env.PATH ?? '', ...env() },
    stdio: 'ignore',
  });
  const ended = once(killed, 'exit');
  await vi.waitFor(() => expect(assigned()).toBeGreaterThan(0), { timeout: 120_000, interval: 2 });
  const other = importing('a2');
  killGroup(killed);
  await ended;
  const { changed, unchanged, ...rest } = await other;
  expect(rest).toMatchObject({ code: 0, refused: 0 });
  expect(changed + unchanged).toBe(MANY);
  expect(assigned()).toBe(MANY);
  expect(await importing('a3')).toMatchObject({ code: 0, known: true, refused: 0 });
});
