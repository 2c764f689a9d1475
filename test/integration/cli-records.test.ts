import { readdirSync, readFileSync } from 'node:fs';
import { afterAll, expect, test } from 'vitest';
import { checked } from '../support/check.ts';
import { command } from '../support/command.ts';
import { undocumentedFields } from '../support/commands.ts';
import { delivery, payout, refund, START_MS, TestDatabase } from '../support/test-database.ts';

const db = new TestDatabase();
const collected = { status: 'success', amount: '10.12', requested_amount: '10.00', currency: 'NGN' };
db.keepAndApply(
  refund('R1', 'pending', { data: { amount: '90071992547409.93' } }),
  refund('R1', 'failed', {}, { environment: 'live' }),
  payout('P1', 'failed', { data: { account_number: '0123456789' } }),
  payout('P1', 'success', { updatedAt: '2026-11-20T09:10:00Z', data: { account_number: '9876543210' } }),
  delivery({
    notify: 'transaction',
    notifyType: 'successful',
    data: { reference: 'C1', ...collected, customer: { email: 'ada@example.com' } },
  }),
);
afterAll(() => db.remove());
const run = (...args: string[]) => command(args, { cwd: db.folder, env: { TALLYHOOK_DATABASE: db.path } });
const json = async (...args: string[]) => JSON.parse((await run(...args, '--json')).stdout);

test('list: exact money, masked people, documented fields', async () => {
  const refunds = await run('refunds', 'list', '--environment', 'test');
  expect(refunds).toMatchObject({ code: 0, stderr: '' });
  expect(refunds.stdout).toMatch(/R1 +pending +- +90071992547409\.93 +USD/);
  const collections = await json('collections', 'list');
  expect(collections.items).toMatchObject([
    {
      reference: 'C1',
      facts: { requestedAmount: '10.00' },
      details: { amount: '10.12', customerEmail: 'a•••@example.com' },
    },
  ]);
  expect(undocumentedFields(collections, ['refunds, payouts, collections'])).toEqual([]);
  expect((await json('collections', 'list', '--reveal')).items).toMatchObject([
    { details: { customerEmail: 'ada@example.com' } },
  ]);
});

test('show: statuses, history, observations, findings with masked values', async () => {
  const { code, stdout } = await run('payouts', 'show', 'P1');
  expect(code).toBe(0);
  expect(stdout).toMatch(/^payout P1\n/);
  expect(stdout).toMatch(/reported +success/);
  expect(stdout).toMatch(/failed +success/);
  expect(stdout).toMatch(/fact_conflict {2}accountNumber: ••••••\d{4} ≠ ••••••\d{4}/);
  expect(stdout).not.toMatch(/0123456789|9876543210/);
  const shown = await json('payouts', 'show', 'P1');
  expect(undocumentedFields(shown, ['refunds, payouts, collections', 'findings'])).toEqual([]);
});

test('show: the state of the status checks and the expectation', async () => {
  const other = new TestDatabase();
  other.keepAndApply(refund('R1', 'pending'));
  other.database.exec(`
    INSERT INTO tracked (kind, record_id, amount_minor, currency, expected_by, tracked_at)
    VALUES ('refund', 1, 5000, 'USD', ${START_MS + 3_600_000}, ${START_MS})`);
  await checked(other, 'R1', 'pending', { nowMs: START_MS });
  await checked(other, 'R1', null, { nowMs: START_MS + 1_000, outcome: 'unavailable', detail: 'ask again later' });
  const options = { cwd: other.folder, env: { TALLYHOOK_DATABASE: other.path } };
  const { code, stdout } = await command(['refunds', 'show', 'R1'], options);
  expect(code).toBe(0);
  expect(stdout).toMatch(/^outcome +unavailable: ask again later$/m);
  expect(stdout).toMatch(/^attempts +2 since the record last changed, the latest 1 without a usable answer$/m);
  expect(stdout).toMatch(/^next +2026-11-20 11:01:01\+01:00$/m);
  expect(stdout).toMatch(/^Expected\namount +50\.00\ncurrency +USD\nby +2026-11-20 12:00:00\+01:00$/m);
  const shown = JSON.parse((await command(['refunds', 'show', 'R1', '--json'], options)).stdout);
  expect(shown).toMatchObject([{ check: { outcome: 'unavailable' }, tracked: { amount: '50.00' } }]);
  expect(undocumentedFields(shown, ['refunds, payouts, collections', 'findings'])).toEqual([]);
  other.remove();
});

test('the service confirmed one of two amounts: lists, show, why and sums have it, and the finding stays', async () => {
  const other = new TestDatabase();
  other.keepAndApply(refund('R1', 'success', { data: { amount: '5.00' } }), refund('R2', 'success'));
  other.keepAndApply(refund('R1', 'success', { data: { amount: '6.00' } }));
  const began = { requested_at: '2026-10-31T23:30:00+01:00', amount: '5.00', currency: 'USD', fee: '0.25' };
  await checked(other, 'R1', 'success', { nowMs: START_MS, data: began });
  const options = { cwd: other.folder, env: { TALLYHOOK_DATABASE: other.path } };
  const shown = (...args: string[]) => command(args, options);
  const list = await shown('refunds', 'list');
  expect(list.stdout).toMatch(/R1 +success +success +5\.00\* +USD +0\.25 +2026-11-20 +- +2 /);
  expect(list.stdout).toMatch(/R2 +success +- +50\.00 +USD +- +2026-11-20 +- +0 /);
  expect(list.stderr).toBe("* The service's own amount; another observation differs. See: tallyhook findings\n");
  const five = JSON.parse((await shown('refunds', 'list', '--amount', '5', '--json')).stdout).items;
  expect(five).toMatchObject([{ reference: 'R1' }]);
  const { stdout } = await shown('refunds', 'show', 'R1');
  expect(stdout).toMatch(/^amount +- +5\.00 +-$/m);
  expect(stdout).toMatch(/^fee +- +0\.25 +-$/m);
  expect(stdout).toMatch(/^requested at +2026-10-31 23:30:00\+01:00$/m);
  expect((await shown('why', 'R1')).stdout).toMatch(/^refund R1 \(test\): 5\.00 USD by the service, disputed\n/);
  const [record] = JSON.parse((await shown('refunds', 'list', '--reference', 'R1', '--json')).stdout).items;
  expect(record).toMatchObject({
    facts: { amount: null },
    amount: { amount: '5.00', currency: 'USD', by: 'service', disputed: true },
    money: { reported: { amount: null, currency: 'USD' }, confirmed: { amount: '5.00', fee: '0.25' } },
    times: { requestedAt: { text: '2026-10-31T23:30:00+01:00', utc: '2026-10-31T22:30:00Z' } },
  });
  expect(undocumentedFields(record, ['refunds, payouts, collections'])).toEqual([]);
  const stats = await shown('stats');
  expect(stats.stdout).toMatch(/^refund +success, confirmed +1 +5\.00 +USD +0$/m);
  expect(stats.stdout).toMatch(/^refund +success, reported +1 +50\.00 +USD +0$/m);
  expect((await shown('findings')).stdout).toMatch(/fact_conflict/);
  other.remove();
});

test('show: a reference in both environments is shown twice, or once with --environment', async () => {
  expect(await json('refunds', 'show', 'R1')).toMatchObject([{ environment: 'test' }, { environment: 'live' }]);
  expect(await json('refunds', 'show', 'R1', '--environment', 'live')).toMatchObject([{ reported: 'failed' }]);
});

test('findings end with 3 when something is open, and with 0 when nothing is', async () => {
  const { code, stdout } = await run('findings');
  expect(code).toBe(3);
  expect(stdout).toMatch(/payout P1 +final_conflict/);
  expect(stdout).not.toMatch(/0123456789/);
  const closed = await run('findings', '--environment', 'live');
  expect(closed).toMatchObject({ code: 0, stdout: '', stderr: 'No open findings.\n' });
  const listed = await run('findings', '--json');
  expect(listed.code).toBe(3);
  expect(undocumentedFields(JSON.parse(listed.stdout), ['findings'])).toEqual([]);
});

test('findings show: the record, the observations behind it, masked, and what to do', async () => {
  const [{ id }] = JSON.parse((await run('findings', 'list', '--code', 'fact_conflict', '--json')).stdout).items;
  const { code, stdout } = await run('findings', 'show', String(id));
  expect(code).toBe(3);
  expect(stdout).toMatch(/^finding \d+ {2}fact_conflict of payout P1$/m);
  expect(stdout).toMatch(/^age +open for \d/m);
  expect(stdout).toMatch(/^what to do +Ask the support of the service which value is right/m);
  expect(stdout).toMatch(/webhook +\d+ +payout\.failed .* failed .* account number ••••••6789/);
  expect(stdout).not.toMatch(/0123456789|9876543210/);
  const shown = JSON.parse((await run('findings', 'show', String(id), '--json')).stdout);
  expect(shown.evidence).toMatchObject([{ says: { accountNumber: '••••••6789' } }, { status: 'success' }]);
  expect(undocumentedFields(shown, ['findings', 'refunds, payouts, collections'])).toEqual([]);
  const revealed = await run('findings', 'show', String(id), '--reveal');
  expect(revealed.stdout).toContain('account number 0123456789');
  expect(await run('findings', 'show', '999')).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/There is no finding 999\./),
  });
});

test('stats: counts and documented fields', async () => {
  const stats = await json('stats');
  const { test: ours, live } = stats.environments;
  expect([stats.events, ours.records.refund.reported, live.records.refund.reported]).toEqual([
    5,
    { pending: 1 },
    { failed: 1 },
  ]);
  expect(stats.firstReceivedAt).toBe(new Date(START_MS).toISOString());
  expect(stats.channels).toMatchObject([{ environment: 'test', kind: 'refund' }, {}, {}, {}]);
  expect(undocumentedFields(stats, ['stats', 'health'])).toEqual([]);
  expect((await run('stats')).stdout).toMatch(/^events +5$/m);
});

test('sql: exact, masked before the statement meets it, one table or one document', async () => {
  const { stdout } = await run('sql', "SELECT reference, amount_minor FROM refunds WHERE environment = 'test'");
  expect(stdout).toMatch(/R1 +9007199254740993/);
  const result = await json(
    'sql',
    "SELECT id, 9007199254740993 AS big, x'00ff' AS bytes, customer_email AS who FROM collections",
  );
  expect(result).toEqual({
    columns: ['id', 'big', 'bytes', 'who'],
    rows: [[1, '9007199254740993', '00ff', 'a•••@example.com']],
    truncated: false,
  });
  expect(undocumentedFields(result, ['sql'])).toEqual([]);
  const quoted = await run('sql', "SELECT detail FROM findings WHERE code = 'fact_conflict'");
  expect(quoted.stdout).toMatch(/••••••6789 ≠ ••••••3210/);
  expect(quoted.stdout).not.toMatch(/0123456789|9876543210/);
  const guessed = "SELECT upper(customer_email) FROM collections WHERE customer_email LIKE 'ada@%'";
  expect((await json('sql', guessed)).rows).toEqual([]);
  const revealed = await run('sql', 'SELECT customer_email FROM collections', '--reveal');
  expect(revealed.stdout).toContain('ada@example.com');
});

test('sql: an endless statement ends at its time limit, with what to do, and leaves no process', async () => {
  const endless = 'WITH RECURSIVE n(x) AS (VALUES (1) UNION ALL SELECT x + 1 FROM n) SELECT count(*) FROM n';
  const ended = await run('sql', endless, '--timeout', '1s');
  expect(ended).toMatchObject({ code: 1, stdout: '' });
  expect(ended.stderr).toMatch(/took longer than 1 s and was ended.*\n.*--timeout 10m/);
  const left = readdirSync('/proc').filter(
    (pid) => /^\d+$/.test(pid) && readable(`/proc/${pid}/cmdline`).includes(endless),
  );
  expect(left).toEqual([]);
  expect(await run('sql', 'SELECT 1', '--timeout', '0s')).toMatchObject({ code: 2 });
});

test('sql: a note names the row limit, and a write is refused', async () => {
  const limited = await run('sql', 'SELECT id FROM events', '--limit', '2');
  expect(limited).toMatchObject({ code: 0, stderr: expect.stringMatching(/Only the first 2 rows/) });
  const refused = await run('sql', 'DELETE FROM events');
  expect(refused).toMatchObject({ code: 2, stdout: '', stderr: expect.stringMatching(/Only a SELECT/) });
});

test('a record that is not there ends with 1 and the next step', async () => {
  const { code, stderr } = await run('refunds', 'show', 'P1', '--environment', 'live');
  expect({ code, stderr }).toEqual({
    code: 1,
    stderr: expect.stringMatching(/There is no refund P1 in live\.\nList them/),
  });
});

/** Empty for a process that has ended. */
function readable(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
