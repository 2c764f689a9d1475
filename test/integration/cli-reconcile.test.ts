import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { command } from '../support/command.ts';
import { undocumentedFields } from '../support/commands.ts';
import { october, PLANTED, plantedOctober } from '../support/reconciling.ts';
import { TEST_KEY_ENV } from '../support/signer.ts';
import { TestDatabase } from '../support/test-database.ts';

let db: TestDatabase;
beforeEach(async () => {
  db = new TestDatabase(await plantedOctober());
});
afterEach(() => db.remove());

const run = (args: readonly string[], service = true) => {
  const env = { TALLYHOOK_DATABASE: db.path, ...TEST_KEY_ENV };
  return command(args, { cwd: db.folder, env: service ? { ...env, TALLYHOOK_BASE_URL: 'http://127.0.0.1:9' } : env });
};

interface Row {
  readonly [field: string]: unknown;
  readonly code: string;
  readonly sub: string | null;
  readonly reference: string;
}

const named = ({ code, sub, reference }: Row) => `${code}${sub === null ? '' : `/${sub}`} ${reference}`;

test('every planted break is found, and no other', async () => {
  const { code, stdout, stderr } = await run(['reconcile', ...october, '--json']);
  expect([stderr, code]).toEqual(['', 3]);
  const report = JSON.parse(stdout) as { breaks: Row[]; timing: Row[]; notConfirmed: Row[] } & Record<string, unknown>;
  expect(report.breaks.map(named).toSorted()).toEqual(PLANTED.breaks.toSorted());
  expect(report.timing.map(named).toSorted()).toEqual(PLANTED.timing.toSorted());
  expect(report.notConfirmed).toEqual([]);
  expect(undocumentedFields(report, ['reconcile'])).toEqual([]);
  for (const one of [...report.breaks, ...report.timing]) {
    expect(one.id).toMatch(/^x-[0-9a-f]{24}$/);
    expect([one.leg, one.effect, one.line, one.candidates]).toEqual([null, '0.00', null, []]);
    expect([String(one.reason).length > 0, String(one.nextStep).length > 0]).toEqual([true, true]);
  }
  expect(new Set(report.breaks.map(({ id }) => id)).size).toBe(report.breaks.length);

  const of = (reference: string, code: string) =>
    report.breaks.find((one) => one.reference === reference && one.code === code);
  expect(of('P-fee', 'fee_mismatch')).toMatchObject({
    side: 'ours',
    kind: 'payout',
    environment: 'test',
    account: null,
    field: 'fee',
    currency: 'NGN',
    ours: '12.50',
    theirs: '15.00',
    variance: '2.50',
    amount: '100.00',
    firstSeen: '2026-10-10',
    ageDays: 21,
    reason: 'fee: the service says 12.50, the webhooks say 15.00',
    evidence: { answer: expect.any(Number), webhook: { status: 'success' }, service: { status: 'success' } },
  });
  // Requested at 09:00 UTC on 2 October, and ten days later it should have been settled.
  expect(of('R-stuck', 'stuck')).toMatchObject({
    ours: 'processing',
    firstSeen: '2026-10-12',
    ageDays: 19,
    variance: null,
  });
  expect(of('C-never', 'missing_external')).toMatchObject({ ours: '70.00', theirs: null, firstSeen: '2026-10-20' });
  expect(of('C-over', 'amount_mismatch')).toMatchObject({ ours: '10.00', theirs: '12.00', variance: '2.00' });
  expect(of('R-reserve', 'reserve_mismatch')).toMatchObject({ ours: '50.20', theirs: '51.00', variance: '0.80' });

  expect(report.reserved).toEqual([
    expect.objectContaining({
      status: 'processing',
      currency: 'USD',
      age: '3-7d',
      refunds: 1,
      reserved: '51.00',
      broken: 1,
    }),
    expect.objectContaining({ status: 'processing', currency: 'USD', age: '>7d', refunds: 1, withoutReserve: 1 }),
  ]);
  expect(report.transactions).toContainEqual({
    environment: 'test',
    reference: 'C-over',
    currency: 'USD',
    refunds: 2,
    collected: '10.00',
    refunded: '12.00',
    remaining: '-2.00',
  });
});

test('the same store gives the same bytes, and a former time gives what was known then', async () => {
  const asAt = ['--as-at', '2026-11-05T00:00:00Z'];
  const first = await run(['reconcile', ...october, '--json', ...asAt]);
  expect((await run(['reconcile', ...october, '--json', ...asAt])).stdout).toBe(first.stdout);
  // Before anything of the month arrived, nothing is known but what is tracked.
  const before = JSON.parse((await run(['reconcile', ...october, '--json', '--as-at', '2026-10-01'])).stdout);
  expect([before.breaks, before.totals]).toEqual([[], []]);
});

test('without an endpoint, what the service did not confirm is counted apart', async () => {
  const { stdout } = await run(['reconcile', 'refunds', ...october, '--json'], false);
  const { notConfirmed, breaks } = JSON.parse(stdout) as { notConfirmed: Row[]; breaks: Row[] };
  expect(notConfirmed.map(named)).toEqual(['not_confirmed/no_endpoint R-young']);
  // The service has answered this one, and it is late.
  expect(breaks.map(named)).toContain('stuck R-stuck');
});

test('a table for a person, CSV for a spreadsheet, and a file', async () => {
  const table = await run(['reconcile', ...october]);
  expect(table.code).toBe(3);
  expect(table.stdout).toContain('fee: the service says 12.50, the webhooks say 15.00');
  expect(table.stdout).toMatch(/\d+ breaks, about .* not due yet\./);
  const csv = await run(['reconcile', ...october, '--format', 'csv', '--out', 'october.csv']);
  expect([csv.stdout, csv.stderr]).toEqual(['', 'Written: october.csv\n']);
  const lines = readFileSync(join(db.folder, 'october.csv'), 'utf8').trim().split('\n');
  expect(lines[0]).toBe(
    '"list","id","code","sub","leg","side","kind","environment","account","reference","statement","row","field","currency","amount","ours","theirs","variance","effect","effect_outside","first_seen","age_days","reason","next_step","status","resolution"',
  );
  expect(lines).toHaveLength(1 + PLANTED.breaks.length + PLANTED.timing.length);
  expect(existsSync(join(db.folder, 'october.csv.part'))).toBe(false);
});

test('a month without breaks ends with 0', async () => {
  const { code, stdout } = await run(['reconcile', '--from', '2026-01-01', '--to', '2026-01-31']);
  expect([code, stdout]).toEqual([0, expect.stringContaining('No breaks.')]);
});

test.each([
  [['--from', '2026-10-32', '--to', '2026-10-31'], '--from is "2026-10-32": not a day.'],
  [['--from', '2026-10-31', '--to', '2026-10-01'], '--from 2026-10-31 is after --to 2026-10-01'],
  [[...october, '--zone', 'Lagos'], '--zone is "Lagos": not a time zone.'],
  [[...october, '--cut-off', '00:00'], 'Midnight at the end of the day is 24:00.'],
  [[...october, '--as-at', '2099-01-01'], 'nothing is known of the future'],
  [[...october, '--json', '--format', 'csv'], '--json and --format csv: give one of them.'],
])('%j is refused', async (words, message) => {
  const { code, stderr } = await run(['reconcile', ...words]);
  expect([code, stderr]).toEqual([2, expect.stringContaining(message)]);
});

test('totals count and add up exactly, by status, day, currency and channel', async () => {
  const json = async (...words: string[]) => JSON.parse((await run(['totals', ...words, ...october, '--json'])).stdout);
  const status = await json('collections');
  expect(undocumentedFields(status, ['totals'])).toEqual([]);
  expect(status.totals).toContainEqual({
    environment: 'live',
    kind: 'collection',
    currency: 'NGN',
    value: 'success',
    records: 1,
    withoutAmount: 0,
    total: '90071992547409.93',
    succeeded: 1,
    succeededTotal: '90071992547409.93',
  });
  const days = (await json('collections', '--by', 'day', '--environment', 'live')).totals;
  // 23:30 UTC on the 14th is the 15th in Lagos.
  expect(days).toEqual([expect.objectContaining({ value: '2026-10-15', records: 1 })]);
  const cut = await json('collections', '--by', 'day', '--environment', 'live', '--zone', 'UTC', '--cut-off', '23:00');
  expect(cut.totals).toEqual([expect.objectContaining({ value: '2026-10-15' })]);
  const channels = await json('collections', '--by', 'channel', '--environment', 'live');
  expect(channels.totals).toEqual([expect.objectContaining({ value: 'card', records: 1 })]);
  const csv = await run([
    'totals',
    'collections',
    '--by',
    'currency',
    '--format',
    'csv',
    '--environment',
    'live',
    ...october,
  ]);
  expect(csv.stdout).toBe(
    '"environment","kind","currency","records","without_amount","total","succeeded","succeeded_total"\n"live","collection","NGN",1,0,90071992547409.93,1,90071992547409.93\n',
  );
});
