import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { command } from '../support/command.ts';
import { undocumentedFields } from '../support/commands.ts';
import { temporaryFolder } from '../support/folder.ts';

let folder: string;
beforeEach(() => {
  folder = temporaryFolder();
  writeFileSync(join(folder, 'october.csv'), 'Date,Reference,Amount\n31/10/2026,ORD-1,97.85\n');
});
const run = (...args: string[]) => command(['statements', ...args], { cwd: folder });

test('a profile is printed, or written to a file that must not exist', async () => {
  const printed = await run('profile', 'october.csv', '--account', 'main', '--kind', 'wallet');
  expect(printed).toMatchObject({ code: 0, stderr: '' });
  expect(printed.stdout).toContain('\nkind: "wallet"\naccount: "main"\nenvironment: "confirm: live"');
  expect(printed.stdout).toMatch(
    /\ndateFormat: "confirm: dd\/MM\/yyyy" +# it fits 1 of 1 dates, such as "31\/10\/2026"\n/,
  );
  const written = await run('profile', 'october.csv', '--out', 'wallet.yaml');
  expect(written.stdout).toMatch(/^wallet\.yaml is written, with \d+ guesses\.\nLook at each line with "confirm: "/);
  expect(readFileSync(join(folder, 'wallet.yaml'), 'utf8')).toContain('account: "confirm: october"');
  const again = await run('profile', 'october.csv', '--out', 'wallet.yaml');
  expect(again).toMatchObject({ code: 2, stdout: '' });
  expect(again.stderr).toContain('Cannot write wallet.yaml: it exists already.\nName another file with --out.');
});

test('columns that it leaves out are named on stderr, whatever becomes of the profile', async () => {
  writeFileSync(join(folder, 'books.csv'), 'Date,Ecriture,Référence,Montant\n31/10/2026,7,ORD-1,97.85\n');
  const stderr = expect.stringMatching(/^Not used: Ecriture\. Where the profile has a setting for one of them, add it/);
  const printed = await run('profile', 'books.csv');
  expect(printed).toMatchObject({ code: 0, stderr, stdout: expect.stringContaining('\n# not used: Ecriture\n') });
  expect(await run('profile', 'books.csv', '--out', 'books.yaml')).toMatchObject({ code: 0, stderr });
  expect(readFileSync(join(folder, 'books.yaml'), 'utf8')).toContain('\n# not used: Ecriture\n');
  const json = await run('profile', 'books.csv', '--json');
  expect([json.stderr, JSON.parse(json.stdout).unused]).toEqual([stderr, ['Ecriture']]);
});

test('the JSON has every guess with its reason, and docs/cli.md has every field', async () => {
  const { stdout } = await run('profile', 'october.csv', '--json');
  const result = JSON.parse(stdout);
  expect(result).toMatchObject({
    out: null,
    guesses: expect.arrayContaining([
      { path: 'file.delimiter', value: ',', why: '100 % of the rows have 3 cells with it' },
    ]),
  });
  expect(undocumentedFields(result, ['statements profile'])).toEqual([]);
  expect(existsSync(join(folder, 'data'))).toBe(false);
});

test('a file that is not there, and no subcommand', async () => {
  expect(await run('profile', 'nope.csv')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('nope.csv: cannot be read: it does not exist.'),
  });
  expect(await run()).toMatchObject({ code: 2, stderr: expect.stringContaining('Which command of statements?') });
});
