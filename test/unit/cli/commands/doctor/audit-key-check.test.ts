import { renameSync } from 'node:fs';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { checkAuditKey } from '../../../../../cli/commands/doctor/audit-key-check.ts';
import { openStore } from '../../../../../src/store/open.ts';
import { AuditedDatabase } from '../../../../support/audited-database.ts';

let audited: AuditedDatabase;
beforeEach(() => {
  audited = new AuditedDatabase();
});
afterEach(() => audited.remove());

const judged = async (file = audited.keyFile, path = audited.db.path) => {
  const { name, status, detail } = await checkAuditKey({ audit: { key: { file } } }, openStore(path));
  return [name, status, detail];
};

test('the key is made by the first act, then is there, and gone is a failure while there are entries', async () => {
  expect(await judged()).toEqual(['audit key', 'ok', `the first act will make ${audited.keyFile}`]);
  audited.append('prune', 'prune:a');
  expect(await judged()).toEqual(['audit key', 'ok', `in ${audited.keyFile}; keep a copy elsewhere`]);
  renameSync(audited.keyFile, audited.at('moved'));
  expect(await judged()).toEqual(['audit key', 'failed', `${audited.keyFile} is gone`]);
});

test('a folder in which the key cannot be made is a warning before the first act', async () => {
  expect(await judged(audited.at('none/audit.key'))).toEqual([
    'audit key',
    'warning',
    expect.stringMatching(/is not there, and this user/),
  ]);
});

test('without a database it is unknown whether a key is needed', async () => {
  expect(await judged(audited.keyFile, audited.at('none.db'))).toEqual(['audit key', 'skipped', expect.any(String)]);
});
