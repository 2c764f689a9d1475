import { appendFileSync, copyFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { packageFile } from '../../src/package-root.ts';
import { type Sandbox, startSandbox } from '../../src/sandbox/index.ts';
import { blocksOf } from '../support/documents/blocks.ts';
import { LEFT_OUT, RUN_ELSEWHERE } from '../support/documents/left-out.ts';
import { PAGES } from '../support/documents/programs.ts';
import { commandsOf, makeStandIn, Shell } from '../support/documents/shell.ts';
import { temporaryFolder } from '../support/folder.ts';
import { forThisFile } from '../support/processes.ts';
import { Serve } from '../support/serve.ts';
import { signed, TEST_KEY_ENV } from '../support/signer.ts';
import { tallyhook } from '../support/tallyhook.ts';
import { until } from '../support/wait.ts';

// Every command of README.md and docs/ is pasted into one shell, page after page, in a fresh folder beside a serve and a sandbox. What
// cannot run here is named in left-out.ts.

const LIVE_KEYS = 'TALLYHOOK_LIVE_PUBLIC_KEY=pk_live_0123456789 TALLYHOOK_LIVE_SECRET_KEY=sk_live_0123456789abcdef';
const folder = temporaryFolder();
const backups = join(folder, 'backups');
let sandbox: Sandbox;
let serve: Serve | undefined;
let shell: Shell;

beforeAll(async () => {
  sandbox = await startSandbox({ seed: 7, clock: 'manual' });
  const runtime = join(folder, `tallyhook-sandbox-${userInfo().uid}`); // where `tallyhook sandbox` says where it runs
  mkdirSync(runtime, { mode: 0o700 });
  writeFileSync(join(runtime, '4602.json'), JSON.stringify({ url: sandbox.url, token: sandbox.controlToken }));
  mkdirSync(backups);
  // The README is followed in a clone, the other pages where it is installed.
  for (const name of ['bin/tallyhook', 'cli/tallyhook.js']) makeStandIn(join(folder, name));
  const PATH = [join(folder, 'bin'), process.env.PATH].join(':');
  shell = new Shell(folder, { PATH, XDG_RUNTIME_DIR: folder, ...TEST_KEY_ENV });
});
afterAll(async () => {
  shell.end();
  await serve?.kill();
  await sandbox.close();
});

/** What a person has done before such a command, or does at that moment in another terminal. */
const BEFORE: readonly (readonly [command: RegExp, prepare: () => Promise<unknown> | unknown])[] = [
  [/ health --environment live$/, () => shell.run(`export ${LIVE_KEYS}`)], // the README needs test keys only
  [/ verify body\.json /, writeDelivery],
  [/ events show 12$/, () => shell.run('tallyhook trigger refund.success --count 12')],
  [/ events (list|show)/, carriedOut],
  [/ track payout P-1 /, () => shell.run('unset TALLYHOOK_LIVE_PUBLIC_KEY TALLYHOOK_LIVE_SECRET_KEY')],
  [/ expected\.csv/, () => writeFileSync(join(folder, 'expected.csv'), 'reference,amount,currency\nC-1,10.00,NGN\n')],
  [/ why ORDER_17$/, () => shell.run('tallyhook track collection ORDER_17 --amount 1.00 --currency NGN')],
  [/ statements import october\.csv .*--dry-run/, confirmProfile],
  [/ statements import (wallet-october|2026-)/, writeStatements],
  [/ schedule run backup$/, scheduleBackups],
  [/ restore .*2026-11-20\.db/, stopAndFindBackup],
];

/** Does what runs in a terminal of its own; false for every other command. */
async function inOtherTerminal(command: string): Promise<boolean> {
  if (command !== 'npm start') return false;
  const database = join(folder, 'data', 'tallyhook.db');
  // The lines of docs/statements.md are of a day long ago: once judged, that alert is open, and `incidents` ends with 3.
  appendFileSync(join(folder, 'tallyhook.yaml'), '\nalerts: { causes: { no_statement: { severity: "off" } } }\n');
  serve = await forThisFile(() => Serve.start({ cwd: folder, database }));
  const port = (url: string) => new URL(url).port;
  await shell.run(`export TALLYHOOK_PORT=${port(serve.url)} TALLYHOOK_ADMIN_PORT=${port(serve.adminUrl)}`);
  return true;
}

/** A person takes longer from one command to the next than what is acknowledged takes until it can be seen. */
async function carriedOut(): Promise<void> {
  const waiting = async () => JSON.parse((await shell.run('tallyhook stats --json')).output).waiting;
  await until(async () => (await waiting()) === 0, 'what was acknowledged is carried out');
}

function writeDelivery(): void {
  const body = '{"event":"refund.success","data":{"refund_reference":"R1"}}';
  const headers = Object.entries(signed(body)).map(([name, value]) => `${name}: ${value}\n`);
  writeFileSync(join(folder, 'body.json'), body);
  writeFileSync(join(folder, 'headers.txt'), headers.join(''));
}

/** What a person does with each guess of a proposed profile. */
function confirmProfile(): void {
  const file = join(folder, 'wallet.yaml');
  writeFileSync(file, readFileSync(file, 'utf8').replaceAll('confirm: ', ''));
}

function writeStatements(): void {
  for (const name of ['wallet-october.csv', '2026-10.csv'])
    writeFileSync(join(folder, name), 'Date,Reference,Type,Amount\n31/10/2026,ORD-2,Payment,97.85\n');
}

function scheduleBackups(): void {
  const file = join(folder, 'tallyhook.yaml');
  const schedule = 'schedule:\n  backup: 30 2 * * *\n  backupFolder: ./backups\n';
  writeFileSync(file, `${readFileSync(file, 'utf8')}\n${schedule}`);
}

async function stopAndFindBackup(): Promise<void> {
  await serve?.stop();
  const scheduled = readdirSync(backups).find((name) => name.startsWith('tallyhook-'));
  copyFileSync(join(backups, scheduled ?? ''), join(backups, 'tallyhook-2026-11-20.db'));
}

const withoutSections = (page: string, text: string) =>
  text.split(/\n(?=## )/).filter((section) => !(`${page}#${/^## (.*)/.exec(section)?.[1]}` in RUN_ELSEWHERE));
const commands = [...PAGES.filter((page) => page !== 'docs/cli.md'), 'docs/cli.md'] // its last command stops serve
  .filter((page) => !(page in RUN_ELSEWHERE))
  .flatMap((page) => withoutSections(page, readFileSync(packageFile(page), 'utf8')).map((section) => [page, section]))
  .flatMap(([page, section = '']) => blocksOf(section).map((block) => ({ page, block })))
  .filter(({ block }) => block.language === 'sh')
  .flatMap(({ page, block }) => commandsOf(block.text).map((command) => [page, command] as const));

const found = (command: string) => commands.some(([, one]) => one === command);
const isLeftOut = (command: string) => LEFT_OUT.some(([pattern]) => pattern.test(command));

test('the commands are found, and every exception is one', () => {
  expect(commands.length).toBeGreaterThan(35);
  expect(found('./cli/tallyhook.js init') && found('tallyhook status')).toBe(true);
  for (const [pattern, reason] of LEFT_OUT) {
    expect([reason, commands.some(([, command]) => pattern.test(command))]).toEqual([reason, true]);
  }
});

test.each(commands.filter(([, command]) => !isLeftOut(command)))('%s: %s', async (_page, command) => {
  if (await inOtherTerminal(command)) return;
  for (const [pattern, prepare] of BEFORE) if (pattern.test(command)) await prepare();
  const { code, output } = await shell.run(command.replaceAll('/backups/', `${backups}/`));
  expect({ code, output }).toEqual({ code: 0, output: expect.any(String) });
});

test('the list of mistakes that docs/configuration.md shows is what a wrong file gets', async () => {
  const page = readFileSync(packageFile('docs/configuration.md'), 'utf8');
  const shown = blocksOf(page).find(({ text }) => text.startsWith('tallyhook: 3 problems'))?.text ?? '';
  const file = join(folder, 'wrong.yaml');
  const key = `sk_test_${'0'.repeat(40)}`;
  const keys = `keys:\n  live:\n    - { id: live-1, publicKey: pk_live_1, secretKey: ${key} }`;
  writeFileSync(file, `receiver: { port: 70000 }\n${keys}\nprot: 1\n`);
  const { stderr } = await tallyhook(['events', 'list', '--config', file], { cwd: folder });
  expect(stderr.replace(file, '/etc/tallyhook/tallyhook.yaml')).toBe(shown);
});
