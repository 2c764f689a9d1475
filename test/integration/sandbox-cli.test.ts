import { type ChildProcess, spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import yargs from 'yargs';
import { addSandboxCommand } from '../../cli/commands/sandbox.ts';
import { reportError } from '../../cli/context/process.ts';
import { type Cli, UsageError } from '../../cli/options/options.ts';
import { TallyhookError } from '../../src/domain/error.ts';
import { packageFile } from '../../src/package-root.ts';
import { forgetWritten } from '../../src/store/written.ts';
import { temporaryFolder } from '../support/folder.ts';
import { spawn } from '../support/processes.ts';
import { LAUNCHER } from '../support/program.ts';
import { tallyhook } from '../support/tallyhook.ts';

const cwd = temporaryFolder();
const env = { XDG_RUNTIME_DIR: cwd };
let child: ChildProcess;
let facts: {
  url: string;
  controlToken: string;
  merchants: { keys: { test: { publicKey: string; secretKey: string } } }[];
  commands: { about: string; lines: string[] }[];
};

beforeAll(async () => {
  vi.stubEnv('XDG_RUNTIME_DIR', cwd);
  vi.stubEnv('TALLYHOOK_SANDBOX_URL', undefined);
  vi.stubEnv('TALLYHOOK_SANDBOX_TOKEN', undefined);
  const args = [
    'sandbox',
    '--port',
    '0',
    '--seed',
    '7',
    '--json',
    '--webhook-url',
    'none',
    '--live-webhook-url',
    'none',
    '--clock',
    'manual',
  ];
  child = spawn(process.execPath, [LAUNCHER, ...args], {
    cwd,
    env: { PATH: process.env.PATH ?? '', ...env },
  });
  let text = '';
  facts = await new Promise((resolve, reject) => {
    child.on('error', reject);
    child.stdout?.on('data', (chunk) => {
      text += chunk;
      if (text.endsWith('}\n')) resolve(JSON.parse(text));
    });
  });
});
afterAll(() => {
  child.kill('SIGKILL');
  vi.unstubAllEnvs();
});

/** The command itself, in this process: a real one each time would cost half a second. `tallyhook()` below is real. */
const run = async (...args: string[]) => {
  forgetWritten(); // of another test in this process
  const ended = { code: 0, stdout: '', stderr: '' };
  const catchInto = (name: 'stdout' | 'stderr') =>
    vi.spyOn(process[name], 'write').mockImplementation((chunk) => {
      ended[name] += String(chunk);
      return true;
    });
  const spies = [catchInto('stdout'), catchInto('stderr')];
  const cli = yargs(['sandbox', ...args])
    .parserConfiguration({
      'duplicate-arguments-array': false,
      'parse-numbers': false,
      'parse-positional-numbers': false,
    })
    .option('json', { type: 'boolean' })
    .strict()
    .strictCommands()
    .exitProcess(false)
    .fail((message, error) => {
      throw error instanceof TallyhookError || !message ? error : new UsageError(message);
    });
  const before = process.exitCode;
  try {
    await addSandboxCommand(cli as unknown as Cli).parseAsync();
    ended.code = Number(process.exitCode ?? 0);
  } catch (error) {
    reportError(error, ['sandbox']);
    ended.code = Number(process.exitCode);
  } finally {
    process.exitCode = before;
    for (const spy of spies) spy.mockRestore();
  }
  return { ...ended, json: () => JSON.parse(ended.stdout) };
};
const call = async (path: string, body: unknown, headers: Record<string, string> = {}) => {
  const key = facts.merchants[0]?.keys.test.secretKey;
  const response = await fetch(facts.url + path, {
    method: 'POST',
    headers: { Authorization: `Bearer ${key}`, ...headers },
    body: JSON.stringify(body),
  });
  return (await response.json()) as { data: { refund_reference: string } };
};

describe('tallyhook sandbox', () => {
  it('starts with keys of its seed, and leaves a private note that the subcommands find', () => {
    expect(facts.merchants[0]?.keys.test.publicKey).toBe('pk_test_f0b33ad1c453477b359775e08d8f8109');
    const [folder = ''] = readdirSync(cwd);
    const [note = ''] = readdirSync(join(cwd, folder));
    expect(JSON.parse(readFileSync(join(cwd, folder, note), 'utf8'))).toEqual({
      url: facts.url,
      token: facts.controlToken,
      pid: child.pid,
    });
  });

  it('is found beside the note that a killed one left behind', async () => {
    const [folder = ''] = readdirSync(cwd);
    const dead = spawn(process.execPath, ['-e', '']);
    await new Promise((resolve) => dead.on('exit', resolve));
    const left = { url: 'http://127.0.0.1:1', token: 'sbx_left', pid: dead.pid };
    writeFileSync(join(cwd, folder, '1.json'), JSON.stringify(left), { mode: 0o600 });
    expect((await run('status', '--json')).code).toBe(0);
    rmSync(join(cwd, folder, '1.json'));
  });

  it('walks a refund through its life from the terminal', async () => {
    await run('balances', 'USD', '--available', '0.00', '--pending', '50.00');
    const bank = { email: 'a@b.co', amount: '9.00', currency: 'NGN', reference: 'B1', status: 'pending' };
    await call('/api/s2s/v1/banktransfer/initialize', bank);
    expect((await run('advance', '20s')).stdout).toMatch(/^now {2}\d{4}-/);
    expect((await run('collections', 'list', '--json')).json().items).toMatchObject([
      { reference: 'B1', status: 'success' },
    ]);

    const data = { number: '4000000000000002', expiryMonth: '12', expiryYear: '99', cvv: '123' };
    const key = facts.merchants[0]?.keys.test.secretKey;
    const helper = await fetch(`${facts.url}/api/s2s/v1/test/encryption`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${key}` },
      body: JSON.stringify({ data, reference: 'T1' }),
    });
    await call('/api/s2s/v1/transaction/initialize', {
      ...bank,
      currency: 'USD',
      reference: 'T1',
      card: await helper.text(),
      status: 'success',
    });
    const reference = (await call('/api/v1/refund', { reference: 'T1' })).data.refund_reference;

    const early = await run('refunds', 'move', reference, 'success');
    expect([early.code, early.stderr]).toEqual([1, expect.stringContaining('settle its funds first')]);
    expect((await run('settle', 'USD', '--amount', '4.00', '--json')).json()).toEqual([
      { currency: 'USD', settled: '4.00' },
    ]);
    expect((await run('settle')).stdout).toContain('USD');
    expect((await run('refunds', 'move', reference, 'success')).stdout).toBe(`${reference}  success\n`);
    expect((await run('refunds', 'list')).stdout).toMatch(new RegExp(`${reference} +T1 +9.00 +USD +success`));
    const books = await run('books');
    expect([books.code, books.stdout]).toEqual([0, expect.stringContaining('The books add up.')]);
  });

  it('lists and redelivers webhooks, and ends with 1 when no webhook URL is set', async () => {
    const [first] = (await run('webhooks', 'list', '--state', 'no_url', '--json')).json().items;
    const again = await run('webhooks', 'redeliver', first.id);
    expect([again.code, again.stdout]).toEqual([1, expect.stringContaining('no_url')]);
  });

  it('adds, lists and clears chaos', async () => {
    const rule = '{do: drop, probability: 0.5, events: [refund.*], limit: 3}';
    const [added] = (await run('chaos', 'add', rule, '--json')).json();
    expect(added).toMatchObject({ do: 'drop', probability: 0.5, events: ['refund.*'], limit: 3 });
    const file = join(cwd, 'chaos.yaml');
    writeFileSync(file, 'settings: { pageSize: 5 }\nrules:\n  - { id: late, do: delay, by: 10m }\n');
    expect((await run('chaos', 'load', file)).stdout).toContain('late');
    expect((await run('chaos', 'clear')).stdout).toBe('0 rules left\n');
  });

  it('snapshots, resets and restores, asking first', async () => {
    const file = join(cwd, 'snapshot.json');
    await run('snapshot', file);
    expect((await run('reset')).code).toBe(2);
    await run('reset', '--yes');
    expect((await run('refunds', 'list', '--json')).json()).toEqual({ items: [], shown: 0, total: 0, more: false });
    await run('restore', file, '--yes');
    expect((await run('refunds', 'list', '--json')).json().items).toHaveLength(1);
    expect((await run('status', '--json')).json().merchants[0].keys).toEqual(facts.merchants[0]?.keys);
  });

  it('replaces no file by a snapshot, unless with --force', async () => {
    const file = join(cwd, 'mine.yaml');
    writeFileSync(file, '# mine: ₦\n', { mode: 0o644 });
    const refused = await run('snapshot', file);
    expect([refused.code, refused.stdout, refused.stderr]).toEqual([
      2,
      '',
      `tallyhook: ${file} exists already.\nGive another name, or replace it with --force.\n`,
    ]);
    expect(readFileSync(file, 'utf8')).toBe('# mine: ₦\n');
    const written = (await run('snapshot', file, '--force', '--json')).json();
    expect(written).toEqual({ file, bytes: statSync(file).size });
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(JSON.parse(readFileSync(file, 'utf8'))).toHaveProperty('state');
    expect(readdirSync(cwd).filter((name) => name.startsWith('mine.yaml'))).toEqual(['mine.yaml']);
  });

  it.each([
    [['refunds'], 2, 'list or move?'],
    [['refunds', 'move', 'RFD_NO', 'success'], 1, 'No refund RFD_NO'],
    [['advance', 'soon'], 2, 'is not a duration'],
    [['balances', '--available', '1.00'], 2, 'Which currency?'],
    [['chaos', 'add', '{do: explode}'], 2, 'must be one of: drop'],
    [['refunds', 'move', 'RFD_NO', 'paid'], 2, 'Invalid values'],
    [['webhook-url', 'nowhere'], 2, 'is not a webhook URL'],
    [['status', '--token', 'wrong'], 1, 'Invalid control token'],
    [['status', '--url', 'http://127.0.0.1:1', '--token', 'x'], 1, 'No sandbox answers'],
    [['--chaos', 'missing.yaml'], 2, 'missing.yaml'],
    [['--checkout-url', 'pay.example.com'], 2, '--checkout-url is "pay.example.com": it must start with http'],
    [['--host', '192.0.2.1'], 2, 'not an address of this machine (EADDRNOTAVAIL).\nChoose one with --host'],
    [['status', '--url', '127.0.0.1:4602'], 2, 'must start with http:// or https://'],
    [['status', '--token', 'wrong'], 1, 'The sandbox printed its token when it started'],
    [['chaos', 'add', 'drop'], 2, 'The rule is "drop": it must be a mapping with `do`.\nFor example'],
    [['chaos', 'clear', 'nothing'], 1, 'No chaos rule nothing\nList them'],
    [['snapshot', '/nowhere/at/all'], 2, 'Cannot write /nowhere/at/all: its folder does not exist.'],
    [['snapshot', '/'], 2, '/ is not a file.\nGive the name of a file.'],
    [['restore', '/nowhere/at/all', '--yes'], 2, 'Cannot read the snapshot /nowhere/at/all: it does not exist.'],
    [['restore', packageFile('README.md'), '--yes'], 2, 'Cannot read the snapshot'],
    [['restore', packageFile('package.json'), '--yes'], 2, 'The snapshot was refused: not a snapshot'],
  ])('%j ends with %d and says %j', async (args, code, text) => {
    const ended = await run(...args);
    expect([ended.code, ended.stdout, ended.stderr]).toEqual([code, '', expect.stringContaining(text)]);
  });

  it('names a new wallet, and shows the one currency that is meant', async () => {
    const shown = (await run('balances', 'KES', '--wallet', 'SHOP', '--json')).json().items;
    expect(shown).toMatchObject([{ currency: 'KES', wallets: { SHOP: '0.00' } }]);
    expect((await run('balances', 'NGN', '--json')).json().items).toHaveLength(1);
    expect((await run('balances', '--json')).json().items).toHaveLength(4);
    expect((await run('balances', '--wallet', 'SHOP')).stderr).toContain('Which currency?');
  });

  it('says where webhooks go, and that with none they are not sent', async () => {
    const { stdout } = await run('webhook-url', 'http://127.0.0.1:1/hook', '--environment', 'live');
    expect(stdout).toBe('live webhooks go to http://127.0.0.1:1/hook\n');
    expect((await run('webhook-url', 'none', '--environment', 'live')).stdout).toBe('live webhooks are not sent\n');
  });

  it('says what of a chaos file counts only at the start', async () => {
    const file = join(cwd, 'seed.yaml');
    writeFileSync(file, 'seed: 9\n');
    const { code, stderr } = await run('chaos', 'load', file);
    expect([code, stderr]).toEqual([
      0,
      expect.stringMatching(/seed of the file was ignored[\s\S]*The file has no rules/),
    ]);
  });

  it('tells something else that answers from a sandbox', async () => {
    const other = createServer((_asked, answer) => answer.end('<html>hello</html>'));
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(other.address() as AddressInfo).port}`;
    const { code, stderr } = await run('status', '--url', url, '--token', 'x');
    expect([code, stderr]).toEqual([
      1,
      expect.stringContaining(`The server at ${url} is not a sandbox: it answered HTTP 200`),
    ]);
    other.close();
  });

  it('asks which, when several run and none at the usual address', async () => {
    const folder = readdirSync(cwd).find((name) => name.startsWith('tallyhook-sandbox-')) ?? '';
    const second = { url: 'http://127.0.0.1:1', token: 'sbx_second', pid: process.pid };
    writeFileSync(join(cwd, folder, '1.json'), JSON.stringify(second), { mode: 0o600 });
    const { code, stderr } = await run('status');
    rmSync(join(cwd, folder, '1.json'));
    expect([code, stderr]).toEqual([
      2,
      expect.stringMatching(/^tallyhook: 2 sandboxes run on this machine[\s\S]*Choose one with --url/),
    ]);
  });

  it('gives its commands to paste with --json as well, and they work', { tags: ['curl'] }, async () => {
    const pasted = facts.commands.flatMap(({ lines }) => lines).filter((line) => line.startsWith('curl '));
    expect(pasted).toHaveLength(3);
    const answers = pasted.map((line) => JSON.parse(spawnSync('sh', ['-c', line], { encoding: 'utf8' }).stdout));
    expect(answers).toMatchObject([
      { success: true, data: { reference: 'order-1' } },
      { success: false, message: 'Transaction is not successful' }, // before Pay is pressed
      { success: true, data: { reference: 'payout-1' } },
    ]);
  });

  it('is found by the real program, stops on a signal, and takes its note away', async () => {
    const real = await tallyhook(['sandbox', 'advance', '1h', '--json'], { cwd, env });
    expect([real.code, Object.keys(JSON.parse(real.stdout)), real.stderr]).toEqual([0, ['now'], '']);
    const ended = new Promise((resolve) => child.on('exit', resolve));
    child.kill('SIGTERM');
    expect(await ended).toBe(0);
    const missing = await tallyhook(['sandbox', 'status'], { cwd, env });
    expect([missing.code, missing.stderr]).toEqual([1, expect.stringContaining('Start one: tallyhook sandbox')]);
  });
});

it('prints commands that work as pasted: with npx when it was started with npx', async () => {
  for (const [npm, command] of [
    [{ npm_command: 'exec' }, 'npx tallyhook'],
    [{ _: 'tallyhook' }, 'tallyhook'],
  ] as const) {
    const started = spawn(process.execPath, [LAUNCHER, 'sandbox', '--port', '0'], {
      cwd,
      env: { PATH: process.env.PATH ?? '', ...env, ...npm },
    });
    let text = '';
    await new Promise<void>((resolve) => {
      started.stdout.on('data', (chunk) => {
        text += chunk;
        if (text.includes(' sweep\n')) resolve();
      });
    });
    started.kill('SIGTERM');
    await new Promise((resolve) => started.on('exit', resolve));
    const url = /http:\S+/.exec(text)?.[0];
    expect(text).toContain(`\n${command} serve\n`);
    expect(text).toContain(`\n${command} sandbox settle --url ${url}\n`);
  }
});
