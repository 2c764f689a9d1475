import { join } from 'node:path';
import { expect, test } from 'vitest';
import { COMMAND_ACTS } from '../../cli/command-acts.ts';
import { command } from '../support/command.ts';
import { makeEmptyDatabase } from '../support/empty-database.ts';
import { temporaryFolder } from '../support/folder.ts';
import { OnTerminal } from '../support/on-terminal.ts';
import { overviewCommands } from '../support/overview.ts';
import { someOf } from '../support/random-runs.ts';
import { TEST_KEY_ENV } from '../support/signer.ts';
import { tallyhook } from '../support/tallyhook.ts';

const cwd = temporaryFolder();
const helpBy = async (run: typeof command, ...args: string[]) => {
  const { code, stdout, stderr } = await run(args, { cwd });
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return stdout;
};
const overviewOf = (...args: string[]) => helpBy(tallyhook, ...args);
let printed: Promise<string> | undefined;
/** The overview, by one start of the program. */
const overview = () => (printed ??= overviewOf('--help'));
const helpOf = (...args: string[]) => helpBy(command, ...args);

test('the overview has the commands in groups, and is shown without a command, too', async () => {
  const shown = await overview();
  const groups = ['Receive webhooks', 'Records', 'The payment service', 'Your applications', 'Finance', 'Upkeep'];
  const titles = [...shown.matchAll(/^[A-Z][\w ]+$/gm)].map(([title]) => title);
  expect(titles).toEqual([...groups, 'Options of every command', 'Examples']);
  for (const words of someOf(3, [
    [],
    ['help'],
    ['--json', '--help'],
    ['-h'],
    ['help', '--help'],
    ['--config', 'x.yaml', '-h'],
  ]))
    expect([words, await overviewOf(...words)]).toEqual([words, shown]);
});

test('help COMMAND, -h and --help show the same help of a command', async () => {
  const help = await helpOf('refunds', 'show', '--help');
  expect(help).toMatch(/^tallyhook refunds show <reference>\n/);
  for (const words of [
    ['help', 'refunds', 'show'],
    ['refunds', 'show', '-h'],
    ['--json', 'refunds', 'show', '-h'],
  ])
    expect(await helpOf(...words)).toBe(help);
});

test('every command of the overview has a help with the same sentence', async () => {
  const shown = await overview();
  const commands = overviewCommands(shown);
  expect(commands.length).toBeGreaterThan(25);
  for (const name of commands) {
    const help = (await helpOf(name, '--help')).replace(/\s+/g, ' ');
    const [, sentence = ''] = new RegExp(`^ {2}${name} {2,}(.*(?:\\n {17}.*)*)`, 'm').exec(shown) ?? [];
    expect([name, help]).toEqual([name, expect.stringContaining(sentence.replace(/\s+/g, ' '))]);
  }
});

/** The help of each command that has no subcommand. */
async function* leafHelps(path: readonly string[]): AsyncGenerator<{ line: string; help: string }> {
  const help = await helpOf(...path, '--help');
  const [, list = ''] = /^Commands:\n((?: {2,}.*\n)+)/m.exec(help) ?? [];
  const start = `  tallyhook ${path.join(' ')} `;
  const names = list
    .split('\n')
    .flatMap((line) => (line.startsWith(start) ? line.slice(start.length).split(' ', 1) : []));
  for (const name of names) yield* leafHelps([...path, name]);
  if (names.length === 0) yield { line: path.join(' '), help };
}

test('every command that does something has an example, a place in the table of acts, and a blank before the kind of each option', async () => {
  let seen = 0;
  const without: string[] = [];
  for (const name of overviewCommands(await overview())) {
    for await (const { line, help } of leafHelps([name])) {
      seen++;
      if ((COMMAND_ACTS[line] ?? COMMAND_ACTS[`${name} *`]) === undefined) without.push(`${line}: no act`);
      if (!/^Examples:/m.test(help)) without.push(line);
      expect([line, help]).toEqual([
        line,
        expect.not.stringMatching(/\S\[(?:string|number|boolean|array|choices|default)/),
      ]);
    }
  }
  expect(seen).toBeGreaterThan(50);
  expect(without).toEqual([]);
});

test('on a terminal of 80 columns no line of a help is broken, and no description touches what follows', {
  tags: ['script'],
}, async () => {
  const terminal = new OnTerminal(['refunds', 'list', '--help'], { cwd, stdout: 'terminal', columns: 80 });
  await terminal.ended();
  const lines = terminal.shown.split(/\r?\n/);
  const [, examples = ''] = terminal.shown.split('Examples:');
  expect(lines.filter((line) => line.length > 80 || /\S\[string\]/.test(line))).toEqual([]);
  // Each example whole on a line, its meaning below.
  expect(examples).toMatch(
    /\n {2}\S*tallyhook\S* refunds list --all --format csv > refunds\.csv\r?\n {6}For a spreadsheet/,
  );
  expect(terminal.shown).toMatch(/a date includes that day/);
});

test('whole numbers are numbers in a help', async () => {
  const help = await helpOf('events', 'list', '--help');
  expect(help).toMatch(/--limit +Rows at most +\[number\] \[default: 50\]/);
  expect(help).toMatch(/--after .*\[number\]$/m);
  expect(help).toMatch(/--since .*\[string\]$/m);
});

/** The client, the servers, the metrics and the log. */
const SERVING = ['undici', 'fastify', 'prom-client', 'pino', 'ky'];
/** Packages that no help needs: also the schema of the configuration, the database, the widths of emoji. */
const HEAVY = [...SERVING, 'string-width', 'zod', 'yaml', 'better-sqlite3', '@clack/prompts'];

test.each(
  someOf(5, [
    '--help',
    'serve --help',
    'sweep --help',
    'sandbox advance --help',
    'init --help',
    'events --help',
    'forward --help',
    'status --help',
    'health --help',
    'alerts check --help',
    'demo --help',
    'refunds request --help',
  ]),
)('%s loads none of what only its work needs', async (line) => {
  const { code, packages } = await loadedBy(line);
  expect(code).toBe(0);
  expect(HEAVY.filter((name) => packages.includes(name))).toEqual([]);
  expect(packages.includes('yargs')).toBe(line !== '--help');
});

test('a list of a database that variables name loads no client, no server and no reader of settings files', async () => {
  const database = join(temporaryFolder(), 'tallyhook.db');
  makeEmptyDatabase(database);
  const { code, packages } = await loadedBy('events list', { ...TEST_KEY_ENV, TALLYHOOK_DATABASE: database });
  expect(code).toBe(0);
  expect(packages).toEqual(expect.arrayContaining(['zod', 'better-sqlite3']));
  expect([...SERVING, 'yaml'].filter((name) => packages.includes(name))).toEqual([]);
});

/** Runs a command, and tells the packages that it loaded. */
async function loadedBy(line: string, env: Record<string, string> = {}) {
  const watch = `data:text/javascript,import{registerHooks}from'node:module';const seen=new Set;registerHooks({load(url,context,next){
    const m=/node_modules\\/((?:@[^/]+\\/)?[^/]+)/.exec(url);if(m)seen.add(m[1]);return next(url,context)}});
    process.on('exit',()=>process.stderr.write('LOADED '+[...seen].join(' ')))`;
  const ended = await tallyhook(line.split(' '), {
    cwd,
    under: [],
    env: { ...env, NODE_OPTIONS: `--import ${encodeURI(watch)}` },
  });
  const [, list = ''] = /LOADED (.*)$/.exec(ended.stderr) ?? [];
  return { code: ended.code, packages: list.split(' ') };
}
