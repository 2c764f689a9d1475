import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { afterAll, expect, test } from 'vitest';
import { checked } from '../support/check.ts';
import { command } from '../support/command.ts';
import { collection, payout, refund, START_MS, TestDatabase } from '../support/test-database.ts';

const NOVEMBER_MS = START_MS;
const db = new TestDatabase();
const completed = (at: string, more = {}) => ({ updatedAt: at, data: { completed_at: at, fee: '0.25', ...more } });
db.keepAndApply(
  refund('OCT-FIRST', 'success', completed('2026-09-30T23:30:00Z')), // 1 October in Lagos
  refund('OCT-LAST', 'success', completed('2026-10-31T22:30:00Z')),
  refund('NOV-FIRST', 'failed', completed('2026-10-31T23:30:00Z')), // 1 November in Lagos
  refund('OTHER-WORD', 'parked', completed('2026-11-02T10:00:00Z')),
  payout('0017', 'failed', {
    data: { account_number: '0123456789', fee: '10.50', paid_at: '2026-10-05T08:00:00+01:00' },
  }),
  payout('=1+1', 'success', { data: { amount: '90071992547409.93' } }),
  collection('C1', 'success', {
    data: { amount: '101.75', requested_amount: '100.00', fees: '1.75', paid_at: '2026-10-05T08:00:00Z' },
  }),
  collection('C2', 'success', { data: { paid_at: '2026-11-01T05:30:00Z' } }),
  collection('C3', 'success', { data: { paid_at: '2026-11-01T06:30:00Z' } }),
);
// A status check moves `changed_at` of each into November.
for (const reference of ['OCT-FIRST', 'OCT-LAST', 'NOV-FIRST']) {
  await checked(db, reference, reference === 'NOV-FIRST' ? 'rejected' : 'success', { nowMs: NOVEMBER_MS });
}
afterAll(() => db.remove());
const run = (...args: string[]) => command(args, { cwd: db.folder, env: { TALLYHOOK_DATABASE: db.path } });
const references = async (...args: string[]) => {
  const { stdout } = await run('refunds', 'list', '--oldest-first', '--json', ...args);
  return (JSON.parse(stdout).items as { reference: string }[]).map(({ reference }) => reference);
};

test('a month is that of the business, in timeZone, and a status check moves no record out of it', async () => {
  expect(await references('--since', '2026-10-01', '--until', '2026-10-31')).toEqual(['OCT-FIRST', 'OCT-LAST']);
  expect(await references('--since', '2026-11-01')).toEqual(['NOV-FIRST', 'OTHER-WORD']);
  expect(await references('--since', '2026-10-31T23:00:00', '--until', '2026-10-31T23:45:00')).toEqual(['OCT-LAST']);
  expect(await references('--by', 'changed', '--until', '2026-10-31')).toEqual([]);
  expect(await references('--by', 'changed', '--since', '2026-11-20')).toHaveLength(4);
});

test('several statuses, and those that the service confirmed', async () => {
  expect(await references('--status', 'failed,success')).toEqual(['OCT-FIRST', 'OCT-LAST', 'NOV-FIRST']);
  expect(await references('--status', 'failed', '--status', 'parked')).toEqual(['NOV-FIRST', 'OTHER-WORD']);
  expect(await references('--status', 'failed', '--confirmed')).toEqual([]);
  expect(await references('--status', 'rejected, success', '--confirmed')).toHaveLength(3);
  expect(await references('--confirmed')).toEqual(['OCT-FIRST', 'OCT-LAST', 'NOV-FIRST']);
});

test.each([
  [['refunds', 'list', '--status', 'succes'], /no refund has this status.*Did you mean success\?/s],
  [['refunds', 'list', '--status', 'SUCCESS'], /Did you mean success\?/],
  [['refunds', 'list', '--status', 'failed,'], /a status is missing/],
  [['payouts', 'list', '--status', 'revrsed'], /Did you mean reversed\?/],
  [['events', 'list', '--status', 'succes'], /no event has this status.*Did you mean success\?/s],
  [['events', 'export', '--status', 'succes'], /Did you mean success\?/],
  [['refunds', 'list', '--since', '2026-11-02', '--until', '2026-11-01'], /--since 2026-11-02 is not before --until/],
  [['events', 'list', '--since', '1h', '--until', '2h'], /--since 1h is not before --until 2h/],
  [['refunds', 'list', '--since', 'yesterday'], /--since is "yesterday": not a date or time\./],
  [['refunds', 'list', '--environment', 'test', '--environment', 'live'], /--environment is given twice/],
  [['refunds', 'list', '--limit', '5', '--limit', '6'], /--limit is given twice/],
  [['refunds', 'list', '--json', '--format', 'csv'], /--json and --format csv/],
])('refused, with the next step: %s', async (args, message) => {
  expect(await run(...args)).toEqual({ code: 2, stdout: '', stderr: expect.stringMatching(message) });
});

test('filters by words of a list take several', async () => {
  const eventsOf = async (...args: string[]) =>
    (JSON.parse((await run('events', 'list', '--json', ...args)).stdout).items as { kind: string }[]).map(
      ({ kind }) => kind,
    );
  const counted = (kinds: string[]) => [...new Set(kinds)].sort();
  expect(counted(await eventsOf('--kind', 'payout', '--kind', 'refund'))).toEqual(['payout', 'refund']);
  expect(await eventsOf('--state', 'unknown', '--state', 'quarantined')).toEqual([]);
  expect(await eventsOf('--state', 'observed', '--state', 'unknown')).toHaveLength(9);
  expect(await eventsOf('--event', 'payout.failed', '--event', 'refund.failed')).toEqual(['payout', 'refund']);
  for (const line of [
    'findings list --code tie --code variant',
    'alerts list --cause stuck --cause silent --severity info',
  ]) {
    expect([line, (await run(...line.split(' '))).stderr]).toEqual([line, expect.not.stringMatching(/given twice/)]);
  }
  expect((await run('outbox', 'list', '--state', 'dead', '--state', 'failing', '--kind', 'refund')).code).toBe(0);
  expect((await run('matches', 'list', '--state', 'undone', '--state', 'claimed')).stderr).toMatch(/list of its own/);
});

test('a mistyped status is refused also where the rows are too many to be counted', async () => {
  const many = new TestDatabase();
  const rename = { cwd: many.folder, env: { TALLYHOOK_DATABASE: many.path } };
  try {
    many.keepAndApply(refund('R1', 'success'));
    // Counting ends at 500,000 ids.
    many.database.exec("UPDATE sqlite_sequence SET seq = 700000 WHERE name IN ('events', 'refunds')");
    many.keepAndApply(refund('R2', 'parked'));
    for (const list of ['refunds', 'events']) {
      expect(await command([list, 'list', '--status', 'succes'], rename)).toMatchObject({
        code: 2,
        stderr: expect.stringMatching(/Did you mean success\?/),
      });
      expect((await command([list, 'list', '--status', 'parked', '--json'], rename)).stdout).toContain('R2');
    }
  } finally {
    many.remove();
  }
});

test('a table has dates and fees, and says when nothing matches', async () => {
  const { stdout } = await run('refunds', 'list', '--status', 'success');
  expect(stdout).toMatch(/REFERENCE +REPORTED +CONFIRMED +AMOUNT +FEE +DATE \(Africa\/Lagos\) +TRANSACTION +FINDINGS/);
  expect(stdout).toMatch(/OCT-FIRST +success +success +50\.00 USD +0\.25 +2026-10-01 /);
  expect(await run('refunds', 'list', '--status', 'pending')).toEqual({
    code: 0,
    stdout: '',
    stderr: 'No refunds match.\n',
  });
  expect((await run('payouts', 'list')).stdout).toMatch(/ACCOUNT/);
  expect((await run('collections', 'list')).stdout).toMatch(/100\.00 NGN +1\.75 +2026-10-05 +-.*\n/);
});

test('CSV: exact amounts as numbers, ids as texts, local dates, nothing that a spreadsheet runs', async () => {
  const { code, stdout, stderr } = await run('payouts', 'list', '--format', 'csv', '--oldest-first');
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  const [header, first, second] = stdout.split('\n');
  expect(header).toMatch(/^"environment","kind","reference","reported","confirmed","date","effective_at","time_zone"/);
  expect(first).toContain(
    '"0017","failed",,"2026-10-05","2026-10-05 08:00:00+01:00","Africa/Lagos",100.00,"NGN","no",10.50,',
  );
  expect(second).toContain(`"'=1+1","success",,`);
  expect(second).toContain(',90071992547409.93,"NGN",');
  const [row] = parse(stdout, { columns: true }) as Record<string, string>[];
  expect(row).toMatchObject({
    paid_at: '2026-10-05 08:00:00+01:00',
    account: '••••••6789',
    open_findings: '0',
    id: '1',
  });
  const cut = await run('refunds', 'list', '--format', 'csv', '--limit', '1');
  expect(cut.stdout.trim().split('\n')).toHaveLength(2);
  expect(cut.stderr).toBe('1 of 4 shown; --limit 1000 or --all\n');
});

test('CSV of collections has what was requested, charged and kept as fee, each exact', async () => {
  const { stdout } = await run('collections', 'list', '--format', 'csv', '--reference', 'C1');
  const [row] = parse(stdout, { columns: true }) as Record<string, string>[];
  expect(row).toMatchObject({ amount: '100.00', charged: '101.75', fee: '1.75', currency: 'NGN' });
});

test('CSV tells the two hours of the same name apart when clocks go back', async () => {
  const env = { TALLYHOOK_DATABASE: db.path, TALLYHOOK_CONFIG: 'new-york.yaml' };
  writeFileSync(join(db.folder, 'new-york.yaml'), 'timeZone: America/New_York\n');
  const list = [
    'collections',
    'list',
    '--format',
    'csv',
    '--oldest-first',
    '--since',
    '2026-11-01',
    '--until',
    '2026-11-01',
  ];
  const { stdout } = await command(list, { cwd: db.folder, env });
  const rows = parse(stdout, { columns: true }) as Record<string, string>[];
  expect(rows.map(({ paid_at, effective_at }) => [paid_at, effective_at])).toEqual([
    ['2026-11-01 01:30:00-04:00', '2026-11-01 01:30:00-04:00'],
    ['2026-11-01 01:30:00-05:00', '2026-11-01 01:30:00-05:00'],
  ]);
});
