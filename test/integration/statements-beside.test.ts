import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../support/folder.ts';
import { carriedOut, readerOf } from '../support/reader.ts';
import { Serve } from '../support/serve.ts';
import { TEST_KEY_ENV } from '../support/signer.ts';
import { StatementFolder, walletCsv } from '../support/statement-files.ts';
import { tallyhook } from '../support/tallyhook.ts';

test('deliveries are kept while statements are imported and removed, and both are whole', async () => {
  const folder = new StatementFolder(temporaryFolder());
  const { cwd, database } = folder;
  folder.file('a.csv', walletCsv(Array.from({ length: 2_000 }, (_, index) => [`C-${index}`, 100 + index] as const)));
  folder.file(
    'b.csv',
    walletCsv(Array.from({ length: 2_000 }, (_, index) => [`C-${index + 1_000}`, 1_100 + index] as const)),
  );
  const serve = await Serve.start({ cwd, database });
  const sent = tallyhook(
    [
      'trigger',
      'refund.success',
      '--url',
      `${serve.url}/webhooks/test`,
      '--count',
      '300',
      '--concurrency',
      '8',
      '--json',
    ],
    { cwd, env: { ...TEST_KEY_ENV } },
  );
  expect(await folder.importJson('a.csv')).toMatchObject({ statement: 1, new: 2_000, known: 0 });
  expect(await folder.importJson('b.csv')).toMatchObject({ statement: 2, new: 1_000, known: 1_000 });
  expect(await folder.json('remove', '1', '--yes')).toMatchObject({ lines: 1_000, left: 1_000 });
  expect(JSON.parse((await sent).stdout)).toMatchObject({ answers: { 200: 300 } });
  await carriedOut(database);
  expect(await serve.stop()).toBe(0);
  const reader = readerOf(join(cwd, 'tallyhook.db'));
  const count = (table: string) => reader.prepare<[], number>(`SELECT count(*) FROM ${table}`).pluck().get();
  expect([count('events'), count('statement_lines')]).toEqual([300, 2_000]);
  reader.close();
});
