import { expect, test } from 'vitest';
import { command } from '../support/command.ts';
import { makeEmptyDatabase } from '../support/empty-database.ts';
import { temporaryFolder } from '../support/folder.ts';
import { holdImport } from '../support/held-import.ts';
import type { Hold } from '../support/held-write.ts';
import { spawn } from '../support/processes.ts';
import { LAUNCHER } from '../support/program.ts';
import { readerOf } from '../support/reader.ts';
import { StatementFolder, walletCsv } from '../support/statement-files.ts';
import { until } from '../support/wait.ts';

const LINES = 4_500;
const file = walletCsv(Array.from({ length: LINES }, (_, index) => [`C-${index}`, 100 + index] as const));

/** An import under way, in the middle of the file. */
async function heldImport(folder: StatementFolder, lasts: Hold['lasts']) {
  folder.file('a.csv', file);
  makeEmptyDatabase(folder.database);
  folder.file(
    'first.csv',
    walletCsv([
      ['C-1', 101],
      ['A', 5],
    ]),
  );
  expect(await folder.import('first.csv')).toMatchObject({ code: 0 });
  const reader = readerOf(folder.database);
  const kept = () => reader.prepare<[], number>('SELECT count(*) FROM imported_lines').pluck().get() ?? 0;
  const held = holdImport(folder.database, lasts);
  const words = [LAUNCHER, 'statements', 'import', 'a.csv', '--profile', 'wallet.yaml'];
  const child = spawn(process.execPath, words, {
    cwd: folder.cwd,
    env: { PATH: process.env.PATH ?? '', ...folder.env },
  });
  let stderr = '';
  child.stderr.on('data', (chunk) => {
    stderr += chunk;
  });
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  await held.begun();
  expect(kept()).toBeLessThan(LINES);
  return { child, reader, kept, ended, stderr: () => stderr, release: held.release };
}

test.each(['SIGKILL', 'SIGINT'] as const)(
  '%s in the middle of an import: nothing of it shows, and the next import of the file is whole',
  async (signal) => {
    const folder = new StatementFolder(temporaryFolder());
    const { child, reader, kept, ended, stderr, release } = await heldImport(
      folder,
      signal === 'SIGKILL' ? 'for ever' : 'for a while',
    );
    child.kill(signal);
    if (signal === 'SIGKILL') await ended;
    else await until(() => stderr().includes('nothing of this file shows'), 'the signal has arrived');
    const code = await ended;
    release();
    if (signal === 'SIGINT') {
      expect([code, stderr()]).toEqual([1, expect.stringContaining('Stopped: nothing of a.csv shows.')]);
      expect(kept()).toBe(2);
    } else expect(kept()).toBeGreaterThan(2);
    expect((await folder.json('list', '--removed')).items).toMatchObject([{ file: 'first.csv' }]);
    const shown = reader.prepare<[], number>('SELECT count(*) FROM statement_lines').pluck();
    expect(shown.get()).toBe(2);
    // At once: the process that held the account is gone.
    expect(await folder.importJson('a.csv')).toMatchObject({ lines: LINES, new: LINES - 1, known: 1 });
    expect(shown.get()).toBe(LINES + 1);
    expect(await folder.import('a.csv')).toMatchObject({ code: 0, stdout: expect.stringContaining('is known') });
    const doctor = await command(['doctor', '--json'], { cwd: folder.cwd, env: folder.env });
    expect(JSON.parse(doctor.stdout).checks).toContainEqual(expect.objectContaining({ name: 'rows', status: 'ok' }));
  },
);

test('while one process imports into an account, another one is refused and says since when', async () => {
  const folder = new StatementFolder(temporaryFolder());
  const { child, ended, release } = await heldImport(folder, 'for ever');
  folder.file('b.csv', walletCsv([['B', 5]], 100_106));
  const preview = await folder.run('import', 'b.csv', '--profile', 'wallet.yaml', '--dry-run');
  expect(preview).toMatchObject({ code: 1, stderr: expect.stringMatching(/b\.csv was not imported: another process/) });
  child.kill('SIGKILL');
  await ended;
  release();
  expect(await folder.import('b.csv')).toMatchObject({ code: 0 });
});
