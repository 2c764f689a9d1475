import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { packageFile } from '../../src/package-root.ts';
import { AuditedDatabase } from '../support/audited-database.ts';
import { spawn } from '../support/processes.ts';
import { someOf } from '../support/random-runs.ts';

let audited: AuditedDatabase;
beforeEach(() => {
  audited = new AuditedDatabase();
});
afterEach(() => audited.remove());

/** Starts a person who decides `count` times; `acked` are the references that the person was told are kept. */
function person(by: string, count: number, onAck: (acked: readonly string[]) => void = () => {}) {
  const child = spawn(process.execPath, [
    packageFile('test/support/audit-process.ts'),
    audited.db.path,
    by,
    `${count}`,
  ]);
  let stderr = '';
  child.stderr.on('data', (chunk) => {
    stderr += chunk;
  });
  const acked: string[] = [];
  createInterface({ input: child.stdout }).on('line', (line) => {
    acked.push(line);
    onAck(acked);
  });
  const ended = once(child, 'close').then(([code]) => ({ code, acked, stderr }));
  return { child, ended };
}

const prepare = (sql: string) => audited.db.database.prepare<[], string>(sql).pluck();
const decided = () => prepare('SELECT reference FROM match_decisions ORDER BY id').all();
const entered = () =>
  prepare(`
    SELECT d.reference FROM audit_entries e JOIN match_decisions d ON e.subject = 'decision:' || d.id AND e.who = d.decided_by
    ORDER BY e.seq`).all();

test('two processes act at once: one chain, each act in it once, and one key', async () => {
  await audited.import('aab', { first: true });
  const ended = await Promise.all([person('Ada', 40).ended, person('Bob', 40).ended]);
  expect(ended.map(({ code, stderr }) => [code, stderr])).toEqual([
    [0, ''],
    [0, ''],
  ]);
  expect(decided().toSorted()).toEqual(ended.flatMap(({ acked }) => acked).toSorted());
  expect(entered()).toEqual(decided());
  expect(audited.verdict()).toMatchObject({ ok: true, entries: 82, firstBad: null });
});

test('two processes begin the chain at once: the key of one of them signs the acts of both', async () => {
  await audited.import('aab', { first: true });
  // As before the first act: no entry, no key.
  audited.db.database.exec('DELETE FROM audit_head; DELETE FROM audit_entries');
  rmSync(audited.keyFile);
  const ended = await Promise.all([person('Ada', 3).ended, person('Bob', 3).ended]);
  expect(ended.map(({ code }) => code)).toEqual([0, 0]);
  expect(audited.verdict().firstBad).toMatchObject({ reason: 'unlogged' }); // the import, whose entry was deleted
  expect(entered()).toHaveLength(6);
});

test.each(someOf(1, [7, 1, 23]))(
  'SIGKILL after %i acts: every act that was told is entered, and none is half done',
  async (after) => {
    await audited.import('aab', { first: true });
    const { child, ended } = person('Ada', 1_000, (acked) => {
      if (acked.length === after) child.kill('SIGKILL');
    });
    const { acked } = await ended;
    expect(acked.length).toBeGreaterThanOrEqual(after);
    expect(decided().slice(0, acked.length)).toEqual(acked);
    expect(entered()).toEqual(decided());
    expect(audited.verdict()).toMatchObject({ ok: true, firstBad: null });
    await audited.decide('apart');
    expect(audited.verdict().ok).toBe(true);
  },
);
