import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { SweepResult } from '../../src/confirm/sweep-result.ts';
import { packageFile } from '../../src/package-root.ts';
import { answer, type Behaviour, hostileServer } from '../support/hostile-server.ts';
import { fork } from '../support/processes.ts';
import { refund, TestDatabase } from '../support/test-database.ts';
import { until } from '../support/wait.ts';

// Real processes on one database. Each test knows the right status of every record, so that a wrong one is seen.

const RECORDS = 60;
const LEASE_MS = 60_000;

let db: TestDatabase;
const children = new Set<ChildProcess>();
beforeEach(() => {
  db = new TestDatabase();
  db.keepAndApply(...Array.from({ length: RECORDS }, (_, n) => refund(`R${n}`, 'processing')));
});
afterEach(() => {
  for (const child of children) child.kill('SIGKILL');
  children.clear();
  db.remove();
});

function startSweep(url: string): ChildProcess & { result: Promise<SweepResult> } {
  const child = fork(packageFile('test/support/sweep-process.ts'), [db.path, url, String(LEASE_MS)]);
  children.add(child);
  const result = once(child, 'message').then(([message]) => message as SweepResult);
  return Object.assign(child, { result });
}

const referenceIn = (request: string) => /\/(R\d+) HTTP/.exec(request)?.[1] ?? '';
const answering = (statusOf: (reference: string, n: number) => string): Behaviour => {
  let count = 0;
  return (socket, request) => {
    const reference = referenceIn(request);
    const data = {
      refund_reference: reference,
      status: statusOf(reference, ++count),
      amount: '50.00',
      currency: 'USD',
    };
    socket.write(answer(200, JSON.stringify({ success: true, data })));
  };
};
const confirmed = () =>
  db.database
    .prepare<[], { reference: string; confirmed: string | null }>('SELECT reference, confirmed FROM refunds')
    .all();
const answersKept = () =>
  db.database.prepare<[], number>("SELECT count(*) FROM observations WHERE witness = 'api'").pluck().get();

/** As after the time of the leases: a sweep may take the checks of one that was killed. */
const endLeases = () =>
  void db.database.exec(`
    UPDATE checks SET leased_until = leased_until - 70000;
    UPDATE refunds SET due_at = due_at - 70000`);

test('kill -9 in the middle, twice: lost checks are sent again, and every record ends confirmed, once', async () => {
  const truth = (reference: string) => (Number(reference.slice(1)) % 3 === 0 ? 'rejected' : 'success');
  const service = await hostileServer(answering(truth));
  for (const requests of [12, 36]) {
    const sweep = startSweep(service.url);
    await until(() => service.requests.length >= requests, 'the sweep is under way');
    sweep.kill('SIGKILL');
    await once(sweep, 'exit');
    endLeases();
  }
  await startSweep(service.url).result;
  expect(confirmed().filter(({ reference, confirmed: status }) => status !== truth(reference))).toEqual([]);
  expect(answersKept()).toBe(RECORDS);
  expect(db.database.pragma('integrity_check', { simple: true })).toBe('ok');
});

test('SIGSTOP past the lease, SIGCONT after another sweep: the zombie writes nothing', async () => {
  const held: (() => void)[] = [];
  // The first sweep gets its answers late, with an outdated status.
  const truth = answering(() => 'success');
  const service = await hostileServer((socket, request, server) => {
    if (held.length < 8) held.push(() => answering(() => 'rejected')(socket, request, server));
    else truth(socket, request, server);
  });
  const zombie = startSweep(service.url);
  await until(() => held.length === 8, 'the first sweep waits for its answers');
  zombie.kill('SIGSTOP');
  endLeases();
  await startSweep(service.url).result;
  expect(new Set(confirmed().map((row) => row.confirmed))).toEqual(new Set(['success']));
  const before = answersKept();
  for (const send of held) send();
  zombie.kill('SIGCONT');
  const result = await zombie.result;
  expect(result.late).toBe(RECORDS); // by its own clock its leases last
  expect(result).toMatchObject({ confirmed: 0, changed: 0 });
  expect(confirmed().filter((row) => row.confirmed !== 'success')).toEqual([]);
  expect(answersKept()).toBe(before);
});

test('two processes at once check every record exactly once', async () => {
  const service = await hostileServer(answering(() => 'success'));
  const results = await Promise.all([startSweep(service.url).result, startSweep(service.url).result]);
  expect(results.reduce((sum, { checked }) => sum + checked, 0)).toBe(RECORDS);
  expect(service.requests).toHaveLength(RECORDS);
  expect(new Set(service.requests.map(referenceIn)).size).toBe(RECORDS);
  expect(answersKept()).toBe(RECORDS);
});
