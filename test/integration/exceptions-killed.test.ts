import { once } from 'node:events';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { packageFile } from '../../src/package-root.ts';
import { Queue } from '../support/exceptions.ts';
import { FixedClock } from '../support/fixed-clock.ts';
import { killGroup, spawn } from '../support/processes.ts';
import { TestDatabase } from '../support/test-database.ts';

/* Processes that follow a run at the same time, one of which is killed: the queue stands as if one had done it. */

const MANY = 1_000;
let db: TestDatabase;
beforeEach(() => {
  db = new TestDatabase();
});
afterEach(() => db.remove());

function listing() {
  const args = [packageFile('cli', 'tallyhook.js'), 'exceptions', 'list', '--limit', '1', '--json'];
  const env = { PATH: process.env.PATH ?? '', TALLYHOOK_DATABASE: db.path };
  return spawn(process.execPath, args, { cwd: db.folder, env, stdio: 'ignore' });
}

const kept = () => db.database.prepare<[], number>('SELECT count(*) FROM exceptions').pluck().get() ?? 0;

test('a run is followed once by all of them, and each piece is entered in the audit', async () => {
  const queue = new Queue(db.path, new FixedClock());
  const many = Array.from({ length: MANY }, (_, index) => ({ id: `x-${String(index).padStart(24, '0')}` }));
  await queue.run(many, { follows: false });
  const killed = listing();
  const ended = once(killed, 'exit');
  const others = [listing(), listing()].map((child) => once(child, 'exit'));
  await vi.waitFor(() => expect(kept()).toBeGreaterThan(0), { timeout: 120_000, interval: 5 });
  killGroup(killed);
  expect((await ended)[1] ?? 'SIGKILL').toBe('SIGKILL');
  expect(await Promise.all(others)).toEqual([
    [3, null],
    [3, null],
  ]);
  const counts = 'SELECT count(*) AS exceptions, sum(version) AS versions FROM exceptions';
  expect(db.database.prepare(counts).get()).toEqual({ exceptions: MANY, versions: MANY });
  expect(db.database.prepare('SELECT count(*) AS entries FROM exception_log').get()).toEqual({ entries: MANY });
  expect(db.database.prepare('SELECT phase, changed FROM run_follows').all()).toEqual([
    { phase: 'done', changed: MANY },
  ]);
  expect(await queue.store().auditVerdict({ noted: null })).toMatchObject({ ok: true });
});
