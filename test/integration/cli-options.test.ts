import { readFileSync } from 'node:fs';
import { beforeAll, expect, test } from 'vitest';
import { SUMMARY } from '../../cli/overview.ts';
import { command } from '../support/command.ts';
import { temporaryFolder } from '../support/folder.ts';
import { readHelp } from '../support/options-page/help.ts';
import {
  COMMANDS_PAGE,
  type CommandOptions,
  commandOptions,
  pageWithOptions,
  wrongTables,
} from '../support/options-page/page.ts';

const page = readFileSync(COMMANDS_PAGE, 'utf8');
const cwd = temporaryFolder();
const help = async (path: readonly string[]) => (await command(['help', ...path], { cwd, columns: 120 })).stdout;
let commands: CommandOptions;

beforeAll(async () => {
  commands = await commandOptions(help, Object.keys(SUMMARY));
});

test('the tables of docs/cli.md are the options of the commands (npm run docs:options writes them again)', () => {
  expect(pageWithOptions(page, commands)).toBe(page);
});

test('every command with options is in one table', () => {
  expect(wrongTables(page, commands)).toEqual([]);
});

test('a table that is not what the help says is written again', () => {
  const changed = page.replace(
    '| `--dry-run` | List what is due; check nothing |',
    '| `--dry-run` | Send everything |',
  );
  expect(changed).not.toBe(page);
  expect(pageWithOptions(changed, commands)).toBe(page);
  expect(wrongTables(page.replace('<!-- options of sweep -->', ''), commands)).toEqual(['sweep']);
});

test('the help is read as it is printed: folded lines, choices, defaults', async () => {
  const { options } = readHelp(await help(['trigger']), ['trigger']);
  expect(options.find(({ name }) => name === '--amount')).toEqual({
    name: '--amount',
    does: 'Decimal amount',
    kind: 'string',
    choices: [],
    standard: '50.00',
    isRequired: false,
  });
  const event = options.find(({ name }) => name === 'event');
  expect(event?.choices).toEqual(expect.arrayContaining(['refund.awaiting_settlement', 'unknown']));
});

test('the options of the sandbox itself are not those of its controls', async () => {
  const names = (path: string) => (commands.get(path) ?? []).map(({ name }) => name);
  expect(names('sandbox')).toContain('--control-host');
  expect(names('sandbox advance')).toEqual(['by', '--url', '--token']);
  const refused = await command(['sandbox', 'advance', '2h', '--port', '5'], { cwd });
  expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining('Unknown option: --port')]);
});
