import { chmodSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { begun, orderOf } from '../../../../contract/store/importing.ts';
import { begunRun } from '../../../../contract/store/matching.ts';
import { AuditedDatabase } from '../../../../support/audited-database.ts';

let audited: AuditedDatabase;
beforeEach(() => {
  audited = new AuditedDatabase();
});
afterEach(() => audited.remove());

/** Every row of every table but the accounts' leases, so that nothing written stays unseen. */
const everything = () => {
  const { database } = audited.db;
  const tables = database.prepare<[], string>("SELECT name FROM sqlite_schema WHERE type = 'table'").pluck().all();
  return tables.map((table) => [table, database.prepare(`SELECT * FROM ${table}`).all()]);
};

test('the first act makes the key: 32 bytes as hexadecimal digits, for its owner alone', () => {
  expect(() => statSync(audited.keyFile)).toThrow(/ENOENT/);
  expect(audited.verdict()).toMatchObject({ ok: true, entries: 0, head: null });
  audited.append('prune', 'prune:a');
  expect(readFileSync(audited.keyFile, 'utf8')).toMatch(/^[0-9a-f]{64}\n$/);
  expect(statSync(audited.keyFile).mode & 0o777).toBe(0o600);
});

test('in a folder that its group shares, the group reads the key, too', () => {
  chmodSync(audited.db.folder, 0o2770);
  audited.append('prune', 'prune:a');
  expect(statSync(audited.keyFile).mode & 0o777).toBe(0o640);
});

test('a key that lay there before the first act is used, and an empty file is one whose making was cut off', () => {
  writeFileSync(audited.keyFile, '');
  audited.append('prune', 'prune:a');
  const key = readFileSync(audited.keyFile, 'utf8');
  audited.append('prune', 'prune:b');
  expect(readFileSync(audited.keyFile, 'utf8')).toBe(key);
  expect(audited.verdict()).toMatchObject({ ok: true, entries: 2 });
});

const GONE = { fault: 'audit_key', kind: 'configuration', message: expect.stringMatching(/audit\.key, is gone/) };

test('while the key is gone every act is refused, nothing is written, and no key is made anew', async () => {
  const statement = await audited.import('aab', { first: true });
  const run = await begunRun(audited.handle);
  renameSync(audited.keyFile, audited.at('moved'));
  const before = everything();
  const { statements, runs, pruning, outbox } = audited.operations;
  const order = { target: 'shop', replay: null, eventIds: [], dryRun: false };
  const acts = {
    import: () => begun(audited.handle, orderOf('b')),
    remove: () => statements.remove({ statement }),
    decide: () => audited.decide('together'),
    run: () => runs.finishRun({ run, report: '{}' }),
    begin: () => begunRun(audited.handle),
  };
  for (const [name, act] of Object.entries(acts)) await expect(act(), name).rejects.toMatchObject(GONE);
  await expect(outbox.replay(order)).rejects.toThrow(/no target/);
  expect(await pruning.forgetAddresses({ beforeMs: 0 })).toBe(0); // nothing to erase is no act
  expect(() => audited.verdict()).toThrow(/Nothing can be proved without it/);
  expect(everything()).toEqual(before);
  expect(() => statSync(audited.keyFile)).toThrow(/ENOENT/);
  renameSync(audited.at('moved'), audited.keyFile);
  await audited.decide('together');
  expect(audited.verdict().ok).toBe(true);
});

test('another key, and a chain that was rebuilt without it, sign nothing further', () => {
  audited.append('prune', 'prune:a');
  const key = readFileSync(audited.keyFile, 'utf8');
  writeFileSync(audited.keyFile, `${'0'.repeat(64)}\n`);
  expect(() => audited.append('prune', 'prune:b')).toThrow(/is not signed by the key in/);
  expect(audited.verdict().firstBad).toMatchObject({ reason: 'signature' });
  writeFileSync(audited.keyFile, key);
  const { database } = audited.db;
  database.exec("UPDATE audit_entries SET who = 'Eve', hash = 'ab'; UPDATE audit_head SET hash = 'ab'");
  expect(() => audited.append('prune', 'prune:b')).toThrow(/is not signed by the key in/);
  database.exec('DELETE FROM audit_head');
  expect(() => audited.append('prune', 'prune:b')).toThrow(/is not signed by the key in/);
});

test.each(['too short', 'g'.repeat(64)])('a key file that holds %j is no key', (text) => {
  writeFileSync(audited.keyFile, text);
  expect(() => audited.append('prune', 'prune:a')).toThrow(/does not hold 32 bytes as 64 hexadecimal digits/);
});
