import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { afterAll, expect, test } from 'vitest';
import { packageFile } from '../../src/package-root.ts';
import { command } from '../support/command.ts';
import { startService } from '../support/service.ts';
import { PROFILE, walletCsv } from '../support/statement-files.ts';
import { payout, refund, TestDatabase } from '../support/test-database.ts';

const { sandbox } = await startService();
const db = new TestDatabase();
db.keepAndApply(
  refund('R1', 'success'),
  refund('R1', 'success', { data: { amount: '6.00' } }), // a finding
  payout('P1', 'pending'),
  delivered('collection'),
);
db.database.exec(`INSERT INTO alerts (cause, subject, severity, opened_at, seen_at, openings, size, facts, noticed_size)
  VALUES ('stuck', 'test', 'warning', 1, 1, 1, 1, '{"environment":"test","records":1}', 0)`);
db.database.exec("INSERT INTO tracked (kind, record_id, tracked_at) VALUES ('refund', 1, 0), ('payout', 1, 0)");
afterAll(() => db.remove());
const env = {
  TALLYHOOK_DATABASE: db.path,
  TALLYHOOK_BASE_URL: sandbox.url,
  TALLYHOOK_TEST_PUBLIC_KEY: sandbox.keys.test.publicKey,
  TALLYHOOK_TEST_SECRET_KEY: sandbox.keys.test.secretKey,
};
const SANDBOX = ['--url', sandbox.url, '--token', sandbox.controlToken];
const statement = ['wallet.csv', '--profile', 'wallet.yaml'];
writeFileSync(join(db.folder, 'wallet.csv'), walletCsv([['C1', 1_000]]));
writeFileSync(join(db.folder, 'wallet.yaml'), PROFILE);
expect(await command(['statements', 'import', ...statement], { cwd: db.folder, env })).toMatchObject({ code: 0 });

function delivered(kind: 'collection') {
  const data = {
    reference: 'C1',
    status: 'success',
    amount: '10.00',
    currency: 'NGN',
    updated_at: '2026-11-20T09:00:00Z',
  };
  return {
    ...payout('C1', 'success'),
    body: Buffer.from(JSON.stringify({ notify: 'transaction', notifyType: 'successful', data })),
    kind,
  };
}

/** Every list command, by the file of cli/commands that prints it. */
const LISTS: Readonly<Record<string, readonly (readonly string[])[]>> = {
  'events/list.ts': [['events', 'list']],
  'records.ts': [
    ['refunds', 'list'],
    ['payouts', 'list'],
    ['collections', 'list'],
  ],
  'refunds/list-remote.ts': [['refunds', 'list', '--remote']],
  'payouts/banks.ts': [['payouts', 'banks', 'NGN']],
  'findings/list.ts': [['findings'], ['findings', 'list']],
  'alerts/list.ts': [['alerts'], ['alerts', 'list']],
  'audit/list.ts': [['audit', 'list']],
  'stuck.ts': [['stuck', '--older', '0s']],
  'sweep/text.ts': [['sweep', '--dry-run']],
  'track/list.ts': [['track', 'list']],
  'statements/list.ts': [['statements', 'list']],
  'matches/list.ts': [['matches', 'list']],
  'breaks/list.ts': [['breaks', 'list']],
  'outbox/list.ts': [['outbox', 'list']],
  'statements/folder.ts': [['statements', 'folder']],
  'statements/show.ts': [['statements', 'show', '1']],
  'incidents.ts': [['incidents']],
  'health.ts': [['health', '--history', 'day']],
  'refused.ts': [['refused']],
  'schedule/list.ts': [['schedule', 'list']],
  'users/list.ts': [['users', 'list']],
  'users/sessions.ts': [['users', 'sessions', 'list']],
  'dashboard/routes.ts': [['dashboard', 'routes']],
  'approvals/list.ts': [['approvals'], ['approvals', 'list']],
  'trigger.ts': [['trigger', '--list']],
  'sandbox/records.ts': [
    ['sandbox', 'refunds', 'list', ...SANDBOX],
    ['sandbox', 'payouts', 'list', ...SANDBOX],
    ['sandbox', 'collections', 'list', ...SANDBOX],
  ],
  'sandbox/webhooks.ts': [['sandbox', 'webhooks', 'list', ...SANDBOX]],
  'sandbox/chaos.ts': [
    ['sandbox', 'chaos', 'list', ...SANDBOX],
    ['sandbox', 'chaos', 'faults', ...SANDBOX],
  ],
  'sandbox/bank.ts': [
    ['sandbox', 'chargebacks', 'list', ...SANDBOX],
    ['sandbox', 'batches', 'list', ...SANDBOX],
  ],
  'sandbox/money.ts': [['sandbox', 'balances', ...SANDBOX]],
};

/** Lists whose document holds more than their rows; cli-exceptions.test.ts and cli-period.test.ts hold them. */
const OF_THEIR_OWN = ['exceptions/list.ts', 'period/list.ts'];

test('every command called list prints as a list, and each of them is held to the shape below', () => {
  const folder = packageFile('cli/commands');
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'));
  const source = (file: string) => readFileSync(join(folder, file), 'utf8');
  const named = files.filter((file) => /^ +\[?'list'[,\]]/m.test(source(file)));
  expect(named.length).toBeGreaterThan(7);
  const held = [...Object.keys(LISTS), ...OF_THEIR_OWN];
  expect(held).toEqual(expect.arrayContaining(named));
  const printing = files.filter((file) => source(file).includes('printList(') && !OF_THEIR_OWN.includes(file));
  expect(printing.sort()).toEqual(Object.keys(LISTS).sort());
});

test.each(Object.values(LISTS).flat())('%s %s %s: one shape', async (...words) => {
  const args = words.filter((word) => word !== undefined);
  const { stdout, stderr } = await command([...args, '--json'], { cwd: db.folder, env });
  const list = JSON.parse(stdout);
  expect(Object.keys(list).slice(0, 4)).toEqual(['items', 'shown', 'total', 'more']);
  expect(list.items).toBeInstanceOf(Array);
  expect(list).toMatchObject({ shown: list.items.length, total: list.items.length, more: false });
  expect(stderr).not.toMatch(/ shown/);
});

test.each([['alerts'], ['alerts', 'show', '1'], ['approvals'], ['schedule', 'list'], ['status'], ['health']])(
  '%s %s %s: what depends on the time of asking says as of when it is',
  async (...words) => {
    const args = words.filter((word) => word !== undefined);
    const before = new Date().toISOString();
    const { asOf } = JSON.parse((await command([...args, '--json'], { cwd: db.folder, env })).stdout);
    expect([before, asOf, new Date().toISOString()].toSorted()[1]).toBe(asOf);
  },
);

test.each([
  ['events', 'list'],
  ['findings', 'list'],
  ['stuck', '--older', '0s'],
  ['track', 'list'],
])('%s %s: a list that is cut says how much there is, in JSON and on stderr; --all shows it', async (...args) => {
  const { stdout, stderr } = await command([...args, '--json', '--limit', '1'], { cwd: db.folder, env });
  const all = JSON.parse((await command([...args, '--json', '--all'], { cwd: db.folder, env })).stdout);
  expect(all.items.length).toBeGreaterThan(1);
  expect(JSON.parse(stdout)).toMatchObject({ items: [all.items[0]], shown: 1, total: all.items.length, more: true });
  expect(stderr).toBe(`1 of ${all.items.length} shown; --limit 1000 or --all\n`);
});

test.each([['refunds', 'list'], ['findings'], ['stuck', '--older', '0s'], ['track', 'list']])(
  '%s %s as CSV has the rows of its JSON, one line each, and nothing else',
  async (...words) => {
    const args = words.filter((word) => word !== undefined);
    const list = JSON.parse((await command([...args, '--json'], { cwd: db.folder, env })).stdout);
    const csv = await command([...args, '--format', 'csv'], { cwd: db.folder, env });
    const rows = parse(csv.stdout, { columns: true }) as Record<string, string>[];
    const facts = ({ environment, kind, reference }: Record<string, string>) => ({ environment, kind, reference });
    expect(rows.length).toBeGreaterThan(0);
    expect(rows.map(facts)).toEqual(list.items.map(facts));
    const both = await command([...args, '--format', 'csv', '--json'], { cwd: db.folder, env });
    expect([both.code, both.stdout]).toEqual([2, '']);
  },
);

test('an error with --json is one line of JSON on stderr, also when the command line is wrong', async () => {
  const ended = await command(['refunds', 'show', 'NOPE', '--json'], { cwd: db.folder, env });
  expect(ended).toMatchObject({ code: 1, stdout: '' });
  expect(JSON.parse(ended.stderr)).toEqual({
    error: { kind: 'not_found', message: 'There is no refund NOPE.', hint: expect.any(String), exitCode: 1 },
  });
  const wrong = await command(['refunds', 'lits', '--json'], { cwd: db.folder, env });
  expect(wrong).toMatchObject({ code: 2, stdout: '' });
  expect(JSON.parse(wrong.stderr)).toMatchObject({ error: { kind: 'usage', hint: expect.stringMatching(/list/) } });
});
