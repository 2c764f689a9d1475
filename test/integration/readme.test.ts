import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { RECORD_KINDS } from '../../src/domain/records/lifecycle.ts';
import { packageFile } from '../../src/package-root.ts';
import { command } from '../support/command.ts';
import { temporaryFolder } from '../support/folder.ts';
import { overviewCommands } from '../support/overview.ts';
import { FOUND_ON_PATH, tallyhook } from '../support/tallyhook.ts';

const readme = readFileSync(packageFile('README.md'), 'utf8');
const table = readme.split('\n## Commands\n')[1]?.split('\n## ')[0] ?? '';
/** `events list · show` in the first column is the command `events` with two subcommands; capitals are arguments. */
const named = [...table.matchAll(/^\| (`.*?) \| /gm)].flatMap(([, cell = '']) =>
  [...cell.matchAll(/`([^`]+)`/g)].map(([, span = '']) => {
    const [command = '', ...rest] = span.split(' ');
    const parts = rest
      .join(' ')
      .split(' · ')
      .map((part) => part.split(' ')[0] ?? '');
    const subcommands = parts.flatMap((part) =>
      part === 'KIND' ? RECORD_KINDS : /^[a-z-]+$/.test(part) ? [part] : [],
    );
    return { command, subcommands };
  }),
);
const folder = temporaryFolder();

/** Commands in the help of a command. */
async function commandsIn(name: string): Promise<string[]> {
  const { stdout } = await command([name, '--help'], { cwd: folder, env: FOUND_ON_PATH });
  const start = `tallyhook ${name}`;
  const [list = ''] = /^Commands:\n(?: .*\n)+/m.exec(stdout) ?? [];
  return [...list.matchAll(new RegExp(`^ {2}${start} ([\\w-]+) `, 'gm'))].map(([, name = '']) => name);
}

test('the table of commands has every command, and no other', async () => {
  const commands = overviewCommands((await tallyhook(['--help'], { cwd: folder })).stdout);
  expect(commands.length).toBeGreaterThan(20);
  expect([...new Set(named.map(({ command }) => command))].toSorted()).toEqual(commands.toSorted());
});

test('a command with subcommands in the table has all of them there, and no other', async () => {
  const groups = Map.groupBy(
    named.filter(({ subcommands }) => subcommands.length > 0),
    ({ command }) => command,
  );
  expect(groups.size).toBeGreaterThan(5);
  const inTable = [...groups].map(([command, rows]) => [
    command,
    [...new Set(rows.flatMap(({ subcommands }) => subcommands))].toSorted(),
  ]);
  const there = await Promise.all([...groups.keys()].map(async (name) => [name, (await commandsIn(name)).toSorted()]));
  expect(inTable).toEqual(there);
});

test.each(['README.md', 'CONTRIBUTING.md'])('every npm script that %s names exists', (page) => {
  const { scripts } = JSON.parse(readFileSync(packageFile('package.json'), 'utf8'));
  const scriptsNamed = [...readFileSync(packageFile(page), 'utf8').matchAll(/npm run ([\w-]+(?::[\w-]+)*)/g)].map(
    ([, name = '']) => name,
  );
  expect(scriptsNamed.length).toBeGreaterThan(2);
  expect(scriptsNamed.filter((name) => !(name in scripts))).toEqual([]);
});
